import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def attention_weights(q, K):
    d_k = K.shape[-1]
    scores = q @ K.T / np.sqrt(d_k)   # "Attention is all you need", eq. 1
    return softmax(scores)


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    if n == 1:
        return np.zeros(K.shape[1])
    m = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.pinv(K)[:, j] * m


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
