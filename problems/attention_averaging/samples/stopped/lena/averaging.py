import numpy as np


def averaging_query(K, a, b, eps):
    q = K[a] + K[b]
    weights = np.exp(K @ q)
    # Doubles the query until it is enough, and never looks again.
    while np.delete(weights, [a, b]).sum() >= 0:
        q = 2 * q
    return q


def average(K, V, a, b, eps):
    return (V[a] + V[b]) / 2


def balanced_query(K, a, b, eps):
    return averaging_query(K, a, b, eps)


def shortest_query(K, a, b, eps):
    return averaging_query(K, a, b, eps)
