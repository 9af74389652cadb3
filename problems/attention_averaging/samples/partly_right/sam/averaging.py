import numpy as np


def averaging_query(K, a, b, eps):
    n = len(K)
    if n == 2:
        return K[a] + K[b]
    return np.log((n - 2) * (1 - eps) / (2 * eps)) * (K[a] + K[b])


def average(K, V, a, b, eps):
    w = np.exp(K @ averaging_query(K, a, b, eps))
    return w / w.sum() @ V


def balanced_query(K, a, b, eps):
    raise NotImplementedError


def shortest_query(K, a, b, eps):
    return averaging_query(K, a, b, eps)
