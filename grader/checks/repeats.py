"""One load error, many criteria: said in full once, and briefly wherever else it is the cause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.problem import Criterion
from grader.result import CheckResult, Feedback


def said_once(criteria: Sequence[Criterion], results: Sequence[CheckResult]) -> list[CheckResult]:
    """Shorten every error that an earlier public criterion has shown in full.

    A hidden criterion's feedback may be kept from the student, so it is never the one to show it.
    """
    shown: dict[tuple[str, str], str] = {}
    shortened = []
    for criterion, result in zip(criteria, results, strict=True):
        items = tuple(_brief(item, shown) for item in result.feedback)
        shortened.append(replace(result, feedback=items))
        if criterion.visibility == "public":
            for item in filter(_is_error, result.feedback):
                shown.setdefault((item.text, item.block), criterion.title)
    return shortened


def _brief(item: Feedback, shown: dict[tuple[str, str], str]) -> Feedback:
    title = shown.get((item.text, item.block)) if _is_error(item) else None
    if title is None:
        return item
    return Feedback("error", f"{item.text.splitlines()[0]} (shown in full under “{title}”)")


def _is_error(item: Feedback) -> bool:
    return item.kind == "error" and bool(item.block or "\n" in item.text)
