"""The right answers: one function for each that students write, as short as it can be."""

from __future__ import annotations

import numpy as np


def lead(n: int, eps: float) -> float:
    """The least β with which two keys that lead by β leave n − 2 others at most eps together."""
    return max(0.0, np.log((n - 2) * (1 - eps) / (2 * eps))) if n > 2 else 0.0


def averaging_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """For orthonormal keys: the dot product β with keys a and b, 0 with all others."""
    return lead(len(K), eps) * (K[a] + K[b])


def balanced_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """For orthogonal keys: each key divided by its squared length, so that both get β."""
    return lead(len(K), eps) * (K[a] / (K[a] @ K[a]) + K[b] / (K[b] @ K[b]))


def shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Dot products that lead by β and sum to 0: of all that lead by β, those of the shortest query.

    2t² + (n − 2)(t − β)² is smallest at t = β(n − 2)/n.
    """
    n = len(K)
    beta = lead(n, eps)
    wanted = np.full(n, -2 * beta / n)
    wanted[[a, b]] += beta
    return wanted @ K


def average(K: np.ndarray, V: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """The output of attention for that query."""
    logits = K @ averaging_query(K, a, b, eps)
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum() @ V
