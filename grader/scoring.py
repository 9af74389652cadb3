"""Scoring: a problem and its check results make a grade, in exact fractions, never rounded here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from grader.evidence import Isolation
from grader.problem import Criterion, Part, Problem
from grader.result import CheckResult, CriterionGrade, Feedback, Grade, Outcome, PartGrade
from grader.variant import SAME_FOR_ALL, Variant


def grade(
    problem: Problem,
    submission_id: str,
    results: Mapping[str, CheckResult],
    *,
    isolation: Isolation | None = None,
    environment: Mapping[str, str] | None = None,
    warnings: Sequence[str] = (),
    seed: int = 0,
    variant: Variant = SAME_FOR_ALL,
    stdout: str = "",
    stderr: str = "",
    fault: str = "",
) -> Grade:
    """Add up a grade.  A criterion without a result is ungraded, never zero and never full."""
    return Grade(
        submission_id=submission_id,
        problem_id=problem.id,
        problem_title=problem.title,
        problem_version=problem.version,
        parts=tuple(_part(part, results) for part in problem.parts),
        max_score=problem.max_score,
        points_policy=problem.points_policy or "sum",
        warnings=tuple(warnings),
        isolation=isolation,
        environment=dict(environment or {}),
        seed=seed,
        variant=dict(variant),
        stdout=stdout,
        stderr=stderr,
        fault=fault,
    )


def _part(part: Part, results: Mapping[str, CheckResult]) -> PartGrade:
    criteria = tuple(_criterion(c, results.get(c.id) or _ungraded(c)) for c in part.criteria)
    return PartGrade(part.id, part.title, part.points, criteria)


def _criterion(criterion: Criterion, result: CheckResult) -> CriterionGrade:
    return CriterionGrade(
        id=criterion.id,
        title=criterion.title,
        kind=criterion.kind,
        visibility=criterion.visibility,
        reveal=criterion.reveal,
        weight=criterion.weight,
        result=result,
    )


def _ungraded(criterion: Criterion) -> CheckResult:
    said = Feedback("summary", "This was not graded: the grader has no result for it.")
    return CheckResult(criterion.id, Outcome.GRADER_ERROR, Fraction(0), (said,))
