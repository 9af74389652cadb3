import numpy as np


def attention_weights(q, K):
    logits = K @ q
    alpha = np.empty_like(logits)
    Z = np.exp(logits - logits.max()).sum()
    for i in range(len(logits)):
        alpha[i] = np.exp(logits[i] - logits.max()) / Z
    return alpha


def attend(q, K, V):
    logits = K @ q
    w = np.exp(logits - logits.max())
    w = w / w.sum()
    c = np.zeros_like(V[0])
    for k in range(V.shape[1]):
        c[k] = np.sum(w * V[:, k])
    return c


def peaked_query(K, j, eps):
    n = len(K)
    b = np.zeros(n)
    b[j] = np.log(n / eps)
    return np.linalg.lstsq(K, b, rcond=None)[0]


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
