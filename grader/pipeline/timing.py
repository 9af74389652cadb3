"""How long the reference takes for each call: what the limits of a student's calls follow.

Taken down while the answer keys are worked out, one criterion after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.attempt import called
from grader.evidence import Stimulus


class ReferenceTimes:
    """CPU seconds of the reference, call by call."""

    def __init__(self) -> None:
        self._calls: dict[int, tuple[tuple[str, ...], float]] = {}
        """By the identity of their stimuli, which the answer keys keep, in the order of calls."""

    def add(self, reference: str, stimuli: Sequence[Stimulus], own_s: Sequence[float]) -> None:
        """Add a criterion's calls, which that function of `reference.py` answered.

        Where none did, `own_s` is empty.
        """
        for index, stimulus in enumerate(stimuli):
            *nested, _ = called(stimulus)
            if own_s:
                self._calls[id(stimulus)] = (*nested, reference), own_s[index]

    @property
    def total_s(self) -> float:
        """What all calls took together."""
        return sum(own_s for _, own_s in self._calls.values())

    def of(self, stimuli: Sequence[Stimulus]) -> tuple[float, ...]:
        """What each call took, or what the first calls of its functions took, if that is more.

        0 for calls that the reference did not answer.  A first call may fill a cache, or load a
        module, for all that follow.  Behind a call that had to be stopped, any call may be the
        first one of a fresh process.
        """
        first_s: dict[str, float] = {}
        for names, own_s in self._calls.values():
            for name in names:
                first_s.setdefault(name, own_s)
        known = (self._calls.get(id(stimulus), ((), 0.0)) for stimulus in stimuli)
        return tuple(max(own_s, sum(first_s[name] for name in names)) for names, own_s in known)
