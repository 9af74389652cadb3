import numpy as np


def loss(Q):
    return Q


def classical(A):
    return A


def modified(A):
    return np.linalg.svd(A)


def twice(A):
    return classical(classical(A))
