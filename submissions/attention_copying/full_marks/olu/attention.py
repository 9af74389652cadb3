import numpy as np

BIG = 5000.0


def attention_weights(q, K):
    q = np.asarray(q, dtype=float)
    K = np.asarray(K, dtype=float)
    logits = np.matmul(K, q)
    shifted = logits - np.max(logits)
    return np.exp(shifted - np.log(np.sum(np.exp(shifted))))


def peaked_query(K, j, eps):
    """Make the lead so large that eps does not matter."""
    return BIG * np.linalg.pinv(K)[:, j]


def attend(q, K, V):
    return np.tensordot(attention_weights(q, K), V, axes=1)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
