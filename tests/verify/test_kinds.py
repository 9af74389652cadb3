"""Inputs of our own making are of the kind that the pack's generators give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from grader.evidence import Stimulus
from grader.verify.kinds import kind_of, kinds_of, variations


@pytest.mark.parametrize(
    ("given_arrays", "fits", "fits_not"),
    [
        ([np.eye(2), np.array([[1.0, 0.0], [3.0, 1.0]])], [[2, 0], [1, 3]], [[1, 2], [1, 2]]),
        ([np.array([0.2, 0.8]), np.array([0.5, 0.4, 0.1])], [0.7, 0.3], [0.7, 0.7]),
        ([np.array([1.5, 2.0]), np.array([3.0, 0.5])], [2.5, 1.5], [-2.0, 1.0]),
        ([np.array([[2.0, 1.0], [1.0, 2.0]])], [[2, 1], [1, 2]], [[2, 1.5], [1, 2]]),
        ([np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.5])], [1, 4, 4], [4, 2, 1]),
        ([np.array([2.0, -3.0])], [3, 1], [1.5, 3]),
    ],
    ids=["independent rows", "sums of 1", "positive", "symmetric", "ascending", "whole"],
)
def test_what_holds_of_all_cases_must_hold_of_others(
    given_arrays: list[np.ndarray], fits: object, fits_not: object
) -> None:
    kind = kind_of(given_arrays)
    assert kind.fits(np.array(fits, float))
    assert not kind.fits(np.array(fits_not, float))


def test_another_type_or_size_is_another_kind() -> None:
    kind = kind_of([np.array([1.0, -2.0]), np.array([0.5, -4.0])])
    assert not kind.fits(np.array([1.0, -2.0], np.float32))
    assert not kind.fits(np.array([1000.0, -2000.0]))


@given(arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 4))))
def test_every_array_is_of_its_own_kind(x: np.ndarray) -> None:
    if np.isfinite(x).all() and np.abs(x).max() < 1e100:
        assert kind_of([x]).fits(x)


def test_variations_leave_numbers_and_kinds_alone() -> None:
    keys = [np.eye(2), np.array([[1.0, 0.0], [3.0, 1.0]]), np.eye(3)]
    stimuli = [Stimulus("query", (K, 1, 0.1), "keys") for K in keys]
    kinds = kinds_of(stimuli)
    varied = [variation for stimulus in stimuli for variation in variations(stimulus, kinds)]
    assert varied
    for variation in varied:
        K, j, eps = variation.args
        assert (j, eps) == (1, 0.1)
        assert np.linalg.matrix_rank(K) == len(K)
        assert variation.label.startswith("keys; ")
