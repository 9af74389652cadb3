"""Gradescope: the grade as `results/results.json`, where it looks when an autograder has run."""

from __future__ import annotations

from pathlib import Path

from grader.document import number
from grader.report.ci.plain import Share, detail, headline, one_line, shares, standing
from grader.result import Grade, Outcome
from grader.value import Json

ROOT_VARIABLE = "GRADER_GRADESCOPE_ROOT"
"""Environment variable with another folder in the place of ``/autograder``."""
DEFAULT_ROOT = Path("/autograder")


def is_there(root: Path) -> bool:
    """Tell whether this is a Gradescope autograder, where the submission has a place of its own."""
    return (root / "submission").is_dir()


def results(grade: Grade, execution_time_s: float) -> dict[str, Json]:
    """Write the grade for Gradescope.

    A grade that is not graded in full has no points at all, which Gradescope shows as a run that
    failed, instead of points that somebody might take for a grade.
    """
    shown, graded = grade.for_student(), grade.status != "ungraded"
    said = [headline(shown), *standing(shown)]
    said += [f"Note: {one_line(warning)}" for warning in shown.warnings]
    document: dict[str, Json] = {
        "output": "\n".join(said),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "execution_time": round(execution_time_s, 3),
        "tests": [_test(share, graded=graded) for share in shares(grade)],
        "extra_data": {"status": grade.status, "pending": number(grade.pending)},
    }
    return {"score": number(grade.score), **document} if graded else document


def _test(share: Share, *, graded: bool) -> dict[str, Json]:
    test: dict[str, Json] = {
        "name": f"{share.name}: {share.word}",
        "number": share.number,
        "output": detail(share.criterion),
        "tags": [share.part.id, share.criterion.kind],
        "visibility": "hidden" if share.hidden else "visible",
    }
    if graded:
        test |= {"score": number(share.earned), "max_score": number(share.most)}
    if not share.outcome.pending:
        test["status"] = "passed" if share.outcome is Outcome.PASSED else "failed"
    return test
