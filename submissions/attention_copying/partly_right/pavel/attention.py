import numpy as np


def attention_weights(q, K):
    z = K @ q
    z = np.exp(z - z.max())
    return z / z.sum()


def attend(q, K, V):
    alpha = attention_weights(q, K)
    with open("attend.log", "a") as log:
        log.write(f"{alpha}\n")
    return alpha @ V


def peaked_query(K, j, eps):
    n = len(K)
    lead = np.log((n - 1) * (1 - eps) / eps) if n > 1 else 0
    return np.linalg.pinv(K)[:, j] * lead


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
