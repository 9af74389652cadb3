"""Plain values: the only things that cross the sandbox's border, and how they are shown.

`Plain` is None, bool, int, float, complex, str, numpy arrays of a numeric or boolean dtype, and
lists, tuples and string-keyed dicts of these.  What a student returned that is none of these
arrives as an `Opaque`, which knows only the name of its type.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np


@dataclass(frozen=True, slots=True)
class Opaque:
    """A returned object that is not plain data; `type_name` is like ``builtins.generator``."""

    type_name: str


Plain: TypeAlias = Any
"""None | bool | int | float | complex | str | ndarray | list | tuple | dict[str, Plain] | Opaque
(a recursive alias that mypy cannot usefully check against numpy's types)."""

Json: TypeAlias = Any
"""What `json.dumps(..., allow_nan=False)` takes."""


def is_number(value: Plain) -> bool:
    """Tell whether a value is a real or complex scalar (a bool is not a number here)."""
    return isinstance(value, int | float | complex) and not isinstance(value, bool)


def is_numeric(value: Plain) -> bool:
    """Tell whether a value is a number, or an array, list or tuple that holds only numbers."""
    if isinstance(value, list | tuple):
        return all(is_numeric(item) for item in value)
    if isinstance(value, np.ndarray):
        return bool(value.dtype.kind in "iufc")
    return is_number(value)


def as_array(value: Plain) -> np.ndarray | None:
    """Rebuild a numeric value as an array of its natural shape; None if it has none (ragged)."""
    if not is_numeric(value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    return array if array.dtype.kind in "iufc" else None


def same(a: Plain, b: Plain, *, rtol: float = 1e-9, atol: float = 1e-12) -> bool:
    """Tell whether two values have one container type, one shape and equal contents.

    Numbers agree within ``atol + rtol·|b|``; nan equals nan.  dtype is not compared.
    """
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.shape != b.shape:
            return False
        if a.dtype.kind in "iufc" and b.dtype.kind in "iufc":
            return bool(np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True))
        return bool(a.dtype.kind == b.dtype.kind and np.array_equal(a, b))
    if is_number(a) and is_number(b):
        return _same_number(a, b, rtol, atol)
    if type(a) is not type(b):
        return False
    if isinstance(a, list | tuple):
        pairs = zip(a, b, strict=False)
        return len(a) == len(b) and all(same(x, y, rtol=rtol, atol=atol) for x, y in pairs)
    if isinstance(a, dict):
        keys = a.keys()
        return keys == b.keys() and all(same(a[k], b[k], rtol=rtol, atol=atol) for k in keys)
    return bool(a == b)


def _same_number(a: complex, b: complex, rtol: float, atol: float) -> bool:
    if a == b or (a != a and b != b):
        return True
    try:
        return bool(abs(a - b) <= atol + rtol * abs(b))
    except OverflowError:  # an integer too large for a float
        return False


def show(value: Plain, *, limit: int = 600) -> str:
    """Write a value as a student would type it, cut in the middle to about `limit` characters."""
    return cut(_show(value), limit)


def _show(value: Plain) -> str:
    if isinstance(value, Opaque):
        return f"<an object of type {value.type_name}>"
    if isinstance(value, np.ndarray):
        body = np.array2string(value, separator=", ", threshold=60, edgeitems=3, precision=8)
        return f"array({body})" if value.size else f"array([], shape={value.shape})"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k!r}: {_show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_show, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value)) + "]"
    return f"{value:.10g}" if isinstance(value, float) else repr(value)


def describe(value: Plain) -> str:
    """Name a value's type and shape in words: ``array of shape (3,)``, ``list of 3``, ``None``."""
    if value is None:
        return "None"
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, list | tuple):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, dict):
        return f"a dict of {len(value)}"
    name = type(value).__name__
    return f"an {name}" if name == "int" else f"a {name}"


def cut(text: str, limit: int) -> str:
    """Shorten text to about `limit` characters, keeping both ends and saying what was left out."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]} … ({len(text) - head - tail} characters left out) … {text[-tail:]}"


def to_json(value: Plain) -> Json:
    """Turn a plain value into JSON; arrays, tuples, complex, inf and nan become tagged objects."""
    if isinstance(value, np.ndarray):
        flat = [to_json(item) for item in value.ravel().tolist()]
        return {
            "type": "array",
            "dtype": str(value.dtype),
            "shape": list(value.shape),
            "data": flat,
        }
    if isinstance(value, Opaque):
        return {"type": "opaque", "name": value.type_name}
    if isinstance(value, tuple):
        return {"type": "tuple", "items": [to_json(item) for item in value]}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {"type": "dict", "items": {str(k): to_json(v) for k, v in value.items()}}
    if isinstance(value, complex):
        return {"type": "complex", "re": to_json(value.real), "im": to_json(value.imag)}
    if isinstance(value, float) and not math.isfinite(value):
        return {"type": "float", "value": repr(value)}
    return value


def from_json(value: Json) -> Plain:
    """The inverse of `to_json`."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    match value["type"]:
        case "array":
            flat = [from_json(item) for item in value["data"]]
            return np.array(flat, dtype=value["dtype"]).reshape(value["shape"])
        case "opaque":
            return Opaque(value["name"])
        case "tuple":
            return tuple(from_json(item) for item in value["items"])
        case "dict":
            return {k: from_json(v) for k, v in value["items"].items()}
        case "complex":
            return complex(from_json(value["re"]), from_json(value["im"]))
        case _:
            return float(value["value"])
