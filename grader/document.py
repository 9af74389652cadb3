"""A grade as a JSON document, and back: the one contract that reports, exports and the gradebook
share (`grader/result/v1`, whose JSON Schema is `grader/result.schema.json`).

Numbers are JSON numbers for whoever reads the file; beside them `exact` strings ("2/3") keep what
a later review must add up without rounding.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from grader.evidence import Isolation, Protection, Tier
from grader.result import (
    CheckResult,
    Counterexample,
    CriterionGrade,
    Feedback,
    Grade,
    Outcome,
    PartGrade,
)
from grader.value import Json, from_json, to_json

SCHEMA = "grader/result/v1"


def number(value: Fraction) -> int | float:
    """A fraction as the shortest JSON number: an int where it is whole."""
    return int(value) if value.denominator == 1 else float(value)


def to_document(grade: Grade) -> dict[str, Json]:
    """Write a grade as JSON-ready data; call `grade.for_student()` first where a student reads."""
    return {
        "schema": SCHEMA,
        "problem": {
            "id": grade.problem_id,
            "title": grade.problem_title,
            "version": grade.problem_version,
        },
        "submission": grade.submission_id,
        "status": grade.status,
        "score": number(grade.score),
        "pending": number(grade.pending),
        "max_score": number(grade.max_score),
        "raw": {
            "score": number(grade.raw_score),
            "pending": number(grade.raw_pending),
            "max_score": number(grade.raw_max_score),
        },
        "exact": {"score": str(grade.score), "max_score": str(grade.max_score)},
        "points_policy": grade.points_policy,
        "parts": [_part(part) for part in grade.parts],
        "warnings": list(grade.warnings),
        "isolation": _isolation(grade.isolation),
        "environment": dict(grade.environment),
        "seed": grade.seed,
        "variant": dict(grade.variant),
        "stdout": grade.stdout,
        "stderr": grade.stderr,
        "fault": grade.fault,
    }


def _part(part: PartGrade) -> Json:
    return {
        "id": part.id,
        "title": part.title,
        "points": number(part.points),
        "earned": number(part.earned),
        "pending": number(part.pending),
        "exact": {"points": str(part.points)},
        "criteria": [_criterion(criterion) for criterion in part.criteria],
    }


def _criterion(criterion: CriterionGrade) -> Json:
    result = criterion.result
    suggested = result.suggested_fraction
    return {
        "id": criterion.id,
        "title": criterion.title,
        "kind": criterion.kind,
        "visibility": criterion.visibility,
        "reveal": criterion.reveal,
        "weight": criterion.weight,
        "outcome": str(result.outcome),
        "fraction": number(result.fraction),
        "pending": result.outcome.pending,
        "feedback": [_feedback(item) for item in result.feedback],
        "misconceptions": list(result.misconceptions),
        "carried": result.carried,
        "suggested_fraction": None if suggested is None else number(suggested),
        "exact": {
            "fraction": str(result.fraction),
            "suggested_fraction": None if suggested is None else str(suggested),
        },
        "group": result.group,
        "cause": result.cause,
        "reviewed_by": criterion.reviewed_by,
    }


def _feedback(item: Feedback) -> Json:
    return {"kind": item.kind, "text": item.text, "block": item.block, "case": _case(item.case)}


def _case(case: Counterexample | None) -> Json:
    if case is None:
        return None
    return {
        "call": case.call,
        "label": case.label,
        "arguments": [{"name": name, "value": to_json(value)} for name, value in case.arguments],
        "returned": {"value": to_json(case.returned)} if case.has_returned else None,
        "expected": {"value": to_json(case.expected)} if case.has_expected else None,
        "max_error": to_json(case.max_error),
        "where": None if case.where is None else list(case.where),
    }


def _isolation(isolation: Isolation | None) -> Json:
    if isolation is None:
        return None
    held = [
        {"name": p.name, "held": p.held, "seen": p.seen, "remedy": p.remedy}
        for p in isolation.protections
    ]
    return {"tier": str(isolation.tier), "missing": list(isolation.missing), "protections": held}


def from_document(document: Mapping[str, Json]) -> Grade:
    """Rebuild the grade that `to_document` wrote."""
    problem = document["problem"]
    return Grade(
        submission_id=document["submission"],
        problem_id=problem["id"],
        problem_title=problem["title"],
        problem_version=problem["version"],
        parts=tuple(_read_part(part) for part in document["parts"]),
        max_score=Fraction(document["exact"]["max_score"]),
        points_policy=document["points_policy"],
        warnings=tuple(document["warnings"]),
        isolation=_read_isolation(document["isolation"]),
        environment=document["environment"],
        seed=document["seed"],
        variant=document.get("variant", {}),
        stdout=document["stdout"],
        stderr=document["stderr"],
        fault=document["fault"],
    )


def _read_part(part: Json) -> PartGrade:
    criteria = tuple(_read_criterion(criterion) for criterion in part["criteria"])
    return PartGrade(part["id"], part["title"], Fraction(part["exact"]["points"]), criteria)


def _read_criterion(criterion: Json) -> CriterionGrade:
    exact = criterion["exact"]
    suggested = exact["suggested_fraction"]
    result = CheckResult(
        criterion_id=criterion["id"],
        outcome=Outcome(criterion["outcome"]),
        fraction=Fraction(exact["fraction"]),
        feedback=tuple(_read_feedback(item) for item in criterion["feedback"]),
        misconceptions=tuple(criterion["misconceptions"]),
        suggested_fraction=None if suggested is None else Fraction(suggested),
        group=criterion["group"],
        # A gradebook may hold results from before there were these.
        cause=criterion.get("cause", ""),
        carried=criterion.get("carried", False),
    )
    keys = ("id", "title", "kind", "visibility", "reveal", "weight", "reviewed_by")
    return CriterionGrade(result=result, **{key: criterion[key] for key in keys})


def _read_feedback(item: Json) -> Feedback:
    return Feedback(item["kind"], item["text"], item["block"], _read_case(item["case"]))


def _read_case(case: Json) -> Counterexample | None:
    if case is None:
        return None
    returned, expected, where = case["returned"], case["expected"], case["where"]
    return Counterexample(
        call=case["call"],
        label=case["label"],
        arguments=tuple((a["name"], from_json(a["value"])) for a in case["arguments"]),
        returned=from_json(returned["value"]) if returned else None,
        has_returned=returned is not None,
        expected=from_json(expected["value"]) if expected else None,
        has_expected=expected is not None,
        max_error=from_json(case["max_error"]),
        where=None if where is None else tuple(where),
    )


def _read_isolation(isolation: Json) -> Isolation | None:
    if isolation is None:
        return None
    held = tuple(Protection(**p) for p in isolation["protections"])
    return Isolation(Tier(isolation["tier"]), held)
