"""The matrices that the students' functions are called with, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader import Case


def orthonormal(rng: np.random.Generator, m: int, n: int) -> np.ndarray:
    """Draw n orthonormal columns in m ≥ n dimensions."""
    return np.linalg.qr(rng.normal(size=(m, n)))[0]


def with_condition(rng: np.random.Generator, m: int, n: int, condition: float) -> np.ndarray:
    """Draw a matrix whose singular values fall evenly, on a log scale, from 1 to 1/condition."""
    singular = np.logspace(0, -np.log10(condition), n)
    return orthonormal(rng, m, n) * singular @ orthonormal(rng, n, n)


def laeuchli(delta: float, n: int) -> np.ndarray:
    """Läuchli's matrix, shape (n + 1, n): a row of ones above delta times the identity."""
    return np.vstack([np.ones(n), delta * np.eye(n)])


def hilbert(n: int) -> np.ndarray:
    """Hilbert's matrix, entries 1/(i + j + 1), shape (n, n)."""
    i = np.arange(n)
    return 1.0 / (i[:, None] + i + 1)


def some_bases(rng: np.random.Generator) -> Iterator[Case]:
    """Columns that are orthonormal, nearly so, and not at all."""
    yield Case(np.eye(2), label="orthonormal columns")
    yield Case(np.array([[2.0], [0.0]]), label="one column of length 2")
    yield Case(np.array([[1.0, 1.0], [0.0, 1.0], [0.0, 0.0]]), label="two columns at 45°")
    yield Case(rng.normal(size=(5, 3)).round(2), label="three random columns")
    yield Case(orthonormal(rng, 6, 4) + 1e-3, label="nearly orthonormal columns")


def small_matrices(rng: np.random.Generator) -> Iterator[Case]:
    """Matrices that a person can follow, all far from dependent columns."""
    yield Case(np.array([[3.0], [4.0]]), label="a single column")
    yield Case(np.array([[2.0, 1.0], [0.0, 3.0]]), label="upper triangular already")
    yield Case(np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), label="m = 3, n = 2")
    yield Case(np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), label="m = n = 3")
    yield Case(rng.normal(size=(5, 3)).round(1) + np.eye(5, 3), label="m = 5, n = 3")


def integer_matrices(_: np.random.Generator) -> Iterator[Case]:
    """Arrays of integers."""
    yield Case(np.array([[1, 1], [1, 0]]), label="integers, m = n = 2")
    yield Case(np.array([[2, 1, 0], [1, -1, 3], [0, 2, 1], [1, 0, 1]]), label="integers, m = 4")


def well_conditioned(rng: np.random.Generator) -> Iterator[Case]:
    """Random matrices of condition 10."""
    for m, n in ((4, 4), (9, 5), (40, 20)):
        yield Case(with_condition(rng, m, n, 10.0), label=f"m = {m}, n = {n}")


def laeuchli_matrices(_: np.random.Generator) -> Iterator[Case]:
    """Nearly equal columns, with delta so small that 1 + delta² rounds to 1."""
    for delta, n in ((1e-9, 2), (1e-9, 3), (2.0**-30, 4)):
        yield Case(laeuchli(delta, n), label=f"{n} columns, δ = {delta:.3g}")


def hilbert_matrices(rng: np.random.Generator) -> Iterator[Case]:
    """Columns that are close to dependent: conditions from 500 to 2·10¹⁰."""
    for n in (3, 5, 8):
        yield Case(hilbert(n), label=f"Hilbert's matrix, n = {n}")
    yield Case(with_condition(rng, 20, 10, 1e8), label="m = 20, n = 10, condition 10⁸")


def nearly_dependent(rng: np.random.Generator) -> Iterator[Case]:
    """Columns that are close to dependent, once more."""
    yield Case(hilbert(4), label="Hilbert's matrix, n = 4")
    yield Case(laeuchli(1e-6, 3), label="three columns, δ = 1e-6")
    yield Case(with_condition(rng, 12, 7, 1e9), label="m = 12, n = 7, condition 10⁹")
