"""The properties: predicates over what a student's function returned.

A predicate gets a `Returned`, or for `over = "all"` the list of them, and answers None if the
property holds, else a sentence for the student.  Where a property speaks of the attention weights
of a query, they are worked out here with the reference, never with the student's function.

Rounding is allowed for (`SLACK`, relative); the shape of a result is not looked at except by
the predicates that ask for it, so that a column or a list costs its points once.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from reading import SLACK, differ, expected, finite, numbers, pairs
from reference import attention_weights

from grader import Returned, as_array, show

# --- shapes and side effects --------------------------------------------------------------------

ORDINALS = ("first", "second", "third", "fourth")


def is_array_of_n(result: Returned) -> str | None:
    """A one-dimensional array with a number for each key: K is the second argument."""
    return _is_array_of(len(result.args[1]), "key", result.value)


def is_array_of_d(result: Returned) -> str | None:
    """A one-dimensional array with a number for each column of K, or of V where there is one."""
    matrix = [arg for arg in result.args if isinstance(arg, np.ndarray)][-1]
    return _is_array_of(matrix.shape[1], "dimension", result.value)


def _is_array_of(count: int, each: str, value: object) -> str | None:
    wanted = f"a one-dimensional NumPy array of shape ({count},), one number per {each}"
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iuf":
        kinds = {list: "a list", tuple: "a tuple"}
        kind = kinds.get(type(value), "no array of numbers")
        return f"This should be {wanted}, but it is {kind}: {show(value)}."
    if value.shape != (count,):
        return f"This should be {wanted}, but its shape is {value.shape}."
    return None


def leaves_inputs_alone(result: Returned) -> str | None:
    """No argument was changed by the call."""
    if not result.mutated:
        return None
    which = " and ".join(ORDINALS[position] for position in result.mutated)
    return f"The call changed its {which} argument, which no longer holds what was put in."


# --- attention weights --------------------------------------------------------------------------


def is_distribution(result: Returned) -> str | None:
    """None is negative, and together they make 1."""
    n = len(result.args[1])
    weights = finite(result.value, n)
    if weights is None:
        return expected(n, result.value)
    if weights.min() < 0:
        return f"Weight {weights.argmin()} is negative: {weights.min():.6g}."
    if abs(weights.sum() - 1) > SLACK:
        return f"The weights sum to {weights.sum():.6g}, not to 1."
    return None


def equal_in_pairs(results: Sequence[Returned]) -> str | None:
    """Both of each pair of inputs give the same weights."""
    return _compare_pairs(results, reverse=False)


def reversed_in_pairs(results: Sequence[Returned]) -> str | None:
    """The second of each pair gives the weights of the first in reverse order."""
    return _compare_pairs(results, reverse=True)


def _compare_pairs(results: Sequence[Returned], *, reverse: bool) -> str | None:
    for first, second in pairs(results):
        n = len(first.args[1])
        before, after = finite(first.value, n), finite(second.value, n)
        if before is None:
            return expected(n, first.value)
        if after is None:
            return expected(n, second.value)
        if differ(after, before[::-1] if reverse else before):
            return (
                f"The weights are {show(before)} for “{first.label}”, but {show(after)} for "
                f"“{second.label}”; they should be the same{' in reverse order' * reverse}."
            )
    return None


def has_guaranteed_share(result: Returned) -> str | None:
    """The leader gets at least what its lead guarantees, and exactly that if the others tie."""
    q, K = result.args
    n = len(K)
    weights = finite(result.value, n)
    if weights is None:
        return expected(n, result.value)
    *others, second, top = np.sort(K @ q)
    share = 1 / (1 + (n - 1) * np.exp(second - top))
    tied = np.allclose(others, second)
    leader = int(np.argmax(K @ q))
    weight = weights[leader]
    too_small = weight < share * (1 - SLACK)
    too_large = tied and weight > share * (1 + SLACK)
    if not (too_small or too_large):
        return None
    return (
        f"Key {leader} leads by {top - second:.6g} among {n} keys, which means a weight of "
        f"{'exactly' if tied else 'at least'} {share:.6g}; here it is {weight:.6g}."
    )


def mixture_never_wins(result: Returned) -> str | None:
    """Key 0, an average of the other keys, gets no more weight than the best of those."""
    n = len(result.args[1])
    weights = finite(result.value, n)
    if weights is None:
        return expected(n, result.value)
    if weights[0] <= weights[1:].max() * (1 + SLACK):
        return None
    return (
        f"Key 0 is an average of the other keys, yet its weight {weights[0]:.6g} is larger than "
        f"that of any of them (at most {weights[1:].max():.6g})."
    )


# --- peaked_query -------------------------------------------------------------------------------


def reaches_share(result: Returned) -> str | None:
    """The attention weights of the returned query leave at most eps to the other keys.

    Asked of the others' sum, not of the weight itself, so that a tiny eps is not lost in 1 − eps.
    """
    K, j, eps = result.args
    q = finite(result.value, K.shape[1])
    if q is None:
        return expected(K.shape[1], result.value)
    with np.errstate(over="ignore", invalid="ignore"):
        logits = K @ q
    if not np.isfinite(logits).all():
        return "The query is so long that its dot products with the keys are not finite numbers."
    weights = attention_weights(q, K)
    others = np.delete(weights, j).sum()
    if others <= eps * (1 + SLACK):
        return None
    return (
        f"With this query key {j} gets the weight {weights[j]:.6g}, and the other keys together "
        f"{others:.6g}, which is more than eps = {eps:g}. The dot products are "
        f"{show(logits.round(6) + 0.0)}."
    )


# --- error carried forward: the student's own weights -------------------------------------------

PLAIN_TO_SEE = 1e-3
"""A share of the largest weight that shows in an average, well above what tolerances let pass."""


def are_usable_weights(results: Sequence[Returned]) -> str | None:
    """Whether wrong weights still leave an average to be made that shows whether one can.

    Not where they are nearly always such that an average with them is a value picked out, a plain
    sum or mean, or nothing at all; and not where they are the same whatever the query and keys.
    """
    several = [r for r in results if len(r.args[1]) > 1]
    weighing = [r for r in several if _weighs(np.ravel(as_array(r.value)).astype(float))]
    if 2 * len(weighing) <= len(several):
        return "Averages with these weights are sums, means or single values."
    if _ignore_their_inputs(several):
        return "These weights are the same for every query and all keys."
    return None


def _weighs(weights: np.ndarray) -> bool:
    """Whether two values or more count, by weights that plainly differ."""
    sizes = np.abs(weights)
    counting = weights[sizes > PLAIN_TO_SEE * sizes.max()]
    return counting.size > 1 and bool(np.ptp(counting) > PLAIN_TO_SEE * sizes.max())


def _ignore_their_inputs(results: Sequence[Returned]) -> bool:
    """Whether the weights of every two cases begin, or end, in the same proportions; or of every
    two that have equally many keys.
    """
    weights = [np.ravel(as_array(result.value)).astype(float) for result in results]
    if len(weights) < 2:
        return False
    backwards = [each[::-1] for each in weights]
    twins = [(a, b) for a, b in combinations(weights, 2) if len(a) == len(b)]
    neighbours = [list(pairwise(order)) for order in (weights, backwards)]
    return any(
        bool(pairs) and all(_in_proportion(one, other) for one, other in pairs)
        for pairs in (*neighbours, twins)
    )


def _in_proportion(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two rows are multiples of each other as far as the shorter one goes."""
    a, b = one[: len(other)], other[: len(one)]
    return not differ(a * np.abs(b).sum(), b * np.abs(a).sum())


