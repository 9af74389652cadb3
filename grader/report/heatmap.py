"""A failing case's arrays as heat maps in SVG: what was returned beside what was expected.

Colours are CSS classes, so that one drawing serves the light and the dark theme; every cell holds
its number, and the whole has a text alternative.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from grader.report.values import place, short
from grader.result import Counterexample
from grader.value import Plain, as_array

LEVELS = 10
_CELLS, _COLUMNS, _ROWS = 256, 32, 24
_HEIGHT, _GAP, _INDEX, _CHARACTER = 30, 2, 18, 7.0
_SWATCHES = "".join(
    f'<rect class="h{level}" x="{level * 14}" width="14" height="10"/>' for level in range(LEVELS)
)
_SWATCHES = f'<svg aria-hidden="true" width="{14 * LEVELS}" height="10">{_SWATCHES}</svg>'


@dataclass(frozen=True, slots=True)
class _Grid:
    """One table of numbers to draw, with its row names and the box around the worst entry."""

    title: str
    cells: np.ndarray
    rows: Sequence[str]
    worst: tuple[int, int, int] | None
    """First row, column, and number of rows of the box."""


def figure(case: Counterexample) -> Markup | None:
    """Draw a case's returned (and expected) array; None where they are not modest real arrays."""
    returned = _drawable(case.returned) if case.has_returned else None
    expected = _drawable(case.expected) if case.has_expected else None
    if returned is None or max(returned.size, 0 if expected is None else expected.size) < 2:
        return None
    grids = tuple(_grids(returned, expected, case.where))
    low, high = _range([grid.cells for grid in grids])
    label = _alternative(case, returned, expected)
    drawn = "".join(_svg(grid, low, high, label) for grid in grids)
    # Made of numbers and our own words alone, so nothing in it needs escaping.
    return Markup(f'<div class="maps">{drawn}</div>{_scale(low, high)}')  # noqa: S704


def _drawable(value: Plain) -> np.ndarray | None:
    array = as_array(value) if isinstance(value, np.ndarray | list) else None
    if array is None or array.ndim not in (1, 2) or array.dtype.kind == "c":
        return None
    rows, columns = (1, *array.shape)[-2:]
    small = array.size <= _CELLS and columns <= _COLUMNS and rows <= _ROWS
    return array.astype(float) if small and array.size else None


def _grids(
    returned: np.ndarray, expected: np.ndarray | None, where: tuple[int, ...] | None
) -> Iterator[_Grid]:
    if expected is not None and returned.ndim == 1 and returned.shape == expected.shape:
        both = np.stack([returned, expected])
        worst = (0, where[0], 2) if _inside(where, returned) and where else None
        yield _Grid("", both, ("returned", "expected"), worst)
        return
    for word, array in (("returned", returned), ("expected", expected)):
        if array is not None:
            yield _single(word, array, where if _inside(where, array) else None)


def _single(word: str, array: np.ndarray, where: tuple[int, ...] | None) -> _Grid:
    cells = np.atleast_2d(array)
    rows = [str(i) for i in range(len(cells))] if array.ndim == 2 else [""]
    worst = ((0, *where)[-2], where[-1], 1) if where else None
    shape = " × ".join(map(str, array.shape))
    return _Grid(f"{word}, {shape}", cells, rows, worst)


def _inside(where: tuple[int, ...] | None, array: np.ndarray) -> bool:
    return (
        where is not None
        and len(where) == array.ndim
        and all(0 <= i < n for i, n in zip(where, array.shape, strict=True))
    )


def _range(arrays: Sequence[np.ndarray]) -> tuple[float, float]:
    """The ends of the colour scale: from 0 for what is never negative, as weights are."""
    values = np.concatenate([array.ravel() for array in arrays])
    values = values[np.isfinite(values)]
    if not values.size:
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    return (0.0 if low >= 0 else low), high


def _level(value: float, low: float, high: float) -> int:
    span = high / 2 - low / 2  # halves, so that it stays finite; of the smallest numbers it is 0
    if span <= 0:
        return 0
    return min(int((value / 2 - low / 2) / span * LEVELS), LEVELS - 1)


def _svg(grid: _Grid, low: float, high: float, label: str) -> str:
    words = [[short(v) for v in row] for row in grid.cells.tolist()]
    cell = max(40, 8 + round(_CHARACTER * max(len(w) for row in words for w in row)))
    left = round(_CHARACTER * max(map(len, grid.rows))) + (8 if any(grid.rows) else 0)
    top = _INDEX + (20 if grid.title else 0)
    rows, columns = grid.cells.shape
    inner = max(columns * (cell + _GAP), round(_CHARACTER * len(grid.title)))
    width, height = left + inner + 4, top + rows * (_HEIGHT + _GAP) + 4
    parts = [*_axes(grid, left, top, cell), *_cells(grid, words, (low, high), (left, top, cell))]
    if grid.worst:
        parts.append(_box(grid.worst, left, top, cell))
    size = f'width="{width}" height="{height}"'
    return f'<svg class="map" role="img" aria-label="{label}" {size}>{"".join(parts)}</svg>'


def _axes(grid: _Grid, left: int, top: int, cell: int) -> Iterator[str]:
    if grid.title:
        yield f'<text class="name" x="{left}" y="13">{grid.title}</text>'
    for column in range(grid.cells.shape[1]):
        x = left + column * (cell + _GAP) + cell // 2
        yield f'<text class="axis" x="{x}" y="{top - 6}">{column}</text>'
    for row, name in enumerate(grid.rows):
        if name:
            y = top + row * (_HEIGHT + _GAP) + 20
            yield f'<text class="row" x="{left - 8}" y="{y}">{name}</text>'


def _cells(
    grid: _Grid, words: list[list[str]], ends: tuple[float, float], at: tuple[int, int, int]
) -> Iterator[str]:
    left, top, cell = at
    for row, values in enumerate(grid.cells.tolist()):
        y = top + row * (_HEIGHT + _GAP)
        for column, value in enumerate(values):
            x = left + column * (cell + _GAP)
            level = _level(value, *ends) if math.isfinite(value) else "x"
            middle, word = x + cell // 2, words[row][column]
            yield (
                f'<rect class="h{level}" x="{x}" y="{y}" width="{cell}" height="{_HEIGHT}"/>'
                f'<text class="t{level}" x="{middle}" y="{y + 20}">{word}</text>'
            )


def _box(worst: tuple[int, int, int], left: int, top: int, cell: int) -> str:
    row, column, rows = worst
    x, y = left + column * (cell + _GAP) - 1, top + row * (_HEIGHT + _GAP) - 1
    height = rows * (_HEIGHT + _GAP)
    return f'<rect class="worst" x="{x}" y="{y}" width="{cell + 2}" height="{height}"/>'


def _scale(low: float, high: float) -> str:
    return f'<p class="scale"><span>{short(low)}</span> {_SWATCHES} <span>{short(high)}</span></p>'


def _alternative(case: Counterexample, returned: np.ndarray, expected: np.ndarray | None) -> str:
    beside = " beside what was expected" if expected is not None else ""
    words = [f"Heat map of what was returned{beside}."]
    if case.where is not None and _inside(case.where, returned):
        at = place(case.where)
        words.append(f"The largest error is {at}, where {short(float(returned[case.where]))}")
        if expected is not None and expected.shape == returned.shape:
            words[-1] += f" was returned and {short(float(expected[case.where]))} expected."
        else:
            words[-1] += " was returned."
    words.append("The values in full are written beside it.")
    return " ".join(words)
