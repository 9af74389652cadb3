"""How likely it is that a right answer is as far off: tail probabilities, never too small."""

from __future__ import annotations

import math
from collections.abc import Iterable

import mpmath


def two_sided_normal(z: float) -> float:
    """P(|Z| ≥ |z|) for a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2))


def two_sided_chi_square(x: float, degrees: int) -> float:
    """Twice the smaller tail of the chi-square distribution at x.

    By the regularised incomplete gamma function; for many degrees of freedom by the approximation
    of Wilson and Hilferty (1931), doubled for what it may err.
    """
    if degrees > 200:
        c = 2 / (9 * degrees)
        z = ((x / degrees) ** (1 / 3) - (1 - c)) / math.sqrt(c)
        return min(1.0, 2 * two_sided_normal(z))
    upper = float(mpmath.gammainc(degrees / 2, x / 2, mpmath.inf, regularized=True))
    return min(1.0, 2 * min(upper, 1 - upper))


def any_of(chances: Iterable[float]) -> float:
    """A bound on the probability that one of several results is as far off as the farthest."""
    each = list(chances)
    return min(1.0, len(each) * min(each))


_SHARES = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)


def variance_off_by(
    error: float, variance: float, second: float, largest: float, draws: int
) -> float:
    """A bound on the probability that an estimated variance is off by `error` or more.

    The estimate is the mean over `draws` of Y = ‖c − Ec‖², less ‖c̄ − Ec‖².  `variance` is EY,
    `second` the variance of Y, `largest` the most that Y can be.  One of the two terms is off by
    its share of the error; the bound holds for every way to share, so for the best.  It holds for
    every number of draws, too: nothing rests on a limit theorem.
    """
    # Whether the sum is divided by draws or by draws − 1 is the student's choice.
    left = error - variance / (draws - 1)
    if left <= 0:
        return 1.0
    bounds = (
        2 * _mean_off_by((1 - share) * left, second, largest, draws)
        + _centre_off_by(math.sqrt(share * left), variance, math.sqrt(largest), draws)
        for share in _SHARES
    )
    return min(1.0, *bounds)


def _mean_off_by(error: float, variance: float, largest: float, draws: int) -> float:
    """Bernstein's inequality for a mean, in one direction."""
    return math.exp(-draws * error**2 / (2 * variance + 2 * largest * error / 3 + 1e-300))


def _centre_off_by(distance: float, variance: float, reach: float, draws: int) -> float:
    """How likely a mean of vectors, none longer than `reach`, is so far from its expectation.

    Bousquet's inequality (2002) for the supremum over all directions, whose expectation is at most
    √(variance/draws).
    """
    typical = math.sqrt(variance / draws)
    beyond = distance - typical
    if beyond <= 0:
        return 1.0
    spread = variance + 2 * reach * typical
    return math.exp(-draws * beyond**2 / (2 * spread + 2 * reach * beyond / 3 + 1e-300))
