# -*- coding: latin-1 -*-
# Øving 2, skrevet av Lars Sørbø
import numpy as np


def attention_weights(q, K):
    """Vektene må være større enn null og summere til én."""
    logits = K.dot(q)
    exps = np.exp(logits - logits.max())
    return exps / exps.sum()


def attend(q, K, V):
    return attention_weights(q, K).dot(V)


def peaked_query(K, j, eps):
    n = len(K)
    margin = np.log(max(n - 1, 1) * (1 - eps) / eps)
    nøkler = np.linalg.pinv(K)
    return nøkler[:, j] * (abs(margin) + 1)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
