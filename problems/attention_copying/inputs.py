"""The inputs that the students' functions are called with.

Every generator takes the pack's random generator and yields `Case`s, the smallest first: the
first one that fails is the one a student is shown.  A label says what is special about a case.
Numbers drawn at random are rounded where a student may have to read them; `material` draws them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from material import (
    attention_case,
    extreme_dot_products,
    normal,
    one_dimensional,
    orthonormal,
    tasks,
    values,
)

from grader import Case, call

# --- attention_weights(q, K) --------------------------------------------------------------------


def small_weights(rng: np.random.Generator) -> Iterator[Case]:
    """Shapes and special positions that a person can check by hand."""
    yield Case(np.array([2.0]), np.array([[3.0]]), label="one key (n = 1), one dimension (d = 1)")
    yield Case(np.array([1.0, -2.0]), np.array([[3.0, 1.0]]), label="one key (n = 1)")
    yield Case(*one_dimensional(1.0, 2.0, -1.0), label="one dimension (d = 1)")
    yield Case(
        np.array([1.0, 2.0]),
        np.array([[1.0, 0.0], [-2.0, 1.0]]),
        label="as many keys as dimensions (n = d = 2)",
    )
    yield Case(
        np.array([1.0, 1.0]),
        np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 0.0]]),
        label="two keys tie for the largest dot product",
    )
    yield Case(
        np.array([0.0, 0.0, 3.0]),
        np.array([[1.0, 0.0, 0.0], [2.0, 5.0, 0.0]]),
        label="the query is orthogonal to every key",
    )
    yield Case(normal(rng, 4), normal(rng, 2, 4), label="fewer keys than dimensions (n < d)")
    yield Case(normal(rng, 2), normal(rng, 4, 2), label="more keys than dimensions (n > d)")


def extreme_weights(_: np.random.Generator) -> Iterator[Case]:
    """Dot products in the thousands, of either sign, some nearly equal, some tied."""
    for label, (q, K) in extreme_dot_products():
        yield Case(q, K, label=label)


def typed_weights(rng: np.random.Generator) -> Iterator[Case]:
    """Arrays that do not hold float64."""
    yield Case(np.array([1, 2]), np.array([[1, 0], [2, 1]]), label="integers")
    yield Case(rng.integers(-2, 3, 3), rng.integers(-2, 3, (4, 3)), label="integers, n = 4, d = 3")
    q, K = normal(rng, 3), normal(rng, 4, 3)
    yield Case(q.astype(np.float32), K.astype(np.float32), label="float32")


def larger_weights(rng: np.random.Generator) -> Iterator[Case]:
    """Random inputs of every proportion, one of them large."""
    for n, d in ((3, 8), (9, 4), (6, 6), (200, 64)):
        yield Case(rng.normal(size=d), rng.normal(size=(n, d)), label=f"n = {n}, d = {d}")


def moderate_weights(rng: np.random.Generator) -> Iterator[Case]:
    """Dot products of either sign that overflow nothing."""
    yield Case(*one_dimensional(-2.0), label="one key, negative dot product")
    yield Case(*one_dimensional(-3.0, -1.0), label="negative dot products only")
    yield Case(normal(rng, 3), normal(rng, 3, 3), label="as many keys as dimensions (n = d)")
    yield Case(5 * normal(rng, 2), 3 * normal(rng, 6, 2), label="more keys than dimensions (n > d)")


def shifted_pairs(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs: an input, then keys moved along q so that every dot product grows by one number."""
    for n, d, shift in ((2, 1, 1.0), (3, 2, -10.0), (4, 3, 30.0)):
        q, K = normal(rng, d), normal(rng, n, d)
        yield Case(q, K, label=f"n = {n}, d = {d}")
        yield Case(q, K + shift * q / (q @ q), label=f"the same, {shift:+g} on every dot product")


