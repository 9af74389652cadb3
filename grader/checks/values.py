"""Clues from the numbers in a returned array of the right shape: what turns them into the right
ones.
"""

from __future__ import annotations

import math

import numpy as np

from grader.checks.closeness import Gap, Tolerance, compare
from grader.value import show

_SINGLE = 5e-6
"""Relative error up to which wrong digits look like single precision."""
_DECIMALS = 9
"""Rounding to fewer decimals than this is told from other errors."""
_EXACT = 1e-9
"""Relative error up to which a factor or an offset explains a whole array."""


def clue(
    got: np.ndarray, wanted: np.ndarray, gap: Gap, tolerance: Tolerance, *, cut_off: bool = False
) -> str:
    """Say what is wrong with an array of the right shape, and where it is worst.

    `cut_off` tells that an argument was an integer array, which makes cut-off fractions likely.
    """
    if got.dtype.kind == "c" and wanted.dtype.kind != "c":
        return _complex(got)
    whole = cut_off or got.dtype.kind in "iu"
    got, wanted = _doubles(got), _doubles(wanted)
    odd = _oddities(got, wanted)
    if odd.any():
        return _not_finite(got, wanted, odd)
    pattern = ""
    if np.isfinite(wanted).all():
        pattern = (
            (_whole_numbers(got, wanted) if whole else "")
            or _reordered(got, wanted, tolerance)
            or _multiple(got, wanted)
            or _shifted(got, wanted)
            or _rounded(got, wanted)
            or _single_precision(got, wanted)
        )
    return f"{pattern} {_worst(got, wanted, gap, tolerance)}".strip()


def _doubles(array: np.ndarray) -> np.ndarray:
    """The numbers in double precision, which is enough to describe them."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)


def _oddities(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Where one of two arrays has nan or inf and the other has not the same."""
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    return np.asarray(~same & ~(np.isfinite(got) & np.isfinite(wanted)))


def _complex(got: np.ndarray) -> str:
    said = "It returned complex numbers where real ones were asked"
    return f"{said} (their imaginary parts are all 0)." if not got.imag.any() else f"{said}."


def _not_finite(got: np.ndarray, wanted: np.ndarray, odd: np.ndarray) -> str:
    first = _index(int(np.argmax(odd)), odd.shape)
    many = f" ({int(odd.sum())} of {got.size} elements{first})" if got.size > 1 else ""
    was, asked = _kind(got[odd]), _kind(wanted[odd])
    said = f"It returned {was or 'a finite number'} where {asked or 'a number'} was asked{many}."
    if asked:
        return said
    return f"{said} Such values come from numbers that grow too large, or from 0/0; look for where."


def _kind(array: np.ndarray) -> str:
    """``nan``, ``inf`` or ``nan and inf``: what is in an array besides numbers."""
    kinds = {"nan": np.isnan(array).any(), "inf": np.isinf(array).any()}
    return " and ".join(kind for kind, there in kinds.items() if there)


def _whole_numbers(got: np.ndarray, wanted: np.ndarray) -> str:
    if "c" in (got.dtype.kind, wanted.dtype.kind) or (wanted == np.trunc(wanted)).all():
        return ""
    if not any((got == rounded(wanted)).all() for rounded in (np.trunc, np.floor)):
        return ""
    return (
        "The fractions are cut off: an array of integers (as from `empty_like` or `zeros_like` of "
        "an integer array), `//` or `int` holds whole numbers only; ask for `dtype=float`."
    )


