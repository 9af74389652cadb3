"""GitHub Classroom's reporter: the grade as the JSON that it takes, in base64, from a step output.

The reporter prints names and messages as they are into its own step's log, and takes the whole
through an environment variable, which the system bounds at 128 KiB.
"""

from __future__ import annotations

import base64
import json

from grader.document import number
from grader.report.ci.actions import harmless
from grader.report.ci.plain import Share, detail, shares
from grader.report.text import points
from grader.result import Grade, Outcome
from grader.value import Json, cut

_VERSION = 1
_MOST_BYTES = 90_000
"""Of JSON; base64 makes 120,000 of them."""
_LENGTHS = ((300, 2000), (200, 400), (100, 80), (60, 0))
"""Characters of a name and of a message to try, until the whole is small enough."""
_OPEN = frozenset({Outcome.NEEDS_REVIEW, Outcome.GRADER_ERROR})


def result(grade: Grade) -> dict[str, Json]:
    """Write the grade for the reporter.

    A grade that is not graded in full has a `max_score` of 0, for which the reporter sends no
    points: a fault of the grader's replaces no earlier score.
    """
    return _result(grade, *_LENGTHS[0])


def encoded(grade: Grade) -> str:
    """The result as the reporter reads it: one line of base64, small enough for a variable."""
    for lengths in _LENGTHS:
        text = json.dumps(_result(grade, *lengths), allow_nan=False, ensure_ascii=False).encode()
        if len(text) <= _MOST_BYTES:
            break
    return base64.b64encode(text).decode()


def _result(grade: Grade, of_name: int, of_message: int) -> dict[str, Json]:
    ungraded = grade.status == "ungraded"
    return {
        "version": _VERSION,
        "status": _status(grade),
        "max_score": 0 if ungraded else number(grade.max_score),
        "tests": [_test(share, of_name, of_message) for share in shares(grade)],
    }


def _status(grade: Grade) -> str:
    """What waits for a person does not fail the run; only what is decided can."""
    if grade.status == "ungraded":
        return "error"
    decided = [s.outcome for s in shares(grade) if s.outcome not in _OPEN]
    return "pass" if all(outcome is Outcome.PASSED for outcome in decided) else "fail"


def _test(share: Share, of_name: int, of_message: int) -> dict[str, Json]:
    passed = share.outcome is Outcome.PASSED
    broken = share.outcome is Outcome.GRADER_ERROR
    return {
        "name": _harmless(cut(share.name, of_name)),
        "status": "pass" if passed else "error" if broken else "fail",
        "score": number(share.earned),
        "message": "" if passed else _message(share, of_message),
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "execution_time": 0,
    }


def _message(share: Share, characters: int) -> str:
    said = cut(detail(share.criterion, asked=False), characters) if characters else ""
    earned = f"{share.word}: {points(share.earned)} of {points(share.most)} points."
    return _harmless(f"{earned}\n{said}" if said else earned)


def _harmless(text: str) -> str:
    first, *others = harmless(text)
    # The reporter begins the first line itself.
    return "\n".join([first[2:], *others])
