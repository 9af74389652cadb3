"""Heat maps of a failing case: which arrays are drawn, and that the drawing says what they hold."""

from __future__ import annotations

from dataclasses import replace

import html_page
import numpy as np
import pytest
import sample_grades as sample
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.report.heatmap import LEVELS, figure
from grader.report.values import short


def drawn(case) -> html_page.Element:
    return html_page.read(f"<!doctype html><div>{figure(case)}</div>")


def cells(svg: html_page.Element) -> list[str]:
    return [e.text for e in svg.all("text") if str(e.attributes["class"])[0] == "t"]


def compare(returned, expected, where=None):
    return replace(sample.scaled_logits(), returned=returned, expected=expected, where=where)


def test_vectors_of_one_length_stand_above_each_other():
    svg = drawn(sample.scaled_logits()).one("svg", class_="map")
    assert cells(svg) == ["0.628", "0.0753", "0.296", "0.705", "0.0351", "0.259"]
    assert [e.text for e in svg.all("text", class_="row")] == ["returned", "expected"]
    assert [e.text for e in svg.all("text", class_="axis")] == ["0", "1", "2"]


def test_the_entry_with_the_largest_error_is_boxed_and_named_in_the_alternative():
    svg = drawn(compare(np.array([0.1, 0.9]), np.array([0.1, 0.3]), (1,))).one("svg", class_="map")
    box = svg.one("rect", class_="worst").attributes
    left = float(str(svg.all("rect")[1].attributes["x"]))
    assert float(str(box["x"])) == left - 1
    label = str(svg.attributes["aria-label"])
    assert "The largest error is at index 1, where 0.9 was returned and 0.3 expected" in label


def test_matrices_stand_side_by_side_on_one_scale():
    case = sample.wrong_axis()
    left, right = drawn(case).all("svg", class_="map")
    assert cells(left) == [short(v) for v in case.returned.ravel()]
    assert cells(right) == [short(v) for v in case.expected.ravel()]
    assert left.one("text", class_="name").text == "returned, 4 × 5"
    assert len(left.all("rect", class_="worst")) == len(right.all("rect", class_="worst")) == 1


def test_other_shapes_are_drawn_as_they_are():
    left, right = drawn(compare(np.ones((3, 1)), np.ones(3), (2, 0))).all("svg", class_="map")
    assert left.one("text", class_="name").text == "returned, 3 × 1"
    assert right.one("text", class_="name").text == "expected, 3"
    assert not right.all("rect", class_="worst")


def test_without_an_expected_value_the_returned_one_is_drawn_alone():
    svg = drawn(replace(sample.scaled_logits(), has_expected=False)).one("svg", class_="map")
    assert cells(svg) == ["0.628", "0.0753", "0.296"]
    assert "expected" not in str(svg.attributes["aria-label"])


def test_numbers_that_are_not_finite_are_named_and_have_no_place_on_the_scale():
    document = drawn(compare(np.array([np.nan, np.inf, 0.5]), np.array([0.25, 0.25, 0.5])))
    svg = document.one("svg", class_="map")
    assert cells(svg)[:2] == ["nan", "inf"]
    assert [e.attributes["class"] for e in svg.all("rect")][:2] == ["hx", "hx"]
    assert document.one("p", class_="scale").text.split() == ["0", "0.5"]


@given(hnp.arrays("float64", st.integers(2, 20), elements=st.floats(allow_nan=False)))
def test_larger_numbers_never_have_a_lower_colour(array):
    svg = drawn(replace(compare(array, None), has_expected=False)).one("svg", class_="map")
    levels = [str(e.attributes["class"])[1:] for e in svg.all("rect")]
    finite = sorted(
        (value, int(level)) for value, level in zip(array, levels, strict=True) if level != "x"
    )
    assert all(0 <= level < LEVELS for _, level in finite)
    assert [level for _, level in finite] == sorted(level for _, level in finite)


@pytest.mark.parametrize(
    "returned",
    [None, "text", 0.5, [[1.0], [1.0, 2.0]], np.ones(1), np.ones((2, 2, 2)), np.ones(0),
     np.array([1j, 2]), np.array([True, False]), np.ones(1000), np.ones((40, 2)), {"a": 1},
     [10**400, 1], (1.0, 2.0)],
)  # fmt: skip
def test_what_is_no_modest_array_of_real_numbers_is_not_drawn(returned):
    assert figure(compare(returned, np.ones(1))) is None


def test_a_case_without_a_returned_value_is_not_drawn():
    assert figure(replace(sample.scaled_logits(), has_returned=False)) is None
