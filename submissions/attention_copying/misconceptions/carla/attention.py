import numpy as np

# softmax is invariant to a shift, so move everything to start at 0

def attention_weights(q, K):
    s = K @ q
    s = s - s.min()
    e = np.exp(s)
    return e / e.sum()

def attend(q, K, V):
    a = attention_weights(q, K)
    return (a[:, None] * V).sum(0)

def peaked_query(K, j, eps):
    n = K.shape[0]
    wanted = np.zeros(n)
    wanted[j] = np.log(n / eps)
    return K.T @ np.linalg.solve(K @ K.T, wanted)

def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
