from math import exp, log

import numpy as np


def attention_weights(q, K):
    scores = [float(sum(float(a) * float(b) for a, b in zip(k, q))) for k in K]
    top = max(scores)
    total = sum(exp(s - top) for s in scores)
    return [exp(s - top) / total for s in scores]


def attend(q, K, V):
    alpha = attention_weights(q, K)
    return [float(sum(alpha[i] * float(V[i][k]) for i in range(len(V)))) for k in range(len(V[0]))]


def peaked_query(K, j, eps):
    n = len(K)
    target = [0.0] * n
    if n > 1:
        target[j] = log((n - 1) * (1 - eps) / eps)
    return np.linalg.lstsq(K, target, rcond=None)[0].tolist()


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
