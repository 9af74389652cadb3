import numpy as np


def loss(Q):
    G = Q.T @ Q
    total = 0.0
    for i in range(len(G)):
        for j in range(len(G)):
            total += (G[i, j] - (i == j)) ** 2
    return total**0.5


def classical(A):
    A = np.array(A, dtype=float)
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for i in range(j):
            R[i, j] = np.dot(Q[:, i], A[:, j])
            v = v - R[i, j] * Q[:, i]
        R[j, j] = np.sqrt(np.dot(v, v))
        Q[:, j] = v / R[j, j]
    return Q, R


def modified(A):
    # By columns to the right: each new q is taken out of all that come after it.
    V = np.array(A, dtype=float)
    m, n = V.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for i in range(n):
        R[i, i] = np.linalg.norm(V[:, i])
        Q[:, i] = V[:, i] / R[i, i]
        for j in range(i + 1, n):
            R[i, j] = Q[:, i] @ V[:, j]
            V[:, j] -= R[i, j] * Q[:, i]
    return Q, R


def twice(A):
    A = np.array(A, dtype=float)
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].copy()
        for _ in range(2):
            for i in range(j):
                r = Q[:, i] @ v
                R[i, j] += r
                v = v - r * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R
