"""Copying in attention: fill in the four functions.

A query q has shape (d,); keys K and values V have shape (n, d), one key or value in each row.
Return NumPy arrays of the shapes given, and do not change the arrays you are given.
Only NumPy and Python's standard library can be imported.
"""

import numpy as np


def attention_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Part i: the attention weights, equation (2), without any division by sqrt(d).

    q: the query, shape (d,).
    K: the keys, shape (n, d).
    Returns the n weights, shape (n,), right even when dot products are in the thousands.
    """
    raise NotImplementedError


def peaked_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    """Part ii: a query with which key j gets a weight of at least 1 - eps.

    K: linearly independent keys, shape (n, d), of any length and at any angle.
    j: which key, counted from 0.
    eps: what the other keys may get together, 0 < eps < 1.
    Returns the query, shape (d,).
    """
    raise NotImplementedError


def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Part iii: the output of attention, equation (1).

    q: the query, shape (d,).
    K: the keys, shape (n, d).
    V: the values, shape (n, d).
    Returns the weighted average of the values, shape (d,).
    """
    raise NotImplementedError


def copy_value(K: np.ndarray, V: np.ndarray, j: int, eps: float) -> np.ndarray:
    """Part iv: value j as attention copies it, by attend with the query of peaked_query.

    K: linearly independent keys, shape (n, d).
    V: the values, shape (n, d).
    j: which value, counted from 0.
    eps: what the other values may weigh together, 0 < eps < 1.
    Returns an average of the values that is close to value j, shape (d,).
    """
    raise NotImplementedError
