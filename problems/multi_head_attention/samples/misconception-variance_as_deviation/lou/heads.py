import numpy as np


def draw_keys(M, spread, stretch, draws, seed):
    rng = np.random.default_rng(seed)
    noise = rng.normal(scale=spread**2, size=(draws,) + M.shape)
    along = rng.normal(scale=stretch**2, size=(draws, len(M)))
    return M + noise + along[..., None] * M


def head(q, K, V):
    s = K @ q
    w = np.exp(s - s.max())
    return w @ V / w.sum()


def heads(Q, K, V):
    return np.mean([head(q, K, V) for q in Q], axis=0)


def head_queries(M, a, b, eps):
    return np.log((len(M) - 1) * (1 - eps) / eps) * M[[a, b]]


def output_variance(Q, M, V, spread, stretch, draws, seed):
    c = np.array([heads(Q, K, V) for K in draw_keys(M, spread, stretch, draws, seed)])
    return c.var(axis=0).sum()
