import numpy as np


def attention_weights(q, K):
    K *= q                      # multiply every key with the query ...
    scores = K.sum(axis=1)      # ... and add up
    e = np.exp(scores - scores.max())
    return e / e.sum()


def attend(q, K, V):
    alpha = attention_weights(q, K)
    return alpha @ V


def peaked_query(K, j, eps):
    n = len(K)
    b = np.zeros(n)
    b[j] = np.log(n / eps)
    return np.linalg.pinv(K) @ b


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