def _reordered(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> str:
    if got.size < 3 or "c" in (got.dtype.kind, wanted.dtype.kind):
        return ""  # two numbers are swapped by many a mistake
    if got.ndim == 2 and got.shape == wanted.shape[::-1] and _close(got.T, wanted, tolerance):
        return "It is transposed: return `.T`."
    if _close(got[::-1], wanted, tolerance):
        return "The values are right, but in reversed order."
    if _close(np.sort(got, axis=None), np.sort(wanted, axis=None), tolerance):
        return "The values are right, but in another order."
    return ""


def _multiple(got: np.ndarray, wanted: np.ndarray) -> str:
    if np.count_nonzero(wanted) < 2:
        return ""
    pivot = _index_of_largest(wanted)
    factor = got[pivot] / wanted[pivot]
    scale = Tolerance(_EXACT, 1e-12 * float(np.abs(got[pivot])))
    if not factor or factor == 1 or not _close(got, factor * wanted, scale):
        return ""
    if factor == -1:
        return "Every value has the wrong sign."
    return f"Every value is {_factor(factor)} times the expected one."


def _shifted(got: np.ndarray, wanted: np.ndarray) -> str:
    if got.size < 2 or "c" in (got.dtype.kind, wanted.dtype.kind):
        return ""
    offset = float(np.mean(got - wanted))
    scale = Tolerance(0.0, _EXACT * max(abs(offset), float(np.abs(wanted).max())))
    if abs(offset) <= 1e3 * scale.atol or not _close(got, wanted + offset, scale):
        return ""
    return f"Every value is too {'large' if offset > 0 else 'small'} by {show(abs(offset))}."


def _rounded(got: np.ndarray, wanted: np.ndarray) -> str:
    if "c" in (got.dtype.kind, wanted.dtype.kind) or (got == np.trunc(got)).all():
        return ""  # whole numbers have other causes
    for decimals in range(1 if got.size > 1 else 2, _DECIMALS):
        if _close(got, np.round(wanted, decimals), Tolerance(1e-12, 1e-12)):
            many = f"{decimals} decimal{'s' * (decimals > 1)}"
            return f"The values are rounded to {many}: return them unrounded."
    return ""


def _single_precision(got: np.ndarray, wanted: np.ndarray) -> str:
    scale = float(np.abs(wanted).max())
    if not _close(got, wanted, Tolerance(_SINGLE, _SINGLE * min(scale, 1.0))):
        return ""
    return (
        "The values agree to about seven digits, as in single precision (float32), or with a "
        "rounded or approximate formula: compute in float64."
    )


def _worst(got: np.ndarray, wanted: np.ndarray, gap: Gap, tolerance: Tolerance) -> str:
    """Where the largest error is, and how many elements are out of tolerance."""
    where = gap.where or ()
    index = f" at index {_brackets(where)}" if where else ""
    pair = f"{_number(got[where])} where {_number(wanted[where])} was expected"
    if got.size == 1:
        return f"It returned {pair}."
    off = int((np.abs(got - wanted) > tolerance.atol + tolerance.rtol * np.abs(wanted)).sum())
    many = f"{off} of {got.size} elements {'is' if off == 1 else 'are'} off"
    return f"It returned {pair}{index}, the largest error; {many}."


def _close(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> bool:
    return compare(got, wanted, tolerance).close


def _index_of_largest(array: np.ndarray) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(np.abs(array))), array.shape))


def _index(flat: int, shape: tuple[int, ...]) -> str:
    place = np.unravel_index(flat, shape)
    return f", the first at index {_brackets(tuple(int(i) for i in place))}" if shape else ""


def _brackets(where: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, where))}]"


def _number(number: np.generic) -> str:
    return show(number.item())


def _factor(factor: np.generic) -> str:
    """A factor as whoever made the mistake would write it: 1/3, √2, or its digits."""
    if isinstance(factor.item(), complex):
        return show(factor.item())
    size, sign = np.float64(abs(float(factor))), "−" if float(factor) < 0 else ""
    for exponent, mark in ((1, ""), (2, "√")):
        for power, form in ((size**exponent, "{}{}"), (size**-exponent, "1/{}{}")):
            whole = round(power) if power < 1e4 else 0
            if whole and math.isclose(power, whole, rel_tol=1e-9):
                return sign + form.format(mark, whole)
    return sign + (f"{size:.12g}" if math.isclose(size, 1, rel_tol=1e-4) else f"{size:.6g}")
