"""What one criterion cannot know of the others: which misconception fits them all, and what has
been said in full before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from grader.checks.recognition import told
from grader.problem import CodeCriterion, Criterion, Misconception
from grader.result import CheckResult, Feedback, Outcome

_STOPPED = frozenset({Outcome.ERROR, Outcome.TIMEOUT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT})


def reconciled(
    criteria: Sequence[Criterion],
    results: Sequence[CheckResult],
    misconceptions: Sequence[Misconception] = (),
) -> list[CheckResult]:
    """Go over the results of all criteria, in order, so that they speak as one.

    Where several misconceptions fit a criterion, the one that fits most criteria is explained; one
    that fits by coincidence is taken back.  A hunch counts where another criterion bears it out.
    Every error is shortened, and every note dropped, that a public criterion has in full; a hint
    goes where the fault is one that an earlier criterion explains.  Outcomes and fractions never
    change.
    """
    settled = _settled(criteria, results, {m.id: m for m in misconceptions})
    said = _Said(criteria, settled)
    return [
        replace(result, feedback=tuple(said.left(index))) for index, result in enumerate(settled)
    ]


# --- misconceptions ------------------------------------------------------------------------------


def _settled(
    criteria: Sequence[Criterion],
    results: Sequence[CheckResult],
    known: Mapping[str, Misconception],
) -> list[CheckResult]:
    fitting = _fitting(criteria, results)
    fits = Counter(name for names in fitting for name in names)
    riddles = {
        _function(criterion)
        for criterion, result, names in zip(criteria, results, fitting, strict=True)
        if result.fraction < 1 and not names
    } - {""}
    settled = []
    for criterion, result, names in zip(criteria, results, fitting, strict=True):
        # What fits once, where the same function fails elsewhere for no known reason, tells little.
        doubtful = _function(criterion) in riddles
        kept = [name for name in names if not (doubtful and fits[name] == 1)]
        kept.sort(key=lambda name: -fits[name])
        settled.append(_explained_by(criterion, result, tuple(kept), known))
    return settled


def _fitting(
    criteria: Sequence[Criterion], results: Sequence[CheckResult]
) -> list[tuple[str, ...]]:
    """The misconceptions of each result, with those hunches that are borne out.

    That is, a finite number shows the misconception elsewhere, or it fits every failure of the
    function: a function that gives nan whatever it is asked fits many here and there.
    """
    shown = {name for result in results for name in result.misconceptions}
    common: dict[str, set[str]] = {}
    for criterion, result in zip(criteria, results, strict=True):
        if result.fraction < 1:
            names = {*result.misconceptions, *result.hunches}
            common.setdefault(_function(criterion), set(names)).intersection_update(names)
    return [
        (*r.misconceptions, *(n for n in r.hunches if n in shown | common[_function(c)]))
        for c, r in zip(criteria, results, strict=True)
    ]


def _function(criterion: Criterion) -> str:
    return criterion.function if isinstance(criterion, CodeCriterion) else ""


def _explained_by(
    criterion: Criterion,
    result: CheckResult,
    names: tuple[str, ...],
    known: Mapping[str, Misconception],
) -> CheckResult:
    """The result with the first of the named misconceptions for its advice, or its own hint."""
    result = replace(result, hunches=())
    if names == result.misconceptions or not set(names) <= known.keys():
        return result
    hint = Feedback("hint", criterion.hint)
    best = told(known[names[0]]) if names else hint
    rest = [i for i in result.feedback if i.kind != "misconception" and i != hint]
    notes = [item for item in rest if item.kind == "hint"]
    feedback = (*(item for item in rest if item not in notes), best, *notes)
    return replace(
        result,
        misconceptions=names,
        feedback=tuple(item for item in feedback if item.text or item.case),
    )


# --- what is said once ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Said:
    """Who says what: a hidden criterion's feedback may be kept from the student, so none relies
    on it.
    """

    criteria: Sequence[Criterion]
    results: Sequence[CheckResult]

    def left(self, index: int) -> Iterator[Feedback]:
        """What remains to be said under a criterion."""
        for item in self.results[index].feedback:
            if item.kind == "error":
                yield self._error(item, index)
            elif item.kind != "hint" or self._is_due(item, index):
                yield item

    def _is_due(self, hint: Feedback, index: int) -> bool:
        """A criterion's own hint is, unless its fault is explained before; a note is, once."""
        if hint.text != self.criteria[index].hint:
            return self._elsewhere(hint, index) is None
        return self._first(index) is None and not self._has_stopped_before(index)

    def _error(self, item: Feedback, index: int) -> Feedback:
        headline = item.text.splitlines()[0] if item.text else ""
        owner = self._elsewhere(item, index)
        if owner is not None:
            return Feedback("error", f"{headline} (shown in full under “{owner.title}”)")
        first, result = self._first(index), self.results[index]
        if first is None or result.misconceptions or item not in _long_errors(result):
            return item
        return Feedback("error", f"{headline} (in the same place as under “{first.title}”)")

    def _first(self, index: int) -> Criterion | None:
        """The earlier public criterion that failed for the same fault, and explains it."""
        first = self._faults.get(self.results[index].fault, index)
        return self.criteria[first] if first < index else None

    def _elsewhere(self, item: Feedback, index: int) -> Criterion | None:
        """The other public criterion that says a thing.  None relies on a later one, except what
        passed, where it would be overlooked.
        """
        owner = self._owners.get(item, index)
        passed = self.results[index].outcome is Outcome.PASSED
        return self.criteria[owner] if owner < index or (passed and owner > index) else None

    def _has_stopped_before(self, index: int) -> bool:
        """Whether a function was stopped under an earlier criterion: what its values ought to be
        need not be said again before it gives any.
        """
        function = _function(self.criteria[index])
        return self.results[index].outcome in _STOPPED and any(
            self.results[i].outcome in _STOPPED and _function(self.criteria[i]) == function
            for i in self._public
            if i < index
        )

    @cached_property
    def _public(self) -> list[int]:
        return [i for i, c in enumerate(self.criteria) if c.visibility == "public"]

    @cached_property
    def _faults(self) -> Mapping[str, int]:
        faults: dict[str, int] = {}
        for i in self._public:
            if self.results[i].fault:
                faults.setdefault(self.results[i].fault, i)
        return faults

    @cached_property
    def _owners(self) -> Mapping[Feedback, int]:
        owners: dict[Feedback, int] = {}
        for i in sorted(self._public, key=lambda i: self.results[i].outcome is Outcome.PASSED):
            hint = self.criteria[i].hint
            notes = (x for x in self.results[i].feedback if x.kind == "hint" and x.text != hint)
            # Under a fault that is explained before, an error is not seen at first sight.
            errors = _long_errors(self.results[i]) if self._first(i) is None else []
            for item in (*notes, *errors):
                owners.setdefault(item, i)
        return owners


def _long_errors(result: CheckResult) -> list[Feedback]:
    """The errors that are worth shortening."""
    return [i for i in result.feedback if i.kind == "error" and (i.block or "\n" in i.text)]
