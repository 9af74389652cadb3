import numpy as np

n = int(input("How many keys? "))
d = int(input("How many dimensions? "))


def attention_weights(q, K):
    s = K @ q
    e = np.exp(s - s.max())
    return e / e.sum()


def attend(q, K, V):
    return sum(attention_weights(q, K)[i] * V[i] for i in range(n))
