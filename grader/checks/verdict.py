"""From the outcome of each case to the criterion's result: its outcome, its share, its feedback."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grader.checks import causes, counterexample, endings
from grader.checks.attempt import Attempt
from grader.checks.carried import Carried
from grader.checks.closeness import EXACT, Gap, Tolerance
from grader.checks.recognition import is_telling, recognised, told
from grader.evidence import Ending
from grader.problem import CodeCriterion, Misconception, PropertyCriterion
from grader.result import CheckResult, Feedback, Outcome
from grader.value import describe

_FAILING = {
    Outcome.ERROR: ("ends in an error", "end in an error"),
    Outcome.TIMEOUT: ("runs out of time", "run out of time"),
    Outcome.MEMORY_LIMIT: ("needs too much memory", "need too much memory"),
    Outcome.OUTPUT_LIMIT: ("prints too much", "print too much"),
    Outcome.FAILED: ("is wrong", "are wrong"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found in its first failing case: a sentence, and how far off the value is.

    `joint` tells that it was found in all cases together: no single one is the counterexample.
    """

    sentence: str
    gap: Gap | None = None
    tolerance: Tolerance = EXACT
    joint: bool = False


def ungraded(criterion: CodeCriterion, fault: str, trace: str = "") -> CheckResult:
    """A criterion that could not be judged, by no fault of the student's."""
    said = (
        *_asked(criterion),
        Feedback("summary", "This was not graded: the grader or the exercise has a fault."),
        Feedback("error", fault, trace),
    )
    return CheckResult(criterion.id, Outcome.GRADER_ERROR, Fraction(0), said)


def passed(attempt: Attempt, summary: str) -> CheckResult:
    """All cases are right."""
    said = (*_asked(attempt.criterion), Feedback("summary", summary), *_mutations(attempt))
    return CheckResult(attempt.criterion.id, Outcome.PASSED, Fraction(1), said)


def passed_on(attempt: Attempt, carried: Carried, count: int) -> CheckResult:
    """All cases are right, `count` of them given the student's own wrong earlier result."""
    total = len(attempt.observations)
    shared = f"{cases(total).capitalize()} {'is' if total == 1 else 'are'} right"
    some = "" if count == total else f", {count} of them on an earlier result of your own"
    result = passed(attempt, f"{shared}{some}.")
    return replace(result, feedback=_with_carried(result.feedback, carried), carried=True)


def _with_carried(feedback: Sequence[Feedback], carried: Carried) -> tuple[Feedback, ...]:
    """Said right after the summary."""
    at = 1 + next((i for i, item in enumerate(feedback) if item.kind == "summary"), -1)
    return (*feedback[:at], carried.told(), *feedback[at:])


def not_passed(
    attempt: Attempt,
    outcomes: Sequence[Outcome],
    finding: Finding,
    carried: Carried | None = None,
) -> CheckResult:
    """Some case is not right; `finding` belongs to the first of those.

    With `carried`, some of the cases that are right are so given the student's earlier result.
    """
    criterion = attempt.criterion
    right = sum(outcome is Outcome.PASSED for outcome in outcomes)
    share = Fraction(right, len(outcomes)) if _earns_shares(criterion) else Fraction(0)
    first = _first(outcomes)
    fitting = recognised(attempt, finding.tolerance)
    known = fitting if is_telling(attempt) else ()
    said = (
        *_asked(criterion),
        *_found(attempt, outcomes, finding),
        *endings.errors(attempt, first),
        *endings.output(attempt.observations[first]),
        *_advice(attempt, first, known),
        *_mutations(attempt),
    )
    counts = carried is not None and share > 0
    return CheckResult(
        criterion.id,
        Outcome.PARTIAL if share else outcomes[first],
        share,
        _with_carried(said, carried) if counts and carried else said,
        misconceptions=tuple(m.id for m in known),
        cause=causes.cause(attempt, first),
        hunches=() if known else tuple(m.id for m in fitting),
        carried=counts,
    )


