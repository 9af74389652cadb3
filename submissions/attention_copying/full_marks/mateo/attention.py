import numpy as np
from numpy.linalg import pinv


def log_softmax(x):
    x = np.asarray(x, dtype=np.float64)
    return x - np.logaddexp.reduce(x)


def attention_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    q, K = q.astype(np.float64), K.astype(np.float64)
    return np.exp(log_softmax(K.dot(q)))


def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    alpha = attention_weights(q, K)
    return (alpha[:, np.newaxis] * V).sum(axis=0)


def peaked_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    n = K.shape[0]
    e_j = np.eye(n)[j]
    lead = np.log(n / eps)  # > ln((n-1)(1-eps)/eps), also fine for n = 1
    return pinv(K) @ (lead * e_j)


def copy_value(K: np.ndarray, V: np.ndarray, j: int, eps: float) -> np.ndarray:
    return attend(peaked_query(K, j, eps), K, V)
