"""Gram–Schmidt: fill in the four functions.

A has shape (m, n) with m >= n, and its columns are linearly independent.  Do not change it.
"""

import numpy as np


def loss(Q: np.ndarray) -> float:
    """Part i: the Frobenius norm of I - Q.T @ Q."""
    raise NotImplementedError


def classical(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Part i: Q, shape (m, n), and R, shape (n, n), by the classical version."""
    raise NotImplementedError


def modified(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Part ii: Q and R by the modified version."""
    raise NotImplementedError


def twice(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Part iii: Q and R in two passes over each column."""
    raise NotImplementedError
