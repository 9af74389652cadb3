"""Properties of right answers: each predicate gives None, or a sentence that says what is wrong.

Those of random results give a `PValue`: the probability that a right answer is as far off.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from chances import any_of, two_sided_chi_square, two_sided_normal, variance_off_by
from reference import heads

from grader import PValue, Returned, as_array, show

SLACK = 1e-4
"""Above what a sound answer loses to rounding, even in single precision; below any mistake."""
STILL = 1e-6
"""Noise below this is none: rounding, in single precision too."""


def _finite(value: object, shape: tuple[int, ...]) -> np.ndarray | None:
    array = as_array(value)
    if array is None or array.shape != shape or array.dtype.kind not in "fiu":
        return None
    return array.astype(float) if np.isfinite(array).all() else None


# --- draw_keys ----------------------------------------------------------------------------------


def _noise(result: Returned) -> tuple[np.ndarray, np.ndarray] | str:
    """The noise along the means, shape (draws, n), and across, (draws, n, d); or what is wrong."""
    M, _, _, draws, _ = result.args
    keys = _finite(result.value, (draws, *M.shape))
    if keys is None:
        return f"This should be an array of {draws} × {len(M)} × {M.shape[1]} finite numbers."
    along = np.einsum("sid,id->si", keys - M, M)
    return along, keys - M - along[:, :, None] * M


def has_right_distribution(result: Returned) -> str | PValue:
    """Mean and size of the noise of every key, along its mean and across."""
    noise = _noise(result)
    if isinstance(noise, str):
        return noise
    M, spread, stretch, _, _ = result.args
    found = []
    for i in range(len(M)):
        for direction, size, part, dimensions in (
            ("along its mean", np.hypot(spread, stretch[i]), noise[0][:, i : i + 1], 1),
            ("across its mean", spread, noise[1][:, i], M.shape[1] - 1),
        ):
            where = f"Key {i} varies {direction}"
            if size == 0:
                if np.abs(part).max() > STILL:
                    return f"{where}, but there it should have no noise."
                continue
            found += [(where, *each) for each in _sizes(part, float(size), dimensions)]
    chance = any_of(p for _, _, p in found)
    where, what, _ = min(found, key=lambda each: each[2])
    return PValue(chance, f"{where} {what}.")


def _sizes(part: np.ndarray, size: float, dimensions: int) -> Iterator[tuple[str, float]]:
    """What can be wrong with noise of standard deviation `size`, and how likely it is by chance."""
    draws = len(part)
    squares = float((part**2).sum()) / size**2
    observed = float(np.sqrt((part**2).sum() / (draws * dimensions)))
    told = f"with a standard deviation of {observed:.3g} where {size:.3g} is asked"
    yield told, two_sided_chi_square(squares, draws * dimensions)
    mean = part.mean(axis=0)
    off = draws * float(mean @ mean) / size**2
    length = float(np.linalg.norm(mean))
    yield f"around a point {length:.3g} away from it", two_sided_chi_square(off, dimensions)


def are_independent(result: Returned) -> str | PValue | None:
    """No key's noise along its mean goes with another key's, or with that of the draw before."""
    noise = _noise(result)
    if isinstance(noise, str):
        return noise
    along = noise[0]
    n = along.shape[1]
    found = [
        (f"those of one draw and the next of key {i}", _correlation(along[1:, i], along[:-1, i]))
        for i in range(n)
    ] + [
        (f"those of keys {i} and {j}", _correlation(along[:, i], along[:, j]))
        for i in range(n) for j in range(i)
    ]  # fmt: skip
    which, correlation = max(found, key=lambda each: abs(each[1]))
    # Of so many independent pairs it is normal, nearly, whatever the sizes of the two.
    chances = [two_sided_normal(r * np.sqrt(len(along) - 1)) for _, r in found]
    return PValue(
        any_of(chances),
        f"The noise should be independent, but {which} go together: their correlation is "
        f"{correlation:.2f}.",
    )


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    """0 where one of them does not vary."""
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else 0.0


def follows_seed(results: list[Returned]) -> str | None:
    """The first two calls have one seed, the third another."""
    first, again, other = (as_array(result.value) for result in results)
    if first is None or again is None or other is None:
        return f"This should be an array, but it is {show(results[0].value)}."
    if not np.array_equal(first, again):
        return "Two calls with the same seed gave different keys."
    if np.array_equal(first, other):
        return "Two different seeds gave the same keys."
    return None


# --- head_queries -------------------------------------------------------------------------------


def each_head_has_its_key(result: Returned) -> str | None:
    """One query is for key a and the other for key b, in either order."""
    M, a, b, eps = result.args
    queries = _finite(result.value, (2, M.shape[1]))
    if queries is None:
        return f"This should be two queries, an array of shape (2, {M.shape[1]})."
    logits = queries @ M.T
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    others = [1 - weights[0, i] + 1 - weights[1, j] for i, j in ((a, b), (b, a))]
    order = (a, b) if others[0] <= others[1] else (b, a)
    for query, key in enumerate(order):
        rest = np.delete(weights[query], key).sum()
        if rest > eps * (1 + SLACK):
            return (
                f"With query {query} key {key} gets the weight {weights[query, key]:.6g}, and the "
                f"others together {rest:.6g}, which is more than eps = {eps:g}."
            )
    return None


# --- output_variance ----------------------------------------------------------------------------

_GRID = np.linspace(-9, 9, 3001)
_DENSITY = np.exp(-(_GRID**2) / 2)
_DENSITY /= _DENSITY.sum()


def estimates_variance(result: Returned) -> str | PValue:
    """The estimate is as near to the exact variance as so many draws allow."""
    Q, M, V, spread, stretch, draws, _ = result.args
    estimate = as_array(result.value)
    if estimate is None or estimate.size != 1 or not np.isfinite(estimate).all():
        return f"This should be a number, but it is {show(result.value)}."
    if np.iscomplexobj(estimate):  # float() would drop the imaginary part
        return f"This should be a real number, but it is {show(result.value)}."
    outputs = _outputs(Q, M, V, spread, stretch)
    mean = _DENSITY @ outputs
    squares = ((outputs - mean) ** 2).sum(axis=1)
    variance = float(_DENSITY @ squares)
    second = float(_DENSITY @ (squares - variance) ** 2)
    # The output is an average of values, so it is nowhere farther from the mean than they are.
    largest = float(((V - mean) ** 2).sum(axis=1).max())
    found = float(estimate.ravel()[0])
    chance = variance_off_by(abs(found - variance), variance, second, largest, draws)
    return PValue(chance, f"The total variance is {variance:.4g}, but the estimate is {found:.4g}.")


def _outputs(
    Q: np.ndarray, M: np.ndarray, V: np.ndarray, spread: float, stretch: np.ndarray
) -> np.ndarray:
    """The output as a function of the one random number that it depends on, shape (3001, d).

    That is the length of key 0; or, with round noise, one query and two keys, the difference of
    the two dot products, which is normal with variance 2·spread²·‖q‖².
    """
    if spread == 0:
        lengthened = np.zeros((len(_GRID), *M.shape))
        lengthened[:, 0] = stretch[0] * _GRID[:, None] * M[0]
        return heads(Q, M + lengthened, V)
    logits = M @ Q[0]
    lead = logits[0] - logits[1] + np.sqrt(2) * spread * np.linalg.norm(Q[0]) * _GRID
    share = 1 / (1 + np.exp(-lead))
    return share[:, None] * V[0] + (1 - share)[:, None] * V[1]
