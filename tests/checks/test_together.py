"""What criteria say with regard to each other: one misconception for all, and nothing twice."""

from __future__ import annotations

import math
from typing import Any

from attempts import failure, items, judge, matching, misconception, returned, run, text

from grader.checks.together import reconciled
from grader.evidence import Ending, Observation
from grader.result import CheckResult

ERROR = failure("NameError", "name 'np' is not defined", (1, "<module>", "np.exp"))
LOAD = Observation(Ending.RAISED, error=ERROR)


def unloaded(**more: Any) -> CheckResult:
    return judge([1.0], [LOAD], student=run({}, load=LOAD), **more)


def test_a_load_error_is_shown_once_in_full() -> None:
    criteria = [matching(id=i, title=f"Title {i}") for i in "abc"]
    first, second, third = reconciled(criteria, [unloaded(id=i) for i in "abc"])
    assert items(first, "error")[0].block
    for later in (second, third):
        item = items(later, "error")[0]
        assert item.text == ("NameError: name 'np' is not defined (shown in full under “Title a”)")
        assert not item.block
        assert text(later, "summary") == text(first, "summary")


def test_a_hidden_criterion_never_says_it_for_the_others() -> None:
    criteria = [matching(title="Hidden", visibility="hidden"), matching(title="Public")]
    hidden, public = reconciled(criteria, [unloaded(), unloaded()])
    assert items(hidden, "error")[0].block
    assert items(public, "error")[0].block
    public, hidden = reconciled(criteria[::-1], [unloaded(), unloaded()])
    assert items(public, "error")[0].block
    assert not items(hidden, "error")[0].block


def test_a_note_on_changed_arguments_is_given_once_and_own_hints_stay() -> None:
    criteria = [matching(hint="Think."), matching(hint="Think.")]
    seen = returned(2.0, mutated=(0,))
    results = [judge([1.0], [seen], hint="Think.") for _ in criteria]
    first, second = reconciled(criteria, results)
    assert first == results[0]
    assert len(items(first, "hint")) == 2
    assert [item.text for item in items(second, "hint")] == ["Think."]


def test_different_errors_and_everything_else_stay() -> None:
    criteria = [matching(title="One"), matching(title="Two")]
    results = [unloaded(), judge([1.0], [2.0])]
    assert reconciled(criteria, results) == results


def test_of_several_misconceptions_the_one_that_fits_most_criteria_is_explained() -> None:
    known = [misconception("a"), misconception("b")]
    both = judge([1.0], [2.0], wrong={"a": [2.0], "b": [2.0]}, misconceptions=known)
    only_b = judge([1.0], [3.0], wrong={"a": [2.0], "b": [3.0]}, misconceptions=known)
    assert text(both, "misconception") == "Title of a: Hint of a"
    first, second = reconciled([matching(), matching()], [both, only_b], known)
    assert first.misconceptions == ("b", "a")
    assert text(first, "misconception") == "Title of b: Hint of b"
    assert (first.outcome, first.fraction) == (both.outcome, both.fraction)
    assert second == only_b
    assert reconciled([matching()], [both], known) == [both]


def test_a_misconception_that_fits_once_where_another_failure_is_a_riddle_is_taken_back() -> None:
    known = [misconception("a")]
    criteria = [matching(hint="Think."), matching()]
    fitting = judge([1.0], [math.nan], hint="Think.", wrong={"a": [math.nan]}, misconceptions=known)
    riddle, right = judge([1.0], [math.nan]), judge([1.0], [1.0])
    assert fitting.misconceptions == ("a",)
    assert reconciled(criteria, [fitting, right], known) == [fitting, right]
    first, second = reconciled(criteria, [fitting, riddle], known)
    assert not first.misconceptions
    assert not items(first, "misconception")
    assert text(first, "hint") == "Think."
    assert (first.outcome, first.fraction) == (fitting.outcome, fitting.fraction)
    assert second == riddle


def test_a_misconception_that_fits_twice_is_kept_beside_a_riddle() -> None:
    known = [misconception("a")]
    fitting = judge([1.0], [2.0], wrong={"a": [2.0]}, misconceptions=known)
    results = [fitting, fitting, judge([1.0], [math.nan])]
    assert reconciled([matching()] * 3, results, known) == results
