"""Classroom 50: the grade as its `result.json`, with integer points and no keys but its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction

from grader.report.ci.plain import Share, shares
from grader.result import Grade
from grader.value import Json

SCHEMA = "classroom50/result/v1"
SCALE = 100
"""A point counts 100 there, where a point has no fractions."""


def is_there(environment: Mapping[str, str]) -> bool:
    """Tell whether the environment is that of Classroom 50's runner."""
    return bool(environment.get("CLASSROOM") and environment.get("ASSIGNMENT"))


def result(grade: Grade, environment: Mapping[str, str], when: datetime) -> dict[str, Json]:
    """Write the grade for Classroom 50; the runner stamps the owner and the kind of assignment.

    A grade that is not graded in full has no points and no tests, as the runner's own errors have.
    """
    ungraded = grade.status == "ungraded"
    moment = when.astimezone(UTC)
    commit = environment.get("COMMIT_URL") or environment.get("GITHUB_SHA") or "unknown"
    tag = environment.get("SUBMISSION_TAG") or f"submit/{moment:%Y-%m-%dT%H-%M-%SZ}"
    return {
        "schema": SCHEMA,
        "classroom": environment["CLASSROOM"],
        "assignment": environment["ASSIGNMENT"],
        "submission": tag,
        "commit": commit,
        "release": environment.get("RELEASE_URL") or commit,
        "review": environment.get("REVIEW_URL") or commit,
        "datetime": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "score": 0 if ungraded else _scaled(grade.score),
        "max-score": 0 if ungraded else _scaled(grade.max_score),
        "tests": [] if ungraded else [_test(share) for share in shares(grade)],
    }


def _test(share: Share) -> dict[str, Json]:
    return {
        "test-name": share.name,
        "passed": share.criterion.result.fraction == 1,
        "score": _scaled(share.earned),
        "max-score": _scaled(share.most),
        "outcome": str(share.outcome),
    }


def _scaled(points: Fraction) -> int:
    """Points as an integer, rounded half up, so that nothing rounds to more than its maximum."""
    return math.floor(points * SCALE + Fraction(1, 2))
