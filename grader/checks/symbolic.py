"""The `symbolic` check: a student's formula against the pack's, and what to tell the student.

`FormulaJudge` compares the two in a process of its own; this module turns its verdict into an
outcome and sentences.  The pack's formula is never shown, only its value at a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.symbolic_verdict import Finding, Verdict
from grader.evidence import Answer
from grader.problem import Misconception, SymbolicCriterion
from grader.result import CheckResult, Feedback, Outcome

_PLACEHOLDER = " \t\r\n.…?_`$"
"""A starter's ``m = …`` left as it is, in these characters alone, is no formula."""
_SHOWN_AROUND = 36
"""How many characters of an unreadable formula are shown on each side of where reading stopped."""


def check(
    criterion: SymbolicCriterion,
    part_id: str,
    answer: Answer | None,
    judge: FormulaJudge,
    misconceptions: Sequence[Misconception],
    seed: int,
) -> CheckResult:
    """Judge the formula that a part's answer gives for the criterion's symbol.

    A formula that cannot be read or decided is left to a person; a fault of the pack's formula or
    of the worker is a `grader_error`.
    """
    formula = answer.formulas.get(criterion.symbol, "") if answer else ""
    if not formula.strip(_PLACEHOLDER):
        return _result(criterion, Outcome.MISSING, [_how_to_answer(criterion, part_id)])
    verdict = judge.judge(criterion.formula, criterion.variables, formula, seed)
    match verdict.finding:
        case Finding.PROVED | Finding.AGREES:
            return _result(
                criterion, Outcome.PASSED, [_right(verdict), _reading(criterion, verdict)]
            )
        case Finding.REFUTED:
            named = _recognised(criterion, formula, judge, misconceptions, seed)
            return _result(criterion, Outcome.FAILED, _wrong(criterion, verdict), named)
        case Finding.UNREADABLE:
            return _unreadable(criterion, formula, verdict)
        case Finding.UNDECIDED:
            said = [_undecided(verdict), _quoted(criterion, formula)]
            return _result(criterion, Outcome.NEEDS_REVIEW, said)
        case Finding.BROKEN:
            return _result(criterion, Outcome.GRADER_ERROR, [_broken(verdict)])


def _result(
    criterion: SymbolicCriterion,
    outcome: Outcome,
    said: Sequence[Feedback],
    named: Sequence[Misconception] = (),
) -> CheckResult:
    feedback = [Feedback("asked", criterion.asks or _asked(criterion)), *said]
    feedback += [Feedback("misconception", f"{m.title}: {m.hint}") for m in named]
    if criterion.hint and outcome is not Outcome.PASSED:
        feedback.append(Feedback("hint", criterion.hint))
    return CheckResult(
        criterion.id,
        outcome,
        Fraction(outcome is Outcome.PASSED),
        tuple(feedback),
        tuple(m.id for m in named),
    )


def _asked(criterion: SymbolicCriterion) -> str:
    names = ", ".join(criterion.variables)
    return f"Give {criterion.symbol} as a formula" + (f" in {names}." if names else ".")


def _recognised(
    criterion: SymbolicCriterion,
    formula: str,
    judge: FormulaJudge,
    misconceptions: Sequence[Misconception],
    seed: int,
) -> list[Misconception]:
    """The known mistakes whose formula is the student's."""
    return [
        known
        for known in misconceptions
        if (wrong := known.formulas.get(criterion.id))
        and judge.judge(wrong, criterion.variables, formula, seed).equal
    ]


# --- what is said --------------------------------------------------------------------------


def _how_to_answer(criterion: SymbolicCriterion, part_id: str) -> Feedback:
    return Feedback(
        "summary",
        f"There is no formula for {criterion.symbol}. Write a line `{criterion.symbol} = …` under "
        f"`## {part_id}` in your written answers (answers.md), spelled like this:",
        block=_example(criterion),
    )


def _example(criterion: SymbolicCriterion) -> str:
    """A formula in the criterion's variables that shows the spelling and gives nothing away."""
    names = list(criterion.variables)
    formula = f"3*{names[0]}/({names[-1]} + 2) - ln({names[0]})" if names else "ln(2)/3"
    return f"{criterion.symbol} = {formula}"


def _right(verdict: Verdict) -> Feedback:
    if verdict.finding is Finding.PROVED:
        return Feedback(
            "summary", "Your formula is right: it was proved equal to the expected one."
        )
    count = "1 point" if verdict.points == 1 else f"{verdict.points} points"
    return Feedback(
        "summary",
        f"Your formula is right: it agrees with the expected one at {count} to 50 digits.",
    )


def _reading(criterion: SymbolicCriterion, verdict: Verdict) -> Feedback:
    block = f"{criterion.symbol} = {verdict.reading}"
    return Feedback("formula", "Your formula was read like this:", block=block)


def _wrong(criterion: SymbolicCriterion, verdict: Verdict) -> list[Feedback]:
    point = ", ".join(f"{name} = {value}" for name, value in verdict.at)
    where = f"At {point} your formula" if point else "Your formula"
    if verdict.reason:
        differs = f"{where} has no value, because {verdict.reason}; the right one gives"
    else:
        differs = f"{where} gives {verdict.given}, the right one gives"
    full_stop = "" if verdict.expected.endswith("…") else "."
    return [
        Feedback("summary", f"Your formula for {criterion.symbol} is not the right one."),
        _reading(criterion, verdict),
        Feedback("formula", f"{differs} {verdict.expected}{full_stop}"),
    ]


def _unreadable(criterion: SymbolicCriterion, formula: str, verdict: Verdict) -> CheckResult:
    meant = f" Did you mean `{verdict.meant}`?" if verdict.meant else ""
    why = Feedback(
        "summary",
        "Your formula could not be read, so a person will look at it. At the mark below: "
        f"{verdict.reason}.{meant}",
        block=_pointed_at(formula, verdict.position or 0),
    )
    said = [why]
    if verdict.unknown:
        said.append(Feedback("formula", _known_names(criterion)))
    said.append(Feedback("formula", "Formulas are spelled like this:", block=_example(criterion)))
    return _result(criterion, Outcome.NEEDS_REVIEW, said)


def _known_names(criterion: SymbolicCriterion) -> str:
    names = [
        f"{name} (or {', '.join(domain.aliases)})" if domain.aliases else name
        for name, domain in criterion.variables.items()
    ]
    functions = "exp, ln (also log), sqrt, abs, min, max, and the numbers e and pi"
    return f"The names it may use are {', '.join(names)}; {functions}." if names else functions


def _pointed_at(formula: str, position: int) -> str:
    """The formula on one line with a mark under one character; long ones cut around it."""
    line = "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in formula)
    start, end = max(0, position - _SHOWN_AROUND), position + _SHOWN_AROUND
    head, tail = "…" if start else "", "…" if end < len(line) else ""
    shown = f"{head}{line[start:end]}{tail}"
    return f"{shown}\n{' ' * (len(head) + position - start)}^"


def _quoted(criterion: SymbolicCriterion, formula: str) -> Feedback:
    line = "".join(c if c.isprintable() else " " for c in formula)
    return Feedback("formula", "This is the formula:", block=f"{criterion.symbol} = {line}")


def _undecided(verdict: Verdict) -> Feedback:
    return Feedback(
        "summary",
        f"Whether your formula is right could not be decided: {verdict.reason}. "
        "A person will look at it.",
    )


def _broken(verdict: Verdict) -> Feedback:
    return Feedback(
        "summary",
        f"The grader could not judge this formula, through no fault of yours: {verdict.reason}.",
    )
