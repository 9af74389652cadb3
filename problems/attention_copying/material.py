"""What the inputs are made of: random vectors, extreme dot products, things to copy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader import Case

Lookup = tuple[np.ndarray, np.ndarray]
"""A query and keys."""


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw standard normal numbers with two decimals."""
    return rng.normal(size=shape).round(2)


def values(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Draw values, ten times as large as what `normal` draws, with one decimal."""
    return (10 * normal(rng, *shape)).round(1)


def orthonormal(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n keys of length 1 at right angles to each other, in d ≥ n dimensions."""
    return np.linalg.qr(rng.normal(size=(d, n)))[0].T


def one_dimensional(*dot_products: float) -> Lookup:
    """Make a query and keys of dimension 1 that have these dot products, exactly."""
    return np.array([1.0]), np.array(dot_products, float)[:, None]


def extreme_dot_products() -> Iterator[tuple[str, Lookup]]:
    """Give queries and keys whose dot products overflow a careless softmax.

    Ordered so that each careless way fails first where it is most plainly to blame: no shift at
    all, then a shift by the minimum, then one by half the maximum.
    """
    for dot_products in (
        (1000, 1001, 1002),
        (-1001, -1000, -1002),
        (-800, 0, 800),
        (1000, -1000, 0),
        (0, 5000, 10000),
        (3000, 3000, -3000),
    ):
        listed = ", ".join(map(str, dot_products))
        yield f"dot products {listed}", one_dimensional(*dot_products)
    long_keys = np.array([[30.0, -40.0], [-30.0, 40.0], [30.0, -40.0]])
    yield "a long query and long keys, two of them the same", (np.array([40.0, -32.0]), long_keys)


def attention_case(rng: np.random.Generator, n: int, d: int, label: str) -> Case:
    """Make a random case of n keys and values in d dimensions, values larger than keys."""
    return Case(normal(rng, d), normal(rng, n, d), values(rng, n, d), label=label)


def tasks(rng: np.random.Generator) -> Iterator[tuple[np.ndarray, np.ndarray, int, float, str]]:
    """Give K, V, j and eps of things to copy, and a label.

    The keys are orthonormal and eps is mild, so that also a query that is right for such keys
    only, which has cost its points in part ii, makes a good copy here.
    """
    values = np.array([[-4.0, 0.0], [0.0, 8.0]])
    yield np.eye(2), values, 0, 0.2, "two keys along the axes"
    yield np.eye(3), far_apart(rng, 3, 3), 1, 0.1, "three keys along the axes"
    yield orthonormal(rng, 4, 6), far_apart(rng, 4, 6), 3, 0.05, "four keys in six dimensions"


def far_apart(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Draw n values of length 10 at right angles, so that it is plain which one is copied."""
    return (10 * orthonormal(rng, n, d)).round(2)
