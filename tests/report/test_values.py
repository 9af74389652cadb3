"""Values, points and words as a report writes them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sample_grades as sample
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.report.text import points, rich, visible
from grader.report.values import as_code, short, side_by_side, snippet
from grader.value import Opaque

SHAPES = hnp.array_shapes(min_dims=1, max_dims=2, min_side=1, max_side=6)
DTYPES = ["float64", "float32", "float16", "int64", "int32", "uint8", "bool"]


@given(st.sampled_from(DTYPES).flatmap(lambda dtype: hnp.arrays(dtype, SHAPES)))
def test_an_array_pasted_back_is_the_same_array(array):
    back = eval(as_code(array), {"np": np})
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert np.array_equal(back, array, equal_nan=array.dtype.kind == "f")


@given(st.lists(st.floats() | st.integers(), min_size=1, max_size=6), st.booleans())
def test_a_row_of_numbers_pasted_back_is_the_same(row, as_tuple):
    value = tuple(row) if as_tuple else row
    back = eval(as_code(value), {"np": np})
    assert type(back) is type(value)
    assert np.array_equal(np.array(back, dtype=object) != np.array(back, dtype=object),
                          np.array(row, dtype=object) != np.array(row, dtype=object))  # fmt: skip
    assert [x for x in back if x == x] == [x for x in row if x == x]


@given(hnp.arrays("float64", 3), hnp.arrays("float64", 3))
def test_values_that_differ_never_look_the_same(returned, expected):
    shown = side_by_side(returned, expected)
    assert (shown[0] == shown[1]) == np.array_equal(returned, expected, equal_nan=True) or (
        np.array_equal(returned, expected)
        and shown[0].replace("-0.0", "0.0") == shown[1].replace("-0.0", "0.0")
    )


def test_a_tiny_difference_is_shown_to_its_last_digit_and_a_large_one_in_few():
    assert side_by_side(np.array([1 / 3]), np.array([1 / 3 + 1e-15])) == (
        "np.array([0.3333333333333333])",
        "np.array([0.3333333333333343])",
    )
    assert side_by_side(1 / 3, 0.5) == ("0.33333333", "0.5")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "None"),
        (Opaque("builtins.generator"), "<an object of type builtins.generator>"),
        (float("-inf"), "-np.inf"),
        ("a'b", '"a\'b"'),
        (np.zeros((0, 3)), "array([], shape=(0, 3))"),
    ],
)
def test_other_values_are_named(value, shown):
    assert as_code(value) == shown


def test_an_integer_too_long_to_write_is_named():
    assert as_code(10**5000) == "<an integer of 16610 bits>"
    assert as_code([10**5000, 1]) == "[<an integer of 16610 bits>, 1]"


def test_a_large_array_is_cut():
    assert len(as_code(np.arange(1_000_000.0))) < 1000


def test_a_snippet_runs_as_it_stands():
    case = sample.wrong_axis()
    names = {"np": np, "weights_of_all": lambda Q, K: (Q.shape, K.shape)}
    exec(snippet(replace(case, call="answer = weights_of_all(Q, K)")), names)
    assert names["answer"] == ((4, 3), (5, 3))


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0"),
        (0.25, "0.25"),
        (1234.4, "1234"),
        (1e-7, "1e-7"),
        (-2e10, "-2e10"),
        (float("nan"), "nan"),
    ],
)
def test_numbers_in_cells_are_short(number, shown):
    assert short(number) == shown


@given(st.fractions(min_value=0, max_value=1000))
def test_points_are_exact_where_four_decimals_are_and_else_the_nearest(value):
    shown = Fraction(Decimal(points(value)))
    assert abs(shown - value) <= Fraction(1, 20_000)
    if (value * 10_000).denominator == 1:
        assert shown == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [(Fraction(0), "0"), (Fraction(4), "4"), (Fraction(5, 2), "2.5"), (Fraction(1, 3), "0.3333"),
     (Fraction(2, 3), "0.6667"), (Fraction(1, 20_000), "0.0001"), (Fraction(100), "100")],
)  # fmt: skip
def test_points_in_words(value, shown):
    assert points(value) == shown


@given(st.text())
def test_visible_text_stays_what_it_is_once_made_visible(text):
    once = visible(text)
    assert visible(once) == once
    once.encode("utf-8")


def test_visible_leaves_every_script_alone():
    text = "naïve 漢字 العربية हिन्दी 👩\u200d🔬 𝑘𝑗ᵀ𝑞\n\ttab"
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("use `K @ q`", "use <code>K @ q</code>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("costs $5 and $6", "costs $5 and $6"),
        (
            "$ x $ is no formula, nor is $\\href{a}{b}$",
            "$ x $ is no formula, nor is $\\href{a}{b}$",
        ),
        ("<i>&", "&lt;i&gt;&amp;"),
    ],
)
def test_rich_text(text, shown):
    assert rich(text) == shown


def test_rich_text_draws_formulas():
    assert "<msub><mi>α</mi><mi>j</mi></msub>" in rich("so $\\alpha_j$ wins")
