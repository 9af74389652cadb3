"""Clues from the type and the shape of a returned value: right values in the wrong shape."""

from __future__ import annotations

import numpy as np

from grader.checks.closeness import Tolerance, compare, numbers
from grader.value import Opaque, Plain, describe

_TYPE_HINTS = {
    "function": "Did you forget to call a function?",
    "method": "Did you forget to call a function?",
    "builtin_function_or_method": "Did you forget to call a function?",
    "generator": "A generator gives its values only when asked: return an array of them.",
    "map": "`map` gives its values only when asked: return an array of them.",
    "filter": "`filter` gives its values only when asked: return an array of them.",
    "zip": "`zip` gives its values only when asked: return an array of them.",
    "set": "A set keeps no order: return an array.",
    "Tensor": "Return a numpy array.",
}


_MOST_PARTS = 1000
"""Of so many rows or columns nobody is told which one is right, and to look takes seconds."""


def agree(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> bool:
    """Tell whether two arrays have one shape and close values."""
    return got.shape == wanted.shape and compare(got, wanted, tolerance).close


def asked(expected: Plain) -> str:
    """Name what was asked: ``an array of shape (3,)``, ``a number``, ``a tuple of 2``."""
    array = numbers(expected)
    if array is None:
        return describe(expected)
    return f"an array of shape {array.shape}" if array.ndim else "a single number"


def type_hint(value: Opaque) -> str:
    """What to do about a returned object that is not plain data, or "" if that is not known."""
    return _TYPE_HINTS.get(value.type_name.rpartition(".")[2], "")


def clue(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance, type_name: str = "") -> str:
    """Say how a shape is wrong, and whether the values in it are right."""
    if not got.size and wanted.size:
        return f"It returned an empty array (shape {got.shape}) where {asked(wanted)} was asked."
    mend = _mend(got, wanted, tolerance, type_name)
    if mend:
        return f"The values are right, but {_mismatch(got, wanted)}: {mend}."
    repeated = _repeated(got, wanted, tolerance)
    if repeated:
        return f"{_capital(_mismatch(got, wanted))}: {repeated}."
    return f"{_capital(_mismatch(got, wanted))}, and the values differ too."


def _mend(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance, type_name: str) -> str:
    """What would give right values their shape, or "" where the values are wrong."""
    if got.size != wanted.size or not wanted.size:
        return ""
    if agree(got.reshape(wanted.shape), wanted, tolerance):
        return _reshape(wanted, type_name)
    if got.ndim >= 2 and agree(got.T, wanted, tolerance):
        return "it is transposed, so return `.T`"
    return ""


def _reshape(wanted: np.ndarray, type_name: str) -> str:
    if type_name.rpartition(".")[2] == "matrix":
        return "a `np.matrix` always has two dimensions, so use `np.asarray(…).ravel()`"
    # Functions rather than methods: the value may as well be a list, or a plain number.
    if wanted.ndim == 0:
        return "use `np.asarray(…).item()`"
    if wanted.ndim == 1:
        return "use `np.ravel(…)`"
    return f"use `np.reshape(…, {wanted.shape})`"


def _repeated(got: np.ndarray, wanted: np.ndarray, tolerance: Tolerance) -> str:
    """Right values within an array of one dimension too many."""
    if got.ndim != wanted.ndim + 1 or not wanted.size or max(got.shape) > _MOST_PARTS:
        return ""
    for name, parts in (("row", got), ("column", np.moveaxis(got, -1, 0))):
        if len(parts) and parts.shape[1:] == wanted.shape:
            right = [i for i, part in enumerate(parts) if agree(part, wanted, tolerance)]
            if len(right) == len(parts):
                return f"every {name} of it holds the right values, so return one of them"
            if right:
                return f"its {name} {right[0]} holds the right values (counted from 0)"
    return ""


def _mismatch(got: np.ndarray, wanted: np.ndarray) -> str:
    was = f"the shape is {got.shape}" if got.ndim else "it is a single number"
    return f"{was} where {wanted.shape if wanted.ndim else 'a single number'} was asked"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
