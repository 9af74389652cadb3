"""Right answers."""

import numpy as np


def attention_weights(q, K):
    logits = np.asarray(K, float) @ np.asarray(q, float)
    powers = np.exp(logits - logits.max())
    return powers / powers.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V
