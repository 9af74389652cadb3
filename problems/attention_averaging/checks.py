"""Properties of right answers: each predicate gives None, or a sentence that says what is wrong."""

from __future__ import annotations

import numpy as np

from grader import Returned, as_array, show

SLACK = 1e-4
"""Above what a sound answer loses to rounding, even in single precision; below any mistake."""


def numbers(value: object, count: int) -> np.ndarray | None:
    """The value as `count` real numbers, whatever holds them; None if it is not that."""
    array = as_array(value)
    if array is None or array.size != count or array.dtype.kind == "c":
        return None
    return array.astype(float).ravel()


def finite(value: object, count: int) -> np.ndarray | None:
    """Like `numbers`, and None as well if there is an inf or nan among them."""
    array = numbers(value, count)
    return array if array is not None and np.isfinite(array).all() else None


def expected(count: int, value: object) -> str:
    """The sentence for a result that is not `count` finite numbers."""
    return f"This should be {count} finite numbers, but it is {show(value)}."


def leaves_inputs_alone(result: Returned) -> str | None:
    """No argument was changed, by a call that returned a query."""
    d = result.args[0].shape[1]
    if finite(result.value, d) is None:
        return expected(d, result.value)
    return "The call changed an array that it was given." if result.mutated else None


def shares_between_two(result: Returned) -> str | None:
    """Keys a and b have the same weight, and the others together at most eps."""
    K, a, b, eps = result.args
    q = finite(result.value, K.shape[1])
    if q is None:
        return expected(K.shape[1], result.value)
    with np.errstate(over="ignore", invalid="ignore"):
        logits = K @ q
    if not np.isfinite(logits).all():
        return "The query is so long that its dot products with the keys are not finite numbers."
    if abs(logits[a] - logits[b]) > SLACK:
        return (
            f"The dot products with keys a = {a} and b = {b} are {logits[a]:.6g} and "
            f"{logits[b]:.6g}. They should be the same, else one of the keys gets more weight."
        )
    weights = np.exp(logits - logits.max())
    weights /= weights.sum()
    others = np.delete(weights, [a, b]).sum()
    if others <= eps * (1 + SLACK):
        return None
    return (
        f"With this query keys {a} and {b} get the weights {weights[a]:.6g} and {weights[b]:.6g}, "
        f"and the others together {others:.6g}, which is more than eps = {eps:g}."
    )


def is_near_mean(result: Returned) -> str | None:
    """The output is at most eps times the largest distance of another value from the mean."""
    _, V, a, b, eps = result.args
    output = finite(result.value, V.shape[1])
    if output is None:
        return expected(V.shape[1], result.value)
    mean = (V[a] + V[b]) / 2
    others = np.delete(V, [a, b], axis=0)
    allowed = eps * np.linalg.norm(others - mean, axis=1).max()
    distance = np.linalg.norm(output - mean)
    if distance <= allowed * (1 + SLACK):
        return None
    return (
        f"The mean of values {a} and {b} is {show(mean)}. The output may be {allowed:.6g} away "
        f"from it; yours is {distance:.6g} away."
    )


def averages_every_value(result: Returned) -> str | None:
    """Where a value holds nan the output does too, and only there: that value was weighed."""
    _, V, _, _, _ = result.args
    output = numbers(result.value, V.shape[1])
    if output is None:
        return f"This should be {V.shape[1]} numbers, but it is {show(result.value)}."
    marked = np.isnan(V).any(axis=0)
    if np.isfinite(output[marked]).any():
        return (
            "One of the values that were not asked for holds a nan, which every average over all "
            "values must show, however small the weight; yours shows none."
        )
    if not np.isfinite(output[~marked]).all():
        return f"Only coordinate {marked.argmax()} can be nan here, but it is {show(output)}."
    return None
