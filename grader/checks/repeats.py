"""What many criteria would say alike is said in full once: one load error is the cause of all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.problem import Criterion
from grader.result import CheckResult, Feedback


def said_once(criteria: Sequence[Criterion], results: Sequence[CheckResult]) -> list[CheckResult]:
    """Shorten every error, and drop every note, that an earlier public criterion has in full.

    A criterion's own hint stays.  A hidden criterion's feedback may be kept from the student, so
    it is never the one that says something for the others.
    """
    shown: dict[Feedback, str] = {}
    shortened = []
    for criterion, result in zip(criteria, results, strict=True):
        kept = tuple(_kept(result.feedback, criterion, shown))
        shortened.append(replace(result, feedback=kept))
        if criterion.visibility == "public":
            for item in result.feedback:
                if _is_repeatable(item, criterion):
                    shown.setdefault(item, criterion.title)
    return shortened


def _kept(
    items: Sequence[Feedback], criterion: Criterion, shown: Mapping[Feedback, str]
) -> Iterator[Feedback]:
    for item in items:
        if not _is_repeatable(item, criterion) or item not in shown:
            yield item
        elif item.kind == "error":
            first = item.text.splitlines()[0]
            yield Feedback("error", f"{first} (shown in full under “{shown[item]}”)")


def _is_repeatable(item: Feedback, criterion: Criterion) -> bool:
    if item.kind == "error":
        return bool(item.block or "\n" in item.text)
    return item.kind == "hint" and item.text != criterion.hint
