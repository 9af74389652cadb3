"""Everything with plain loops, so that I can see what happens."""
import math

import numpy as np


def dot(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += float(x) * float(y)
    return total


def attention_weights(q, K):
    scores = []
    for key in K.tolist():
        scores.append(dot(key, q.tolist()))
    biggest = max(scores)
    exps = []
    for s in scores:
        exps.append(math.exp(s - biggest))
    Z = sum(exps)
    alpha = []
    for e in exps:
        alpha.append(e / Z)
    return np.array(alpha)


def attend(q, K, V):
    alpha = attention_weights(q, K)
    n, d = V.shape
    c = [0.0] * d
    for i in range(n):
        for k in range(d):
            c[k] += float(alpha[i]) * float(V[i, k])
    return np.array(c)


def peaked_query(K, j, eps):
    n, d = K.shape
    if n == 1:
        return np.array([0.0] * d)
    m = math.log((n - 1) / eps)     # a bit more than necessary, on purpose
    # solve (K K^T) x = m e_j by Gaussian elimination, then q = K^T x
    rows = []
    for a in range(n):
        row = [dot(K[a], K[b]) for b in range(n)]
        row.append(m if a == j else 0.0)
        rows.append(row)
    for a in range(n):
        pivot = max(range(a, n), key=lambda r: abs(rows[r][a]))
        rows[a], rows[pivot] = rows[pivot], rows[a]
        for b in range(n):
            if b == a:
                continue
            factor = rows[b][a] / rows[a][a]
            for col in range(a, n + 1):
                rows[b][col] -= factor * rows[a][col]
    x = [rows[a][n] / rows[a][a] for a in range(n)]
    q = [0.0] * d
    for a in range(n):
        for k in range(d):
            q[k] += x[a] * float(K[a, k])
    return np.array(q)


def copy_value(K, V, j, eps):
    q = peaked_query(K, j, eps)
    return attend(q, K, V)
