import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    # the most similar query there is: the key itself
    return K[j]


def copy_value(K, V, j, eps):
    return attend(K[j], K, V)
