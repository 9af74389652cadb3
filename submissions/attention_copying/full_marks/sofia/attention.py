import numpy as np

print("loading my solution ...")
rng = np.random.default_rng(0)
demo = rng.normal(size=(4, 3))
print("demo keys:\n", demo)


def attention_weights(q, K):
    s = np.inner(K, q)
    print("logits", s)
    w = np.exp(s - np.amax(s))
    w = w / np.linalg.norm(w, ord=1)
    return w


def attend(q, K, V):
    w = attention_weights(q, K)
    return np.dot(w, V)


def peaked_query(K, j, eps):
    n = K.shape[0]
    with np.errstate(divide="ignore"):
        m = np.log(n - 1) + np.log(1 - eps) - np.log(eps)
    m = max(m, 0)
    Q, R = np.linalg.qr(K.T)          # K = R^T Q^T
    wanted = m * (np.arange(n) == j)
    return Q @ np.linalg.solve(R.T, wanted)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)


print("quick test:", attention_weights(np.zeros(3), demo))

if __name__ == "__main__":
    import matplotlib.pyplot as plt

    plt.bar(range(4), attention_weights(np.ones(3), demo))
    plt.show()
