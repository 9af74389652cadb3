"""Criteria with a predicate: right answers worked out in other ways, and whether they pass it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.checks import properties
from grader.evidence import Ending, Observation, Run
from grader.problem import Pack, PropertyCriterion
from grader.result import CheckResult, Outcome
from grader.value import show
from grader.verification import Finding, Level
from grader.verify.formulations.catalogue import Formulation, Kind
from grader.verify.formulations.trial import Trial

_LOADED = Observation(Ending.RETURNED)


@dataclass(frozen=True)
class Failing:
    """A right answer that does not pass a property."""

    criterion: PropertyCriterion
    trial: Trial
    formulation: Formulation
    result: CheckResult

    @property
    def asked(self) -> bool:
        """Whether a student may be expected to answer so."""
        kind = self.formulation.kind
        return kind is Kind.HONEST or (kind is Kind.SINGLE and any(self.trial.narrow))


def failing(pack: Pack, criterion: PropertyCriterion, trials: Sequence[Trial]) -> Iterator[Failing]:
    """The first answer of each kind that does not pass."""
    told: set[Kind] = set()
    for trial in trials:
        for formulation, answers in trial.answers:
            if formulation.kind in told:
                continue
            result = _judged(pack, criterion, trial, answers)
            if result.outcome is not Outcome.PASSED:
                told.add(formulation.kind)
                yield Failing(criterion, trial, formulation, result)


def _judged(
    pack: Pack, criterion: PropertyCriterion, trial: Trial, answers: Sequence[Observation]
) -> CheckResult:
    run = Run(tuple(answers), _LOADED, {criterion.function: "function"})
    predicate = pack.checks[criterion.check]
    return properties.check(criterion, trial.key, answers, run, (), predicate)


def finding(failed: Failing) -> Finding:
    """A right answer that students are asked for, and that does not pass."""
    criterion, result = failed.criterion, failed.result
    kinds = ("summary", "case", "error")
    said = " ".join(item.text for item in result.feedback if item.kind in kinds)
    case = next((item.case for item in result.feedback if item.case is not None), None)
    block = "" if case is None else f"case:     {case.label or case.call}\n"
    if case is not None and case.has_returned:
        block += f"returned: {show(case.returned)}"
    text = (
        f"The right answer worked out {failed.formulation.name} does not pass "
        f"(seed {failed.trial.seed}): {said}"
    )
    mend = f"allow more for rounding in {criterion.check}, or choose inputs where it matters less"
    return Finding(Level.ERROR, criterion.id, text, mend, block)


_NOT_ASKED = {
    Kind.EXACT: "Rounding is part of the answer: in higher precision, right ones do not pass",
    Kind.PERTURBED: "From inputs that are one rounding off, right answers do not pass",
    Kind.SINGLE: "In single precision, which no input asks for, right answers do not pass",
}


def notes(failed: Sequence[Failing]) -> Iterator[Finding]:
    """Of what nobody is asked for, a line for each kind: a property may be about the very digits
    of its inputs, or about rounding itself."""
    for kind, text in _NOT_ASKED.items():
        ids = [f.criterion.id for f in failed if f.formulation.kind is kind]
        if ids:
            yield Finding(Level.NOTE, ids[0], f"{text}: {', '.join(ids)}.")
