"""Reading what a student's function returned, before a property of it is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grader import Returned, as_array, show

SLACK = 1e-4
"""Above what a sound solver loses to rounding, even in single precision; far below any mistake."""


def numbers(value: object, count: int) -> np.ndarray | None:
    """The value as `count` real numbers in a row, whatever holds them; None if it is not that."""
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
    numerals = f"{count} finite number{'s' * (count != 1)}"
    return f"This should be {numerals}, but it is {show(value)}."


def pairs(results: Sequence[Returned]) -> Iterator[tuple[Returned, Returned]]:
    """Each input with its twin: the generators of pairs yield them one after the other."""
    return zip(results[::2], results[1::2], strict=True)


def differ(a: np.ndarray, b: np.ndarray) -> bool:
    """Tell whether two arrays differ by more than rounding."""
    return not np.allclose(a, b, rtol=SLACK, atol=SLACK * np.abs(b).max())
