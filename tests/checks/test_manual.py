"""The `manual` check leaves everything to a person."""

from __future__ import annotations

from grader.checks import manual
from grader.problem import ManualCriterion
from grader.result import Outcome


def test_a_person_decides() -> None:
    criterion = ManualCriterion(id="c", title="T", weight=1, kind="manual", asks="Draw it.")
    result = manual.check(criterion)
    assert (result.criterion_id, result.outcome, result.fraction) == ("c", Outcome.NEEDS_REVIEW, 0)
    assert [item.kind for item in result.feedback] == ["asked", "summary"]
    assert result.feedback[0].text == "Draw it."
