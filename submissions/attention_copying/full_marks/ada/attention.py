import numpy as np


def attention_weights(q, K):
    logits = K @ q
    e = np.exp(logits - logits.max())
    return e / e.sum()


def peaked_query(K, j, eps):
    n = len(K)
    wanted = np.zeros(n)
    if n > 1:
        wanted[j] = np.log((n - 1) * (1 - eps) / eps)
    # keys are linearly independent, so some q has exactly these dot products
    q, *_ = np.linalg.lstsq(K, wanted, rcond=None)
    return q


def attend(q, K, V):
    return attention_weights(q, K) @ V


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
