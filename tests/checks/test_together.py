"""What criteria say with regard to each other: one misconception for all, and nothing twice."""

from __future__ import annotations

import math
from typing import Any

from attempts import failure, items, judge, matching, misconception, raised, returned, run, text

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
    fitting = judge([1.0], [2.0], hint="Think.", wrong={"a": [2.0]}, misconceptions=known)
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


# --- hunches: what fits by nan alone -------------------------------------------------------------

KNOWN = [misconception("a")]
NAN = [math.nan]


def hunch(**more: Any) -> CheckResult:
    return judge([1.0], NAN, hint="Think.", wrong={"a": NAN}, misconceptions=KNOWN, **more)


def test_nan_throughout_is_not_taken_for_what_gives_nan_here_and_there() -> None:
    criteria = [matching(hint="Think.")] * 4
    riddle, right = judge([1.0], NAN, hint="Think."), judge([1.0], [1.0])
    for others in ([riddle], [riddle, hunch()], [right, riddle, hunch()]):
        results = [hunch(), *others]
        for result in reconciled(criteria[: len(results)], results, KNOWN):
            assert not result.misconceptions
            assert not result.hunches
            assert not items(result, "misconception")


def test_a_hunch_that_fits_every_failure_of_the_function_is_named() -> None:
    right, other = judge([1.0], [1.0]), judge([1.0], NAN, function="g")
    criteria = [matching(), matching(), matching(function="g")]
    for second in (right, hunch()):
        first = reconciled(criteria, [hunch(), second, other], KNOWN)[0]
        assert first.misconceptions == ("a",)
        assert text(first, "misconception") == "Title of a: Hint of a"


def test_a_hunch_that_another_criterion_bears_out_is_named() -> None:
    criteria = [matching(hint="Think."), matching()]
    finite = judge([1.0], [2.0], wrong={"a": [2.0]}, misconceptions=KNOWN)
    seen = hunch()
    first, second = reconciled(criteria, [seen, finite], KNOWN)
    assert first.misconceptions == second.misconceptions == ("a",)
    assert text(first, "misconception") == "Title of a: Hint of a"
    assert not items(first, "hint")
    assert not first.hunches
    assert first.fault == second.fault
    assert (first.outcome, first.fraction) == (seen.outcome, seen.fraction)


def test_a_hunch_is_named_before_notes_and_without_a_hint_of_its_own() -> None:
    finite = judge([1.0], [2.0], wrong={"a": [2.0]}, misconceptions=KNOWN)
    seen = returned(math.nan, mutated=(0,))
    noted = judge([1.0], [seen], wrong={"a": [seen]}, misconceptions=KNOWN)
    first, _ = reconciled([matching(), matching()], [noted, finite], KNOWN)
    assert [item.kind for item in first.feedback][-2:] == ["misconception", "hint"]


# --- one fault, several criteria -----------------------------------------------------------------


def test_an_error_at_the_same_line_is_one_cause_whatever_sizes_it_names() -> None:
    def error(size: int, line: int) -> Observation:
        message = f"index {size} is out of bounds"
        return raised("IndexError", message, (20, "f", "g(x)"), (line, "g", "x[i]"))

    titles = ("One", "Two", "Three")
    criteria = [matching(title=title, hint=f"Hint {title}") for title in titles]
    results = [
        judge([1.0], [error(size, line)], hint=f"Hint {title}")
        for title, size, line in zip(titles, (1, 2, 3), (5, 5, 6), strict=True)
    ]
    first, second, third = reconciled(criteria, results)
    assert first == results[0]
    assert text(second, "error") == (
        "IndexError: index 2 is out of bounds (in the same place as under “One”)"
    )
    assert items(third, "error") == items(results[2], "error")
    # What values ought to be is not said again of a function that gives none.
    assert not items(second, "hint")
    assert not items(third, "hint")
    assert items(second, "case")


def test_a_hint_stays_where_the_function_was_not_stopped_before() -> None:
    error = raised("OverflowError", "math range error", (5, "f", "math.exp(x)"))
    criteria = [matching(hint="One."), matching(hint="Two."), matching(hint="Three.")]
    wrong = judge([1.0], [2.0], hint="One.")
    stopped = judge([1.0], [error], hint="Two.")
    later = judge([1.0], [5.0], hint="Three.")
    assert reconciled(criteria, [wrong, stopped, later]) == [wrong, stopped, later]


def test_a_note_stands_where_it_is_seen_not_under_what_passed() -> None:
    criteria = [matching(), matching(), matching(visibility="hidden")]
    changing = returned(1.0, mutated=(0,))
    passing = judge([1.0], [changing])
    failing = judge([2.0], [changing])
    assert items(passing, "hint")
    first, second, third = reconciled(criteria, [passing, failing, failing])
    assert not items(first, "hint")
    assert items(second, "hint") == items(failing, "hint")
    assert not items(third, "hint")
    alone = reconciled(criteria, [passing, judge([2.0], [3.0]), passing])
    assert items(alone[0], "hint")


def test_no_criterion_points_at_a_hidden_one_for_its_cause() -> None:
    hidden, public = matching(visibility="hidden"), matching()
    for result in reconciled([hidden, public], [unloaded(), unloaded()]):
        assert items(result, "error")[0].block


def test_no_error_points_at_one_that_is_folded_itself() -> None:
    def error(size: int) -> Observation:
        return raised("ValueError", f"size {size}", (5, "f", "a @ b"))

    known = [misconception("a")]
    criteria = [matching(title=title) for title in ("One", "Two", "Three")]
    one, two = judge([1.0], [error(1)]), judge([1.0], [error(2)])
    coincidence = judge([1.0], [error(2)], wrong={"a": [error(2)]}, misconceptions=known)
    _, second, third = reconciled(criteria, [one, two, coincidence], known)
    assert not third.misconceptions
    assert third.fault == second.fault == one.fault
    for result in (second, third):
        assert text(result, "error") == "ValueError: size 2 (in the same place as under “One”)"
