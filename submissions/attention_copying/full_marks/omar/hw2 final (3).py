import numpy as np

def attention_weights(q, K):
    a = K @ q
    # 1 / sum_l exp(a_l - a_i), never overflows to nan
    with np.errstate(over="ignore"):
        return 1.0 / np.exp(a[None, :] - a[:, None]).sum(axis=1)

def attend(q, K, V):
    return np.average(V, axis=0, weights=attention_weights(q, K))

def peaked_query(K, j, eps):
    others = np.delete(K, j, axis=0)
    # the part of k_j that the other keys cannot explain
    r = K[j] - np.linalg.pinv(others) @ (others @ K[j]) if len(others) else K[j]
    lead = np.log(len(K) / eps)
    return lead * r / (r @ r)

def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
