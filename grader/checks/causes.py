"""What a failing case failed for, as a word by which two criteria with one fault are recognised.

Told only where the fault is certain to be the same: code that did not load, a name that is not
there, an exception at one line, a function that returns nothing.  Wrong numbers have many causes.
"""

from __future__ import annotations

from grader.checks.attempt import Attempt
from grader.checks.closeness import numbers
from grader.evidence import Ending, Observation
from grader.value import Plain, cut

_LIMIT = 200


def cause(attempt: Attempt, index: int) -> str:
    """Name the cause of a case that is not right, or return "" where it may be any."""
    observation, function = attempt.observations[index], attempt.criterion.function
    if attempt.absent(index) and attempt.run.load.ending is not Ending.RETURNED:
        return "the code did not load"
    if attempt.absent(index) or observation.ending is Ending.STUB:
        return f"no {attempt.missing(index)}"
    if observation.ending is Ending.RAISED:
        return cut(_raised(observation), _LIMIT)
    if observation.ending is not Ending.RETURNED:
        return f"{observation.ending} in {function}"
    if _is_of_another_kind(observation.value, attempt.expected(index)):
        return cut(f"{type(observation.value).__name__} from {function}", _LIMIT)
    return ""


def _raised(observation: Observation) -> str:
    """By type and line: the message may name sizes, which differ from input to input."""
    error = observation.error
    if error is None:
        return ""
    where = error.where
    return f"{error.type} in {where.file} line {where.line}" if where else str(error)


def _is_of_another_kind(returned: Plain, expected: Plain) -> bool:
    """No numbers, where numbers are asked or, for lack of a reference, where there is nothing."""
    if expected is None:
        return returned is None
    return numbers(expected) is not None and numbers(returned) is None
