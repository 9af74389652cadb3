"""What goes into the gradebook and comes out of it: grades to record, and people's decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction

from grader.result import CriterionGrade, Grade, PartGrade


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a submission's function gave on a criterion that it lost points on."""

    criterion: str
    function: str
    cases: str
    """All cases, in the form of whoever keeps them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A grade to record.

    `key` stands for everything that the grade depends on, `content` for the submission alone;
    `bases` maps a criterion to what a person's decision on it would be about.  `wrong` and `code`
    are kept for whoever looks into what a class got wrong.
    """

    grade: Grade
    key: str
    content: str
    bases: Mapping[str, str]
    wrong: tuple[Wrong, ...] = ()
    code: str = ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A criterion of a submission that waits for a person.

    `basis` stands for what a decision on it is about: where it is the same, so is the answer.
    """

    submission_id: str
    part: PartGrade
    criterion: CriterionGrade
    basis: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided on one criterion of one submission."""

    submission_id: str
    criterion_id: str
    basis: str
    fraction: Fraction
    who: str
    comment: str
    decided_at: str


def decision(pending: Pending, fraction: Fraction, who: str, comment: str = "") -> Decision:
    """A decision made now."""
    return Decision(
        pending.submission_id,
        pending.criterion.id,
        pending.basis,
        fraction,
        who,
        comment,
        now(),
    )


def now() -> str:
    """The time, as it is recorded."""
    return datetime.now(UTC).isoformat(timespec="seconds")
