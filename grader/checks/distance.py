"""How far a returned value is from the expected one, in units of the tolerance.

The same rule as `closeness` judges by, as a number: for looking at a tolerance, not at a student.
"""

from __future__ import annotations

import math

import numpy as np

from grader.checks.closeness import Tolerance, compare, numbers, widened
from grader.value import Plain


def distance(returned: Plain, expected: Plain, tolerance: Tolerance) -> float:
    """The largest |returned − expected| / (atol + rtol·|expected|) over all elements.

    At most 1 just where `compare` calls the values close, up to rounding at 1 itself; inf where no
    tolerance would help: another shape or kind of value, nan or inf in one of them alone, or any
    difference where the tolerance is 0.
    """
    with np.errstate(all="ignore"):
        return _distance(returned, expected, tolerance)


def _distance(returned: Plain, expected: Plain, tolerance: Tolerance) -> float:
    wanted = numbers(expected)
    if wanted is None:
        return _structured(returned, expected, tolerance)
    got = numbers(returned)
    if got is None or got.shape != wanted.shape:
        return math.inf
    if got.dtype.kind == "c" and wanted.dtype.kind != "c":
        return math.inf
    return _elementwise(widened(got), widened(wanted), tolerance)


def _elementwise(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> float:
    alike = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    units = np.abs(got - wanted) / (tolerance.atol + tolerance.rtol * np.abs(wanted))
    # inf / inf and 0 / 0 leave nan: those are either alike or out of reach of any tolerance.
    out_of_reach = ~np.isfinite(got) | ~np.isfinite(wanted) | np.isnan(units)
    units = np.where(alike, 0.0, np.where(out_of_reach, math.inf, units))
    return float(units.max(initial=0.0))


def _structured(returned: Plain, expected: Plain, tolerance: Tolerance) -> float:
    if isinstance(expected, list | tuple):
        if not isinstance(returned, list | tuple) or len(returned) != len(expected):
            return math.inf
        pairs = zip(returned, expected, strict=True)
        return max((_distance(r, e, tolerance) for r, e in pairs), default=0.0)
    if isinstance(expected, dict):
        if not isinstance(returned, dict) or returned.keys() != expected.keys():
            return math.inf
        distances = [_distance(returned[key], expected[key], tolerance) for key in expected]
        return max(distances, default=0.0)
    return 0.0 if compare(returned, expected, tolerance).close else math.inf
