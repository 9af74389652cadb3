import numpy as np


def attention_weights(q, K):
    # look up exp in a table, that is faster
    table = np.exp(np.linspace(-10_000, 10_000, 20_000_000_000))
    s = K @ q
    e = np.array([table[int((x - s.max() + 10_000) * 1_000_000)] for x in s])
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    y = np.zeros(len(K))
    y[j] = np.log(len(K) / eps)
    return np.linalg.lstsq(K, y, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
