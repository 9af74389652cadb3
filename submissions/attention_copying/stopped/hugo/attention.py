import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def peaked_query(K, j, eps):
    # grow the query until it is long enough
    q = np.zeros(K.shape[1])
    while attention_weights(q, K)[j] < 1 - eps:
        q = 2 * q
    return q


def attend(q, K, V):
    return attention_weights(q, K) @ V


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
