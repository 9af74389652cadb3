"""Tolerances drawn: how far right answers to each criterion lie from the reference, and the nearest
wrong one, on a logarithmic scale in units of the tolerance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup

from grader.verification import Spread

_LEFT, _PLOT, _RIGHT, _TOP, _ROW = 228, 470, 22, 30, 24
_LONGEST = 30
"""Characters of a criterion's id that are drawn; the table has it whole."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def plot(spreads: Sequence[Spread]) -> Markup:
    """Draw the spreads as an SVG; the table beside it says the same in words."""
    low, high = _range(spreads)
    height = _TOP + _ROW * len(spreads) + 6

    def x(distance: float | None) -> float:
        """The left end for none at all, the right end for what no tolerance reaches."""
        power = high if distance is None else math.log10(distance) if distance > 0 else low
        return _LEFT + (min(max(power, low), high) - low) / (high - low) * _PLOT

    drawn = [*_scale(low, high, height, x(1.0))]
    for row, spread in enumerate(spreads):
        y = _TOP + _ROW * row + _ROW // 2
        drawn += _spread(spread, y, x)
    width = _LEFT + _PLOT + _RIGHT
    return Markup(
        '<svg class="spreads" role="img" aria-label="{}" viewBox="0 0 {} {}">{}</svg>'
    ).format(_spoken(spreads), width, height, Markup("").join(drawn))


def _range(spreads: Sequence[Spread]) -> tuple[int, int]:
    """Powers of ten that hold everything, within what doubles can differ by."""
    known = [s.honest for s in spreads] + [s.wrong for s in spreads]
    powers = [math.log10(d) for d in known if d is not None and 0 < d < math.inf]
    low = math.floor(min([-2.0, *powers]))
    high = math.ceil(max([2.0, *powers]))
    return max(low, -18), min(high, 18)


def _scale(low: int, high: int, height: int, one: float) -> Iterator[Markup]:
    step = max(1, math.ceil((high - low) / 8))
    for power in range(low, high + 1):
        if power % step:
            continue
        x = _LEFT + (power - low) / (high - low) * _PLOT
        words = "tolerance" if power == 0 else f"10{str(power).translate(_SUPERSCRIPTS)}"
        yield Markup('<rect class="grid" x="{:.1f}" y="{}" width="1" height="{}"/>').format(
            x, _TOP - 6, height - _TOP
        )
        yield Markup('<text class="axis" x="{:.1f}" y="{}">{}</text>').format(x, _TOP - 13, words)
    yield Markup('<rect class="one" x="{:.1f}" y="{}" width="2" height="{}"/>').format(
        one - 0.5, _TOP - 6, height - _TOP
    )


def _spread(spread: Spread, y: int, x: Callable[[float | None], float]) -> Iterator[Markup]:
    name = spread.criterion
    name = name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…"
    single = " (float32)" if spread.precision == "float32" else ""
    row = Markup('<text class="row" x="{}" y="{}">{}{}</text>')
    yield row.format(_LEFT - 12, y + 4, name, single)
    honest = x(spread.honest)
    reach = Markup('<rect class="reach" x="{}" y="{}" width="{:.1f}" height="4"/>')
    yield reach.format(_LEFT, y - 2, honest - _LEFT)
    dot = Markup('<path class="honest" d="M{:.1f} {}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0"/>')
    yield dot.format(honest - 5, y)
    if spread.wrong is not None:
        cross = Markup('<path class="wrong" d="M{:.1f} {}l8 8m0 -8l-8 8"/>')
        yield cross.format(x(spread.wrong) - 4, y - 4)


def _spoken(spreads: Sequence[Spread]) -> str:
    fitting = sum(
        s.honest is not None and s.honest <= 1 and (s.wrong is None or s.wrong > 1) for s in spreads
    )
    return (
        "For each criterion, how far right answers and the nearest wrong one lie from the "
        f"reference, in units of the tolerance. In {fitting} of {len(spreads)} the tolerance lies "
        "between them. The table has the numbers."
    )
