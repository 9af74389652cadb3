"""The inputs that the students' functions are called with, the smallest first.

M has orthonormal rows, the means of the keys, shape (n, d); `stretch` has shape (n,).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader import Case

DRAWS = 3000
"""Enough to tell a standard deviation that is a tenth too large, with alarms as rare as stated."""
OUTPUTS = 3000
"""As many as are drawn for a variance of outputs: code that takes heads one by one needs time."""


def orthonormal(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n vectors of length 1 at right angles to each other, in d ≥ n dimensions."""
    return np.linalg.qr(rng.normal(size=(d, n)))[0].T


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1_000_000))


# --- draw_keys(M, spread, stretch, draws, seed) -------------------------------------------------


def no_noise(rng: np.random.Generator) -> Iterator[Case]:
    """Spread and stretch are 0."""
    yield Case(np.eye(2), 0.0, np.zeros(2), 1, 0, label="a single draw")
    yield Case(orthonormal(rng, 2, 3), 0.0, np.zeros(2), 4, _seed(rng), label="four draws")


def noisy_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Round noise, stretched noise, and both."""
    still = np.zeros(2)
    yield Case(np.eye(2), 0.5, still, DRAWS, _seed(rng), label="the same noise in all directions")
    one = np.array([0.7, 0.0])
    yield Case(np.eye(2), 0.0, one, DRAWS, _seed(rng), label="key 0 varies in length only")
    M = orthonormal(rng, 3, 4)
    both = np.array([1.5, 0.2, 0.0])
    yield Case(M, 0.3, both, DRAWS, _seed(rng), label="spread and stretch, n = 3, d = 4")


def more_noisy_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Enough keys for one to depend on another."""
    M = orthonormal(rng, 4, 4)
    yield Case(M, 0.4, np.array([0.5, 0.5, 2.0, 1.0]), DRAWS, _seed(rng), label="n = d = 4")
    yield Case(np.eye(2, 3), 0.0, np.ones(2), DRAWS, _seed(rng), label="stretch only")


def seeds(_: np.random.Generator) -> Iterator[Case]:
    """Twice the same seed, then another."""
    for seed in (3, 3, 4):
        yield Case(np.eye(2), 0.5, np.array([0.5, 0.0]), 5, seed, label=f"seed {seed}")


# --- head(q, K, V) and heads(Q, K, V) -----------------------------------------------------------


def small_heads(rng: np.random.Generator) -> Iterator[Case]:
    """Shapes that a person can check by hand."""
    yield Case(np.array([2.0]), np.array([[3.0]]), np.array([[5.0]]), label="one key")
    yield Case(
        np.array([1.0, 2.0]),
        np.array([[1.0, 0.0], [-2.0, 1.0]]),
        np.array([[0.0, 4.0], [8.0, 1.0]]),
        label="n = d = 2",
    )
    yield Case(*(rng.normal(size=s).round(2) for s in (3, (4, 3), (4, 3))), label="n = 4, d = 3")


def extreme_heads(rng: np.random.Generator) -> Iterator[Case]:
    """Dot products that overflow a careless softmax."""
    for products in ((1000.0, 1001.0), (-1001.0, -1000.0, 3000.0)):
        K = np.array(products)[:, None]
        label = f"dot products {', '.join(f'{p:g}' for p in products)}"
        yield Case(np.array([1.0]), K, rng.normal(size=K.shape).round(1), label=label)


def small_several(rng: np.random.Generator) -> Iterator[Case]:
    """Two heads, mostly."""
    V = np.array([[0.0, 4.0], [8.0, 0.0]])
    yield Case(2 * np.eye(2), np.eye(2), V, label="one head for each key")
    yield Case(np.array([[1.0, 0.0], [3.0, -1.0]]), np.array([[1.0, 1.0], [0.0, 2.0]]), V,
               label="two heads")  # fmt: skip
    yield Case(*(rng.normal(size=s).round(2) for s in ((2, 3), (4, 3), (4, 3))), label="n = 4")


def more_several(rng: np.random.Generator) -> Iterator[Case]:
    """Any number of heads."""
    for h, n, d in ((1, 3, 2), (5, 3, 3), (8, 20, 6)):
        shapes = ((h, d), (n, d), (n, d))
        yield Case(*(rng.normal(size=s) for s in shapes), label=f"{h} heads, n = {n}, d = {d}")
    K = np.array([[900.0, 0.0], [0.0, -1200.0], [1.0, 1.0]])
    V = rng.normal(size=(3, 2)).round(1)
    yield Case(np.array([[1.0, 0.0], [0.0, 1.0], [-2.0, 1.0]]), K, V, label="large dot products")


# --- head_queries(M, a, b, eps) -----------------------------------------------------------------


def query_tasks(rng: np.random.Generator) -> Iterator[Case]:
    """Two keys to look for, among more and more."""
    yield Case(np.eye(2), 0, 1, 0.1, label="two keys")
    yield Case(np.eye(3), 2, 0, 0.1, label="three keys: two rivals add up")
    yield Case(orthonormal(rng, 6, 8), 1, 4, 0.001, label="six keys in eight dimensions")


# --- output_variance(Q, M, V, spread, stretch, draws, seed) -------------------------------------


def one_head_variance(rng: np.random.Generator) -> Iterator[Case]:
    """One head for two keys: it goes to and fro."""
    V = np.array([[4.0, 0.0], [0.0, 4.0]])
    M = np.eye(2)
    for beta, stretch, label in (
        (1.0, 0.5, "a short query, key 0 varies in length"),
        (10.0, 0.5, "a long query, key 0 varies in length"),
    ):
        Q = beta * (M[0] + M[1])[None]
        yield Case(Q, M, V, 0.0, np.array([stretch, 0.0]), OUTPUTS, _seed(rng), label=label)
    Q = 3.0 * (M[0] + M[1])[None]
    label = "round noise on both keys, seed 0"
    yield Case(Q, M, V + 10, 0.2, np.zeros(2), OUTPUTS, 0, label=label)


def two_head_variance(rng: np.random.Generator) -> Iterator[Case]:
    """A head for each of two keys, one of which varies in length."""
    for n, beta in ((2, 4.0), (3, 6.0)):
        M = orthonormal(rng, n, n)
        stretch = np.zeros(n)
        stretch[0] = 0.6
        label = f"{n} keys, one head for each of two"
        yield Case(beta * M[:2], M, 30 * np.eye(n), 0.0, stretch, OUTPUTS, _seed(rng), label=label)


def steady_heads(rng: np.random.Generator) -> Iterator[Case]:
    """No noise at all."""
    M = np.eye(2)
    V = np.array([[1e6, 1.0], [1e6, 3.0]])
    yield Case(2 * M, M, V, 0.0, np.zeros(2), 64, _seed(rng), label="two heads, large values")
