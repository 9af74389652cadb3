"""The dialect in high precision: the reference's own source on numbers of 50 digits.

Doubles become mpmath numbers, arrays of them `Exact` arrays, and numpy and math are replaced by
stand-ins that work on both and take no cast to float for a wish to lose digits.  What has no
stand-in raises `Unavailable`; nothing falls back to doubles without a word.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import mpmath
import numpy as np

DIGITS = 50

CONTEXT = mpmath.MPContext()
CONTEXT.dps = DIGITS
Number = CONTEXT.mpf
"""Any other code's mpmath keeps its own precision."""

_COMPLEX = CONTEXT.mpc
_MOST_PRODUCTS = 2_000_000


class Unavailable(Exception):
    """Something that is not worked out in high precision here; the message says what."""


class Meter:
    """Keeps work in high precision within a time: arrays can make it a thousand times longer."""

    def __init__(self) -> None:
        self._deadline = math.inf

    @contextmanager
    def within(self, time_s: float) -> Iterator[None]:
        """Allow this long from now."""
        self._deadline = time.monotonic() + time_s
        try:
            yield
        finally:
            self._deadline = math.inf

    def check(self) -> None:
        """Raise `Unavailable` once the time is up."""
        if time.monotonic() > self._deadline:
            raise Unavailable("it takes too long")


METER = Meter()


def number(value: Any) -> Any:
    """A real number with all its digits; an integer or a bool stays what it is."""
    if isinstance(value, bool | int | np.bool_ | np.integer):
        return value
    if isinstance(value, Number):
        return value
    if isinstance(value, float | np.floating):
        return Number(float(value)) if not isinstance(value, np.longdouble) else _wide(value)
    raise Unavailable(type(value).__name__)


def _wide(value: np.longdouble) -> Any:
    high = float(value)
    return Number(high) + Number(float(value - np.longdouble(high)))


class Exact(np.ndarray):
    """An object array of numbers; its ufuncs are worked out number by number."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        METER.check()
        _require_small(ufunc, inputs)
        bare = [x.view(np.ndarray) if isinstance(x, Exact) else x for x in inputs]
        target = options.pop("out", ())
        options.pop("casting", None)
        if target:
            options["out"] = tuple(x.view(np.ndarray) for x in target)
        own = ELEMENTWISE.get(ufunc.__name__)
        if own is not None and method != "__call__":
            raise Unavailable(f"{ufunc.__name__}.{method}")
        function = ufunc if own is None else np.frompyfunc(own, ufunc.nin, 1)
        result = getattr(function, method)(*bare, **options)
        return target[0] if target else _made(result, truth=ufunc.__name__ in TRUTHS)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        METER.check()
        if func.__name__ not in MOVING:
            raise Unavailable(func.__name__)
        return super().__array_function__(func, types, args, kwargs)

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        """The numbers as they are, where a real type is asked for."""
        if is_real_type(dtype):
            return self.copy()
        if np.dtype(dtype).kind in "iub":
            return self.view(np.ndarray).astype(dtype)
        raise Unavailable(f"astype({dtype})")


def _require_small(ufunc: Any, inputs: Iterable[Any]) -> None:
    if ufunc is np.matmul:
        a, b = (np.asarray(x, object) for x in inputs)
        if a.size * (b.shape[-1] if b.ndim > 1 else 1) > _MOST_PRODUCTS:
            raise Unavailable("it takes too long")


def _made(result: Any, *, truth: bool) -> Any:
    """What a ufunc gave for exact numbers."""
    known = isinstance(result, np.ndarray) and result.dtype == object
    return lifted(result, truth=truth, exact=known)


def lifted(value: Any, *, truth: bool = False, exact: bool = False) -> Any:
    """A result of numpy's with all numbers exact; an array without dimensions becomes a number.

    `exact` says that an object array holds exact numbers already; `lowered` sees if it does not.
    """
    if isinstance(value, np.ndarray | np.generic):
        if value.dtype.kind == "b" or truth:
            return np.asarray(value, bool)[()]
        if value.dtype.kind in "iuSU":
            return value
        if value.dtype.kind not in "fO":
            raise Unavailable(f"dtype {value.dtype}")
        if not isinstance(value, np.ndarray) or not value.ndim:
            return number(np.asarray(value)[()])
        if isinstance(value, Exact) or exact:
            return value.view(Exact)
        return np.frompyfunc(number, 1, 1)(value).astype(object).view(Exact)
    if isinstance(value, list | tuple):
        return type(value)(lifted(item) for item in value)
    return number(value) if isinstance(value, float | Number) else value


def lowered(value: Any) -> Any:
    """A reference's result rounded to double precision, once.

    Raises:
        Unavailable: if a number in it was rounded before.
    """
    if isinstance(value, Exact):
        return np.frompyfunc(_rounded, 1, 1)(value.view(np.ndarray)).astype(float)
    if isinstance(value, Number):
        return float(value)
    if isinstance(value, list | tuple):
        return type(value)(lowered(item) for item in value)
    if isinstance(value, dict):
        return {key: lowered(item) for key, item in value.items()}
    real = isinstance(value, float) or (
        isinstance(value, np.ndarray | np.generic) and value.dtype.kind not in "iubSU"
    )
    if real:
        raise Unavailable("a result that was rounded on the way")
    return value


def _rounded(value: Any) -> float:
    if isinstance(value, float):
        raise Unavailable("a result that was rounded on the way")
    return float(value)


def is_real_type(dtype: Any) -> bool:
    """Whether a dtype asks for real numbers."""
    if dtype is float or (isinstance(dtype, type) and issubclass(dtype, float)):
        return True
    if dtype is object or not isinstance(dtype, str | type | np.dtype):
        return False
    try:
        return np.dtype(dtype).kind == "f"
    except (TypeError, ValueError):  # text that is no dtype, like the subscripts of einsum
        return False


# --- functions of one or two numbers ------------------------------------------------------------


def _real(function: Callable[..., Any]) -> Callable[..., Any]:
    """What mpmath answers with a complex number, numpy answers with nan."""

    def of_reals(*args: Any) -> Any:
        result = function(*(CONTEXT.convert(arg) for arg in args))
        return CONTEXT.nan if isinstance(result, _COMPLEX) else result

    return of_reals


def divide(a: Any, b: Any) -> Any:
    """a / b, with numpy's inf and nan for a division by zero."""
    above, below = CONTEXT.convert(a), CONTEXT.convert(b)
    if below != 0 or CONTEXT.isnan(below):
        return above / below
    if above == 0 or CONTEXT.isnan(above):
        return CONTEXT.nan
    return CONTEXT.sign(above) * CONTEXT.inf


