import numpy as np


def factor(n, eps):
    return 0.0 if n == 2 else np.log((n - 2) * (1 - eps) / (2 * eps))


def averaging_query(K, a, b, eps):
    return factor(len(K), eps) * (K[a] + K[b])


def average(K, V, a, b, eps):
    s = K @ averaging_query(K, a, b, eps)
    w = np.exp(s - s.max())
    return (w / w.sum()) @ V


def balanced_query(K, a, b, eps):
    return averaging_query(K, a, b, eps)


def shortest_query(K, a, b, eps):
    n = len(K)
    beta = max(0, factor(n, eps))
    return beta * (K[a] + K[b]) - 2 * beta / n * K.sum(axis=0)
