import numpy as np


def attention_weights(q, K):
    logits = K.T @ q
    logits = logits - logits.max()
    return np.exp(logits) / np.exp(logits).sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    lead = np.log(n / eps)
    return np.linalg.pinv(K) @ (lead * np.eye(n)[j])


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
