"""The same eight checks as an instructor writes them for pytest, run inside a submission."""

import numpy as np
import pytest
from attention import attend, attention_weights, peaked_query

RNG = np.random.default_rng(0)
SHAPES = [(2, 2), (5, 3), (3, 5), (40, 8)]


def expected_weights(q, K):
    logits = K @ q
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def test_small():
    for q, K in (
        (np.array([1.0]), np.array([[2.0]])),
        (np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])),
    ):
        np.testing.assert_allclose(attention_weights(q, K), expected_weights(q, K), rtol=1e-7)


def test_large():
    for logits in ([1000.0, 1001.0, 1002.0], [0.0, 5000.0, 10000.0]):
        q, K = np.array([1.0]), np.array(logits)[:, None]
        np.testing.assert_allclose(attention_weights(q, K), expected_weights(q, K), rtol=1e-7)


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_sums_to_one(n, d):
    alpha = attention_weights(RNG.normal(size=d), RNG.normal(size=(n, d)))
    assert np.all(alpha >= 0)
    assert abs(np.sum(alpha) - 1) < 1e-9


def test_keeps_arguments():
    q, K = np.array([1.0, 2.0]), np.eye(2)
    attention_weights(q, K)
    np.testing.assert_array_equal(q, [1.0, 2.0])
    np.testing.assert_array_equal(K, np.eye(2))


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_attend(n, d):
    q, K, V = RNG.normal(size=d), RNG.normal(size=(n, d)), RNG.normal(size=(n, d))
    np.testing.assert_allclose(attend(q, K, V), expected_weights(q, K) @ V, rtol=1e-7)


def test_attend_orthogonal():
    q, K, V = np.array([0.0, 1.0]), np.array([[1.0, 0.0], [2.0, 0.0]]), np.eye(2)
    np.testing.assert_allclose(attend(q, K, V), [0.5, 0.5])


@pytest.mark.parametrize(("n", "d"), SHAPES)
def test_attend_shape(n, d):
    value = attend(RNG.normal(size=d), RNG.normal(size=(n, d)), RNG.normal(size=(n, d)))
    assert np.shape(value) == (d,)


@pytest.mark.parametrize(("n", "eps"), [(2, 0.1), (4, 0.01)])
def test_peaked(n, eps):
    K = np.eye(n)
    assert expected_weights(peaked_query(K, 1, eps), K)[1] >= 1 - eps - 1e-9
