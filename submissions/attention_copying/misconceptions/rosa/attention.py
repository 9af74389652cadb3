import numpy as np


def attention_weights(q, K):
    logits = K @ q
    logits -= logits.max()
    return np.exp(logits) / np.exp(logits).sum()


def attend(q, K, V):
    alpha = attention_weights(q, K)
    c = alpha @ V
    return c, alpha


def peaked_query(K, j, eps):
    n = len(K)
    wanted = np.zeros(n)
    if n > 1:
        wanted[j] = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.lstsq(K, wanted, rcond=None)[0]


def copy_value(K, V, j, eps):
    c, _ = attend(peaked_query(K, j, eps), K, V)
    return c
