import math

import numpy as np


def lead(n, eps):
    # A little more than is needed, where any lead that is enough will do.
    if n == 2:
        return 0.0
    return max(0.0, math.log((n - 2) / (2 * eps)))


def averaging_query(K, a, b, eps):
    return balanced_query(K, a, b, eps)


def average(K, V, a, b, eps):
    q = averaging_query(K, a, b, eps)
    scores = [float(np.dot(k, q)) for k in K]
    top = max(scores)
    weights = [math.exp(s - top) for s in scores]
    total = sum(weights)
    c = np.zeros(V.shape[1])
    for w, v in zip(weights, V):
        c = c + w / total * v
    return c


def balanced_query(K, a, b, eps):
    beta = lead(len(K), eps)
    # The dot products that are wanted, and the query that has them.
    wanted = np.zeros(len(K))
    wanted[a] = wanted[b] = beta
    return np.linalg.lstsq(K, wanted, rcond=None)[0]


def shortest_query(K, a, b, eps):
    n = len(K)
    if n == 2:
        return np.zeros(K.shape[1])
    beta = max(0.0, math.log((n - 2) * (1 - eps) / (2 * eps)))
    others = K.sum(axis=0) - K[a] - K[b]
    return beta * ((1 - 2 / n) * (K[a] + K[b]) - 2 / n * others)
