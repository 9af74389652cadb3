import numpy as np


def attention_weights(q, K):
    a = K @ q
    return a / np.sum(np.abs(a))      # so that they are normalised


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = K.shape[0]
    a = np.zeros(n)
    a[j] = np.log(n / eps)
    return np.linalg.pinv(K) @ a


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
