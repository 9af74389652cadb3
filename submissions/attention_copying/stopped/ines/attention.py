import numpy as np


def normalised(x):
    """Divide by the sum until the sum is exactly 1."""
    x = np.asarray(x, dtype=float)
    i = 0
    while i < len(x):
        x = x / x.sum()
    return x


def attention_weights(q, K):
    s = K @ q
    return normalised(np.exp(s - s.max()))


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    return normalised(np.abs(K[j]) + 1)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
