"""The `manual` check: a person decides, so the points stay pending until one has."""

from __future__ import annotations

from fractions import Fraction

from grader.problem import ManualCriterion
from grader.result import CheckResult, Feedback, Outcome


def check(criterion: ManualCriterion) -> CheckResult:
    """Leave the criterion to a person."""
    said = [Feedback("asked", criterion.asks)] if criterion.asks else []
    said.append(Feedback("summary", "A person marks this; its points are pending until then."))
    return CheckResult(criterion.id, Outcome.NEEDS_REVIEW, Fraction(0), tuple(said))
