"""Averaging in attention: fill in the four functions.

K and V are arrays of shape (n, d) whose rows are the keys and values, counted from 0; a and b are
two different rows; 0 < eps < 1.  Return NumPy arrays of shape (d,), and do not change the arrays
you are given.
"""

import numpy as np


def averaging_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Part i: keys a and b get the same weight, all others together at most eps.

    The keys are orthonormal.
    """
    raise NotImplementedError


def average(K: np.ndarray, V: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Part i: the output of attention for that query, near the mean of values a and b."""
    raise NotImplementedError


def balanced_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Part ii: what averaging_query does, for orthogonal keys of any lengths."""
    raise NotImplementedError


def shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Part iii: the shortest query with which keys a and b get the same weight, the others <= eps.

    The keys are orthonormal.
    """
    raise NotImplementedError
