import numpy as np


def draw_keys(M, spread, stretch, draws, seed):
    rng = np.random.default_rng(seed)
    n, d = M.shape
    covariances = [spread**2 * np.eye(d) + stretch[i] ** 2 * np.outer(M[i], M[i]) for i in range(n)]
    each = [
        rng.multivariate_normal(M[i], covariances[i], size=draws, method="eigh") for i in range(n)
    ]
    return np.stack(each, axis=1)


def weights(Q, K):
    s = Q @ np.swapaxes(K, -1, -2)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def head(q, K, V):
    return weights(q[None], K)[0] @ V


def heads(Q, K, V):
    return (weights(Q, K) @ V).mean(axis=-2)


def head_queries(M, a, b, eps):
    return 2 * np.log(len(M) / eps) * M[[a, b]]


def output_variance(Q, M, V, spread, stretch, draws, seed):
    return np.var(heads(Q, draw_keys(M, spread, stretch, draws, seed), V), axis=0).sum()
