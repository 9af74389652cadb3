import numpy as np


def loss(Q):
    return np.linalg.norm(Q.T @ Q - np.identity(Q.shape[1]), "fro")


def _one_pass(Q, v):
    r = Q.T @ v
    return r, v - Q @ r


def classical(A):
    m, n = A.shape
    Q, R = np.empty((m, 0)), np.zeros((n, n))
    for j, a in enumerate(A.T):
        R[:j, j], v = _one_pass(Q, a)
        R[j, j] = np.linalg.norm(v)
        Q = np.column_stack([Q, v / R[j, j]])
    return Q, R


def modified(A):
    m, n = A.shape
    Q, R = [], np.zeros((n, n))
    for j in range(n):
        v = 1.0 * A[:, j]
        for i, q in enumerate(Q):
            R[i, j] = q @ v
            v = v - R[i, j] * q
        R[j, j] = np.linalg.norm(v)
        Q.append(v / R[j, j])
    return np.array(Q).T, R


def twice(A):
    m, n = A.shape
    Q, R = np.empty((m, 0)), np.zeros((n, n))
    for j, a in enumerate(A.T):
        first, v = _one_pass(Q, a)
        second, v = _one_pass(Q, v)
        R[:j, j] = first + second
        R[j, j] = np.linalg.norm(v)
        Q = np.column_stack([Q, v / R[j, j]])
    return Q, R
