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


def variance_off_by(
    error: float, variance: float, second: float, largest: float, draws: int
) -> float:
    """A bound on the probability that an estimated variance is off by `error` or more.

    The estimate is the mean over `draws` of Y = ‖c − Ec‖², less ‖c̄ − Ec‖².  `variance` is EY,
    `second` the variance of Y, `largest` the most that Y can be.  For half of the error in either
    term: Bernstein's inequality for the mean of Y, Pinelis's (1994) for the length of a mean of
    bounded vectors.  Bounds hold for every number of draws, so nothing rests on a limit theorem.
    """
    # Whether the sum is divided by draws or by draws − 1 is the student's choice.
    half = max(0.0, error - variance / (draws - 1)) / 2
    mean = 2 * math.exp(-draws * half**2 / (2 * second + 2 * largest * half / 3 + 1e-300))
    reach = math.sqrt(half) - math.sqrt(variance / draws)
    shift = math.exp(-draws * reach**2 / (2 * largest + 1e-300)) if reach > 0 else 1.0
    return min(1.0, mean + shift)
