# 日本語のコメント
import numpy as np


def attention_weights(q, K):
    logits = K @ q
    e = np.exp(logits - np.max(logits))
    return e / np.sum(e)


def attend(q, K, V):
    return np.matmul(attention_weights(q, K), V)


def peaked_query(K, j, eps):
    # Gram-Schmidt: take from k_j what points along any other key
    basis = []
    for i in range(len(K)):
        if i == j:
            continue
        u = K[i] - sum((K[i] @ b) * b for b in basis)
        basis.append(u / np.linalg.norm(u))
    r = K[j] - sum((K[j] @ b) * b for b in basis)
    lead = np.log(len(K) / eps)
    return lead / (r @ r) * r


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
