import numpy as np


def loss(Q):
    return np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q)


def classical(A):
    m, n = A.shape
    Q = np.zeros((m, n))
    R = np.zeros((n, n))
    for j in range(n):
        R[:j, j] = A[:, j] @ Q[:, :j]
        v = A[:, j] - Q[:, :j] @ R[:j, j]
        R[j, j] = np.linalg.norm(v)
        Q[:, j] = v / R[j, j]
    return Q, R


def modified(A):
    return classical(A)


def twice(A):
    Q, R = classical(A)
    Q, S = classical(Q)
    return Q, S @ R
