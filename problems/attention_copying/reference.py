"""The right answers: one function for each that students write, as short as it can be."""

from __future__ import annotations

import numpy as np


def attention_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Equation (2): the softmax of the n dot products, computed so that nothing overflows."""
    logits = np.asarray(K, float) @ np.asarray(q, float)
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Equation (1): the average of the values, weighted with the attention weights."""
    return average_with(attention_weights(q, K), q, K, V)


def average_with(weights: np.ndarray, _q: np.ndarray, _K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Equation (1) alone, whatever the weights are."""
    return np.asarray(weights, float) @ np.asarray(V, float)


def peaked_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    """A query that gives key j the weight 1 − eps exactly (any weight is 1 if it is alone).

    The rows of K are linearly independent, so dot products can be had as wanted: the margin m for
    key j, 0 for all others.  Among the queries that do it, lstsq gives the shortest.
    """
    n = len(K)
    wanted = np.zeros(n)
    if n > 1:
        wanted[j] = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.lstsq(np.asarray(K, float), wanted, rcond=None)[0]


def copy_value(K: np.ndarray, V: np.ndarray, j: int, eps: float) -> np.ndarray:
    """Value j, up to eps, by attention."""
    return attend(peaked_query(K, j, eps), K, V)
