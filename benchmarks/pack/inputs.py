"""Cases for the eight checks, smallest first."""

import numpy as np

from grader import Case


def small(rng):
    yield Case(np.array([1.0]), np.array([[2.0]]), label="one key")
    yield Case(np.array([1.0, 2.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))


def large(rng):
    yield Case(np.array([1.0]), np.array([[1000.0], [1001.0], [1002.0]]))
    yield Case(np.array([1.0]), np.array([[0.0], [5000.0], [10000.0]]))


def random_weights(rng):
    for n, d in ((2, 2), (5, 3), (3, 5), (40, 8)):
        yield Case(rng.normal(size=d), rng.normal(size=(n, d)))


def random_attention(rng):
    for n, d in ((2, 2), (5, 3), (3, 5), (40, 8)):
        yield Case(rng.normal(size=d), rng.normal(size=(n, d)), rng.normal(size=(n, d)))


def orthogonal(rng):
    yield Case(np.array([0.0, 1.0]), np.array([[1.0, 0.0], [2.0, 0.0]]), np.eye(2))


def orthonormal(rng):
    for n, eps in ((2, 0.1), (4, 0.01)):
        yield Case(np.eye(n), 1, eps)
