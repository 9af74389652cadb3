"""Why two heads are steadier than one: fill in the five functions.

M has shape (n, d), and its rows, the means of the keys, are orthonormal.  K and V have shape
(n, d), one key or value in each row.  Do not change the arrays you are given.
"""

import numpy as np


def draw_keys(
    M: np.ndarray, spread: float, stretch: np.ndarray, draws: int, seed: int
) -> np.ndarray:
    """Part i: `draws` times n keys around the rows of M, shape (draws, n, d).

    spread: the standard deviation of the round noise.
    stretch: that of the noise of each key along its own mean, shape (n,).
    """
    raise NotImplementedError


def head(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Part ii: the output of attention for one query q, shape (d,)."""
    raise NotImplementedError


def heads(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Part iii: the mean of the outputs of the heads whose queries are the rows of Q, (h, d)."""
    raise NotImplementedError


def head_queries(M: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Part iii: two queries, shape (2, d), one for each of keys a and b."""
    raise NotImplementedError


def output_variance(
    Q: np.ndarray,
    M: np.ndarray,
    V: np.ndarray,
    spread: float,
    stretch: np.ndarray,
    draws: int,
    seed: int,
) -> float:
    """Part iv: the total variance of the output of `heads` over `draws` draws of the keys."""
    raise NotImplementedError
