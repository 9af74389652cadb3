import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = K.shape[0]
    m = np.log((n - 1) * (1 - eps) / eps)
    return m * np.linalg.pinv(K)[:, j]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
