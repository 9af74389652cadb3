"""Values as Python code that can be pasted and run: the arguments and answers of a failing case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.result import Counterexample
from grader.value import Plain, cut, show

_WHOLE = 400
"""Arrays of up to so many elements are written whole."""
_PLAIN_DTYPES = frozenset({"float64", "int64", "bool"})
_READABLE = 8
"""Significant digits that are enough to read a difference."""
_BITS = 10_000
"""Integers beyond this cannot be written in decimal in reasonable time."""


def as_code(value: Plain, *, limit: int = 4000, digits: int = 17) -> str:
    """Write a value as Python code; large ones cut in the middle.

    With 17 `digits` a pasted number is exactly the number; fewer are easier to read.
    """
    if isinstance(value, np.ndarray) and value.ndim in (1, 2) and 0 < value.size <= _WHOLE:
        return cut(_array(value, digits), limit)
    if _is_row(value):
        inner = ", ".join(_number(item, digits) for item in value)
        return cut(f"[{inner}]" if isinstance(value, list) else _tuple(inner, len(value)), limit)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value, digits)
    return show(cut(value, limit) if isinstance(value, str) else value, limit=limit)


def side_by_side(returned: Plain, expected: Plain) -> tuple[str, str]:
    """Write two values in few digits, or in all where few would make them look the same."""
    pair = as_code(returned, digits=_READABLE), as_code(expected, digits=_READABLE)
    return pair if pair[0] != pair[1] else (as_code(returned), as_code(expected))


def snippet(case: Counterexample) -> str:
    """Write a case as a few lines that make the failing call when pasted below the solution."""
    lines = [
        f"{name} = {_indented(as_code(value), len(name) + 3)}" for name, value in case.arguments
    ]
    return "\n".join([*lines, case.call])


def place(where: Sequence[int]) -> str:
    """Name an index in words, counting from 0 as the code does."""
    if len(where) == 1:
        return f"at index {where[0]}"
    if len(where) == 2:
        return f"in row {where[0]}, column {where[1]}"
    return f"at index {tuple(where)}" if where else ""


def short(number: float) -> str:
    """Write a number in three digits (whole ones in up to five), for the inside of a cell."""
    if 1000 <= abs(number) < 100_000:
        return f"{number:.0f}"
    return f"{number:.3g}".replace("e-0", "e-").replace("e+0", "e+").replace("e+", "e")


def _is_row(value: Plain) -> bool:
    if not isinstance(value, list | tuple) or not 0 < len(value) <= _WHOLE:
        return False
    return all(isinstance(item, int | float) and not isinstance(item, bool) for item in value)


def _tuple(inner: str, length: int) -> str:
    return f"({inner},)" if length == 1 else f"({inner})"


def _number(number: Any, digits: int) -> str:
    if isinstance(number, int) and number.bit_length() > _BITS:
        return f"<an integer of {number.bit_length()} bits>"
    if not isinstance(number, float):
        return repr(number)
    if not math.isfinite(number):
        return "-np.inf" if number < 0 else f"np.{number!r}"
    exact = repr(number)
    return exact if len(exact) <= digits else repr(float(f"{number:.{digits}g}"))


def _array(array: np.ndarray, digits: int) -> str:
    """``np.array([[1.0, 2.0],`` … with its columns aligned and its dtype where not the usual."""
    if array.dtype.kind == "f" and array.dtype != np.float64:
        words = [_shortest(item) for item in array.ravel()]
    else:
        words = [_number(item, digits) for item in array.ravel().tolist()]
    columns = array.shape[-1]
    rows = [words[i : i + columns] for i in range(0, len(words), columns)]
    dtype = "" if str(array.dtype) in _PLAIN_DTYPES else f", dtype=np.{array.dtype}"
    if array.ndim == 1:
        return f"np.array([{', '.join(words)}]{dtype})"
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = (
        ", ".join(word.rjust(width) for word, width in zip(row, widths, strict=True))
        for row in rows
    )
    body = "],\n          [".join(padded)
    return f"np.array([[{body}]]{dtype})"


def _shortest(item: Any) -> str:
    """A float32's or float16's own shortest digits, not those of the double next to it."""
    return str(item) if np.isfinite(item) else _number(float(item), 17)


def _indented(code: str, by: int) -> str:
    return code.replace("\n", "\n" + " " * by)
