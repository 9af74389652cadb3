"""The right answers: three ways to orthonormalise the columns of A, shape (m, n), m ≥ n."""

from __future__ import annotations

import numpy as np

Factors = tuple[np.ndarray, np.ndarray]
"""Q, shape (m, n), and R, shape (n, n)."""


def loss(Q: np.ndarray) -> float:
    """How far the columns are from orthonormal: the Frobenius norm of I − QᵀQ."""
    return float(np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q))


def classical(A: np.ndarray) -> Factors:
    """Every coefficient of a column comes from the column as it was given."""
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        R[:j, j] = Q[:, :j].T @ A[:, j]
        left = A[:, j] - Q[:, :j] @ R[:j, j]
        R[j, j] = np.linalg.norm(left)
        Q[:, j] = left / R[j, j]
    return Q, R


def modified(A: np.ndarray) -> Factors:
    """Every coefficient comes from what the earlier subtractions left of the column."""
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        left = A[:, j].astype(float)
        for i in range(j):
            R[i, j] = Q[:, i] @ left
            left -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(left)
        Q[:, j] = left / R[j, j]
    return Q, R


def twice(A: np.ndarray) -> Factors:
    """What a first pass left of a column goes through a second."""
    m, n = A.shape
    Q, R = np.zeros((m, n)), np.zeros((n, n))
    for j in range(n):
        left = A[:, j].astype(float)
        for _ in range(2):
            coefficients = Q[:, :j].T @ left
            left -= Q[:, :j] @ coefficients
            R[:j, j] += coefficients
        R[j, j] = np.linalg.norm(left)
        Q[:, j] = left / R[j, j]
    return Q, R
