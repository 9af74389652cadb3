import numpy as np


def draw_keys(M, spread, stretch, draws, seed):
    rng = np.random.default_rng(seed)
    return M + spread * rng.normal(size=(draws,) + M.shape)


def head(q, K, V):
    w = np.exp(K @ q)
    return w @ V / w.sum()


def heads(Q, K, V):
    return np.mean([head(q, K, V) for q in Q], axis=0)
