"""Error carried forward: a wrong answer that is right on the student's own wrong earlier result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from attempts import items, key, matching, property_, raised, returned, run, text
from hypothesis import given
from hypothesis import strategies as st

from grader.checks import matches, properties
from grader.evidence import AnswerKey, EarlierKey, Ending, Observation, Stimulus
from grader.problem import Carried, CarriedAnswer
from grader.result import CheckResult, Outcome

# The later function doubles what the earlier one gives; the earlier one should give x + 1.
RIGHT = [2.0, 3.0, 4.0]
CARRIED = {"earlier": "g(x)", "usable": "is_usable"}


def earlier_key(usable: Any, reference: Any, right: Sequence[Any] = RIGHT) -> EarlierKey:
    calls = tuple(Stimulus("g", (i,)) for i in range(len(right)))
    return EarlierKey(calls, tuple(map(returned, right)), usable, reference, {"g": "b"})


def answer_key(
    usable: Any = lambda results: None, reference: Any = lambda before, x: 2 * before
) -> AnswerKey:
    return key([2 * x for x in RIGHT], earlier=earlier_key(usable, reference))


def judge(
    seen: Sequence[Any],
    earlier: Sequence[Any],
    usable: Callable[..., Any] = lambda results: None,
    reference: Callable[..., Any] = lambda before, x: 2 * before,
    **criterion: Any,
) -> CheckResult:
    carried = CarriedAnswer(**CARRIED, reference="doubled")
    return matches.check(
        matching(carried=carried, **criterion),
        answer_key(usable, reference),
        [s if isinstance(s, Observation) else returned(s) for s in seen],
        run(),
        (),
        [e if isinstance(e, Observation) else returned(e) for e in earlier],
    )


def test_an_answer_that_is_right_on_a_wrong_earlier_result_passes_and_says_so() -> None:
    result = judge([0.0, 2.0, 4.0], [0.0, 1.0, 2.0])
    assert (result.outcome, result.fraction, result.carried) == (Outcome.PASSED, 1, True)
    assert text(result, "summary") == "All 3 cases are right."
    assert "given your own `g`" in text(result, "carried")
    assert "judged in part b and costs nothing again" in text(result, "carried")


def test_where_the_earlier_result_is_right_the_answer_has_to_be_right() -> None:
    result = judge([4.0, 6.0, 6.0], [2.0, 3.0, 3.0])
    assert text(result, "summary").startswith("All 3 cases are right, 1 of them on an earlier")
    assert judge([5.0, 6.0, 6.0], [2.0, 3.0, 3.0]).outcome is Outcome.FAILED


def test_a_right_answer_is_not_called_carried() -> None:
    asked = []
    result = judge([4.0, 6.0, 8.0], [0.0, 1.0, 2.0], usable=asked.append)
    assert (result.outcome, result.carried, asked) == (Outcome.PASSED, False, [])


def test_every_case_has_to_be_right_one_way_or_the_other() -> None:
    result = judge([0.0, 2.0, 5.0], [0.0, 1.0, 2.0])
    assert (result.outcome, result.fraction, result.carried) == (Outcome.FAILED, 0, False)
    assert items(result, "case")[0].case.label == "case 2"
    assert text(result, "summary").startswith("1 of 3 cases is wrong")
    assert not items(result, "carried")


def test_shares_count_what_is_carried() -> None:
    result = judge([0.0, 2.0, 5.0], [0.0, 1.0, 2.0], credit="share")
    assert (result.outcome, result.carried) == (Outcome.PARTIAL, True)
    assert result.fraction * 3 == 2
    assert items(result, "carried")


@pytest.mark.parametrize(
    "earlier",
    [
        [0.0, 1.0, float("nan")],
        [0.0, 1.0, float("inf")],
        [0.0, 1.0, np.zeros(2)],
        [0.0, 1.0, np.zeros((1000, 1000))],
        [0.0, 1.0, "2"],
        [0.0, 1.0, None],
        [0.0, 1.0, True],
        [0.0, 1.0, 2j],
        [0.0, 1.0, 2**70],
        [0.0, 1.0, raised("ValueError", "no")],
        [0.0, 1.0, Observation(Ending.TIMEOUT)],
        [0.0, 1.0, Observation(Ending.MISSING)],
        [0.0, 1.0, Observation(Ending.STUB)],
        [0.0, 1.0],
        [0.0, 1.0, 2.0, 3.0],
        [],
    ],
    ids=lambda seen: repr(seen)[:40],
)
def test_nothing_is_carried_unless_every_earlier_result_is_there_and_of_its_form(
    earlier: list[Any],
) -> None:
    result = judge([0.0, 2.0, 4.0], earlier)
    assert (result.outcome, result.carried) == (Outcome.FAILED, False)


@pytest.mark.parametrize("answer", [False, "They are trivial.", np.False_])
def test_the_guard_decides_over_all_cases_and_sees_them_all(answer: Any) -> None:
    seen = []

    def usable(results: Any) -> Any:
        seen.extend((r.args, r.value, r.expected) for r in results)
        return answer

    result = judge([0.0, 2.0, 4.0], [0.0, 1.0, 2.0], usable)
    assert (result.outcome, result.carried) == (Outcome.FAILED, False)
    assert seen == [((i,), float(i), RIGHT[i]) for i in range(3)]
    assert "trivial" not in text(result, "case") + text(result, "summary")


@pytest.mark.parametrize(
    ("usable", "reference"),
    [
        (lambda results: 1 / 0, lambda before, x: before),
        (lambda results: 3, lambda before, x: before),
        (lambda results: None, lambda before, x: 1 / 0),
    ],
    ids="guard_raises guard_babbles reference_raises".split(),
)
def test_a_fault_of_the_pack_leaves_it_ungraded(usable: Any, reference: Any) -> None:
    result = judge([0.0, 2.0, 4.0], [0.0, 1.0, 2.0], usable, reference)
    assert result.outcome is Outcome.GRADER_ERROR


@pytest.mark.parametrize("value", [float("inf"), float("nan"), None, "x"])
def test_what_is_no_number_on_the_earlier_result_is_met_by_nothing(value: Any) -> None:
    result = judge([value] * 3, [0.0, 1.0, 2.0], reference=lambda before, x: value)
    assert (result.outcome, result.carried) == (Outcome.FAILED, False)


def test_neither_the_guard_nor_the_reference_can_change_what_is_judged() -> None:
    def reference(before: np.ndarray, x: int) -> np.ndarray:
        before *= 2
        return before

    def usable(results: Any) -> None:
        for result in results:
            result.value[:] = 7

    wrong, right = [np.array([1.0, i]) for i in range(3)], [np.array([5.0, i]) for i in range(3)]
    earlier = earlier_key(usable, reference, right)
    found = matches.check(
        matching(carried=CarriedAnswer(**CARRIED, reference="doubled")),
        key([2 * value for value in right], earlier=earlier),
        [returned(2 * value) for value in wrong],
        run(),
        (),
        list(map(returned, wrong)),
    )
    assert found.carried


@pytest.mark.parametrize("over", ["case", "all"])
def test_a_property_is_asked_again_with_the_earlier_result(over: str) -> None:
    asked = []

    def is_twice(subject: Any) -> bool:
        results = subject if isinstance(subject, list) else [subject]
        asked.append([r.earlier for r in results])
        return all(
            r.value == 2 * (r.args[0] + 2.0 if r.earlier is None else r.earlier) for r in results
        )

    def ask(seen: Sequence[float]) -> CheckResult:
        criterion = property_(over=over, carried=Carried(**CARRIED))
        answers = AnswerKey(
            answer_key().stimuli, ("x",), (), earlier=earlier_key(lambda r: None, None)
        )
        before = list(map(returned, [0.0, 1.0, 4.0]))
        observed = list(map(returned, seen))
        return properties.check(criterion, answers, observed, run(), (), is_twice, before)

    result = ask([0.0, 2.0, 8.0])
    assert (result.outcome, result.carried) == (Outcome.PASSED, True)
    assert "given your own `g`" in text(result, "carried")
    assert ([0.0, 1.0, None] if over == "all" else [0.0]) in asked
    result = ask([0.0, 2.0, 9.0])
    assert (result.outcome, result.carried) == (Outcome.FAILED, False)


@pytest.mark.parametrize("dtype", [float, np.float32])
@pytest.mark.parametrize("tiny", [1e-5, 1e-10, 1e-30, 0.0])
def test_tiny_earlier_results_do_not_make_every_tiny_answer_right(tiny: float, dtype: Any) -> None:
    def found(factor: float) -> CheckResult:
        earlier = earlier_key(lambda r: None, lambda before, x: 2 * before, [np.ones(2)])
        return matches.check(
            matching(carried=CarriedAnswer(**CARRIED, reference="doubled")),
            key([np.full(2, 2.0)], earlier=earlier),
            [returned((tiny * factor * np.array([2, 4])).astype(dtype))],
            run(),
            (),
            [returned((tiny * np.array([1, 2])).astype(dtype))],
        )

    assert found(1).carried
    for factor in (0, 1.01, -1):
        assert found(factor).carried is (tiny == 0)


numbers = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3)


@given(seen=numbers, earlier=numbers, usable=st.booleans())
def test_no_more_is_won_than_the_reference_gives_unless_it_is_usable_and_consistent(
    seen: list[float], earlier: list[float], usable: bool
) -> None:
    result = judge(seen, earlier, lambda results: usable)

    def near(value: float, wanted: float, atol: float) -> bool:
        return bool(abs(value - wanted) <= atol + 1e-7 * abs(wanted))

    right = [near(value, 2 * x, 1e-9) for value, x in zip(seen, RIGHT, strict=True)]
    consistent = [
        near(value, 2 * own, 1e-9 * min(1, abs(own) / x))
        for value, own, x in zip(seen, earlier, RIGHT, strict=True)
    ]
    if result.fraction:
        assert all(r or (usable and c) for r, c in zip(right, consistent, strict=True))
    assert result.carried == (result.fraction == 1 and not all(right))


@given(earlier=numbers)
def test_whoever_builds_rightly_on_what_is_usable_loses_nothing(earlier: list[float]) -> None:
    assert judge([2 * own for own in earlier], earlier).fraction == 1
