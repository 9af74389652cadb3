"""The inputs that the students' functions are called with, the smallest case first.

Every case gives the keys K, shape (n, d), the two wanted rows a and b, and eps.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader import Case

Task = tuple[np.ndarray, int, int, float, str]
"""K, a, b, eps and a label."""


def orthonormal(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n keys of length 1 at right angles to each other, in d ≥ n dimensions."""
    return np.linalg.qr(rng.normal(size=(d, n)))[0].T


def two_keys(rng: np.random.Generator) -> Iterator[Case]:
    """No other key."""
    yield Case(np.eye(2), 0, 1, 0.1, label="two keys along the axes (n = d = 2)")
    yield Case(orthonormal(rng, 2, 4), 1, 0, 0.01, label="two keys in four dimensions")


def few_rivals(rng: np.random.Generator) -> Iterator[Case]:
    """Keys that a person can picture."""
    yield Case(np.eye(3), 0, 1, 0.1, label="one rival (n = d = 3)")
    yield Case(np.eye(4), 1, 3, 0.1, label="two rivals along the axes")
    yield Case(np.eye(4, 5), 2, 0, 0.01, label="two rivals, five dimensions")
    yield Case(orthonormal(rng, 6, 7), 4, 1, 0.05, label="four rivals, at an angle to the axes")


def many_rivals(rng: np.random.Generator) -> Iterator[Case]:
    """Many keys, and a tiny eps."""
    yield Case(orthonormal(rng, 20, 20), 3, 17, 0.02, label="n = d = 20")
    yield Case(orthonormal(rng, 5, 8), 0, 4, 1e-8, label="a tiny eps")
    yield Case(orthonormal(rng, 60, 80), 59, 0, 0.001, label="n = 60, d = 80")


def already_enough(rng: np.random.Generator) -> Iterator[Case]:
    """Equal weights leave the others no more than eps."""
    yield Case(np.eye(2), 0, 1, 0.1, label="no other key")
    yield Case(np.eye(3), 0, 2, 0.5, label="one rival may have half of the weight")
    yield Case(orthonormal(rng, 4, 6), 1, 2, 0.75, label="two rivals may have three quarters")


def tasks(rng: np.random.Generator) -> Iterator[Task]:
    """Things to average."""
    yield np.eye(3), 0, 1, 0.2, "three keys along the axes"
    yield np.eye(4, 5), 3, 1, 0.1, "four keys in five dimensions"
    yield orthonormal(rng, 6, 6), 2, 5, 0.05, "six keys at an angle to the axes"


def averages(rng: np.random.Generator) -> Iterator[Case]:
    """Values far from each other."""
    for K, a, b, eps, label in tasks(rng):
        yield Case(K, (10 * rng.normal(size=K.shape)).round(1), a, b, eps, label=label)


def marked_values(rng: np.random.Generator) -> Iterator[Case]:
    """One value that is not asked for holds nan as a mark, which every average over all shows."""
    for K, a, b, eps, label in tasks(rng):
        V = (10 * rng.normal(size=K.shape)).round(1)
        V[next(i for i in range(len(K)) if i not in (a, b)), 0] = np.nan
        yield Case(K, V, a, b, eps, label=f"{label}, one of the other values holds nan")


def uneven_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Orthogonal keys, some longer than others."""
    yield Case(np.diag([1.0, 2.0, 1.0]), 0, 1, 0.1, label="key b is twice as long as key a")
    yield Case(np.diag([0.5, 2.0, 1.0, 3.0]), 0, 2, 0.1, label="the rivals are the long ones")
    K = orthonormal(rng, 5, 6) * np.array([[1.0], [3.0], [0.5], [2.0], [1.5]])
    yield Case(K, 1, 2, 1e-4, label="five keys at an angle to the axes, a small eps")


def very_uneven_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Lengths from a thousandth to a thousand."""
    yield Case(np.diag([1e-3, 1e3, 1.0]), 0, 1, 0.1, label="a very short key and a very long one")
    K = orthonormal(rng, 12, 15) * np.logspace(-1, 1, 12)[:, None]
    yield Case(K, 11, 0, 0.001, label="n = 12, d = 15")