def _own_average(result: Returned, output: np.ndarray) -> str | None:
    """The output is the average of the values with the student's own weights, right or wrong."""
    V = [arg for arg in result.args if isinstance(arg, np.ndarray)][-1]
    own = np.ravel(as_array(result.earlier)) @ V
    if differ(output, own):
        return f"With your own weights the average is {show(own)}, but this is {show(output)}."
    return None


# --- attend -------------------------------------------------------------------------------------


def is_mean_of_values(result: Returned) -> str | None:
    """The output is the plain mean of the values: what a query that fits no key gets."""
    V = result.args[2]
    output = finite(result.value, V.shape[1])
    if output is None:
        return expected(V.shape[1], result.value)
    mean = V.mean(axis=0)
    if differ(output, mean):
        return (
            f"The output should be the mean of the values, {show(mean)}, but it is {show(output)}."
        )
    return None


def lies_among_values(result: Returned) -> str | None:
    """In no direction does the output reach beyond all the values.

    The directions tried are the axes and those from each value to each other.
    """
    V = result.args[2]
    n, d = V.shape
    output = finite(result.value, d)
    if output is None:
        return expected(d, result.value)
    if result.earlier is not None:
        return _own_average(result, output)
    directions = np.vstack([np.eye(d), (V[:, None] - V[None]).reshape(n * n, d)])
    reach, reached = V @ directions.T, output @ directions.T
    slack = SLACK * np.abs(reach).max()
    beyond = (reached > reach.max(axis=0) + slack) | (reached < reach.min(axis=0) - slack)
    if not beyond.any():
        return None
    return f"The output {show(output)} lies outside the values, so it is not an average of them."