def power(a: Any, b: Any) -> Any:
    """a ** b; of two integers an integer where Python says so."""
    if isinstance(a, int) and isinstance(b, int) and b >= 0:
        return a**b
    if a == 0 and b < 0:
        return CONTEXT.inf
    return _real(CONTEXT.power)(a, b)


ELEMENTWISE: dict[str, Callable[..., Any]] = {
    name: _real(getattr(CONTEXT, theirs or name))
    for name, _, theirs in (
        entry.partition(":")
        for entry in "exp log:ln sqrt log1p expm1 log10 sin cos tan sinh cosh tanh "
        "arcsin:asin arccos:acos arctan:atan arcsinh:asinh arccosh:acosh arctanh:atanh "
        "arctan2:atan2 hypot floor ceil sign cbrt".split()
    )
}
ELEMENTWISE |= {
    "log2": _real(lambda x: CONTEXT.ln(x) / CONTEXT.ln(2)),
    "exp2": _real(lambda x: CONTEXT.power(2, x)),
    "square": lambda x: x * x,
    "reciprocal": lambda x: divide(1, x),
    "divide": divide,
    "true_divide": divide,
    "power": power,
    "float_power": power,
    "logaddexp": _real(lambda a, b: CONTEXT.ln(CONTEXT.exp(a) + CONTEXT.exp(b))),
    "fabs": abs,
    "isfinite": lambda x: bool(CONTEXT.isfinite(x)),
    "isnan": lambda x: bool(CONTEXT.isnan(x)),
    "isinf": lambda x: bool(CONTEXT.isinf(x)),
    "signbit": lambda x: bool(x < 0),
}
TRUTHS = frozenset("isfinite isnan isinf signbit logical_and logical_or logical_not".split())

MOVING = frozenset(
    """sum prod cumsum cumprod max amax min amin argmax argmin sort argsort dot inner outer matmul
    tensordot einsum trace transpose reshape ravel concatenate stack hstack vstack column_stack
    where clip diff flip fliplr flipud roll tile repeat take diag diagonal triu tril squeeze
    expand_dims broadcast_to atleast_1d atleast_2d moveaxis swapaxes zeros_like ones_like empty_like
    full_like copy any all count_nonzero cross delete append insert array_equal split shape size
    ndim vdot average searchsorted ptp broadcast_arrays array_split kron copyto compress choose
    put_along_axis take_along_axis fill_diagonal nonzero flatnonzero argwhere""".split()
)
"""Functions of numpy's that only move, compare, add and multiply what an array holds."""
