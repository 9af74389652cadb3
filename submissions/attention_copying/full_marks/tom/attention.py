import numpy as np

from softmax_tools import lead_for, softmax


def attention_weights(q, K):
    return softmax(K @ q)


def attend(q, K, V):
    return V.T @ attention_weights(q, K)


def peaked_query(K, j, eps):
    n, d = K.shape
    target = np.zeros(n)
    target[j] = lead_for(n, eps)
    gram = K @ K.T
    return K.T @ np.linalg.solve(gram, target)


def copy_value(K, V, j, eps):
    q = peaked_query(K, j, eps)
    return attend(q, K, V)
