"""Predicates of the eight checks."""

import numpy as np
from reference import attention_weights


def sums_to_one(call):
    return bool(np.all(call.value >= 0) and abs(np.sum(call.value) - 1) < 1e-9)


def keeps_arguments(call):
    return not call.mutated


def has_shape_of_value(call):
    return np.shape(call.value) == call.args[2].shape[1:]


def puts_weight_on_j(call):
    K, j, eps = call.args
    return bool(attention_weights(call.value, K)[j] >= 1 - eps - 1e-9)
