"""A whole class in one pass: what the class page and the gradebook's CSV need of each grade.

Each grade is reduced to a `Row` and counted, then let go, so that memory stays flat however many
submissions there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from grader.report.outcomes import OUTCOMES
from grader.result import CheckResult, Feedback, Grade, Outcome, PartGrade

Bin: TypeAlias = tuple[Fraction, Fraction, int, int]
"""Lower end, upper end, final scores, and scores with something open."""


@dataclass(frozen=True, slots=True)
class Row:
    """One submission in the class's table; a None was not graded and is no zero."""

    submission_id: str
    status: str
    score: Fraction | None
    pending: Fraction
    max_score: Fraction
    earned: Mapping[str, Fraction | None]
    """By part id, raw points."""
    reviews: int
    fault: str


@dataclass(slots=True)
class CriterionCount:
    """How a criterion came out, by group of outcomes (see `outcomes`)."""

    title: str
    hidden: bool
    groups: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many submissions were counted."""
        return self.groups.total()


@dataclass(slots=True)
class PartCount:
    """A part's points over the class."""

    title: str
    points: Fraction
    earned: Fraction = Fraction(0)
    decided: int = 0
    """Submissions with nothing open in this part, whose points are in `earned`."""
    criteria: dict[str, CriterionCount] = field(default_factory=dict)

    @property
    def mean(self) -> Fraction | None:
        """Mean raw points of the submissions decided."""
        return self.earned / self.decided if self.decided else None


class ClassSummary:
    """Counts of a class; `add` every grade once."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.parts: dict[str, PartCount] = {}
        self.misconceptions: Counter[str] = Counter()
        self.tiers: Counter[str] = Counter()
        self.problem_title = ""
        self.max_score = Fraction(0)

    def add(self, grade: Grade) -> None:
        """Count a grade and keep its row."""
        self.problem_title = self.problem_title or grade.problem_title
        self.max_score = max(self.max_score, grade.max_score)
        if grade.isolation is not None:
            self.tiers[str(grade.isolation.tier)] += 1
        for part in grade.parts:
            self._count(part)
        named = (m for part in grade.parts for c in part.criteria for m in c.result.misconceptions)
        self.misconceptions.update([*dict.fromkeys(named)])  # once a submission, in a stable order
        self.rows.append(_row(grade))

    def _count(self, part: PartGrade) -> None:
        count = self.parts.setdefault(part.id, PartCount(part.title, part.points))
        if not any(c.result.outcome.pending for c in part.criteria):
            count.earned += part.earned
            count.decided += 1
        for criterion in part.criteria:
            hidden = criterion.visibility == "hidden"
            counted = count.criteria.setdefault(
                criterion.id, CriterionCount(criterion.title, hidden)
            )
            counted.groups[OUTCOMES[criterion.result.outcome].group] += 1

    @property
    def scores(self) -> list[Fraction]:
        """The scores there are, lowest first."""
        return sorted(row.score for row in self.rows if row.score is not None)

    @property
    def reviews(self) -> int:
        """Answers that wait for a person."""
        return sum(row.reviews for row in self.rows)

    def with_status(self, status: str) -> list[Row]:
        """The rows of one status."""
        return [row for row in self.rows if row.status == status]

    def distribution(self, bins: int = 10) -> list[Bin]:
        """Count scores in equal bins from 0 to the maximum, which belongs to the last bin."""
        width = self.max_score / bins
        counts = [[0, 0] for _ in range(bins)]
        for row in self.rows:
            if row.score is not None:
                at = min(int(row.score / width), bins - 1) if width else 0
                counts[at][row.status != "graded"] += 1
        return [
            (width * i, width * (i + 1), final, provisional)
            for i, (final, provisional) in enumerate(counts)
        ]


def mean(scores: Sequence[Fraction]) -> Fraction | None:
    """The mean; None of nothing."""
    return sum(scores, Fraction(0)) / len(scores) if scores else None


def median(scores: Sequence[Fraction]) -> Fraction | None:
    """The median of sorted scores; None of nothing."""
    middle = len(scores) // 2
    if not scores:
        return None
    return scores[middle] if len(scores) % 2 else (scores[middle - 1] + scores[middle]) / 2


def faults(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Ungraded submissions by the reason that stopped the grader, most frequent first."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row.fault, []).append(row)
    return dict(sorted(grouped.items(), key=lambda item: -len(item[1])))


def _row(grade: Grade) -> Row:
    outcomes = [c.result.outcome for part in grade.parts for c in part.criteria]
    return Row(
        submission_id=grade.submission_id,
        status=grade.status,
        score=None if grade.status == "ungraded" else grade.score,
        pending=grade.pending,
        max_score=grade.max_score,
        earned={part.id: _earned(part) for part in grade.parts},
        reviews=outcomes.count(Outcome.NEEDS_REVIEW),
        fault=fault_of(grade),
    )


def _earned(part: PartGrade) -> Fraction | None:
    broken = any(c.result.outcome is Outcome.GRADER_ERROR for c in part.criteria)
    return None if broken else part.earned


def fault_of(grade: Grade) -> str:
    """Why the grader failed: on the whole, or on the first criterion it failed on; "" if not.

    For instructors: it names the line of the pack, where that is known.
    """
    if grade.fault or grade.status != "ungraded":
        return grade.fault
    for part in grade.parts:
        for criterion in part.criteria:
            if criterion.result.outcome is Outcome.GRADER_ERROR:
                return f"{part.id}, {criterion.title}: {_reason(criterion.result)}"
    return ""


def _reason(result: CheckResult) -> str:
    said = [item for item in result.feedback if item.kind != "asked"]
    errors = [item for item in said if item.kind == "error"]
    reason = (errors or said)[0] if said else Feedback("summary", "no reason is known")
    where = reason.block.splitlines()[-1:]
    return f"{reason.text} ({where[0]})" if where else reason.text