def is_as_near_as_weights_say(result: Returned) -> str | None:
    """For each j the distance to value j is at most (1 − α_j) times the largest one there is."""
    q, K, V = result.args
    n, d = V.shape
    output = finite(result.value, d)
    if output is None:
        return expected(d, result.value)
    if result.earlier is not None:
        return _own_average(result, output)
    weights = attention_weights(q, K)
    for j in range(n):
        distance, largest = _distances(output, V, j)
        allowed = np.delete(weights, j).sum() * largest
        if distance > allowed + SLACK * np.abs(V).max():
            return (
                f"Key {j} has the weight {weights[j]:.6g}, so the output is at most {allowed:.6g} "
                f"away from value {j}; yours is {distance:.6g} away."
            )
    return None


def _distances(point: np.ndarray, V: np.ndarray, j: int) -> tuple[float, float]:
    """How far the point is from value j, and how far the farthest value is from value j."""
    largest = np.linalg.norm(V - V[j], axis=1).max()
    return float(np.linalg.norm(point - V[j])), float(largest)


# --- copy_value ---------------------------------------------------------------------------------


def is_close_copy(result: Returned) -> str | None:
    """The copy is within eps times the largest distance between value j and another."""
    _, V, j, eps = result.args
    copy = finite(result.value, V.shape[1])
    if copy is None:
        return expected(V.shape[1], result.value)
    if result.earlier is not None:
        return _own_average(result, copy)
    distance, largest = _distances(copy, V, j)
    if distance <= eps * largest * (1 + SLACK):
        return None
    return (
        f"With at least 1 − eps of the weight on key {j}, the copy is at most {eps * largest:.6g} "
        f"away from value {j}; yours is {distance:.6g} away."
    )


def is_nearest_to_wanted(result: Returned) -> str | None:
    """Of all values, value 0 is the one nearest to the output, whatever the exact weights."""
    V = result.args[2]
    output = finite(result.value, V.shape[1])
    if output is None:
        return expected(V.shape[1], result.value)
    if result.earlier is not None:
        return _own_average(result, output)
    distances = np.linalg.norm(V - output, axis=1)
    if distances.argmin() == 0:
        return None
    return (
        f"The query was to pick out value 0, but the output {show(output)} is nearer to value "
        f"{distances.argmin()}."
    )


def averages_every_value(result: Returned) -> str | None:
    """Where a value holds nan the copy does too, and only there: that value was averaged in."""
    _, V, _, _ = result.args
    copy = numbers(result.value, V.shape[1])
    if copy is None:
        return f"This should be {V.shape[1]} numbers in a row, but it is {show(result.value)}."
    marked = np.isnan(V).any(axis=0)
    if np.isfinite(copy[marked]).any():
        return (
            "One of the values that were not asked for holds a nan, which every average over all "
            "values must show, however small the weight; your copy shows none, so that value was "
            "left out."
        )
    if not np.isfinite(copy[~marked]).all():
        return f"Only coordinate {marked.argmax()} can be nan here, but the copy is {show(copy)}."
    return None


def weights_ignore_values(results: Sequence[Returned]) -> str | None:
    """The first of each pair shows the weights; the second is the average with these weights."""
    for first, second in pairs(results):
        n, V = len(first.args[0]), second.args[1]
        weights, copy = finite(first.value, n), finite(second.value, n)
        if weights is None:
            return expected(n, first.value)
        if copy is None:
            return expected(n, second.value)
        if differ(copy, weights @ V):
            return (
                f"The copy for “{first.label}” shows the weights {show(weights)}. With “"
                f"{second.label}” these give {show(weights @ V)}, but the copy is {show(copy)}."
            )
    return None
