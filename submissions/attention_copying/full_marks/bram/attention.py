import numpy as np


class Weights(np.ndarray):
    """Attention weights that know which key they favour."""

    @property
    def winner(self):
        return int(self.argmax())


def attention_weights(q, K):
    logits = K @ q
    e = np.exp(logits - logits.max())
    return (e / e.sum()).view(Weights)


def attend(q, K, V):
    return attention_weights(q, K) @ V


def peaked_query(K, j, eps):
    n = len(K)
    target = np.zeros(n)
    target[j] = 0 if n == 1 else np.log((n - 1) * (1 - eps) / eps)
    q = np.linalg.lstsq(K, target, rcond=None)[0]
    assert attention_weights(q, K).winner == j or n == 1 or eps >= 0.5
    return q


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
