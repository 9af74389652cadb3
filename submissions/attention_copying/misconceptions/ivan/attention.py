import numpy as np


def attention_weights(q, K):
    """The more similar a key is to the query, the larger its weight."""
    return K @ q


def attend(q, K, V):
    alpha = attention_weights(q, K)
    return alpha @ V


def peaked_query(K, j, eps):
    n = K.shape[0]
    wanted = np.zeros(n)
    wanted[j] = np.log((n - 1) * (1 - eps) / eps) if n > 1 else 1.0
    return np.linalg.pinv(K) @ wanted


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
