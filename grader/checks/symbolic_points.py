"""Where formulas are compared: a criterion's variables, and the points of their domain to try.

The same for every student of a run: they follow from the domains and the run's seed alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor
from random import Random
from typing import TypeAlias

from grader.checks.symbolic_lex import key

_ROUND_POINTS, _CORNERS, _RANDOM_POINTS = 16, 16, 24
_NEAR_A_BOUND = Fraction(1, 10**9)
"""How near to an open bound the nearest points lie, as a share of the domain's width."""
_PLAIN = tuple(map(Fraction, ("1", "2", "0.1", "0.25", "0.5")))
"""Numbers that are easy to put into a formula by hand."""
_TENTHS = (9, 3, 5, 7, 1)

Point: TypeAlias = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Range:
    """A variable's domain: inclusive bounds for integers, open ones for reals."""

    name: str
    integer: bool
    low: Fraction
    high: Fraction
    aliases: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether no value lies in it."""
        low, high = self.whole_bounds
        return low > high if self.integer else self.low >= self.high

    @property
    def whole_bounds(self) -> tuple[int, int]:
        """The least and the largest integer within."""
        return ceil(self.low), floor(self.high)


def spellings(ranges: Sequence[Range]) -> dict[str, str]:
    """Map every spelling's `key` to the declared name; a declared name beats an alias."""
    aliases = {key(alias): r.name for r in ranges for alias in r.aliases}
    return aliases | {key(r.name): r.name for r in ranges}


def points(ranges: Sequence[Range], seed: str) -> list[Point]:
    """About 50 points of the domain: round ones first and smallest first, for a counterexample
    that is easy to follow; then the corners; then random ones."""
    random = Random(seed)  # noqa: S311  (nothing secret hangs on it)
    names = [r.name for r in ranges]
    some = _smallest_first([_round_values(r) for r in ranges])[:_ROUND_POINTS]
    corners = _smallest_first([_bounds(r) for r in ranges])
    if len(corners) > _CORNERS:
        corners = random.sample(corners, _CORNERS)
    any_where = [tuple(_random_value(r, random) for r in ranges) for _ in range(_RANDOM_POINTS)]
    distinct = dict.fromkeys([*some, *corners, *any_where])
    return [dict(zip(names, values, strict=True)) for values in distinct]


def _smallest_first(values: Sequence[Sequence[Fraction]]) -> list[tuple[Fraction, ...]]:
    """Every combination, those of early values first; bounded for many variables."""
    most = next(n for n in (5, 3, 2, 1) if n ** len(values) <= 1000 or n == 1)
    ranked = product(*(list(enumerate(column[:most])) for column in values))
    by_rank = sorted(ranked, key=lambda row: sum(rank for rank, _ in row))
    return [tuple(value for _, value in row) for row in by_rank]


def _round_values(r: Range) -> list[Fraction]:
    if not r.integer:
        plain = [value for value in _PLAIN if r.low < value < r.high][:3]
        tenths = [r.low + (r.high - r.low) * Fraction(tenth, 10) for tenth in _TENTHS]
        return list(dict.fromkeys([*plain, *tenths]))
    low, high = r.whole_bounds
    wanted = (low + 2, low + 1, low, low + 8, low + 48)
    return list(dict.fromkeys(Fraction(min(value, high)) for value in wanted))


def _bounds(r: Range) -> list[Fraction]:
    if r.integer:
        low, high = r.whole_bounds
        return list(dict.fromkeys([Fraction(low), Fraction(high)]))
    step = (r.high - r.low) * _NEAR_A_BOUND
    return [r.low + step, r.high - step]


def _random_value(r: Range, random: Random) -> Fraction:
    """Mostly even over the domain, now and then close to a bound."""
    scale = Fraction(1, 10 ** random.choice((0, 0, 0, 1, 2)))
    if r.integer:
        low, high = r.whole_bounds
        return Fraction(random.randint(low, low + int((high - low) * scale)))
    step = (r.high - r.low) * scale * Fraction(random.randint(1, 10**4 - 1), 10**4)
    return r.low + step if random.random() < 0.5 else r.high - step