def cases(count: int) -> str:
    """``the one case`` or ``all 8 cases``."""
    return "the one case" if count == 1 else f"all {count} cases"


def _earns_shares(criterion: CodeCriterion) -> bool:
    """Cases that are judged together stand or fall together."""
    joint = isinstance(criterion, PropertyCriterion) and criterion.over == "all"
    return criterion.credit == "share" and not joint


def _asked(criterion: CodeCriterion) -> Iterator[Feedback]:
    if criterion.asks:
        yield Feedback("asked", criterion.asks)


def _found(attempt: Attempt, outcomes: Sequence[Outcome], finding: Finding) -> Iterator[Feedback]:
    first = _first(outcomes)
    if finding.joint:
        many = cases(len(outcomes))
        yield Feedback("summary", f"Judged over {many} together: {finding.sentence}")
        return
    yield Feedback("summary", _summary(attempt, outcomes, first))
    yield from _case(attempt, first, finding)


def _first(outcomes: Sequence[Outcome]) -> int:
    """Index of the first case that is not right: the smallest, as cases are ordered."""
    return next(i for i, outcome in enumerate(outcomes) if outcome is not Outcome.PASSED)


def _summary(attempt: Attempt, outcomes: Sequence[Outcome], first: int) -> str:
    if attempt.absent(first):
        return endings.not_there(attempt, first)
    if attempt.observations[first].ending is Ending.STUB:
        return f"`{attempt.missing(first)}` is still empty: not attempted."
    failing = [outcome for outcome in outcomes if outcome is not Outcome.PASSED]
    alike = all(outcome is failing[0] for outcome in failing)
    one, many = _FAILING[failing[0]] if alike else ("fails", "fail")
    total = len(outcomes)
    if total == 1:
        return f"The one case {one}{_label(attempt, first)}."
    label = _label(attempt, first)
    if len(failing) == 1:
        return f"1 of {total} cases {one}{label}."
    whole = "Both" if total == 2 else f"All {total}"
    count = whole if len(failing) == total else f"{len(failing)} of {total}"
    smallest = "the smallest" if failing[0] is Outcome.FAILED else "the first"
    return f"{count} cases {many}; {smallest}{label}." if label else f"{count} cases {many}."


def _label(attempt: Attempt, index: int) -> str:
    label = attempt.key.stimuli[index].label
    return f": {label}" if label else ""


def _case(attempt: Attempt, index: int, finding: Finding) -> Iterator[Feedback]:
    observation = attempt.observations[index]
    if attempt.absent(index) or observation.ending is Ending.STUB:
        return
    case = counterexample.of(attempt, index, finding.gap)
    said = finding.sentence
    if observation.ending is Ending.RETURNED and not case.has_returned:
        said = f"{said} (It returned {describe(observation.value)}, too large to show.)".strip()
    yield Feedback("case", said, case=case)


def _advice(attempt: Attempt, first: int, known: Sequence[Misconception]) -> Iterator[Feedback]:
    """One hint only: the best known misconception's, else the criterion's own.

    The criterion's is about values, so it says nothing to code that could not be called.
    """
    if known:
        yield told(known[0])
    elif attempt.criterion.hint and not attempt.absent(first):
        yield Feedback("hint", attempt.criterion.hint)


def _mutations(attempt: Attempt) -> Iterator[Feedback]:
    """A function that changes its arguments is told so, right or wrong; no value is named."""
    known = range(len(attempt.key.stimuli[0].args))
    changed = {i for observation in attempt.observations for i in observation.mutated}
    names = [f"`{counterexample.parameter(attempt, i)}`" for i in known if i in changed]
    if names:
        first = counterexample.parameter(attempt, min(changed & set(known)))
        yield Feedback(
            "hint",
            f"`{attempt.criterion.function}` changes its argument{'s' * (len(names) > 1)} "
            f"{' and '.join(names)} in place, which whoever calls it may still need: work on a "
            f"copy (`{first} = {first}.copy()`, or `x = x - …` instead of `x -= …`).",
        )
