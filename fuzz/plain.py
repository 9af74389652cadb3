"""Plain data, told and compared without any of the grader's own code."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.oracle import require

_SCALARS = (type(None), bool, int, float, complex, str)
_DTYPES = frozenset("?bBhHiIlLqQefdFD")
"""numpy's letters for booleans, integers, and floating-point numbers up to 8 bytes a component."""
_DEEPEST = 64


def require_plain(value: Any, depth: int = 0) -> int:
    """Require plain data of exact types all through; return the bytes that its arrays hold."""
    kind = type(value)
    if kind in _SCALARS:
        return 0
    require(depth <= _DEEPEST, "nested deeper than any sender nests")
    if isinstance(value, np.ndarray):
        require(kind is np.ndarray, f"a subclass of array: {kind}")
        require(value.dtype.char in _DTYPES, f"an array of {value.dtype}")
        require(value.flags.owndata and value.flags.writeable, "an array of another's memory")
        return value.nbytes
    if kind is list or kind is tuple:
        return sum(require_plain(item, depth + 1) for item in value)
    require(kind is dict, f"not plain data: {kind}")
    require(all(type(key) is str for key in value), "a key that is no text")
    return sum(require_plain(item, depth + 1) for item in value.values())


def identical(a: Any, b: Any) -> bool:
    """Tell whether two plain values are the same, to the last bit (any NaN is like any other)."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        alike = a.dtype == b.dtype and a.shape == b.shape
        return bool(alike and a.tobytes() == b.tobytes())
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(identical, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(map(identical, a.values(), b.values()))
    if isinstance(a, complex):
        return identical(a.real, b.real) and identical(a.imag, b.imag)
    if isinstance(a, float):
        return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))
    return bool(a == b)
