"""Stand-ins for numpy, math and the built-in float, for a reference in high precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from grader.verify.formulations import exact_algebra as algebra
from grader.verify.formulations.arithmetic import Arithmetic
from grader.verify.formulations.exact import (
    CONTEXT,
    DIGITS,
    ELEMENTWISE,
    METER,
    MOVING,
    Exact,
    Number,
    Unavailable,
    divide,
    is_real_type,
    lifted,
    number,
    power,
)
from grader.verify.formulations.load import Dialect

_MADE = frozenset(
    "array asarray asanyarray ascontiguousarray zeros ones full eye identity empty arange "
    "zeros_like ones_like full_like empty_like atleast_1d atleast_2d fromiter indices".split()
)
"""Functions that make arrays: of doubles only where those are exact."""
_COMPARED = frozenset(
    "add subtract multiply negative positive absolute abs maximum minimum fmax fmin equal "
    "not_equal less less_equal greater greater_equal logical_and logical_or logical_not "
    "logical_xor mod remainder floor_divide isin unique".split()
)
_ALGEBRA = {name: getattr(algebra, name) for name in ("norm", "solve", "inv", "det", "lstsq")}
_ALGEBRA["pinv"] = algebra.pinv
_OWN: dict[str, Callable[..., Any]] = {
    name: getattr(algebra, name) for name in ("mean", "var", "std", "allclose", "linspace")
}
_CONSTANTS = {
    "pi": +CONTEXT.pi,
    "e": +CONTEXT.e,
    "inf": CONTEXT.inf,
    "nan": CONTEXT.nan,
    "newaxis": None,
}
_WHOLE = frozenset("comb perm factorial gcd lcm isqrt prod".split())
_METHODS = frozenset("mean var std".split())


def dialect() -> Dialect:
    """The reference in high precision."""
    modules = {"numpy": _Numpy(np, ""), "math": _Math()}
    return Dialect(f"with {DIGITS} digits", _Exactly(), modules, {"float": _Float, "pow": power})


class _Missing:
    """Something of a module's that has no stand-in; it is an error only once it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise Unavailable(self._name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Missing(f"{self._name}.{name}")


class _Numpy:
    """numpy, or its linalg."""

    def __init__(self, module: Any, prefix: str) -> None:
        self._module = module
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        if self._prefix:
            return _ALGEBRA.get(name) or _Missing(self._prefix + name)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in _OWN:
            return _OWN[name]
        found = getattr(self._module, name)
        if name == "linalg":
            return _Numpy(found, "linalg.")
        if isinstance(found, type):
            return _Float if is_real_type(found) else found
        if name in ("errstate", "ndarray", "seterr"):
            return found
        known = name in MOVING or name in _MADE or name in _COMPARED
        if known or getattr(found, "__name__", name) in ELEMENTWISE:
            return _Function(found, name)
        return _Missing(name)


class _Function:
    """A function of numpy's that is given exact numbers, and whose results are made exact."""

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function = function
        self._name = name

    def __call__(self, *args: Any, **options: Any) -> Any:
        METER.check()
        given = [_given(arg) for arg in args]
        named = {key: _given(value) for key, value in options.items()}
        return lifted(self._function(*given, **named))

    def __getattr__(self, name: str) -> Any:
        return _Missing(f"{self._name}.{name}")


def _given(argument: Any) -> Any:
    if is_real_type(argument):
        return object
    if isinstance(argument, float | Number | np.floating):
        # A number has no ufuncs of its own: as an array without dimensions it has.
        return np.asarray(number(argument), object).view(Exact)
    if isinstance(argument, np.ndarray) and argument.dtype.kind == "f":
        return lifted(argument)
    return argument


class _Exactly(Arithmetic):
    def divide(self, a: Any, b: Any) -> Any:
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            return _Function(np.divide, "divide")(_exact(a), _exact(b))
        METER.check()
        return divide(number(a), number(b))

    def power(self, a: Any, b: Any) -> Any:
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            return _Function(np.power, "power")(_exact(a), _exact(b))
        METER.check()
        return power(number(a), number(b))

    def constant(self, value: float) -> Any:
        METER.check()  # loops over single numbers pass here, if anywhere
        return number(value)

    def call_method(self, subject: Any, name: str, /, *args: Any, **options: Any) -> Any:
        if not isinstance(subject, np.ndarray):
            return super().call_method(subject, name, *args, **options)
        if name in _METHODS:
            return _OWN[name](subject, *args, **options)
        if name == "astype" and args and is_real_type(args[0]):
            return _exact(subject)
        return lifted(getattr(subject, name)(*args, **options))


def _exact(value: Any) -> Any:
    """An array of integers as exact numbers, which divide and raise to powers without rounding."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        return value.astype(object).view(Exact)
    return value


class _FloatType(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, float | Number)


class _Float(float, metaclass=_FloatType):
    """What `float` means: a real number, with all its digits."""

    def __new__(cls, value: Any = 0.0) -> Any:
        """Make a number of a number or of text."""
        if isinstance(value, np.ndarray):
            value = value.item()
        return CONTEXT.mpf(value) if isinstance(value, str) else CONTEXT.mpf(number(value))


class _Math:
    """The module math."""

    def __getattr__(self, name: str) -> Any:
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in _WHOLE:
            return getattr(math, name)
        own = {
            "fsum": CONTEXT.fsum,
            "floor": lambda x: int(CONTEXT.floor(x)),
            "ceil": lambda x: int(CONTEXT.ceil(x)),
            "log": lambda x, base=None: _log(x, base),
            "pow": power,
            "fabs": abs,
        }
        return own.get(name) or ELEMENTWISE.get(_NAMES.get(name, name)) or _Missing(f"math.{name}")


_NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2"}


def _log(x: Any, base: Any) -> Any:
    value = ELEMENTWISE["log"](x)
    return value if base is None else divide(value, ELEMENTWISE["log"](base))
