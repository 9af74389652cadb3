"""The `matches` check: what a student's function returned, against the reference's answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.checks import clues, verdict
from grader.checks.attempt import Attempt
from grader.checks.carried import Carried
from grader.checks.closeness import APART, Gap, Tolerance, compare, is_narrow, largest
from grader.checks.predicates import PackFault
from grader.evidence import AnswerKey, Observation, Run
from grader.problem import MatchesCriterion, Misconception
from grader.result import CheckResult, Outcome
from grader.value import Plain


def check(
    criterion: MatchesCriterion,
    key: AnswerKey,
    observations: Sequence[Observation],
    run: Run,
    misconceptions: Sequence[Misconception],
    earlier: Sequence[Observation] = (),
) -> CheckResult:
    """Judge each case by |returned − expected| ≤ atol + rtol·|expected|; explain the first miss.

    `observations` are what the student's function did on `key.stimuli`, in their order; `earlier`,
    what their earlier function did on `key.earlier.stimuli`.  A case that misses the reference's
    answer, but meets the one that is right given that, is right.
    """
    attempt = Attempt(criterion, key, observations, run, misconceptions)
    fault = attempt.fault() or attempt.comparison_fault()
    if fault:
        return verdict.ungraded(criterion, fault)
    with np.errstate(all="ignore"):
        try:
            return _judged(attempt, criterion, earlier)
        except PackFault as error:
            return verdict.ungraded(criterion, str(error), error.trace)


def _judged(
    attempt: Attempt, criterion: MatchesCriterion, earlier: Sequence[Observation]
) -> CheckResult:
    cases = range(len(attempt.observations))
    gaps = [_gap(attempt, criterion, i, attempt.expected(i)) for i in cases]
    missed = [i for i, gap in enumerate(gaps) if not gap.close]
    if not missed:
        return verdict.passed(attempt, _agreement(gaps))
    carried = Carried(attempt, earlier)
    on_own = frozenset(i for i in missed if _is_carried(attempt, criterion, i, carried))
    outcomes = [attempt.outcome(i, holds=gaps[i].close or i in on_own) for i in cases]
    first = next((i for i in missed if i not in on_own), None)
    if first is None:
        return verdict.passed_on(attempt, carried, len(on_own))
    found = _finding(attempt, criterion, first, gaps)
    return verdict.not_passed(attempt, outcomes, found, carried if on_own else None)


def _is_carried(
    attempt: Attempt, criterion: MatchesCriterion, index: int, carried: Carried
) -> bool:
    """Whether an answer that misses the reference's is right given the student's earlier result.

    atol is made for answers of the reference's size.  Where the student's own would be smaller, by
    their own doing, it shrinks with them: else tiny weights would make every tiny answer right.
    """
    expected = carried.expected(index)
    if expected is None:
        return False
    size, usual = largest(expected), largest(attempt.expected(index))
    scale = min(1.0, size / usual) if usual else 1.0
    return _gap(attempt, criterion, index, expected, scale).close


def _gap(
    attempt: Attempt, criterion: MatchesCriterion, index: int, expected: Plain, scale: float = 1.0
) -> Gap:
    """How far an answer is from the expected one, by tolerances with `scale` times their atol."""
    if attempt.ended(index) is not Outcome.PASSED:
        return APART
    observation = attempt.observations[index]
    rtol, atol = criterion.rtol, criterion.atol
    gap = compare(observation.value, expected, Tolerance(rtol, scale * atol))
    if not gap.close and _single_precision(attempt, index):
        rtol, atol = _wide(criterion)
        gap = compare(observation.value, expected, Tolerance(rtol, scale * atol))
    return gap


def _single_precision(attempt: Attempt, index: int) -> bool:
    """Whether the returned value, or any argument, has single precision or less."""
    observation = attempt.observations[index]
    if is_narrow(observation.value) or observation.type_name.endswith(("float32", "float16")):
        return True
    return any(is_narrow(argument) for argument in attempt.arguments(index))


def _wide(criterion: MatchesCriterion) -> Tolerance:
    wide = criterion.float32_rtol
    return Tolerance(max(criterion.rtol, wide), max(criterion.atol, wide))


def _finding(
    attempt: Attempt, criterion: MatchesCriterion, index: int, gaps: Sequence[Gap]
) -> verdict.Finding:
    narrow = _single_precision(attempt, index)
    tolerance = _wide(criterion) if narrow else Tolerance(criterion.rtol, criterion.atol)
    if attempt.ended(index) is not Outcome.PASSED:
        return verdict.Finding("", None, tolerance)
    expected = attempt.expected(index)
    whole = any(_is_integer(argument) for argument in attempt.arguments(index))
    wrong = clues.Wrong(attempt.observations[index], expected, gaps[index], tolerance, whole)
    return verdict.Finding(clues.clue(wrong), gaps[index], tolerance)


def _is_integer(argument: Plain) -> bool:
    return isinstance(argument, np.ndarray) and argument.dtype.kind in "iu"


def _agreement(gaps: Sequence[Gap]) -> str:
    errors = [gap.max_error for gap in gaps if gap.max_error is not None]
    largest = f" (largest error {max(errors):.1g})" if errors else ""
    one = len(gaps) == 1
    return f"{verdict.cases(len(gaps)).capitalize()} {'agrees' if one else 'agree'}{largest}."
