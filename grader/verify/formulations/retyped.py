"""Dialects in one binary precision throughout: all of numpy's floats replaced by it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.verify.formulations.arithmetic import Arithmetic, Function
from grader.verify.formulations.load import Dialect

_TYPES = (float, np.float64, np.float32, np.float16)
_NAMES = frozenset(("float", "float64", "float32", "float16", "f8", "f4", "f2", "d", "f", "e"))


def double() -> Dialect:
    """Everything in double precision, also where the reference casts to less."""
    return _dialect("in float64 throughout", np.float64)


def single() -> Dialect:
    """Everything that numpy works out, in single precision."""
    return _dialect("in float32", np.float32)


def extended() -> Dialect | None:
    """The machine's widest floats; None where they are no wider than double."""
    if np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps:
        return None
    return _dialect(f"in long double ({np.finfo(np.longdouble).nmant + 1} bits)", np.longdouble)


def retyped(value: Any, kind: type[np.floating[Any]]) -> Any:
    """The value with its double-precision arrays and numpy scalars in another precision."""
    if isinstance(value, np.ndarray | np.generic) and value.dtype == np.float64:
        return value.astype(kind)
    if isinstance(value, list | tuple) and type(value) in (list, tuple):
        return type(value)(retyped(item, kind) for item in value)
    return value


def _dialect(name: str, kind: type[np.floating[Any]]) -> Dialect:
    return Dialect(name, _Retyped(kind), {"numpy": _Module(np, kind)})


class _Module:
    """numpy, or a module in it, whose functions take and give floats of one precision."""

    def __init__(self, module: Any, kind: type[np.floating[Any]]) -> None:
        self._module = module
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if found in (np.float64, np.float32, np.float16):
            return self._kind
        if type(found) is type(np):
            return _Module(found, self._kind)
        if isinstance(found, type) or not callable(found):
            return found
        return _Function(found, self._kind)


class _Function:
    """One of numpy's functions; attributes like ``np.maximum.reduce`` are retyped as well."""

    def __init__(self, function: Function, kind: type[np.floating[Any]]) -> None:
        self._function = function
        self._kind = kind

    def __call__(self, *args: Any, **options: Any) -> Any:
        return _called(self._function, self._kind, args, options)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._function, name)
        return _Function(found, self._kind) if callable(found) else found


def _called(
    function: Callable[..., Any],
    kind: type[np.floating[Any]],
    args: tuple[Any, ...],
    options: dict[str, Any],
) -> Any:
    given = [_given(arg, kind) for arg in args]
    named = {name: _given(value, kind) for name, value in options.items()}
    return retyped(function(*given, **named), kind)


def _given(argument: Any, kind: type[np.floating[Any]]) -> Any:
    if isinstance(argument, np.dtype):
        return kind if argument.type in _TYPES else argument
    if isinstance(argument, str):
        return kind if argument in _NAMES else argument
    if isinstance(argument, type):
        return kind if argument in _TYPES else argument
    return retyped(argument, kind)


class _Retyped(Arithmetic):
    def __init__(self, kind: type[np.floating[Any]]) -> None:
        self._kind = kind

    def matmul(self, a: Any, b: Any) -> Any:
        return retyped(retyped(a, self._kind) @ retyped(b, self._kind), self._kind)

    def divide(self, a: Any, b: Any) -> Any:
        return retyped(retyped(a, self._kind) / retyped(b, self._kind), self._kind)

    def power(self, a: Any, b: Any) -> Any:
        return retyped(retyped(a, self._kind) ** retyped(b, self._kind), self._kind)

    def call_method(self, subject: Any, name: str, /, *args: Any, **options: Any) -> Any:
        method = getattr(subject, name)
        if not isinstance(subject, np.ndarray | np.generic):
            return method(*args, **options)
        return _called(method, self._kind, args, options)
