"""One submission's page: a grade, already without hidden detail, as HTML.

Gathers what the template shows (points in words, a failing case as code and as a heat map); the
template only places it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from markupsafe import Markup

from grader.report import formula, heatmap, values
from grader.report.pages import render
from grader.report.statement import to_html
from grader.report.text import count, points
from grader.result import Counterexample, CriterionGrade, Feedback, Grade, Outcome, PartGrade
from grader.value import describe


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
class CriterionView:
    """A criterion with its own share of the part's points."""

    grade: CriterionGrade
    earned: Fraction
    points: Fraction
    asked: tuple[Feedback, ...]
    feedback: tuple[Feedback, ...]


@dataclass(frozen=True, slots=True)
class PartView:
    """A part with its points, raw and (where the total is scaled) final."""

    grade: PartGrade
    passed: int
    final_earned: Fraction
    final_points: Fraction
    criteria: tuple[CriterionView, ...]


def page(grade: Grade, *, statement: str = "") -> str:
    """Render the page of a grade that has been through `Grade.for_student`."""
    return render(
        "student.html",
        {
            "grade": grade,
            "scaled": _is_scaled(grade),
            "policy": _policy(grade),
            "standing": tuple(_standing(grade)),
            "parts": [_part(grade, part) for part in grade.parts],
            "shares": _shares(grade),
            "hidden": [
                c for part in grade.parts for c in part.criteria if c.visibility == "hidden"
            ],
            "unread": _with_outcome(grade, Outcome.NEEDS_REVIEW),
            "broken": _with_outcome(grade, Outcome.GRADER_ERROR),
            "statement": to_html(statement) if statement.strip() else None,
            "case_view": case_view,
            "formulas": formulas,
        },
    )


def _with_outcome(grade: Grade, outcome: Outcome) -> list[CriterionGrade]:
    return [c for part in grade.parts for c in part.criteria if c.result.outcome is outcome]


def _is_scaled(grade: Grade) -> bool:
    return grade.points_policy == "scale" and grade.raw_max_score != grade.max_score


def _policy(grade: Grade) -> str:
    raw, final = points(grade.raw_max_score), points(grade.max_score)
    if _is_scaled(grade):
        each = points(grade.max_score / grade.raw_max_score) if grade.raw_max_score else "0"
        return (
            f"The parts add up to {raw} raw points, which count as {final}:"
            f" each raw point counts {each}."
        )
    if grade.points_policy == "cap" and grade.raw_max_score != grade.max_score:
        return f"The parts add up to {raw} points; the total is capped at {final}."
    return ""


def _standing(grade: Grade) -> Iterator[str]:
    """Say what the score means, in sentences: what is open, and what happens to it."""
    reviews = len(_with_outcome(grade, Outcome.NEEDS_REVIEW))
    if grade.status == "graded":
        yield "Everything that counts has been decided, so this score is final."
        return
    if grade.status == "ungraded":
        yield (
            "The grader itself failed here. That is our fault, not yours: what it could not grade"
            " is neither lost nor won, and will be graded again."
        )
    if reviews:
        yield f"A person still has to read {count(reviews, 'answer')}."
    if grade.pending:
        yield (
            f"{_points(grade.pending)} {'is' if grade.pending == 1 else 'are'} still open: neither"
            f" won nor lost. The score will end between {points(grade.score)} and"
            f" {points(grade.score + grade.pending)} of {points(grade.max_score)}."
        )


def _points(value: Fraction) -> str:
    return f"{points(value)} {'point' if value == 1 else 'points'}"


def _shares(grade: Grade) -> tuple[float, float]:
    """Earned and open, in percent of the maximum, for the bar."""
    if not grade.max_score:
        return 0.0, 0.0
    return (
        round(float(grade.score / grade.max_score) * 100, 2),
        round(float(grade.pending / grade.max_score) * 100, 2),
    )


def _part(grade: Grade, part: PartGrade) -> PartView:
    factor = grade.max_score / grade.raw_max_score if grade.raw_max_score else Fraction(0)
    per_weight = part.points / sum(c.weight for c in part.criteria)
    return PartView(
        grade=part,
        passed=sum(c.result.outcome is Outcome.PASSED for c in part.criteria),
        final_earned=part.earned * factor,
        final_points=part.points * factor,
        criteria=tuple(_criterion(c, per_weight * c.weight) for c in part.criteria),
    )


def _criterion(criterion: CriterionGrade, own: Fraction) -> CriterionView:
    feedback = criterion.result.feedback
    return CriterionView(
        grade=criterion,
        earned=own * criterion.result.fraction,
        points=own,
        asked=tuple(item for item in feedback if item.kind == "asked"),
        feedback=tuple(item for item in feedback if item.kind != "asked"),
    )


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
    return [(line, formula.to_mathml(line)) for line in block.splitlines()[:20] if line.strip()]
