"""A verification as a JSON document (`grader/verification/v1`, whose JSON Schema is
`grader/verification.schema.json`)."""

from __future__ import annotations

from dataclasses import asdict

from grader.value import Json
from grader.verification import Verification

SCHEMA = "grader/verification/v1"


def to_document(found: Verification) -> dict[str, Json]:
    """Write a verification as JSON-ready data."""
    return {
        "schema": SCHEMA,
        "problem": {
            "id": found.problem_id,
            "title": found.problem_title,
            "version": found.problem_version,
        },
        "sound": found.sound,
        "quick": found.quick,
        "seed": found.seed,
        "took_s": round(found.took_s, 3),
        "mutation_score": found.mutation_score,
        "aspects": [
            {
                "name": aspect.name,
                "title": aspect.title,
                "sound": aspect.sound,
                "skipped": aspect.skipped,
                "summary": aspect.summary,
                "took_s": round(aspect.took_s, 3),
                "findings": [
                    {**asdict(finding), "level": str(finding.level)} for finding in aspect.findings
                ],
            }
            for aspect in found.aspects
        ],
        "misconceptions": [
            {"id": k.wrong, "lost": list(k.lost), "recognised": list(k.recognised)}
            for k in found.misconceptions
        ],
        "mutants": [
            {**asdict(m), "fate": str(m.fate), "lost": list(m.lost)} for m in found.mutants
        ],
        "tolerances": [asdict(spread) for spread in found.spreads],
        "costs": [asdict(cost) for cost in found.costs],
    }
