"""Dialects in double precision: sums in other orders, quotients and powers by other routes.

Every rule holds for real numbers, so results differ by rounding alone.  Where one route overflows,
underflows or leaves its domain, the plain route's value stands in for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from grader.verify.formulations.arithmetic import Arithmetic, Function
from grader.verify.formulations.load import Dialect

Sum = Callable[[np.ndarray, int], np.ndarray]
"""Sums an array along one axis."""

_MOST_PRODUCTS = 2_000_000
_MOST_EXACT = 200_000
"""Numbers that `math.fsum` is given at most in one sum."""
_NORMAL = np.finfo(float).tiny


class StandIn:
    """A module with some of its attributes replaced."""

    def __init__(self, module: Any, replaced: Mapping[str, Any]) -> None:
        self._module = module
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        if name in self._replaced:
            return self._replaced[name]
        return getattr(self._module, name)


def dialects() -> Iterator[Dialect]:
    """Every dialect in double precision, the plain one first."""
    yield Dialect("as written", Arithmetic())
    for name, sum_ in (
        ("summed backwards", _backwards),
        ("summed one by one", _one_by_one),
        ("summed with math.fsum", _exactly),
    ):
        arithmetic = _Summed(sum_)
        yield Dialect(name, arithmetic, {"numpy": _summing(arithmetic)})
    yield Dialect("with products by the reciprocal for quotients", _Reciprocal())
    yield Dialect("with exp, log, powers and roots by other routes", _Routes(), _routes())


# --- sums ---------------------------------------------------------------------------------------


def _backwards(a: np.ndarray, axis: int) -> np.ndarray:
    # A copy: numpy sums a mere view in the order of memory again.
    return np.asarray(np.flip(a, axis).copy().sum(axis))


def _one_by_one(a: np.ndarray, axis: int) -> np.ndarray:
    return np.asarray(np.take(np.cumsum(a, axis), -1, axis))


def _exactly(a: np.ndarray, axis: int) -> np.ndarray:
    if a.size > _MOST_EXACT or not np.isfinite(a).all():
        return np.asarray(a.sum(axis))
    return np.asarray(np.apply_along_axis(math.fsum, axis, a))


class _Summed(Arithmetic):
    """Sums, means and matrix products with another way to sum."""

    def __init__(self, sum_: Sum) -> None:
        self._sum = sum_

    def matmul(self, a: Any, b: Any) -> Any:
        if not (_is_real(a) and _is_real(b)) or not 0 < np.ndim(a) < 3 or not 0 < np.ndim(b) < 3:
            return a @ b
        rows = a if a.ndim == 2 else a[None, :]
        columns = b if b.ndim == 2 else b[:, None]
        if rows.shape[1] != len(columns) or not rows.size or not columns.size:
            return a @ b
        if rows.size * columns.shape[1] > _MOST_PRODUCTS:
            return a[..., ::-1].copy() @ b[::-1].copy()
        product = self._sum(rows[:, :, None] * columns[None, :, :], 1)
        return product.reshape(a.shape[:-1] + b.shape[1:])[()]

    def sum(self, a: Any, axis: int | None = None, **options: Any) -> Any:
        """``np.sum``, where it sums numbers along one axis or all of them."""
        plain = not options or (options.keys() == {"keepdims"})
        if not _is_real(a) or not a.size or not plain or isinstance(axis, tuple):
            return np.sum(a, axis, **options)
        summed = self._sum(a.ravel(), 0) if axis is None else self._sum(a, axis)
        if options.get("keepdims"):
            ones = [1] * a.ndim
            return summed.reshape(ones) if axis is None else np.expand_dims(summed, axis)
        return summed[()]

    def mean(self, a: Any, axis: int | None = None, **options: Any) -> Any:
        """``np.mean``: the sum over the count."""
        if not _is_real(a) or not a.size or isinstance(axis, tuple):
            return np.mean(a, axis, **options)
        return self.sum(a, axis, **options) / (a.size if axis is None else a.shape[axis])

    def norm(self, a: Any, *args: Any, **options: Any) -> Any:
        """``np.linalg.norm``: of a vector, the root of the sum of squares."""
        plain = np.linalg.norm(a, *args, **options)
        if args or options or not _is_real(a):
            return plain
        return _kept(np.sqrt(self.sum(a * a)), plain)

    def call_method(self, subject: Any, name: str, /, *args: Any, **options: Any) -> Any:
        if isinstance(subject, np.ndarray) and name in ("sum", "mean", "dot"):
            function = self.matmul if name == "dot" else getattr(self, name)
            return function(subject, *args, **options)
        return super().call_method(subject, name, *args, **options)


def _summing(arithmetic: _Summed) -> StandIn:
    product = arithmetic.matmul

    def products(plain: Function) -> Function:
        def multiplied(a: Any, b: Any, *args: Any, **options: Any) -> Any:
            if args or options or not (_is_real(a) and _is_real(b)):
                return plain(a, b, *args, **options)
            return product(a, b)

        return multiplied

    replaced = {
        "sum": arithmetic.sum,
        "mean": arithmetic.mean,
        "dot": products(np.dot),
        "matmul": products(np.matmul),
        "linalg": StandIn(np.linalg, {"norm": arithmetic.norm}),
    }
    return StandIn(np, replaced)


# --- other routes -------------------------------------------------------------------------------


class _Reciprocal(Arithmetic):
    def divide(self, a: Any, b: Any) -> Any:
        plain = a / b
        if not (_is_real(plain) and _is_real(b)):
            return plain
        reciprocal = 1 / np.asarray(b)
        return _kept(a * reciprocal, plain, _is_normal(reciprocal))


class _Routes(Arithmetic):
    def power(self, a: Any, b: Any) -> Any:
        plain = a**b
        if not _is_real(plain) or not isinstance(b, int | float) or b not in (2, 3, 0.5):
            return plain
        return _kept(np.sqrt(a) if b == 0.5 else a * a * (a if b == 3 else 1), plain)

    def exp_of_difference(self, exp: Function, a: Any, b: Any) -> Any:
        plain = exp(a - b)
        if not _is_real(plain):
            return plain
        above, below = np.exp(a), np.exp(b)
        return _kept(above / below, plain, _is_normal(above) & _is_normal(below))

    def log_of_product(self, log: Function, a: Any, b: Any) -> Any:
        plain = log(a * b)
        return _kept(np.log(a) + np.log(b), plain) if _is_real(plain) else plain

    def log_of_quotient(self, log: Function, a: Any, b: Any) -> Any:
        plain = log(a / b)
        return _kept(np.log(a) - np.log(b), plain) if _is_real(plain) else plain


def _routes() -> dict[str, Any]:
    replaced = {
        "exp": _routed(np.exp, lambda x: np.square(np.exp(x / 2))),
        "log": _routed(np.log, lambda x: np.log2(x) * math.log(2)),
        "sqrt": _routed(np.sqrt, lambda x: np.float_power(x, 0.5)),
    }
    return {"numpy": StandIn(np, replaced)}


def _routed(plain: Function, other: Function) -> Function:
    def routed(x: Any, *args: Any, **options: Any) -> Any:
        value = plain(x, *args, **options)
        if args or options or not _is_real(value):
            return value
        return _kept(other(x), value)

    return routed


def _kept(other: Any, plain: Any, good: Any = True) -> Any:
    """The other route's values, but the plain route's where the other left the normal range."""
    usable = np.isfinite(other) & _is_normal(plain) & good
    return np.where(usable, other, plain)[()]


def _is_normal(x: Any) -> Any:
    return np.isfinite(x) & (np.abs(x) >= _NORMAL)


def _is_real(value: Any) -> bool:
    """Whether it is a number or an array in double precision: all else keeps its own arithmetic."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype == np.float64
    return isinstance(value, float)
