"""Which criteria of a grade fail for one fault, so that a report explains it once and whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.result import CriterionGrade, Grade, Outcome

_MANY = 3
"""From so many criteria on, a fault is worth naming before all others."""


def repeated(grade: Grade) -> Mapping[str, CriterionGrade]:
    """Criterion id → the earlier public criterion that fails for the same fault and explains it."""
    first: dict[str, CriterionGrade] = {}
    return {
        criterion.id: first[criterion.result.fault]
        for criterion in _failing(grade)
        if first.setdefault(criterion.result.fault, criterion) is not criterion
    }


def widest(grade: Grade) -> tuple[CriterionGrade, int] | None:
    """The criterion that explains the fault that most criteria fail for, and how many those are.

    None where no fault is behind several of them.
    """
    counts: dict[str, tuple[CriterionGrade, int]] = {}
    for criterion in _failing(grade):
        if criterion.result.outcome.pending:
            continue  # nothing is lost yet
        first, count = counts.get(criterion.result.fault, (criterion, 0))
        counts[criterion.result.fault] = (first, count + 1)
    found = max(counts.values(), key=lambda pair: pair[1], default=None)
    return found if found and found[1] >= _MANY else None


def _failing(grade: Grade) -> Iterator[CriterionGrade]:
    """Public criteria with a known fault, in order; what a person decided is theirs."""
    for part in grade.parts:
        for criterion in part.criteria:
            failed = criterion.result.fault and criterion.result.outcome is not Outcome.PASSED
            if failed and criterion.visibility == "public" and not criterion.reviewed_by:
                yield criterion
