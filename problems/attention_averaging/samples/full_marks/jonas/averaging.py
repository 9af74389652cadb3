import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


def lead(n, eps):
    with np.errstate(divide="ignore"):
        return max(0.0, float(np.log((n - 2.0) * (1 / eps - 1) / 2)))


def averaging_query(K, a, b, eps):
    return (lead(len(K), eps) + 1) * (K[a] + K[b])


def average(K, V, a, b, eps):
    return softmax(K @ averaging_query(K, a, b, eps)) @ V


def balanced_query(K, a, b, eps):
    squared = np.sum(K * K, axis=1, keepdims=True)
    return averaging_query(K / squared, a, b, eps)


def shortest_query(K, a, b, eps):
    q = lead(len(K), eps) * (K[a] + K[b])
    mean = (K @ q).mean()
    # The same number off every dot product: the weights stay, the query gets shorter.
    return q - mean * K.sum(axis=0)
