"""What a wrong value is told: each frequent kind of mistake by its own sentence."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attempts import items, judge, returned, text
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

from grader.checks.closeness import EXACT, compare
from grader.evidence import Ending, Observation
from grader.result import Outcome
from grader.value import Opaque

A = np.array
W = A([0.2, 0.3, 0.5])
M = A([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
SINGLE = W.astype(np.float32).astype(np.float64)


@pytest.mark.parametrize(
    ("expected", "got", "sentence"),
    [
        # nothing, or no number
        (W, None, "did you forget `return`?"),
        (W, returned(None, stdout="0.2"), "Printing a value does not return it."),
        (W, "abc", "It returned text (a str) where an array of shape (3,) was asked."),
        (0.5, True, "A truth value is not a number here."),
        (W, A([True] * 3), "It returned an array of bool of shape (3,)"),
        (W, {"a": 1}, "It returned a dict of 1 where an array of shape (3,) was asked."),
        (W, [[1], [1, 2]], "not all of one shape"),
        (W, Opaque("function"), "Did you forget to call a function?"),
        (W, Opaque("builtins.generator"), "A generator gives its values only when asked"),
        (W, Opaque("mine.Thing"), "an object of type mine.Thing"),
        # right values in the wrong shape
        (W, W[:, None], "values are right, but the shape is (3, 1) where (3,) was asked"),
        (W, W[None, :], "the shape is (1, 3) where (3,) was asked: use `np.ravel(…)`."),
        (W, [A([0.2]), A([0.3]), A([0.5])], "the shape is (3, 1) where (3,) was asked"),
        (W, returned(W[None], type_name="numpy.matrix"), "`np.matrix` always has two dimensions"),
        (0.5, A([0.5]), "(1,) where a single number was asked: use `np.asarray(…).item()`."),
        (A([0.5]), 0.5, "it is a single number where (1,) was asked: use `np.ravel(…)`."),
        (M, M.ravel(), "the shape is (6,) where (2, 3) was asked: use `np.reshape(…, (2, 3))`."),
        (M, M.T, "it is transposed, so return `.T`."),
        (M[:, :2], M[:, :2].T, "It is transposed: return `.T`."),
        (W, A([W, W]), "every row of it holds the right values, so return one of them"),
        (W, A([W, W]).T, "every column of it holds the right values"),
        (W, A([W * 2, W]), "its row 1 holds the right values"),
        (W, W[:2], "The shape is (2,) where (3,) was asked, and the values differ too."),
        (W, W[:, None] * 2, "The shape is (3, 1) where (3,) was asked, and the values differ too."),
        (W, A([]), "an empty array (shape (0,))"),
        # one value too many
        (W, (W, M), "It returned a tuple of 2; its first element has the right values"),
        (W, [M, W], "a list of 2; its second element has the right values: return that alone."),
        (0.5, [0.5, 0.7], "a list of 2; its first element has the right values"),
        # the numbers themselves
        (W / 3, (W / 3).round(3), "The values are rounded to 3 decimals: return them unrounded."),
        (W / 3, (W / 3).round(1), "The values are rounded to 1 decimal: return them unrounded."),
        (W, W * math.nan, "It returned nan where a number was asked (3 of 3 elements, the first"),
        (W, A([0.2, math.inf, 0.5]), "inf where a number was asked (1 of 3 elements, the first at"),
        (W, A([math.inf, math.nan, 0.5]), "It returned nan and inf where a number was asked"),
        (0.5, math.nan, "It returned nan where a number was asked. Such values come from"),
        (A([1, math.inf]), A([1.0, 5.0]), "a finite number where inf was asked (1 of 2 elements"),
        (A([1, math.inf]), A([1.0, math.nan]), "It returned nan where inf was asked"),
        (A([1, math.inf]), A([2.0, math.inf]), "It returned 2 where 1 was expected at index [0]"),
        (W, W + 0j, "complex numbers where real ones were asked (their imaginary parts are all 0)"),
        (W, W + 1j, "It returned complex numbers where real ones were asked."),
        (A([0.2, 1.7]), A([0, 1]), "The fractions are cut off"),
        (A([-0.5, 1.7]), A([-1, 1]), "The fractions are cut off"),
        (W, W * 3, "Every value is 3 times the expected one."),
        (W, W / 3, "Every value is 1/3 times the expected one."),
        (W, W * math.sqrt(2), "Every value is √2 times the expected one."),
        (W, -W / math.sqrt(5), "Every value is −1/√5 times the expected one."),
        (W, W * 1.2345678, "Every value is 1.23457 times the expected one."),
        (W, W * 0.9999, "Every value is 0.9999 times the expected one."),
        (W, W * 0.999999, "Every value is 0.999999 times the expected one."),
        (W, -W, "Every value has the wrong sign."),
        (W * (1 + 1j), W * 1j, "times the expected one."),
        (W, W + 0.25, "Every value is too large by 0.25."),
        (W, W - 1.5, "Every value is too small by 1.5."),
        (W, W[::-1], "The values are right, but in reversed order."),
        (W, A([0.5, 0.2, 0.3]), "The values are right, but in another order."),
        (W, SINGLE, "about seven digits, as in single precision (float32)"),
        (W, W * A([1, 1, 0]), "0 where 0.5 was expected at index [2], the largest error"),
        (0.5, 0.75, "It returned 0.75 where 0.5 was expected."),
        (A([1 + 1j, 2]), A([1 + 2j, 3]), "(1+2j) where (1+1j) was expected at index [0]"),
        # expected values that are no array
        ((W, 1.0), (W, 2.0), "Item 1 of 2 is wrong"),
        ((W, 1.0), (W, 1.0, 3.0), "It returned 3 items where 2 were asked."),
        ((W, 1.0), W, "an array of shape (3,) where a tuple of 2 was asked."),
        ("yes", "no", "The value differs from the expected one."),
        (True, 1, "It returned an int where a bool was asked."),
    ],
)  # fmt: skip
def test_each_mistake_has_its_sentence(expected: Any, got: Any, sentence: str) -> None:
    result = judge([expected], [got], rtol=1e-9, atol=1e-12)
    assert sentence in text(result, "case")


def test_cut_off_fractions_are_told_where_the_input_was_of_integers() -> None:
    got = np.trunc(A([0.2, 1.7]))
    integers, reals = (A([1, 2]),), (A([1.0, 2.0]),)
    assert "cut off" in text(judge([A([0.2, 1.7])], [got], arguments=[integers]), "case")
    assert "cut off" not in text(judge([A([0.2, 1.7])], [got], arguments=[reals]), "case")


def test_one_hot_integers_are_no_cut_off_fractions() -> None:
    assert "cut off" not in text(judge([A([0.1, 0.9])], [A([0, 1])]), "case")


def test_a_pattern_is_stated_only_where_it_explains_every_value() -> None:
    almost = W * 2
    almost[0] += 1e-3
    said = text(judge([W], [almost]), "case")
    assert "times" not in said
    assert "order" not in said
    assert "too large" not in said


def test_a_value_of_one_number_has_no_factor() -> None:
    assert "times" not in text(judge([0.5], [1.0]), "case")
    assert "times" not in text(judge([A([0.5, 0.0])], [A([1.0, 0.0])]), "case")


def test_a_huge_value_is_named_but_not_kept() -> None:
    result = judge([W], [np.zeros(100_000)])
    item = items(result, "case")[0]
    assert item.case is not None
    assert not item.case.has_returned
    assert "an array of shape (100000,), too large to show" in item.text
    for huge in ("x" * 100_000, ["y"] * 100_000, {"k": "z" * 100_000}):
        case = items(judge([W], [huge]), "case")[0].case
        assert case is not None
        assert case.returned is None


def test_a_value_as_large_as_the_expected_one_is_kept() -> None:
    case = items(judge([np.zeros(50_000)], [np.ones(50_000)]), "case")[0].case
    assert case is not None
    assert case.has_returned


def test_an_unreadable_value_is_named() -> None:
    thing = Opaque("builtins.zip")
    note = "It returned zip, which is not plain data."
    result = judge([W], [Observation(Ending.UNREADABLE, value=thing, note=note)])
    assert "`zip` gives its values only when asked" in text(result, "error")
    assert note in text(result, "error")
    case = items(result, "case")[0].case
    assert case is not None
    assert case.returned == thing


numbers = st.sampled_from([0.0, 1.0, -1.0, 5e-324, 1e-300, 1e300, -1e308, math.nan, math.inf])
columns = nps.arrays(np.float64, 3, elements=numbers | st.floats())
kinds = st.sampled_from(["f8", "f4", "f2", "c16", "c8"])


@given(columns, columns, kinds, kinds)
def test_no_numbers_are_too_odd_to_be_described(
    got: np.ndarray, expected: np.ndarray, kind: str, other: str
) -> None:
    with np.errstate(all="ignore"):
        got, expected = got.astype(kind), expected.astype(other)
    for seen, wanted in ((got, expected), (got, got[::-1]), (got.reshape(3, 1), expected)):
        result = judge([wanted], [seen], rtol=0.0, atol=0.0, float32_rtol=0.0)
        assert result.outcome is Outcome.PASSED or text(result, "case")


@pytest.mark.parametrize("value", [np.arange(200_000.0), [1.0] * 60_000], ids=["array", "list"])
def test_not_every_entry_of_a_far_too_large_value_is_tried(
    value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def counted(got: np.ndarray, wanted: np.ndarray, _: Any) -> Any:
        tried.append(got.size)
        return compare(got, wanted, EXACT)

    monkeypatch.setattr("grader.checks.shapes.compare", counted)
    assert judge([2.0], [value]).outcome is Outcome.FAILED
    assert len(tried) < 10
