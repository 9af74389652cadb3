"""Known-wrong answers, as students give them."""

from __future__ import annotations

import numpy as np
from reference import Factors, classical, modified, twice

__all__ = ["classical", "modified"]  # each is wrong where the other is asked


def forgetful_twice(A: np.ndarray) -> Factors:
    """R holds the coefficients of the second pass only."""
    Q, R = twice(A)
    for j in range(R.shape[1]):
        left = A[:, j] - Q[:, :j] @ (Q[:, :j].T @ A[:, j])
        R[:j, j] = Q[:, :j].T @ left
    return Q, R


def householder(A: np.ndarray) -> Factors:
    """numpy's factors, signs and all."""
    Q, R = np.linalg.qr(A)
    return Q, R


def unnormalised(A: np.ndarray) -> Factors:
    """Orthogonal columns of any length."""
    Q, R = twice(A)
    lengths = np.diag(R)
    return Q * lengths, R / lengths[:, None]


def by_rows(A: np.ndarray) -> Factors:
    """The rows' factors, transposed to the shapes that are asked."""
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        left = A[j].astype(float)
        for i in range(j):
            R[i, j] = Q[i] @ left
            left = left - R[i, j] * Q[i]
        R[j, j] = np.linalg.norm(left)
        Q[j] = left / R[j, j]
    return Q, R


def lower(A: np.ndarray) -> Factors:
    """R transposed."""
    Q, R = twice(A)
    return Q, R.T.copy()


def previous_only(A: np.ndarray) -> Factors:
    """Only the latest column is subtracted."""
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        left = A[:, j].astype(float)
        if j:
            R[j - 1, j] = Q[:, j - 1] @ left
            left = left - R[j - 1, j] * Q[:, j - 1]
        R[j, j] = np.linalg.norm(left)
        Q[:, j] = left / R[j, j]
    return Q, R


def truncated(A: np.ndarray) -> Factors:
    """Results in arrays of A's own type."""
    Q, R = classical(A)
    return Q.astype(A.dtype), R.astype(A.dtype)


def scribbling(A: np.ndarray) -> Factors:
    """Right, but written over A."""
    Q, R = classical(A)
    A[:] = Q
    return Q, R


def scribbling_modified(A: np.ndarray) -> Factors:
    """Right, but written over A."""
    Q, R = modified(A)
    A[:] = Q
    return Q, R


def scribbling_twice(A: np.ndarray) -> Factors:
    """Right, but written over A."""
    Q, R = twice(A)
    A[:] = Q
    return Q, R


def outer_loss(Q: np.ndarray) -> float:
    """Of the rows."""
    return float(np.linalg.norm(np.eye(Q.shape[0]) - Q @ Q.T))


def spectral_loss(Q: np.ndarray) -> float:
    """In the 2-norm."""
    return float(np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q, 2))
