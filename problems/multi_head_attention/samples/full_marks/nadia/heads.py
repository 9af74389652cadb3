import math
import random

import numpy as np


def draw_keys(M, spread, stretch, draws, seed):
    # With the standard library's generator, one key at a time.
    source = random.Random(seed)
    n, d = M.shape
    keys = np.empty((draws, n, d))
    for s in range(draws):
        for i in range(n):
            noise = [spread * source.gauss(0, 1) for _ in range(d)]
            keys[s, i] = M[i] * (1 + stretch[i] * source.gauss(0, 1)) + noise
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
