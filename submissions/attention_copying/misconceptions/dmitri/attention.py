import numpy as np


def attention_weights(q, K):
    scores = np.dot(K, q)
    # exp(1000) is too large; half of it fits into a double
    scores = scores - np.max(scores) / 2
    numerator = np.exp(scores)
    denominator = np.sum(numerator)
    return numerator / denominator


def attend(q, K, V):
    return np.dot(attention_weights(q, K), V)


def peaked_query(K, j, eps):
    n, d = K.shape
    goal = np.zeros(n)
    goal[j] = 0 if n == 1 else np.log((n - 1) * (1 - eps) / eps)
    return np.dot(np.linalg.pinv(K), goal)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
