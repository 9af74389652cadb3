import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    y = np.zeros(len(K))
    y[j] = np.log(len(K) / eps)
    return np.linalg.lstsq(K, y, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)


test_K = np.eye(3)
print(copy_value(test_K, test_V, 0, 0.1))
