"""Known-wrong answers, as students give them."""

from __future__ import annotations

import numpy as np
from reference import averaging_query, balanced_query, lead, shortest_query


def unscaled_sum_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """k_a + k_b."""
    return K[a] + K[b]


def mean_key_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """(k_a + k_b)/2."""
    return (K[a] + K[b]) / 2


def one_key_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """β·k_a, with a β that would do for key a alone."""
    n = len(K)
    return np.log((n - 1) * (1 - eps) / eps) * K[a]


def one_rival_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """A lead that is enough against one other key."""
    return averaging_query(K, a, b, eps) if len(K) < 3 else _one_rival(eps) * (K[a] + K[b])


def one_rival_balanced_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """The same for keys of any lengths."""
    return _one_rival(eps) * (K[a] / (K[a] @ K[a]) + K[b] / (K[b] @ K[b]))


def one_rival_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """The shortest with that lead."""
    return _centred(K, a, b, max(0.0, _one_rival(eps)) if len(K) > 2 else 0.0)


def _one_rival(eps: float) -> float:
    return float(np.log((1 - eps) / (2 * eps)))


def _centred(K: np.ndarray, a: int, b: int, beta: float) -> np.ndarray:
    wanted = np.full(len(K), -2 * beta / len(K))
    wanted[[a, b]] += beta
    return wanted @ K


def single_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Counts keys a and b as one term of the denominator."""
    n = len(K)
    return _centred(K, a, b, max(0.0, np.log((n - 2) * (1 - eps) / eps)) if n > 2 else 0.0)


def crowded_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Counts n − 1 rivals."""
    n = len(K)
    return _centred(K, a, b, max(0.0, np.log((n - 1) * (1 - eps) / (2 * eps))))


def unguarded_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """No special case for n = 2."""
    with np.errstate(divide="ignore"):
        return np.log((len(K) - 2) * (1 - eps) / (2 * eps)) * (K[a] + K[b])


def unguarded_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """No special case for n = 2, else right."""
    if len(K) > 2:
        return shortest_query(K, a, b, eps)
    return np.full(K.shape[1], np.nan)


def plain_sum_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """β(k_a + k_b), whatever the lengths."""
    return lead(len(K), eps) * (K[a] + K[b])


def unit_sum_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """β times the sum of the two directions."""
    directions = K[a] / np.linalg.norm(K[a]) + K[b] / np.linalg.norm(K[b])
    return lead(len(K), eps) * directions


def plain_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """β(k_a + k_b), which leaves the other dot products at 0."""
    return averaging_query(K, a, b, eps)


def negative_shortest_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Whatever β comes out, even a negative one."""
    n = len(K)
    return _centred(K, a, b, np.log((n - 2) * (1 - eps) / (2 * eps)) if n > 2 else 0.0)


def indexed_average(K: np.ndarray, V: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """(V[a] + V[b])/2."""
    return (V[a] + V[b]) / 2


def scribbling_query(K: np.ndarray, a: int, b: int, eps: float) -> np.ndarray:
    """Adds key b to key a in place."""
    query = balanced_query(K, a, b, eps)
    K[a] += K[b]
    return query
