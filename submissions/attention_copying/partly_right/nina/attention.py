import numpy as np


def attention_weights(q, K):
    logits = K @ q
    # subtract the largest logit
    logits = logits - np.max(logits, initial=np.inf)
    e = np.exp(logits)
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    wanted = np.zeros(n)
    wanted[j] = np.log(n / eps)
    return np.linalg.lstsq(K, wanted, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
