import numpy as np


def attention_weights(q, K):
    return np.exp(K @ q) / np.sum(np.exp(K @ q))


def attend(q, K, V):
    return V.T @ attention_weights(q, K)


def peaked_query(K, j, eps):
    n = K.shape[0]
    b = np.zeros(n)
    b[j] = np.log(n / eps)
    return np.linalg.lstsq(K, b, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
