import math

import numpy as np


def draw_keys(M, spread, stretch, draws, seed):
    # With the older generator, one key after the other.
    source = np.random.RandomState(seed)
    n, d = M.shape
    keys = np.empty((draws, n, d))
    for i in range(n):
        longer = 1 + stretch[i] * source.standard_normal((draws, 1))
        keys[:, i] = M[i] * longer + spread * source.standard_normal((draws, d))
    return keys


def head(q, K, V):
    s = K @ q
    w = np.exp(s - np.max(s))
    return (w[:, None] * V).sum(axis=0) / w.sum()


def heads(Q, K, V):
    return sum(head(q, K, V) for q in Q) / len(Q)


def head_queries(M, a, b, eps):
    beta = math.log(len(M) / eps)
    return np.stack([beta * M[b], beta * M[a]])


def output_variance(Q, M, V, spread, stretch, draws, seed):
    c = np.array([heads(Q, K, V) for K in draw_keys(M, spread, stretch, draws, seed)])
    off = c - c.mean(axis=0)
    return (off**2).sum() / (draws - 1)
