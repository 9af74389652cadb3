import numpy as np


def softmax(x, axis):
    x = x - x.max(axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


def attention_weights(q, K):
    Q = q[None, :]                 # one query
    scores = Q @ K.T               # (1, n)
    return softmax(scores, axis=0)[0]


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = K.shape[0]
    e = np.zeros(n)
    e[j] = np.log(n / eps)
    return np.linalg.lstsq(K, e, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
