"""The pack's own formulas, judged before any student's: a broken one stops the run."""

from __future__ import annotations

from collections.abc import Iterator

from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.symbolic_verdict import Finding, Verdict
from grader.errors import SpecError, SpecFault
from grader.pipeline.prepare import Prepared
from grader.problem import SymbolicCriterion


def require_sound(prepared: Prepared, judge: FormulaJudge) -> None:
    """Judge each formula against itself, and each known-wrong one against the right one.

    Raises:
        SpecError: if one cannot be read or evaluated, or a known-wrong one is right.
    """
    faults = [*_faults(prepared, judge)]
    if faults:
        raise SpecError(str(prepared.pack.folder), faults)


def _faults(prepared: Prepared, judge: FormulaJudge) -> Iterator[SpecFault]:
    for part, criterion in prepared.problem.criteria():
        if not isinstance(criterion, SymbolicCriterion):
            continue

        def judged(formula: str, criterion: SymbolicCriterion = criterion) -> Verdict:
            return judge.judge(criterion.formula, criterion.variables, formula, prepared.seed)

        itself = judged(criterion.formula)
        if itself.finding is Finding.BROKEN:
            # A worker that does not run is no fault of the pack's; the checks tell of it.
            if judge.judge("1", {}, "1", prepared.seed).equal:
                where = f"parts.{part.id}.criteria.{criterion.id}.formula"
                yield SpecFault(where, itself.reason, "mend the formula, or the variables")
            continue
        for misconception in prepared.problem.misconceptions:
            wrong = misconception.formulas.get(criterion.id)
            if wrong is not None:
                where = f"misconceptions.{misconception.id}.formulas.{criterion.id}"
                yield from _known_wrong(where, judged(wrong))


def _known_wrong(where: str, verdict: Verdict) -> Iterator[SpecFault]:
    if verdict.finding is Finding.UNREADABLE:
        yield SpecFault(where, f"cannot be read: {verdict.reason}", "mend the formula")
    elif verdict.equal:
        yield SpecFault(where, "is right: it equals the criterion's own formula", "mend either")
