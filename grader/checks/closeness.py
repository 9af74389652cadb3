"""Whether a returned value is close to the expected one: shape first, then element by element.

The rule is |returned − expected| ≤ atol + rtol·|expected|, so the tolerance follows the expected
value alone; nothing broadcasts, and what is not finite is close only to its like.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from grader.value import Plain, as_array, is_numeric

_DOUBLE = np.dtype(np.float64)


class Tolerance(NamedTuple):
    """How far apart two numbers may be."""

    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class Gap:
    """How far a returned value is from the expected one.

    `max_error` is the largest |returned − expected|: of all elements when close, of those out of
    tolerance when not; None where no difference can be taken.  `where` is its index, None for a
    single number.
    """

    close: bool
    max_error: float | None = None
    where: tuple[int, ...] | None = None


APART = Gap(False)
EXACT = Tolerance(0.0, 0.0)


def compare(returned: Plain, expected: Plain, tolerance: Tolerance) -> Gap:
    """Compare a returned value with the expected one; call it under ``np.errstate(all="ignore")``.

    Lists and tuples count as arrays of their shape; where the expected value is a list, tuple or
    dict that is no array, its items are compared one by one.  A bool is not a number.
    """
    if (
        type(returned) is np.ndarray
        and type(expected) is np.ndarray
        and returned.dtype == _DOUBLE == expected.dtype
    ):
        if returned.shape != expected.shape:
            return APART
        return _elementwise(returned, expected, tolerance)
    wanted = numbers(expected)
    if wanted is None:
        return _structured(returned, expected, tolerance)
    got = numbers(returned)
    if got is None or got.shape != wanted.shape:
        return APART
    if got.dtype.kind == "c" and wanted.dtype.kind != "c":
        return APART
    return _elementwise(widened(got), widened(wanted), tolerance)


def numbers(value: Plain) -> np.ndarray | None:
    """A numeric value as an array of its natural shape, else None."""
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "iufc" else None
    array = as_array(value)
    if array is None and is_numeric(value):
        try:  # integers beyond 64 bits
            return np.asarray(value, dtype=np.float64)
        except (ValueError, TypeError, OverflowError):
            return None
    return array


def largest(value: Plain) -> float:
    """The size of the largest finite number in a numeric value; 0 where there is none."""
    array = numbers(value)
    if array is None:
        return 0.0
    sizes = np.abs(widened(array))
    return float(np.max(sizes, where=np.isfinite(sizes), initial=0.0))


def is_narrow(value: Plain) -> bool:
    """Tell whether a value is, or holds, numbers of single precision or less."""
    if isinstance(value, np.ndarray):
        kind, size = value.dtype.kind, value.dtype.itemsize
        return bool((kind == "f" and size < 8) or (kind == "c" and size < 16))
    if isinstance(value, list | tuple):
        return any(is_narrow(item) for item in value)
    if isinstance(value, dict):
        return any(is_narrow(item) for item in value.values())
    return False


def widened(array: np.ndarray) -> np.ndarray:
    """The same numbers where differences neither wrap round nor lose digits."""
    if array.dtype.kind in "iu":
        return array.astype(np.longdouble)
    if array.dtype.kind == "f":
        return array.astype(np.promote_types(array.dtype, np.float64), copy=False)
    return array.astype(np.promote_types(array.dtype, np.complex128), copy=False)


def _elementwise(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> Gap:
    if not got.size:
        return Gap(True)
    errors = np.abs(got - wanted)
    largest = float(errors.max())
    finite = largest < math.inf  # not so where anything is nan
    if finite and largest <= tolerance.atol:
        return Gap(True, largest)
    close = errors <= tolerance.atol + tolerance.rtol * np.abs(wanted)
    if finite:
        return Gap(True, largest) if close.all() else _worst(errors, close)
    return _with_oddities(got, wanted, errors, close)


def _with_oddities(
    got: np.ndarray, wanted: np.ndarray, errors: np.ndarray, close: np.ndarray
) -> Gap:
    """Judge arrays with nan or inf: those are close only to the same, in the same place."""
    finite = np.isfinite(errors)  # inf − 5 ≤ rtol·inf would hold
    both_nan = np.isnan(got) & np.isnan(wanted)
    alike = ~np.isfinite(wanted) & ((got == wanted) | both_nan)
    close = (close & finite) | alike
    if not close.all():
        return _worst(errors, close)
    return Gap(True, float(np.max(errors, where=finite, initial=0.0)))


def _worst(errors: np.ndarray, close: np.ndarray) -> Gap:
    """The largest error out of tolerance; the first nan counts as the largest."""
    flat = int(np.where(close, -1.0, errors).argmax())
    where = tuple(int(i) for i in np.unravel_index(flat, errors.shape))
    return Gap(False, float(errors[where]), where or None)


def _structured(returned: Plain, expected: Plain, tolerance: Tolerance) -> Gap:
    if isinstance(expected, list | tuple):
        if not isinstance(returned, list | tuple) or len(returned) != len(expected):
            return APART
        gaps = [compare(r, e, tolerance) for r, e in zip(returned, expected, strict=True)]
        return _first_apart(gaps)
    if isinstance(expected, dict):
        if not isinstance(returned, dict) or returned.keys() != expected.keys():
            return APART
        gaps = [compare(returned[key], expected[key], tolerance) for key in expected]
        return _first_apart(gaps, indexed=False)
    return Gap(_same_truth(returned, expected))


def _first_apart(gaps: list[Gap], *, indexed: bool = True) -> Gap:
    for i, gap in enumerate(gaps):
        if not gap.close:
            where = (i, *(gap.where or ())) if indexed else None
            return Gap(False, gap.max_error, where)
    known = [gap.max_error for gap in gaps if gap.max_error is not None]
    return Gap(True, max(known, default=None))


def _same_truth(returned: Plain, expected: Plain) -> bool:
    """Equality of what is not a number: booleans and arrays of them, text, None."""
    if isinstance(expected, bool | np.ndarray):
        wanted, got = np.asarray(expected), _truths(returned)
        return got is not None and got.shape == wanted.shape and bool((got == wanted).all())
    return type(returned) is type(expected) and bool(returned == expected)


def _truths(value: Plain) -> np.ndarray | None:
    if not isinstance(value, bool | np.ndarray | list | tuple):
        return None
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.dtype.kind == "b" else None
