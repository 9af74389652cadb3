# 注意力：四个函数
import numpy as np


def attention_weights(q, K):
    # 先减去最大值，防止溢出
    分数 = np.einsum("nd,d->n", K, q).astype(float)
    分数 -= 分数.max()
    指数 = np.exp(分数)
    return 指数 / np.einsum("n->", 指数)


def peaked_query(K, j, eps):
    n = K.shape[0]
    m = 0.0 if n == 1 else np.log(n - 1) + np.log1p(-eps) - np.log(eps)
    return m * np.linalg.pinv(K)[:, j]


def attend(q, K, V):
    return np.einsum("n,nd->d", attention_weights(q, K), V)


def copy_value(K, V, j, eps):
    return attend(peaked_query(K, j, eps), K, V)
