"""Recognising a known misconception: wrong outputs that are those of a known-wrong answer.

Runs only for criteria that are not passed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grader.checks.attempt import Attempt
from grader.checks.closeness import Tolerance, compare, is_narrow, numbers
from grader.evidence import Ending, Observation
from grader.problem import Misconception
from grader.result import Feedback
from grader.value import Plain

_CLOSE = Tolerance(rtol=1e-6, atol=1e-9)
"""Wide enough for the same mistake computed in another order."""
_NARROW = Tolerance(rtol=1e-4, atol=1e-6)


def recognised(attempt: Attempt, tolerance: Tolerance = _CLOSE) -> tuple[Misconception, ...]:
    """The misconceptions whose outputs on every stimulus are the student's, most specific first.

    One that gives the reference's outputs throughout explains nothing and is left out.
    """
    wide = Tolerance(max(tolerance.rtol, _CLOSE.rtol), max(tolerance.atol, _CLOSE.atol))
    found = [
        misconception
        for misconception in attempt.misconceptions
        if _explains(attempt, attempt.key.misconceptions.get(misconception.id, ()), wide)
    ]
    # A mistake in one function alone says more than one that runs through several.
    return tuple(sorted(found, key=lambda m: len(m.functions) + len(m.formulas)))


def is_telling(attempt: Attempt) -> bool:
    """Tell whether what was returned can speak for a misconception at all.

    Not where every number in it is nan or inf: that comes of many a fault.
    """
    values = [o.value for o in attempt.observations if o.ending is Ending.RETURNED]
    return not values or any(map(_says_something, values))


def _says_something(value: Plain) -> bool:
    array = numbers(value)
    if array is not None:
        return bool(np.isfinite(array).any())
    return not isinstance(value, list | tuple) or any(map(_says_something, value))


def told(misconception: Misconception) -> Feedback:
    """The sentence for a student who shows a misconception."""
    return Feedback("misconception", f"{misconception.title}: {misconception.hint}")


def _explains(attempt: Attempt, outputs: Sequence[Observation], tolerance: Tolerance) -> bool:
    if len(outputs) != len(attempt.observations) or not outputs:
        return False
    if not _all_alike(attempt.observations, outputs, tolerance):
        return False
    if not any(output.ending is Ending.RETURNED for output in outputs):
        # A type of exception alone has too many causes; its message names the very sizes.
        return list(map(_message, outputs)) == list(map(_message, attempt.observations))
    expected = attempt.key.expected
    return not (expected and _all_alike(outputs, expected, tolerance))


def _all_alike(
    some: Sequence[Observation], others: Sequence[Observation], tolerance: Tolerance
) -> bool:
    return all(_alike(a, b, tolerance) for a, b in zip(some, others, strict=True))


def _alike(a: Observation, b: Observation, tolerance: Tolerance) -> bool:
    if a.ending is not b.ending or set(a.mutated) != set(b.mutated):
        return False
    if a.ending is not Ending.RETURNED:
        return _error_type(a) == _error_type(b)
    if _container(a.value) != _container(b.value):
        return False
    return compare(a.value, b.value, _NARROW if is_narrow(a.value) else tolerance).close


def _error_type(observation: Observation) -> str:
    return observation.error.type.rpartition(".")[2] if observation.error else ""


def _message(observation: Observation) -> str:
    return observation.error.message if observation.error else ""


def _container(value: Plain) -> str:
    """What kind of value it is; a numpy scalar is a number like any other."""
    if isinstance(value, np.ndarray):
        return "array" if value.ndim else "bool" if value.dtype.kind == "b" else "number"
    if isinstance(value, bool) or not isinstance(value, int | float | complex):
        return type(value).__name__
    return "number"
