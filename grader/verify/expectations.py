"""What a sample submission must get, by the folder that it lies in.

full_marks/         everything that code and formulas can earn, and no words refused
partly_right/       some points, and not all
no_marks/           no points, and none pending
not_attempted/      nothing, and it is seen that nothing was begun
stopped/            code that has to be stopped, or does not load: an error or a limit
misconceptions/     loses points, and some known misconception is named
misconception-ID/   loses points, and the misconception ID is named before any other
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from grader.problem import CodeCriterion, Criterion, ManualCriterion, Problem, SymbolicCriterion
from grader.result import CriterionGrade, Grade, Outcome

Results = Sequence[tuple[Criterion, CriterionGrade]]
"""The criteria of a problem with what a submission got, in the order of the file."""
Judge = Callable[[Results], str]
"""Says what is wrong, "" if nothing is."""

PREFIX = "misconception-"
_STOPPED = frozenset({Outcome.ERROR, Outcome.TIMEOUT, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT})


def judge_of(folder: str, problem: Problem) -> Judge | None:
    """What a folder's name says of the submissions in it; None if it says nothing known."""
    if folder.startswith(PREFIX):
        known = {misconception.id for misconception in problem.misconceptions}
        wanted = folder.removeprefix(PREFIX)
        return (lambda results: _names(results, wanted)) if wanted in known else None
    return _JUDGES.get(folder)


def known_folders(problem: Problem) -> list[str]:
    """Every name that says something."""
    return [*_JUDGES, *(PREFIX + misconception.id for misconception in problem.misconceptions)]


def results_of(grade: Grade, problem: Problem) -> Results:
    """The results with their criteria."""
    graded = {c.id: c for part in grade.parts for c in part.criteria}
    return [(criterion, graded[criterion.id]) for _, criterion in problem.criteria()]


def _mechanical(results: Results) -> Iterator[CriterionGrade]:
    for criterion, graded in results:
        if isinstance(criterion, CodeCriterion | SymbolicCriterion):
            yield graded


def _lost(results: Results) -> list[str]:
    return [
        graded.id
        for _, graded in results
        if graded.result.fraction < 1 and not graded.result.outcome.pending
    ]


def _earned(results: Results) -> list[str]:
    return [graded.id for _, graded in results if graded.result.fraction > 0]


def _full_marks(results: Results) -> str:
    open_ = [c.id for c in _mechanical(results) if c.result.outcome.pending]
    lost = [*_lost(results), *open_]
    return f"it loses {_listed(lost)}" if lost else ""


def _partly_right(results: Results) -> str:
    open_ = any(c.result.outcome.pending for _, c in results)
    if not (open_ or _earned(results)):
        return "it earns nothing"
    return "" if open_ or _lost(results) else "it loses nothing"


def _no_marks(results: Results) -> str:
    earned = _earned(results)
    open_ = [c.id for c in _mechanical(results) if c.result.outcome.pending]
    if earned:
        return f"it earns {_listed(earned)}"
    return f"it leaves {_listed(open_)} pending" if open_ else ""


def _not_attempted(results: Results) -> str:
    begun = [
        graded.id
        for criterion, graded in results
        if graded.result.outcome is not Outcome.MISSING
        and not isinstance(criterion, ManualCriterion)
    ]
    return f"{_listed(begun)} is taken as attempted" if begun else ""


def _stopped(results: Results) -> str:
    stopped = any(c.result.outcome in _STOPPED for c in _mechanical(results))
    return "" if stopped else "no criterion ends with an error or at a limit"


def _misconceptions(results: Results) -> str:
    if not _lost(results):
        return "it loses nothing"
    return "" if any(c.result.misconceptions for _, c in results) else "no misconception is named"


def _names(results: Results, wanted: str) -> str:
    first = [c.result.misconceptions[0] for _, c in results if c.result.misconceptions]
    if not _lost(results):
        return "it loses nothing"
    if wanted in first:
        return ""
    return f"{_listed([*dict.fromkeys(first)])} is named instead" if first else "it is not named"


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(ids[:6]) + (" …" if len(ids) > 6 else "")


_JUDGES: Mapping[str, Judge] = {
    "full_marks": _full_marks,
    "partly_right": _partly_right,
    "no_marks": _no_marks,
    "not_attempted": _not_attempted,
    "stopped": _stopped,
    "misconceptions": _misconceptions,
}
