# answers: will hand in on paper
import numpy as np


def attention_weights(q, K):
    x = K @ q
    p = np.exp(x - x.max())
    return p / p.sum()


def peaked_query(K, j, eps):
    n = len(K)
    y = np.zeros(n)
    y[j] = np.log(n / eps)
    q, _, _, _ = np.linalg.lstsq(K, y, rcond=None)
    return q


def attend(q, K, V):
    return attention_weights(q, K) @ V


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
