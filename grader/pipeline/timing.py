"""How long the reference takes for each call: what the limits of a student's calls follow.

Taken down while the answer keys are worked out, one criterion after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

from grader.checks.attempt import called
from grader.evidence import Stimulus


class ReferenceTimes:
    """CPU seconds of the reference, call by call, in the order in which they were added."""

    def __init__(self) -> None:
        self._calls: list[tuple[tuple[str, ...], float]] = []

    def add(self, reference: str, stimuli: Sequence[Stimulus], own_s: Sequence[float]) -> None:
        """Add a criterion's calls, which that function of `reference.py` answered.

        Where none did, `own_s` is empty, and the calls' times are 0.
        """
        for index, stimulus in enumerate(stimuli):
            *nested, _ = called(stimulus)
            names = (*nested, reference) if own_s else ()
            self._calls.append((names, own_s[index] if own_s else 0.0))

    @property
    def total_s(self) -> float:
        """What all calls took together."""
        return sum(own_s for _, own_s in self._calls)

    @property
    def calls_s(self) -> tuple[float, ...]:
        """What each call took, or what the first calls of its functions took, if that is more.

        A first call may fill a cache, or load a module, for all that follow.  Behind a call that
        had to be stopped, any call may be the first one of a fresh process.
        """
        first_s: dict[str, float] = {}
        for names, own_s in self._calls:
            for name in names:
                first_s.setdefault(name, own_s)
        return tuple(max(own_s, sum(first_s[n] for n in names)) for names, own_s in self._calls)
