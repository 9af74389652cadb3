import numpy as np


def softmax(x):
    x = x - np.max(x)
    return np.exp(x) / np.sum(np.exp(x))


def lead_for(n, eps):
    """How far key j must lead; nothing is needed if it is alone."""
    return np.log((n - 1) * (1 / eps - 1)) if n > 1 else 0.0
