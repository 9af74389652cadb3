import sys

import numpy as np


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return attention_weights(q, K) @ V


def main():
    print(attention_weights(np.ones(2), np.eye(2)))
    return 0


sys.exit(main())
