"""What one criterion cannot know of the others: which misconception fits them all, and what has
been said in full before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.checks.recognition import told
from grader.problem import Criterion, Misconception
from grader.result import CheckResult, Feedback


def reconciled(
    criteria: Sequence[Criterion],
    results: Sequence[CheckResult],
    misconceptions: Sequence[Misconception] = (),
) -> list[CheckResult]:
    """Go over the results of all criteria, in order, so that they speak as one.

    Where several misconceptions fit a criterion, the one that fits most criteria is explained.
    Every error is shortened, and every note dropped, that an earlier public criterion has in full;
    a criterion's own hint stays.  Outcomes and fractions never change.
    """
    return _said_once(criteria, _settled(results, {m.id: m for m in misconceptions}))


def _settled(
    results: Sequence[CheckResult], known: Mapping[str, Misconception]
) -> list[CheckResult]:
    fits = Counter(name for result in results for name in result.misconceptions)
    return [_explained_by(result, fits, known) for result in results]


def _explained_by(
    result: CheckResult, fits: Mapping[str, int], known: Mapping[str, Misconception]
) -> CheckResult:
    ranked = tuple(sorted(result.misconceptions, key=lambda name: -fits[name]))
    if ranked == result.misconceptions or ranked[0] not in known:
        return result
    best = told(known[ranked[0]])
    feedback = tuple(best if i.kind == "misconception" else i for i in result.feedback)
    return replace(result, misconceptions=ranked, feedback=feedback)


def _said_once(criteria: Sequence[Criterion], results: Sequence[CheckResult]) -> list[CheckResult]:
    """A hidden criterion's feedback may be kept from the student, so none relies on it."""
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
