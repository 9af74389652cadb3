import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    m = np.log((n - 1) * (1 - eps) / eps) if n > 1 else 1.0
    k = K[j]
    return m * k / np.linalg.norm(k) ** 2      # so that k.q = m


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
