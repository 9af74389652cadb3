"""The wire format: plain data as JSON for structure and one body for the bytes of arrays.

Both sides use it: the trusted side to send arguments, the child to send what came back.  The
decoder trusts nothing: it knows a short list of dtypes, checks every size before it allocates,
and builds only plain objects.  There is no pickle, no eval, and no way to name a class.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

DTYPES = frozenset("|b1 |i1 |u1 <i2 <u2 <i4 <u4 <i8 <u8 <f2 <f4 <f8 <c8 <c16".split())
_SAFE_INT = 2**53
_MAX_INT_BITS = 12_000
_INT = re.compile(r"-?[0-9]{1,3613}")  # the digits of as many bits
_MAX_DEPTH = 60
_PLAIN_SCALARS = (type(None), bool, str)


class WireError(ValueError):
    """A message that is not of this format."""


class Unencodable(TypeError):
    """A value that is not plain data; the argument names its type."""


class Nested(Protocol):
    """A call inside an argument list (the trusted side's `Stimulus` is one)."""

    @property
    def function(self) -> str:
        """Name of the function to call."""

    @property
    def args(self) -> tuple[Any, ...]:
        """Its arguments, which may hold further calls."""


@dataclass(frozen=True)
class Call:
    """A decoded `Nested`: still to be evaluated."""

    function: str
    args: tuple[Any, ...]


def type_name(value: object) -> str:
    """A type's name as a student knows it: ``list``, ``numpy.ndarray``."""
    kind = type(value)
    module = getattr(kind, "__module__", "builtins")
    name = getattr(kind, "__qualname__", "?")
    full = name if module == "builtins" else f"{module}.{name}"
    return str(full)[:120]


class Encoder:
    """Collects values into one JSON-able tree and one body."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.size = 0

    def encode(self, value: Any, depth: int = 0) -> Any:
        """Turn a value into its tree; array bytes go to the body.

        Raises:
            Unencodable: for anything that is not plain data.
        """
        if depth > _MAX_DEPTH:
            raise Unencodable("deeply nested data")
        kind = type(value)
        if kind in _PLAIN_SCALARS:
            return value
        if kind is float:
            return value if math.isfinite(value) else {"f": repr(value)}
        if kind is int:
            return self._int(value)
        if isinstance(value, np.ndarray | np.generic):
            return self._array(np.asarray(value))
        if kind is complex:
            return {"c": [repr(value.real), repr(value.imag)]}
        if kind is list or kind is tuple:
            items = [self.encode(item, depth + 1) for item in value]
            return {"l" if kind is list else "t": items}
        if kind is dict and all(type(key) is str for key in value):
            return {"d": [[key, self.encode(item, depth + 1)] for key, item in value.items()]}
        return self._other(value, depth)

    def _other(self, value: Any, depth: int) -> Any:
        """Subclasses of plain types become the plain type; a nested call becomes its tree."""
        bases: tuple[Callable[[Any], Any], ...] = (float, int, str, list, tuple)
        for base in bases:
            if isinstance(value, base):  # type: ignore[arg-type]
                return self.encode(base(value), depth + 1)
        if hasattr(value, "function") and hasattr(value, "args"):
            arguments = [self.encode(item, depth + 1) for item in value.args]
            return {"call": [str(value.function), arguments]}
        raise Unencodable(type_name(value))

    @staticmethod
    def _int(value: int) -> Any:
        if -_SAFE_INT <= value <= _SAFE_INT:
            return value
        if value.bit_length() > _MAX_INT_BITS:
            raise Unencodable("an integer of thousands of digits")
        return {"i": str(value)}

    def _array(self, array: np.ndarray) -> Any:
        if array.dtype == np.longdouble:
            array = array.astype(np.float64)
        elif array.dtype == np.clongdouble:
            array = array.astype(np.complex128)
        dtype = array.dtype.newbyteorder("<").str
        if dtype not in DTYPES:
            raise Unencodable(f"numpy.ndarray of dtype {array.dtype}")
        data = np.ascontiguousarray(array, dtype=dtype).tobytes()
        offset = self.size
        self.chunks.append(data)
        self.size += len(data)
        return {"a": [dtype, list(array.shape), offset]}

    @property
    def body(self) -> bytes:
        """The bytes of all arrays."""
        return b"".join(self.chunks)


def dumps(tree: Any) -> bytes:
    """Write a tree as compact JSON bytes; lone surrogates survive as escapes."""
    return json.dumps(tree, separators=(",", ":"), allow_nan=False).encode("ascii")


def loads(data: bytes) -> Any:
    """Read JSON bytes.

    Raises:
        WireError: if they are not JSON, or nested too deep for the parser.
    """
    try:
        return json.loads(data, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {type(error).__name__}") from None


def _no_constant(name: str) -> None:
    """Python's parser takes NaN and Infinity for numbers; `dumps` never writes them."""
    raise ValueError(name)


def decode(tree: Any, body: bytes | memoryview) -> Any:
    """Rebuild a value from its tree; arrays are fresh, writable copies, together no larger than the
    body.

    Raises:
        WireError: for anything that `Encoder` would not have written.
    """
    return _Decoder(body).decode(tree, 0)


class _Decoder:
    """Decodes one tree.

    Each array has bytes of its own in what an `Encoder` writes.  A tree that lays many arrays over
    the same bytes would cost far more memory than was sent, so all together may have no more than
    the body holds.
    """

    def __init__(self, body: bytes | memoryview) -> None:
        self._body = body
        self._left = len(body)

    def decode(self, tree: Any, depth: int) -> Any:
        if depth > _MAX_DEPTH:
            raise WireError("nested too deep")
        kind = type(tree)
        if kind in _PLAIN_SCALARS or (kind is float and math.isfinite(tree)):
            return tree
        if kind is int and -_SAFE_INT <= tree <= _SAFE_INT:
            return tree
        if kind is not dict or len(tree) != 1:
            raise WireError("unknown value")
        ((tag, content),) = tree.items()
        if tag == "a":
            return self._array(content)
        if tag in ("f", "c", "i"):
            return _decode_scalar(tag, content)
        if type(content) is not list:
            raise WireError("unknown value")
        if tag in ("l", "t"):
            items = [self.decode(item, depth + 1) for item in content]
            return items if tag == "l" else tuple(items)
        if tag == "d":
            return self._dict(content, depth)
        if tag == "call":
            return self._call(content, depth)
        raise WireError("unknown tag")

    def _call(self, content: list[Any], depth: int) -> Call:
        if len(content) != 2 or type(content[0]) is not str or type(content[1]) is not list:
            raise WireError("bad call")
        return Call(content[0], tuple(self.decode(item, depth + 1) for item in content[1]))

    def _dict(self, content: list[Any], depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for pair in content:
            if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
                raise WireError("bad dict")
            if pair[0] in result:
                raise WireError("a key twice")
            result[pair[0]] = self.decode(pair[1], depth + 1)
        return result

    def _array(self, content: Any) -> np.ndarray:
        dtype, shape, offset = _array_header(content)
        count = math.prod(shape)  # exact: Python integers do not overflow
        size = count * dtype.itemsize
        # An array without elements needs no bytes, whatever its other dimensions claim to be.
        if offset + size > len(self._body) or (count == 0 and max(shape, default=0) > 1 << 40):
            raise WireError("array beyond its body")
        if size > self._left:
            raise WireError("arrays over one another")
        self._left -= size
        try:
            if count == 0:
                return np.empty(shape, dtype)
            flat = np.frombuffer(self._body, dtype, count, offset)
            if dtype.kind == "b" and flat.view(np.uint8).max() > 1:
                raise WireError("bad bool")
            return flat.reshape(shape).copy()
        except (ValueError, OverflowError):
            raise WireError("bad array") from None


def _decode_scalar(tag: str, content: Any) -> Any:
    try:
        if tag == "f":
            return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[content]
        if tag == "c":
            real, imaginary = content
            return complex(_float(real), _float(imaginary))
    except (ValueError, TypeError, KeyError):
        raise WireError("bad scalar") from None
    if type(content) is not str or not _INT.fullmatch(content):
        raise WireError("bad integer")
    value = int(content)
    if value.bit_length() > _MAX_INT_BITS:
        raise WireError("bad integer")
    return value


def _float(text: Any) -> float:
    if type(text) is not str or len(text) > 40:
        raise WireError("bad float")
    return float(text)


def _array_header(content: Any) -> tuple[np.dtype[Any], list[int], int]:
    if type(content) is not list or len(content) != 3:
        raise WireError("bad array")
    dtype_name, shape, offset = content
    if type(dtype_name) is not str or dtype_name not in DTYPES:
        raise WireError("bad dtype")
    if type(shape) is not list or len(shape) > 32:
        raise WireError("bad shape")
    if any(type(n) is not int or n < 0 for n in (*shape, offset)):
        raise WireError("bad shape")
    return np.dtype(dtype_name), shape, offset
