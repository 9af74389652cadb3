"""What one criterion cannot know of the others: which misconception fits them all, and what has
been said in full before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader.checks.recognition import told
from grader.problem import CodeCriterion, Criterion, Misconception
from grader.result import CheckResult, Feedback


def reconciled(
    criteria: Sequence[Criterion],
    results: Sequence[CheckResult],
    misconceptions: Sequence[Misconception] = (),
) -> list[CheckResult]:
    """Go over the results of all criteria, in order, so that they speak as one.

    Where several misconceptions fit a criterion, the one that fits most criteria is explained; one
    that fits by coincidence is taken back.  Every error is shortened, and every note dropped, that
    an earlier public criterion has in full; a criterion's own hint stays.  Outcomes and fractions
    never change.
    """
    return _said_once(criteria, _settled(criteria, results, {m.id: m for m in misconceptions}))


def _settled(
    criteria: Sequence[Criterion],
    results: Sequence[CheckResult],
    known: Mapping[str, Misconception],
) -> list[CheckResult]:
    fits = Counter(name for result in results for name in result.misconceptions)
    riddles = {
        _function(criterion)
        for criterion, result in zip(criteria, results, strict=True)
        if result.fraction < 1 and not result.misconceptions
    } - {""}
    settled = []
    for criterion, result in zip(criteria, results, strict=True):
        # What fits once, where the same function fails elsewhere for no known reason, tells little:
        # many a mistake gives nan throughout on some inputs.
        doubtful = _function(criterion) in riddles
        names = [name for name in result.misconceptions if not (doubtful and fits[name] == 1)]
        names.sort(key=lambda name: -fits[name])
        settled.append(_explained_by(criterion, result, tuple(names), known))
    return settled


def _function(criterion: Criterion) -> str:
    return criterion.function if isinstance(criterion, CodeCriterion) else ""


def _explained_by(
    criterion: Criterion,
    result: CheckResult,
    names: tuple[str, ...],
    known: Mapping[str, Misconception],
) -> CheckResult:
    if names == result.misconceptions or not set(names) <= known.keys():
        return result
    best = told(known[names[0]]) if names else Feedback("hint", criterion.hint)
    explained = (best if i.kind == "misconception" else i for i in result.feedback)
    feedback = tuple(item for item in explained if item.text)
    return replace(result, misconceptions=names, feedback=feedback)


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
