import numpy as np


def attention_weigths(q, K):
    z = K @ q
    z = np.exp(z - z.max())
    return z / z.sum()


def peakedQuery(K, j, eps):
    n = len(K)
    lead = np.log((n - 1) * (1 - eps) / eps) if n > 1 else 0
    return np.linalg.pinv(K)[:, j] * lead


def attend(q, K, V):
    return attention_weigths(q, K) @ V


def copyValue(K, V, j, eps):
    return attend(peakedQuery(K, j, eps), K, V)
