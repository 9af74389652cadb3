import numpy as np


def attention_weights(q, K):
    best = np.argmax(K @ q)
    w = np.zeros(len(K))
    w[best] = 1.0
    return w


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    y = np.zeros(n)
    y[j] = np.log(n / eps)
    return np.linalg.lstsq(K, y, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
