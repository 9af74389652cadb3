"""The judgement of `matches`: what is close, what an ending makes of a case, what a share earns."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attempts import ask, items, judge, key, matching, raised, returned, run, text
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from grader.checks import matches
from grader.evidence import AnswerKey, Ending, Observation
from grader.result import Outcome
from grader.value import Opaque

A = np.array
THIRDS = A([0.2, 0.3, 0.5])


def passes(returned_value: Any, expected: Any, **criterion: Any) -> bool:
    return judge([expected], [returned_value], **criterion).outcome is Outcome.PASSED


# --- what is close ------------------------------------------------------------------------------

finite = st.floats(-1e150, 1e150, allow_subnormal=False)
tolerances = st.sampled_from([0.0, 1e-9, 1e-3, 0.5])


def rule(got: float, wanted: float, rtol: float, atol: float) -> tuple[bool, bool]:
    """The rule in exact arithmetic, and whether rounding could not have changed its answer."""
    error = abs(Fraction(got) - Fraction(wanted))
    allowed = Fraction(atol) + Fraction(rtol) * abs(Fraction(wanted))
    sure = abs(error - allowed) > max(error, allowed) * Fraction(1, 10**12)
    return error <= allowed, sure


@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=5), tolerances, tolerances)
def test_passes_exactly_by_the_elementwise_rule(
    pairs: list[tuple[float, float]], rtol: float, atol: float
) -> None:
    judged = [rule(got, wanted, rtol, atol) for got, wanted in pairs]
    got, wanted = A([p[0] for p in pairs]), A([p[1] for p in pairs])
    if all(sure or got[i] == wanted[i] for i, (_, sure) in enumerate(judged)):
        holds = all(close for close, _ in judged)
        assert passes(got, wanted, rtol=rtol, atol=atol) is holds


@given(nps.arrays(np.float64, nps.array_shapes(max_dims=3), elements=finite), st.data())
def test_a_value_within_tolerance_passes_and_one_outside_fails(
    wanted: np.ndarray, data: st.DataObject
) -> None:
    rtol, atol = 1e-3, 1e-6
    allowed = atol + rtol * np.abs(wanted)
    assert passes(wanted + 0.99 * allowed, wanted, rtol=rtol, atol=atol)
    index = data.draw(st.tuples(*(st.integers(0, n - 1) for n in wanted.shape)))
    outside = wanted.copy()
    outside[index] += 1.01 * allowed[index]
    result = judge([wanted], [outside], rtol=rtol, atol=atol)
    assert result.outcome is Outcome.FAILED
    case = items(result, "case")[0].case
    assert case is not None
    assert case.where == index
    assert case.max_error == abs(outside[index] - wanted[index])


@given(nps.arrays(np.float64, nps.array_shapes(max_dims=2), elements=finite), st.data())
def test_a_stray_nan_or_inf_never_passes(wanted: np.ndarray, data: st.DataObject) -> None:
    index = data.draw(st.tuples(*(st.integers(0, n - 1) for n in wanted.shape)))
    got = wanted.copy()
    got[index] = data.draw(st.sampled_from([math.nan, math.inf, -math.inf]))
    assert not passes(got, wanted, rtol=0.5, atol=1e300)
    assert not passes(wanted, got, rtol=0.5, atol=1e300)
    assert passes(got, got.copy())


shapes = nps.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3)


@given(shapes, shapes)
def test_arrays_of_different_shapes_never_pass(
    got: tuple[int, ...], asked: tuple[int, ...]
) -> None:
    assert passes(np.ones(got), np.ones(asked)) is (got == asked)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (1, 1.0),
        (A(1.0), 1.0),
        (1.0, A(1.0)),
        (A([1, 2]), A([1.0, 2.0])),
        (A([1, 2], dtype=np.uint8), A([1, 2])),
        ([0.2, 0.3, 0.5], THIRDS),
        ((0.2, 0.3, 0.5), THIRDS),
        ([A([0.2]), A([0.3])], A([[0.2], [0.3]])),
        ([A(0.2), 0.3], A([0.2, 0.3])),
        (THIRDS, [0.2, 0.3, 0.5]),
        (1.0, 1 + 0j),
        (A([], dtype=int), A([])),
        ([], A([])),
        (2**70, float(2**70)),
        (2**64, 2**64),
        (math.inf, math.inf),
        (A([math.nan, 1.0]), A([math.nan, 1.0])),
        (A(math.inf), math.inf),
        (A([math.inf, -math.inf, 1.0]), A([math.inf, -math.inf, 1.0])),
        (True, True),
        (A(True), True),
        ([True, False], A([True, False])),
        ("yes", "yes"),
        ((THIRDS, 1.0), (THIRDS, 1.0)),
        ([THIRDS, 1], (THIRDS, 1.0)),
        ({"a": THIRDS, "b": 2}, {"b": 2.0, "a": THIRDS}),
    ],
)
def test_equal_values_pass_whatever_holds_them(got: Any, expected: Any) -> None:
    assert passes(got, expected)


@pytest.mark.parametrize(
    ("got", "expected"),
    [
        (True, 1.0),
        (1, True),
        (A([True, False]), A([1.0, 0.0])),
        ([1, 0], A([True, False])),
        (A([1.0]), 1.0),
        (0.5, A([0.5, 0.5])),
        (A([[0.5, 0.5]]), A([0.5, 0.5])),
        (A([[0.5, 0.5], [0.5, 0.5]]), A([0.5, 0.5])),
        (A([]), THIRDS),
        (A([]), 1.0),
        (np.ones((0, 3)), np.ones((3, 0))),
        ([[0.2], [0.3, 0.5]], THIRDS),
        (1 + 0j, 1.0),
        (A([1 + 0j, 2]), A([1.0, 2.0])),
        (5.0, math.inf),
        (-math.inf, math.inf),
        (math.nan, 1.0),
        (math.nan, math.inf),
        (A([math.nan, 2.0]), A([1.0, 2.0])),
        (A([1.0, math.nan]), A([math.nan, 1.0])),
        (None, 1.0),
        ("1.0", 1.0),
        (Opaque("builtins.generator"), THIRDS),
        ({"a": 1.0}, 1.0),
        ({"a": 1.0}, {"b": 1.0}),
        ({}, {"b": 1.0}),
        ((THIRDS,), (THIRDS, 1.0)),
        ((THIRDS, 2.0), (THIRDS, 1.0)),
        (10**400, 1.0),
        (A([0], dtype=np.uint8), A([256], dtype=np.int64)),
        (A([0], dtype=np.uint8), A([1], dtype=np.uint8)),
        ("no", "yes"),
        (1.0, "yes"),
    ],
)
def test_other_values_fail(got: Any, expected: Any) -> None:
    result = judge([expected], [got], rtol=1e-2)
    assert (result.outcome, result.fraction) == (Outcome.FAILED, 0)
    assert items(result, "case")[0].text


def test_integers_are_compared_exactly_where_asked() -> None:
    assert not passes(A([2**60 + 1]), A([2**60]), rtol=0.0, atol=0.0)
    assert passes(A([2**60 + 1]), A([2**60 + 1]), rtol=0.0, atol=0.0)


def test_the_tolerance_follows_the_expected_value_alone() -> None:
    assert passes(1.5, 1.0, rtol=0.5, atol=0.0)
    assert not passes(1.0, 0.6, rtol=0.5, atol=0.0)  # 0.4 > 0.5·0.6, though 0.4 < 0.5·1.0


@pytest.mark.parametrize(
    ("got", "argument", "close"),
    [
        (THIRDS * (1 + 1e-5), 0, False),
        ((THIRDS * (1 + 1e-5)).astype(np.float32), 0, True),
        ((THIRDS * (1 + 1e-5)).astype(np.complex64).real, 0, True),
        (THIRDS * (1 + 1e-5), np.ones(2, dtype=np.float32), True),
        (THIRDS * (1 + 1e-5), [np.ones(2, dtype=np.float16)], True),
        (THIRDS * (1 + 1e-5), {"x": np.ones(2, dtype=np.float16)}, True),
        (THIRDS * (1 + 1e-5), np.ones(2), False),
        ((THIRDS * (1 + 1e-3)).astype(np.float32), 0, False),
    ],
)
def test_single_precision_is_judged_by_a_wider_tolerance(
    got: Any, argument: Any, close: bool
) -> None:
    result = judge([THIRDS], [got], arguments=[(argument,)])
    assert (result.outcome is Outcome.PASSED) is close


def test_a_single_precision_scalar_is_known_by_its_type() -> None:
    assert passes(returned(1.00001, type_name="numpy.float32"), 1.0)
    assert not passes(returned(1.00001, type_name="numpy.float64"), 1.0)


# --- from endings to outcomes -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "outcome"),
    [
        (Ending.RAISED, Outcome.ERROR),
        (Ending.TIMEOUT, Outcome.TIMEOUT),
        (Ending.MEMORY_LIMIT, Outcome.MEMORY_LIMIT),
        (Ending.OUTPUT_LIMIT, Outcome.OUTPUT_LIMIT),
        (Ending.MISSING, Outcome.MISSING),
        (Ending.STUB, Outcome.MISSING),
        (Ending.EXITED, Outcome.ERROR),
        (Ending.CRASHED, Outcome.ERROR),
        (Ending.UNREADABLE, Outcome.FAILED),
    ],
)
def test_each_ending_has_its_outcome_and_no_points(ending: Ending, outcome: Outcome) -> None:
    for seen in ([Observation(ending)] * 2, [returned(1.0), Observation(ending, value=1.0)]):
        for result in (judge([1.0, 1.0], seen), ask(lambda _: None, seen)):
            assert (result.outcome, result.fraction) == (outcome, 0)
            assert text(result, "summary")


def test_the_first_failing_case_decides_the_outcome() -> None:
    late = judge([1.0, 1.0, 1.0], [1.0, Observation(Ending.TIMEOUT), 2.0])
    assert late.outcome is Outcome.TIMEOUT
    assert text(late, "summary") == "2 of 3 cases fail; the first: case 1."
    assert judge([1.0, 1.0], [2.0, Observation(Ending.TIMEOUT)]).outcome is Outcome.FAILED


def test_a_share_of_the_cases_earns_a_share_of_the_points() -> None:
    def share(*seen: Any) -> Any:
        result = judge([1.0, 2.0, 3.0], seen, credit="share")
        return result.outcome, result.fraction

    assert share(1.0, 2.0, 3.0) == (Outcome.PASSED, 1)
    assert share(1.0, 0.0, 3.0) == (Outcome.PARTIAL, Fraction(2, 3))
    assert share(Observation(Ending.TIMEOUT), 2.0, 0.0) == (Outcome.PARTIAL, Fraction(1, 3))
    assert share(0.0, 0.0, 0.0) == (Outcome.FAILED, 0)
    assert share(*[Observation(Ending.STUB)] * 3) == (Outcome.MISSING, 0)


@pytest.mark.parametrize(
    ("seen", "summary"),
    [
        ([1.0, 1.0], "All 2 cases agree (largest error 0)."),
        ([1.0, 1.0 + 2e-16], "All 2 cases agree (largest error 2e-16)."),
        ([2.0, 1.0], "1 of 2 cases is wrong: case 0."),
        ([2.0, 2.0], "Both cases are wrong; the smallest: case 0."),
        ([1.0, raised("ValueError", "")], "1 of 2 cases ends in an error: case 1."),
    ],
)
def test_the_summary_counts_cases(seen: list[Any], summary: str) -> None:
    assert text(judge([1.0, 1.0], seen), "summary") == summary


def test_one_case_is_spoken_of_as_one() -> None:
    assert text(judge([True], [True]), "summary") == "The one case agrees."
    assert text(judge([1.0], [2.0]), "summary") == "The one case is wrong: case 0."


# --- no result is no pass -----------------------------------------------------------------------


def ungraded(expected: list[Any], seen: list[Any]) -> bool:
    result = judge(expected, seen)
    return result.outcome is Outcome.GRADER_ERROR and result.fraction == 0


def test_without_all_results_nothing_is_graded() -> None:
    assert ungraded([], [])
    assert ungraded([1.0, 2.0], [])
    assert ungraded([1.0, 2.0], [1.0])
    assert ungraded([1.0], [1.0, 1.0])


@pytest.mark.parametrize("answer", [None, Opaque("module.Thing"), [1.0, None]])
def test_a_reference_that_gives_nothing_comparable_grades_nobody(answer: Any) -> None:
    assert ungraded([answer], [answer])


def test_a_reference_that_did_not_return_grades_nobody() -> None:
    answers = key([1.0, 2.0])
    broken = AnswerKey(answers.stimuli, ("x",), (answers.expected[0], Observation(Ending.RAISED)))
    short = AnswerKey(answers.stimuli, ("x",), answers.expected[:1])
    none = AnswerKey(answers.stimuli, ("x",))
    for bad in (broken, short, none):
        result = matches.check(matching(asks="Do it."), bad, [returned(1.0)] * 2, run(), ())
        assert result.outcome is Outcome.GRADER_ERROR
        assert [item.kind for item in result.feedback] == ["asked", "summary", "error"]
    assert "case 1" in text(
        matches.check(matching(), broken, [returned(1.0)] * 2, run(), ()), "error"
    )


# --- the case, whole ----------------------------------------------------------------------------


def test_the_first_failing_case_is_shown_whole() -> None:
    wanted = A([0.25, 0.75])
    result = judge(
        [1.0, wanted, wanted],
        [1.0, A([0.25, 0.5]), None],
        arguments=[(0, 0), (A([1.0, 2.0]), A([[3.0]])), (0, 0)],
        parameters=("q", "K"),
        asks="Return the weights.",
        hint="Divide by the sum.",
    )
    assert [item.kind for item in result.feedback] == ["asked", "summary", "case", "hint"]
    item = items(result, "case")[0]
    case = item.case
    assert case is not None
    assert (case.call, case.label) == ("f(q, K)", "case 1")
    assert [name for name, _ in case.arguments] == ["q", "K"]
    assert np.array_equal(case.arguments[0][1], [1.0, 2.0])
    assert (case.has_returned, case.has_expected) == (True, True)
    assert np.array_equal(case.returned, [0.25, 0.5])
    assert case.expected is wanted
    assert (case.max_error, case.where) == (0.25, (1,))
    assert "0.5 where 0.75 was expected at index [1]" in item.text
    assert "1 of 2 elements is off" in item.text


def test_a_passed_criterion_gets_no_hint_and_no_case() -> None:
    result = judge([1.0], [1.0], asks="Do it.", hint="Like this.", wrong={"m": [1.0]})
    assert [item.kind for item in result.feedback] == ["asked", "summary"]
    assert result.misconceptions == ()


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.complex_numbers()
        | st.text()
        | st.builds(Opaque, st.text(max_size=5))
        | nps.arrays(
            st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_, np.complex64]),
            nps.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
        ),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.tuples(inner, inner)
            | st.dictionaries(st.text(max_size=3), inner, max_size=2)
        ),
        max_leaves=5,
    )
)
def test_whatever_comes_back_is_judged_and_explained(value: Any) -> None:
    for expected in (THIRDS, 0.3, np.ones((2, 3)), (THIRDS, 0.5), {"a": 1.0}, True):
        result = judge([expected], [value])
        assert result.outcome in (Outcome.PASSED, Outcome.FAILED)
        case = items(result, "case")
        assert result.outcome is Outcome.PASSED or (case[0].text and len(case[0].text) < 2000)