def reversed_pairs(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs: an input, then the same keys in reverse order; in the first the top keys tie."""
    for (q, K), what in (
        (one_dimensional(1.0, 2.0, 2.0), "the two best keys tie"),
        ((normal(rng, 3), normal(rng, 3, 3)), "n = d = 3"),
    ):
        yield Case(q, K, label=what)
        yield Case(q, K[::-1].copy(), label=f"{what}, keys in reverse order")


def same_dot_products(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs: an input, then another with the same dot products by other vectors."""
    q, K = np.array([1.0, 2.0]), np.array([[1.0, 0.0], [-1.0, 2.0], [0.0, -0.5]])
    padded = np.hstack([K, np.array([[3.0, 0.0], [0.0, 0.0], [4.0, -1.0]])])
    turn = orthonormal(rng, 2, 2)
    for name, q_same, K_same in (
        ("the query halved, the keys doubled", q / 2, K * 2),
        ("two more dimensions, in which q is 0", np.append(q, [0.0, 0.0]), padded),
        ("query and keys turned by the same rotation", turn @ q, K @ turn.T),
    ):
        yield Case(q, K, label="three keys, two dimensions")
        yield Case(q_same, K_same, label=name)


def leading_keys(rng: np.random.Generator) -> Iterator[Case]:
    """One key leads: by how much, against how many, and whether the others tie, varies."""
    q = np.array([1.0, 1.0])
    for name, dot_products in (
        ("two keys, a lead of 1", (1, 0)),
        ("the others tie, a lead of 2", (-1, -1, 1, -1, -1)),
        ("the others differ, a lead of 2", (4, 2, 1, -3)),
    ):
        yield Case(q, np.outer(dot_products, [0.5, 0.5]), label=name)
    yield Case(normal(rng, 3), 2 * normal(rng, 8, 3), label="eight keys at random")


def mixed_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Key 0 is an average of the other keys."""
    yield Case(*one_dimensional(2.0, 1.0, 3.0), label="key 0 halfway between two keys (d = 1)")
    corner_keys = np.array([[1.0, 1.0], [2.0, 0.0], [0.0, 2.0]])
    yield Case(np.array([1.0, 1.0]), corner_keys, label="q points at key 0, halfway between two")
    others = normal(rng, 4, 3)
    mixture = np.array([0.4, 0.3, 0.2, 0.1]) @ others
    yield Case(3 * mixture, np.vstack([mixture, others]), label="q points at a mixture of four")


def few_weights(rng: np.random.Generator) -> Iterator[Case]:
    """Two ordinary inputs, for what does not depend on the numbers."""
    yield Case(normal(rng, 2), normal(rng, 2, 2), label="n = d = 2")
    yield Case(normal(rng, 2), normal(rng, 3, 2), label="n = 3, d = 2")


# --- peaked_query(K, j, eps) --------------------------------------------------------------------


def one_key(_: np.random.Generator) -> Iterator[Case]:
    """A single key, which has all the weight anyway."""
    yield Case(np.array([[2.0]]), 0, 0.1, label="one key (n = 1), one dimension (d = 1)")
    yield Case(np.array([[0.0, 3.0, -1.0]]), 0, 0.1, label="one key (n = 1)")


def orthonormal_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Keys of length 1 at right angles: a long enough multiple of key j will do."""
    yield Case(np.eye(2), 0, 0.5, label="two keys, half of the weight")
    yield Case(np.eye(2), 1, 0.1, label="two keys")
    yield Case(np.eye(3), 2, 0.1, label="three keys: two rivals add up")
    yield Case(orthonormal(rng, 3, 5), 0, 0.01, label="three keys in five dimensions")
    yield Case(orthonormal(rng, 8, 8), 4, 0.001, label="eight keys in eight dimensions")


def independent_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Linearly independent keys, far from dependence, of different lengths and at any angle."""
    yield Case(np.array([[0.5, 0.0], [0.0, 2.0]]), 0, 0.1, label="a short key and a long one")
    slanted = np.array([[1.0, 0.0], [3.0, 1.0]])
    yield Case(slanted, 0, 0.1, label="the other key has the larger dot product with k_j")
    yield Case(slanted, 1, 0.1, label="the same keys, the other one wanted")
    corner = np.array([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]])
    yield Case(corner, 0, 0.05, label="every key has the same dot product with k_j")
    yield Case(normal(rng, 3, 6), 1, 0.01, label="random keys, n < d")


def difficult_keys(rng: np.random.Generator) -> Iterator[Case]:
    """Keys that almost coincide (condition numbers up to 2,000), tiny eps, many keys."""
    yield Case(np.array([[1.0, 0.0], [1.0, 0.01]]), 0, 0.1, label="two keys almost coincide")
    yield Case(np.array([[1.0, 0.001], [1.0, 0.0]]), 1, 0.01, label="two keys nearly coincide")
    opposed = np.array([[1.0, 0.0, 0.0], [-1.0, 0.01, 0.0], [0.0, 0.01, 1.0]])
    yield Case(opposed, 1, 0.05, label="two keys almost opposite")
    yield Case(normal(rng, 3, 4), 2, 1e-9, label="a tiny eps")
    yield Case(rng.normal(size=(40, 50)), 17, 0.001, label="n = 40, d = 50")


def few_keys(_: np.random.Generator) -> Iterator[Case]:
    """Two ordinary inputs, for what does not depend on the numbers."""
    yield Case(np.array([[1.0, 0.0], [1.0, 1.0]]), 0, 0.1, label="n = d = 2")
    yield Case(np.array([[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]), 1, 0.1, label="n = 2, d = 3")


# --- attend(q, K, V) ----------------------------------------------------------------------------


def small_attention(rng: np.random.Generator) -> Iterator[Case]:
    """Shapes and special positions that a person can check by hand."""
    yield Case(
        np.array([2.0]),
        np.array([[3.0]]),
        np.array([[5.0]]),
        label="one key (n = 1), one dimension (d = 1)",
    )
    yield Case(*one_dimensional(1.0, 2.0), np.array([[4.0], [8.0]]), label="one dimension (d = 1)")
    yield Case(
        np.array([1.0, 2.0]),
        np.array([[1.0, 0.0], [-2.0, 1.0]]),
        np.array([[0.0, 4.0], [8.0, 1.0]]),
        label="as many keys as dimensions (n = d = 2)",
    )
    yield Case(
        np.array([1.0, 1.0]),
        np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 0.0]]),
        np.array([[6.0, 0.0], [0.0, 6.0], [1.0, 1.0]]),
        label="two keys tie for the largest dot product",
    )
    yield attention_case(rng, 1, 3, label="one key (n = 1)")
    yield attention_case(rng, 2, 4, label="fewer keys than dimensions (n < d)")
    yield attention_case(rng, 4, 2, label="more keys than dimensions (n > d)")


def extreme_attention(rng: np.random.Generator) -> Iterator[Case]:
    """The extreme dot products of `extreme_weights`, with values."""
    for label, (q, K) in extreme_dot_products():
        yield Case(q, K, values(rng, *K.shape), label=label)


def typed_attention(rng: np.random.Generator) -> Iterator[Case]:
    """Arrays that do not hold float64."""
    yield Case(
        np.array([1, 2]), np.array([[1, 0], [2, 1]]), np.array([[3, 0], [1, 5]]), label="integers"
    )
    q, K, V = (rng.integers(-2, 3, shape) for shape in (3, (4, 3), (4, 3)))
    yield Case(q, K, V, label="integers, n = 4, d = 3")
    q, K, V = normal(rng, 3), normal(rng, 4, 3), normal(rng, 4, 3)
    yield Case(*(a.astype(np.float32) for a in (q, K, V)), label="float32")


def larger_attention(rng: np.random.Generator) -> Iterator[Case]:
    """Random inputs of every proportion, one of them large, two with equally many keys."""
    for n, d in ((3, 8), (9, 4), (6, 6), (200, 64), (9, 12)):
        q, K, V = rng.normal(size=d), rng.normal(size=(n, d)), rng.normal(size=(n, d))
        yield Case(q, K, V, label=f"n = {n}, d = {d}")


def moderate_attention(rng: np.random.Generator) -> Iterator[Case]:
    """Dot products of either sign that overflow nothing."""
    # Fixed, so that numbers that are no weights show under every seed.
    yield Case(
        *one_dimensional(2.0, -1.0), np.array([[3.0], [6.0]]), label="one negative dot product"
    )
    for n, d in ((1, 2), (2, 2), (3, 3), (5, 2)):
        yield attention_case(rng, n, d, label=f"n = {n}, d = {d}")


def few_attention(rng: np.random.Generator) -> Iterator[Case]:
    """Two ordinary inputs, for what does not depend on the numbers."""
    for n, d in ((2, 2), (3, 2)):
        yield attention_case(rng, n, d, label=f"n = {n}, d = {d}")


def orthogonal_queries(rng: np.random.Generator) -> Iterator[Case]:
    """Queries whose dot product with every key is exactly 0."""
    yield Case(
        np.array([0.0, 1.0]),
        np.array([[2.0, 0.0], [5.0, 0.0]]),
        np.array([[1.0, 0.0], [3.0, 4.0]]),
        label="two keys along one axis, q along the other",
    )
    yield Case(
        np.array([1.0, 2.0, 2.0]),
        np.array([[2.0, -1.0, 0.0], [0.0, 3.0, -3.0], [-2.0, 0.0, 1.0]]),
        values(rng, 3, 3),
        label="three keys in the plane at right angles to q",
    )
    plane = np.hstack([normal(rng, 5, 2), np.zeros((5, 1))])
    yield Case(np.array([0.0, 0.0, -4.0]), plane, values(rng, 5, 3), label="five keys, d = 3")


# --- copy_value(K, V, j, eps) -------------------------------------------------------------------


def copies(rng: np.random.Generator) -> Iterator[Case]:
    """Plain calls of copy_value."""
    for K, V, j, eps, label in tasks(rng):
        yield Case(K, V, j, eps, label=label)


def own_queries(rng: np.random.Generator) -> Iterator[Case]:
    """Calls of attend with what the student's own peaked_query returns for value 0."""
    for K, V, _, eps, label in tasks(rng):
        yield Case(call("peaked_query", K, 0, eps), K, V, label=f"{label}, your own query")


def marked_values(rng: np.random.Generator) -> Iterator[Case]:
    """Calls of copy_value in which one value that is not asked for holds a nan as a mark.

    The mark shows in every average that includes that value, however small its weight: even
    0 · nan is nan.
    """
    for K, V, j, eps, label in tasks(rng):
        marked = V.copy()
        marked[j - 1, 0] = np.nan  # for j = 0 that is the last value
        yield Case(K, marked, j, eps, label=f"{label}, one of the other values holds nan")


def same_keys_other_values(rng: np.random.Generator) -> Iterator[Case]:
    """Pairs: the rows of the identity as values, whose average is the weights; then others."""
    slanted = np.array([[1.0, 0.0], [3.0, 1.0]])
    for K, j, eps in ((np.eye(2), 1, 0.2), (slanted, 0, 0.1), (normal(rng, 3, 3), 2, 0.3)):
        n = len(K)
        yield Case(K, np.eye(n), j, eps, label=f"{n} values along the axes")
        yield Case(K, values(rng, n, n), j, eps, label=f"the same {n} keys, other values")
