"""What a judgement of two formulas comes to: said by the worker, read by the check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_LENGTH = 500
"""The longest formula that is read, in characters; a longer one is not even sent to the worker."""


class Finding(StrEnum):
    """How a student's formula compares with the pack's."""

    PROVED = "proved"
    """Equal by proof; and defined and equal at every point tried."""
    AGREES = "agrees"
    """Equal to 50 digits at every point where both could be evaluated; no proof was found."""
    REFUTED = "refuted"
    """Surely different at a point, or undefined there while the pack's formula is not."""
    UNDECIDED = "undecided"
    """Most points could not be evaluated, or the judgement hit its limit of time or memory."""
    UNREADABLE = "unreadable"
    """The student's formula cannot be read, or can be read in two ways."""
    BROKEN = "broken"
    """Ours: the worker does not run, or the pack's own formula cannot be read or evaluated."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A finding, with what there is to say about it.

    `reading` is the student's formula as it was read, ``""`` if it was not.  `points` is how many
    points the two were compared at.
    """

    finding: Finding
    reason: str = ""
    """Half a sentence, for unreadable, undecided and broken: why.  For refuted, why the student's
    formula has no value at the point, ``""`` if it has one."""
    reading: str = ""
    points: int = 0
    at: tuple[tuple[str, str], ...] = ()
    """The point where the two differ: variable → exact decimal."""
    given: str = ""
    """The student's value there, as a decimal with enough digits to see the difference."""
    expected: str = ""
    position: int | None = None
    """Index of the character where reading stopped."""
    unknown: str = ""
    """The name that reading did not know, if it stopped at one."""
    meant: str = ""
    """A known name close to it, if there is one."""

    @property
    def equal(self) -> bool:
        """Whether the formulas count as the same."""
        return self.finding in (Finding.PROVED, Finding.AGREES)
