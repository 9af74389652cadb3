"""Points are exact: weights, policies, pending, and the document that carries them."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.document import from_document, to_document
from grader.result import CheckResult, CriterionGrade, Feedback, Grade, Outcome, PartGrade

OUTCOMES = st.sampled_from(list(Outcome))
SHARES = st.fractions(0, 1, max_denominator=60)


@st.composite
def criteria(draw: st.DrawFn) -> CriterionGrade:
    outcome = draw(OUTCOMES)
    fraction = Fraction(0) if outcome.pending else draw(SHARES)
    said = (Feedback("summary", draw(st.text(max_size=20))),)
    result = CheckResult("c", outcome, fraction, said, suggested_fraction=draw(st.none() | SHARES))
    visibility = draw(st.sampled_from(["public", "hidden"]))
    weight = draw(st.integers(1, 9))
    return CriterionGrade("c", "t", "matches", visibility, "hint", weight, result)


@st.composite
def grades(draw: st.DrawFn) -> Grade:
    points = st.fractions(Fraction(1, 10), 9, max_denominator=20)
    parts = tuple(
        PartGrade(
            str(i), "t", draw(points), tuple(draw(st.lists(criteria(), min_size=1, max_size=4)))
        )
        for i in range(draw(st.integers(1, 3)))
    )
    policy = draw(st.sampled_from(["scale", "cap", "sum"]))
    raw = sum((part.points for part in parts), Fraction(0))
    maximum = raw if policy == "sum" else draw(points)
    return Grade("s", "p", "t", "1", parts, maximum, policy)


@given(grades())
def test_points_add_up_exactly(grade: Grade) -> None:
    assert 0 <= grade.score <= grade.max_score
    assert 0 <= grade.pending <= grade.max_score - grade.score
    lost = sum(
        (
            part.points * c.weight * (1 - c.result.fraction) / sum(x.weight for x in part.criteria)
            for part in grade.parts
            for c in part.criteria
            if not c.result.outcome.pending
        ),
        Fraction(0),
    )
    assert grade.raw_score + grade.raw_pending + lost == grade.raw_max_score


@given(grades())
def test_full_marks_only_for_everything(grade: Grade) -> None:
    everything = all(c.result.fraction == 1 for part in grade.parts for c in part.criteria)
    if grade.points_policy == "scale":
        assert (grade.score == grade.max_score) == everything
    if everything:
        assert grade.score == min(grade.max_score, grade.raw_max_score) or (
            grade.points_policy == "scale"
        )


@given(grades())
def test_a_document_holds_the_grade_exactly(grade: Grade) -> None:
    assert from_document(json.loads(json.dumps(to_document(grade)))) == grade


@given(grades())
def test_hidden_detail_is_gone_and_points_are_not(grade: Grade) -> None:
    shown = grade.for_student()
    assert (shown.score, shown.pending) == (grade.score, grade.pending)
    for part in shown.parts:
        for criterion in part.criteria:
            if criterion.visibility == "hidden":
                kinds = {item.kind for item in criterion.result.feedback}
                assert kinds <= {"asked", "hint", "misconception", "not_checked"}
                assert criterion.result.suggested_fraction is None


def test_the_rubric_is_for_the_student_once_the_answer_is_decided() -> None:
    said = (Feedback("rubric", "Not found: that they sum to 1."), Feedback("summary", "Read it."))
    waiting = CheckResult("c", Outcome.NEEDS_REVIEW, Fraction(0), said)
    criterion = CriterionGrade("c", "t", "written", "public", "hint", 1, waiting)
    part = PartGrade("i", "t", Fraction(1), (criterion,))
    grade = Grade("s", "p", "t", "1", (part,), Fraction(1), "sum")

    def kinds(grade: Grade) -> list[str]:
        shown = grade.for_student().parts[0].criteria[0].result
        return [item.kind for item in shown.feedback]

    assert kinds(grade) == ["summary"]
    assert kinds(grade.decided("c", Fraction(1, 2), "me", "")) == ["rubric", "summary", "review"]


@given(grades(), SHARES)
def test_a_decision_settles_one_criterion(grade: Grade, share: Fraction) -> None:
    decided = grade.decided("c", share, "me", "because")
    for part in decided.parts:
        for criterion in part.criteria:
            assert criterion.result.fraction == share
            assert not criterion.result.outcome.pending
            assert criterion.reviewed_by == "me"
    assert decided.pending == 0


@pytest.mark.parametrize("fraction", [Fraction(-1, 9), Fraction(10, 9)])
def test_no_share_outside_0_to_1(fraction: Fraction) -> None:
    with pytest.raises(ValueError, match="outside"):
        CheckResult("c", Outcome.PARTIAL, fraction)


def test_a_pending_outcome_claims_nothing() -> None:
    with pytest.raises(ValueError, match="pending"):
        CheckResult("c", Outcome.NEEDS_REVIEW, Fraction(1))


def test_ungraded_says_so() -> None:
    broken = CheckResult("c", Outcome.GRADER_ERROR, Fraction(0))
    part = PartGrade(
        "i", "t", Fraction(2), (CriterionGrade("c", "t", "x", "public", "hint", 1, broken),)
    )
    grade = Grade("s", "p", "t", "1", (part,), Fraction(2), "sum")
    assert (grade.status, grade.score, grade.pending) == ("ungraded", 0, 2)
