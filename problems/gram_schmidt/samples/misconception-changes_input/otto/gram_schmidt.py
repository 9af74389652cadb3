import numpy as np


def loss(Q):
    return np.linalg.norm(np.eye(Q.shape[1]) - Q.T @ Q)


def classical(A):
    m, n = A.shape
    R = np.zeros((n, n))
    B = A if A.dtype == float else A.astype(float)
    for j in range(n):
        R[:j, j] = B[:, :j].T @ B[:, j]
        B[:, j] -= B[:, :j] @ R[:j, j]
        R[j, j] = np.linalg.norm(B[:, j])
        B[:, j] /= R[j, j]
    return B, R


def modified(A):
    B = A.astype(float)
    n = B.shape[1]
    R = np.zeros((n, n))
    for j in range(n):
        for i in range(j):
            R[i, j] = B[:, i] @ B[:, j]
            B[:, j] -= R[i, j] * B[:, i]
        R[j, j] = np.linalg.norm(B[:, j])
        B[:, j] /= R[j, j]
    return B, R


def twice(A):
    Q, R = modified(A)
    Q, S = modified(Q)
    return Q, S @ R
