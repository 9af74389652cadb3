import numpy as np


def column(x):
    return np.asarray(x).reshape(-1, 1)


def attention_weights(q, K):
    scores = K @ column(q)              # (n, 1)
    e = np.exp(scores - scores.max())
    return e / e.sum()


def attend(q, K, V):
    return V.T @ attention_weights(q, K)    # (d, 1)


def peaked_query(K, j, eps):
    n = len(K)
    m = np.log((n - 1) * (1 - eps) / eps) if n > 1 else 0.0
    target = np.zeros((n, 1))
    target[j, 0] = m
    return np.linalg.pinv(K) @ target       # (d, 1)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
