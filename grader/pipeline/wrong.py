"""What a submission's functions gave where it lost points, kept beside its grade for `mine`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from grader.evidence import Ending, Observation, Run, StudentError, Submission
from grader.gradebook import Wrong
from grader.pipeline.prepare import Prepared
from grader.problem import CodeCriterion
from grader.result import Grade
from grader.value import Json, Plain, cut, from_json, to_json

_MOST_CHARACTERS = 100_000
"""Of one criterion's results: larger ones tell nobody anything, and would swell the gradebook."""
_MOST_CODE = 20_000


def wrong_results(prepared: Prepared, grade: Grade, run: Run) -> Iterator[Wrong]:
    """The results on every code criterion that was not passed, all its cases."""
    fractions = {c.id: c.result for part in grade.parts for c in part.criteria}
    for _, criterion in prepared.problem.criteria():
        result = fractions[criterion.id]
        if not isinstance(criterion, CodeCriterion) or result.outcome.pending:
            continue
        if result.fraction == 1:
            continue
        observed = prepared.observed(criterion.id, run)
        # Code that never got as far as a result has nothing in common but that.
        has_results = any(seen.ending is Ending.RETURNED for seen in observed)
        # To write a megabyte of numbers as text takes far longer than to count them.
        least = sum(_least_characters(seen.value) for seen in observed)
        if not has_results or least > _MOST_CHARACTERS:
            continue
        cases = json.dumps([_written(seen) for seen in observed], separators=(",", ":"))
        if len(cases) <= _MOST_CHARACTERS:
            yield Wrong(criterion.id, criterion.function, cases)


def _least_characters(value: Plain) -> int:
    """So many characters are needed to write a value, at the least."""
    if isinstance(value, np.ndarray):
        return 2 * value.size
    if isinstance(value, dict):
        return sum(len(key) + _least_characters(item) for key, item in value.items())
    if isinstance(value, list | tuple):
        return sum(map(_least_characters, value))
    return len(value) if isinstance(value, str) else 1


def source_code(submission: Submission) -> str:
    """The code that was handed in, for a person to read."""
    text = "\n\n".join(chunk.source.decode(errors="replace") for chunk in submission.chunks)
    return cut(text, _MOST_CODE)


def _written(seen: Observation) -> Json:
    return {
        "ending": seen.ending.value,
        "value": to_json(seen.value),
        "type": seen.type_name,
        "mutated": list(seen.mutated),
        "error": [seen.error.type, seen.error.message] if seen.error else [],
    }


def read_results(cases: str) -> Sequence[Observation]:
    """What `wrong_results` wrote of one criterion's cases."""
    return tuple(
        Observation(
            Ending(case["ending"]),
            from_json(case["value"]),
            type_name=case["type"],
            mutated=tuple(case["mutated"]),
            error=StudentError(*case["error"]) if case["error"] else None,
        )
        for case in json.loads(cases)
    )
