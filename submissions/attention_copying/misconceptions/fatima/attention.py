import numpy as np


def attention_weights(q, K):
    x = K @ q
    x = np.exp(x - x.max())
    return x / x.sum()


def attend(q, K, V):
    # c = sum of v_i alpha_i, so V times alpha
    return V @ attention_weights(q, K)


def peaked_query(K, j, eps):
    n = len(K)
    if n == 1:
        return K[0] * 1.0
    t = np.zeros(n)
    t[j] = np.log((n - 1) * (1 - eps) / eps)
    return np.linalg.lstsq(K, t, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
