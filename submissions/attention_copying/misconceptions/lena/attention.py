import numpy as np


def attention_weights(q, K):
    sim = K @ q / (np.linalg.norm(K, axis=1) * np.linalg.norm(q) + 1e-12)
    e = np.exp(sim)
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    y = np.zeros(n)
    if n > 1:
        y[j] = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.pinv(K) @ y


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
