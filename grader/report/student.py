"""One submission's page: a grade, already without hidden detail, as HTML.

Gathers what the template shows (points written out, a failing case as code and as a heat map);
the template only places it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from grader.report import faults, formula, heatmap, values
from grader.report.outcomes import Look, look
from grader.report.pages import render
from grader.report.statement import to_html
from grader.report.text import points, rich
from grader.report.totals import totals
from grader.result import Counterexample, CriterionGrade, Feedback, Grade, Outcome, PartGrade
from grader.value import cut, describe
from grader.variant import values_of

_ADVICE = frozenset({"misconception", "hint"})


@dataclass(frozen=True, slots=True)
class CaseView:
    """A failing case as code, in words, and drawn."""

    label: str
    code: str
    returned: str | None
    returned_is: str
    expected: str | None
    expected_is: str
    error: str
    figure: Markup | None


@dataclass(frozen=True, slots=True)
class Said:
    """One feedback; where an earlier criterion has said the same, that criterion."""

    item: Feedback
    first: CriterionGrade | None


@dataclass(frozen=True, slots=True)
class CriterionView:
    """A criterion with its own share of the part's points, written out."""

    id: str
    title: Markup
    look: Look
    earned: str
    points: str
    open: bool
    passed: bool
    asked: tuple[Feedback, ...]
    feedback: tuple[Said, ...]
    same_as: CriterionGrade | None
    """The criterion that explains the same fault, if an earlier one does."""
    is_mixup: bool
    folded: tuple[Said, ...]
    """With `same_as`: what there is to say besides, for whoever wants it."""
    reviewed_by: str


@dataclass(frozen=True, slots=True)
class PartView:
    """A part with its points written out, raw and (where the total is scaled) final."""

    id: str
    title: Markup
    earned: str
    points: str
    open: str
    final_earned: str
    final_points: str
    passed: int
    criteria: tuple[CriterionView, ...]


@dataclass(frozen=True, slots=True)
class _Before:
    """What earlier criteria say: advice → the first to give it, criterion id → its fault's."""

    advice: Mapping[str, CriterionGrade]
    faults: Mapping[str, CriterionGrade]


def page(grade: Grade, *, statement: str = "") -> str:
    """Render the page of a grade that has been through `Grade.for_student`."""
    raw_most = grade.raw_max_score
    factor = grade.max_score / raw_most if raw_most else Fraction(0)
    criteria = [c for part in grade.parts for c in part.criteria]
    before = _Before(_first_to_say(criteria), faults.repeated(grade))
    return render(
        "student.html",
        {
            "grade": grade,
            "totals": totals(grade, raw_most),
            "parts": [_part(part, factor, before) for part in grade.parts],
            "begin": faults.widest(grade),
            "hidden": [c for c in criteria if c.visibility == "hidden"],
            "unread": [c for c in criteria if c.result.outcome is Outcome.NEEDS_REVIEW],
            "broken": [c for c in criteria if c.result.outcome is Outcome.GRADER_ERROR],
            "variant": values_of(grade.variant),
            "statement": to_html(statement) if statement.strip() else None,
            "case_view": case_view,
            "formulas": formulas,
        },
    )


def _first_to_say(criteria: Sequence[CriterionGrade]) -> dict[str, CriterionGrade]:
    """Advice → the first criterion that gives it: said in full there, pointed at from the rest."""
    first: dict[str, CriterionGrade] = {}
    for criterion in criteria:
        for item in criterion.result.feedback:
            if item.kind in _ADVICE:
                first.setdefault(item.text, criterion)
    return first


def _part(part: PartGrade, factor: Fraction, before: _Before) -> PartView:
    earned, still_open = part.earned, part.pending
    return PartView(
        id=part.id,
        title=rich(part.title, limit=300),
        earned=points(earned),
        points=points(part.points),
        open=points(still_open) if still_open else "",
        final_earned=points(earned * factor),
        final_points=points(part.points * factor),
        passed=sum(c.result.outcome is Outcome.PASSED for c in part.criteria),
        criteria=tuple(_criterion(c, part.points_of(c), before) for c in part.criteria),
    )


def _criterion(criterion: CriterionGrade, own: Fraction, before: _Before) -> CriterionView:
    result, most = criterion.result, points(own)
    same_as = before.faults.get(criterion.id)
    said = tuple(
        Said(item, _earlier(item, criterion, before.advice))
        for item in result.feedback
        if item.kind != "asked"
    )
    shown = tuple(_shown_again(said, same_as)) if same_as else said
    return CriterionView(
        id=criterion.id,
        title=rich(criterion.title, limit=300),
        look=look(result),
        earned=most if result.fraction == 1 else points(own * result.fraction),
        points=most,
        open=result.outcome.pending,
        passed=result.outcome is Outcome.PASSED,
        asked=tuple(item for item in result.feedback if item.kind == "asked"),
        feedback=shown,
        same_as=same_as,
        is_mixup=bool(result.misconceptions),
        folded=_folded(said) if same_as else (),
        reviewed_by=criterion.reviewed_by,
    )


def _shown_again(said: Sequence[Said], same_as: CriterionGrade) -> Iterator[Said]:
    """How many cases a fault takes here, too; nothing that is said there in the same words."""
    there = {item.text for item in same_as.result.feedback}
    return (s for s in said if s.item.kind == "summary" and s.item.text not in there)


def _folded(said: Sequence[Said]) -> tuple[Said, ...]:
    """What shows a fault at work once more; without a case of its own there is nothing to show."""
    if not any(s.item.case for s in said):
        return ()
    return tuple(s for s in said if s.item.kind != "summary" and not s.first)


def _earlier(
    item: Feedback, criterion: CriterionGrade, first_to_say: Mapping[str, CriterionGrade]
) -> CriterionGrade | None:
    first = first_to_say.get(item.text) if item.kind in _ADVICE else None
    return None if first is criterion else first


def case_view(case: Counterexample) -> CaseView:
    """Prepare a failing case for the template."""
    returned, expected = values.side_by_side(case.returned, case.expected)
    return CaseView(
        label=case.label,
        code=values.snippet(case),
        returned=returned if case.has_returned else None,
        returned_is=describe(case.returned),
        expected=expected if case.has_expected else None,
        expected_is=describe(case.expected),
        error=_error(case),
        figure=heatmap.figure(case),
    )


def _error(case: Counterexample) -> str:
    """How large the largest error is, and where."""
    if case.max_error is None:
        return ""
    finite = math.isfinite(case.max_error)
    size = values.short(case.max_error) if finite else "not a finite number"
    where = f", {values.place(case.where)} (counting from 0)" if case.where else ""
    return f"The largest error is {size}{where}."


def formulas(block: str) -> list[tuple[str, Markup | None]]:
    """The lines of a formula block, each with its drawing where it can be drawn."""
    lines = block.split("\n", 20)[:20]
    return [(cut(line, 1000), formula.to_mathml(line)) for line in lines if line.strip()]
