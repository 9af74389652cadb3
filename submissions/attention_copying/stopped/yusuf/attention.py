import numpy as np
import torch
import torch.nn.functional as F


def attention_weights(q, K):
    return F.softmax(torch.tensor(K) @ torch.tensor(q), dim=0).numpy()


def attend(q, K, V):
    return attention_weights(q, K) @ V
