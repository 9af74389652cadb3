"""Error carried forward: the student's own earlier results, and whether they may stand in for the
right ones.

Nothing is carried unless the earlier function returned something of the right form in every case,
the pack's guard finds all of it usable, and in the case at hand it is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from grader.checks.attempt import Attempt
from grader.checks.closeness import Tolerance, compare, is_narrow, numbers
from grader.checks.predicates import ask, called, fresh, returned
from grader.evidence import AnswerKey, EarlierKey, Ending, Observation, Stimulus
from grader.problem import CarriedAnswer
from grader.result import Feedback
from grader.value import Plain, as_array

_WRONG = Tolerance(rtol=1e-7, atol=1e-9)
_WRONG_NARROW = Tolerance(rtol=1e-4, atol=1e-4)
"""Farther off than this is wrong.  Rounding must not pass for it, though no points depend on that:
what is right on a result that is right to rounding is right, to rounding, anyway."""


class Carried:
    """A student's earlier results for one criterion, those that may be built on."""

    def __init__(self, attempt: Attempt, seen: Sequence[Observation]) -> None:
        """`seen` is what the student's earlier function did, one observation for each case."""
        self._attempt = attempt
        self._key = attempt.key.earlier
        self._seen = seen

    @cached_property
    def _usable(self) -> Mapping[int, Plain]:
        """Case → the earlier result that may be built on.  Worked out for failing answers only."""
        if self._key is None or not _are_sound(self._key, self._seen):
            return {}
        return _wrong_ones(self._attempt, self._key, self._seen)

    def at(self, index: int) -> Plain:
        """The student's own wrong earlier result in a case, None if it may not be built on.

        Raises:
            PackFault: if the pack's guard raises, or answers what no guard may.
        """
        return fresh(self._usable.get(index))

    def expected(self, index: int) -> Plain:
        """The right answer in a case given the student's earlier result, None if there is none.

        Raises:
            PackFault: if the pack's reference or guard raises.
        """
        key, arguments = self._key, self._attempt.arguments(index)
        if key is None or key.reference is None or index not in self._usable:
            return None
        if any(isinstance(argument, Stimulus) for argument in arguments):
            return None  # a nested call of which the child told nothing
        given = (self.at(index), *map(fresh, arguments))
        answer = called(key.reference, f"the reference `{_name(self._attempt)}`", *given)
        # What overflows would be matched by every answer that does.
        return answer if _is_finite(answer) else None

    def told(self) -> Feedback:
        """What a student is told of an answer that counts for this reason."""
        parts = self._key.parts if self._key else {}
        where = list(dict.fromkeys(parts.values()))
        what = "it returns" if len(parts) == 1 else "they give together"
        which = f"part{'s' * (len(where) > 1)} {' and '.join(where)}"
        return Feedback(
            "carried",
            f"Right, given your own {self.functions}. What {what} here is not right, which is "
            f"judged in {which} and costs nothing again.",
        )

    @property
    def functions(self) -> str:
        """The student's earlier functions, named."""
        return " and ".join(f"`{name}`" for name in (self._key.parts if self._key else ()))


def _are_sound(key: EarlierKey, seen: Sequence[Observation]) -> bool:
    """Whether every call returned finite numbers of the shape that was asked for."""
    return len(seen) == len(key.expected) and all(
        one.ending is Ending.RETURNED and _is_alike(one.value, right.value)
        for one, right in zip(seen, key.expected, strict=True)
    )


def _is_alike(value: Plain, right: Plain) -> bool:
    # Of integers beyond 64 bits there are no arrays, and a pack's guard need not know of them.
    wanted, got = numbers(right), as_array(value)
    if wanted is None or got is None or got.shape != wanted.shape:
        return False
    return (got.dtype.kind != "c" or wanted.dtype.kind == "c") and _is_finite(got)


def _is_finite(value: Plain) -> bool:
    array = numbers(value)
    return array is not None and bool(np.isfinite(array).all())


def _wrong_ones(
    attempt: Attempt, key: EarlierKey, seen: Sequence[Observation]
) -> Mapping[int, Plain]:
    wrong = {i: one.value for i, one in enumerate(seen) if _is_wrong(one, key.expected[i])}
    if not wrong:
        return {}
    whole = replace(attempt, key=AnswerKey(key.stimuli, (), key.expected), observations=seen)
    results = [returned(whole, i) for i in range(len(seen))]
    guard = attempt.criterion.carried.usable if attempt.criterion.carried else ""
    return wrong if ask(key.usable, guard, results, "not usable") is None else {}


def _is_wrong(one: Observation, right: Observation) -> bool:
    close = _WRONG_NARROW if is_narrow(one.value) or is_narrow(right.value) else _WRONG
    return not compare(one.value, right.value, close).close


def _name(attempt: Attempt) -> str:
    carried = attempt.criterion.carried
    return carried.reference if isinstance(carried, CarriedAnswer) else ""
