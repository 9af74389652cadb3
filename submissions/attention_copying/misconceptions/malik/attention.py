import numpy as np


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def attention_weights(q, K):
    return softmax(K @ q)


def attend(q, K, V):
    # every value is weighted by how well it fits the query
    return softmax(V @ q) @ V


def peaked_query(K, j, eps):
    n = len(K)
    w = np.zeros(n)
    if n > 1:
        w[j] = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.pinv(K) @ w


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
