"""The library of generic explanations: each mistake of a kind is told as what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.evidence import AnswerKey, Ending, Observation, Stimulus
from grader.mine.attempts import Attempt
from grader.mine.clusters import Cluster, clusters

Function = Callable[..., Any]


def softmax(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    e = np.exp(K @ q - (K @ q).max())
    return e / e.sum()


def variance(x: np.ndarray) -> float:
    return float(np.mean((x - x.mean()) ** 2))


def rotate(v: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]]) @ v


def entry(x: np.ndarray, i: int) -> float:
    return float(x[i])


def entropy(p: np.ndarray) -> float:
    return float(-(p * np.log(p)).sum())


def differences(x: np.ndarray) -> np.ndarray:
    return np.diff(x)


def centred(X: np.ndarray) -> np.ndarray:
    return X - X.mean(axis=0)


RNG = np.random.default_rng(5)
INPUTS: dict[Function, list[tuple[Any, ...]]] = {
    softmax: [(RNG.normal(size=d), RNG.normal(size=(n, d))) for n, d in ((2, 2), (3, 3), (4, 4))],
    variance: [(RNG.normal(size=n),) for n in (2, 3, 7)],
    rotate: [(RNG.normal(size=2), angle) for angle in (10.0, 30.0, 200.0)],
    entry: [(RNG.normal(size=5), i) for i in (1, 2, 3)],
    entropy: [(p / p.sum(),) for p in RNG.uniform(size=(3, 4))],
    differences: [(RNG.normal(size=n),) for n in (3, 5)],
    centred: [(RNG.normal(size=shape),) for shape in ((2, 3), (4, 2))],
}


def explained(right: Function, wrong: Function) -> Cluster:
    inputs = INPUTS[right]
    stimuli = tuple(Stimulus("f", args) for args in inputs)
    with np.errstate(all="ignore"):
        expected, outputs = (
            tuple(Observation(Ending.RETURNED, f(*args), args=args) for args in inputs)
            for f in (right, wrong)
        )
    keys = {"c": AnswerKey(stimuli, (), expected)}
    return clusters([Attempt("ada", "f", {"c": outputs}, "")], keys, {"f": right})[0]


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        (softmax, lambda q, K: -softmax(q, K), "the sign is turned"),
        (softmax, lambda q, K: softmax(q / np.sqrt(len(q)), K),
         "argument 1 is divided by √d, where d is its last dimension"),
        (softmax, lambda q, K: softmax(q, K.T),
         "argument 2 is transposed, or taken along the wrong axis"),
        (softmax, lambda q, K: softmax(-q, K), "argument 1 has its sign turned"),
        (softmax, lambda q, K: np.eye(len(K))[np.argmax(K @ q)], "all goes to the largest entry"),
        (softmax, lambda q, K: int(np.argmax(K @ q)),
         "only the position of the largest entry is given"),
        (softmax, lambda q, K: np.log(softmax(q, K)), "the logarithm of the result is taken"),
        (softmax, lambda q, K: softmax(q, K)[::-1], "the order is reversed"),
        (softmax, lambda q, K: 3.0 * softmax(q, K), "there is a factor 3 too many"),
        (softmax, lambda q, K: softmax(q, K) + 0.25, "0.25 is added"),
        (softmax, lambda q, K: q, "argument 1 is returned as it is"),
        (variance, lambda x: x.var(ddof=1),
         "there is a factor n/(n − 1), where n is dimension 0 of argument 1"),
        (variance, lambda x: x.std(), "the root of the result is taken"),
        (rotate, lambda v, a: rotate(v, np.deg2rad(a)), "argument 2 is taken for degrees"),
        (rotate, lambda v, a: rotate(v, -a), "argument 2 has its sign turned"),
        (entry, lambda x, i: x[i + 1], "argument 2 is one too large"),
        (entry, lambda x, i: x[i - 1], "argument 2 is one too small"),
        (entropy, lambda p: float(-(p * np.log2(p)).sum()), "the logarithm has base 2"),
        (entropy, lambda p: float(-(p * np.log10(p)).sum()), "the logarithm has base 10"),
        (centred, lambda X: X - X.mean(axis=1, keepdims=True),
         "argument 1 is taken along the wrong axis, and the result has its shape"),
        (differences, lambda x: np.diff(x)[:-1], "the last entry is missing"),
        (differences, lambda x: np.maximum(np.diff(x), 0), "negative numbers are clipped to 0"),
    ],
)  # fmt: skip
def test_a_generic_mistake_is_told(right: Function, wrong: Function, sentence: str) -> None:
    found = explained(right, wrong).explanation
    assert found is not None
    assert found.sentence == sentence


@pytest.mark.parametrize("right", INPUTS, ids=lambda f: f.__name__)
def test_what_is_not_wrong_is_not_explained(right: Function) -> None:
    assert explained(right, right).explanation is None


@given(st.integers(0, 2), st.floats(0.1, 10), st.floats(-5, 5))
def test_an_explanation_gives_exactly_what_was_seen(which: int, a: float, b: float) -> None:
    wrong = (
        lambda q, K: a * softmax(q, K),
        lambda q, K: softmax(q, K) + b,
        lambda q, K: softmax(q * a + b, K),
    )[which]
    found = explained(softmax, wrong).explanation
    if found is not None:
        for args in INPUTS[softmax]:
            np.testing.assert_allclose(found.apply(softmax, args), wrong(*args), rtol=1e-5)


def test_single_precision_is_told_as_a_symptom() -> None:
    cluster = explained(softmax, lambda q, K: softmax(np.float32(q), np.float32(K)))
    assert cluster.explanation is None
    assert cluster.partly == "it is right to a few digits only, as float32 is"


def test_overflow_is_told_as_a_symptom() -> None:
    def wrong(q: np.ndarray, K: np.ndarray) -> np.ndarray:
        return np.full(len(K), np.nan)

    cluster = explained(softmax, wrong)
    assert cluster.explanation is None
    assert cluster.partly == "it overflows to nan or inf in some cases"


def test_a_guess_that_never_ends_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.mine.clusters._GUESS_TIME_LIMIT_S", 0.02)

    def halvings(x: np.ndarray) -> float:
        count = 0
        while x[0] > 1e-9:  # for ever, if x grows or its sign is turned twice
            x, count = (x / 2 if x[0] < 8 else x), count + 1
        return float(count)

    INPUTS[halvings] = [(np.array([1.0, 2.0]),), (np.array([5.0]),)]
    assert explained(halvings, lambda x: -1.0).explanation is None
