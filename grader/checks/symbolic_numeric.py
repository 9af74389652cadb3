"""Evaluating a formula at a point, with proof of every digit: interval arithmetic of `mpmath`.

A value is an interval that surely holds the exact one.  Two intervals that do not meet prove that
two formulas differ; floating-point values alone would prove nothing where terms cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from mpmath import libmp

from grader.checks.symbolic_tree import (
    Call,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Variable,
)

Interval: TypeAlias = tuple[Any, Any]
"""A lower and an upper bound, as libmp's raw numbers; always finite."""

GUARD_BITS = 10
"""An interval is trusted up to so many times its width (as a power of two), so that a last digit
which mpmath did not round outwards never makes two formulas differ or one of them undefined."""
_LARGEST_LOG = libmp.from_int(10**15)
"""A value beyond exp(±this) is not computed."""
_MAX_REPEATED = 1024
_ZERO, _ONE = (libmp.fzero, libmp.fzero), (libmp.fone, libmp.fone)


class Undefined(Exception):
    """Raised and caught inside the judgement: there is no real value here; the message says why."""


class Unclear(Exception):
    """Raised and caught inside the judgement: more digits may tell, or the value is too large."""


def rational(value: Fraction, bits: int) -> Interval:
    """The interval around an exact number."""
    return (
        libmp.from_rational(value.numerator, value.denominator, bits, libmp.round_floor),
        libmp.from_rational(value.numerator, value.denominator, bits, libmp.round_ceiling),
    )


def width(interval: Interval) -> Any:
    """How wide an interval is, rounded up."""
    return libmp.mpf_sub(interval[1], interval[0], 53, libmp.round_ceiling)


def value(node: Node, at: Mapping[str, Interval], bits: int) -> Interval:
    """Evaluate a formula with `bits` of working precision.

    Raises:
        Undefined: if the formula surely has no real value at this point.
        Unclear: if this precision cannot tell, or the value is beyond exp(±10¹⁵).
    """
    match node:
        case Number(number):
            return rational(number, bits)
        case Variable(name):
            return at[name]
        case Constant("e"):
            return _pair(libmp.mpi_exp(_ONE, bits))
        case Constant():
            return libmp.mpf_pi(bits, libmp.round_floor), libmp.mpf_pi(bits, libmp.round_ceiling)
        case Sum(terms):
            return _sum([(sign, value(term, at, bits)) for sign, term in terms], bits)
        case Product(factors):
            return _product([(power, value(factor, at, bits)) for power, factor in factors], bits)
        case Power(base, exponent):
            return _power(value(base, at, bits), value(exponent, at, bits), bits)
        case Call(function, arguments):
            return _FUNCTIONS[function]([value(a, at, bits) for a in arguments], bits)


def _pair(interval: Any) -> Interval:
    low, high = interval
    return low, high


def _sum(terms: list[tuple[int, Interval]], bits: int) -> Interval:
    total = _ZERO
    for sign, term in terms:
        total = (libmp.mpi_add if sign > 0 else libmp.mpi_sub)(total, term, bits)
    return total


def _product(factors: list[tuple[int, Interval]], bits: int) -> Interval:
    total = _ONE
    for power, factor in factors:
        total = (
            _pair(libmp.mpi_mul(total, factor, bits)) if power > 0 else _over(total, factor, bits)
        )
    return total


def _over(top: Interval, bottom: Interval, bits: int) -> Interval:
    if _sign(bottom) == 0:
        raise Undefined("it divides by zero")
    return _pair(libmp.mpi_div(top, bottom, bits))


def _sign(interval: Interval) -> int:
    """−1, 0 or 1 where that is certain.

    Raises:
        Unclear: where the interval holds zero, or all but touches it.
    """
    low, high = libmp.mpf_sign(interval[0]), libmp.mpf_sign(interval[1])
    nearest = libmp.mpi_abs(interval, 53)[0]
    if low != high or libmp.mpf_lt(nearest, libmp.mpf_shift(width(interval), GUARD_BITS)):
        raise Unclear
    return int(low)


def _exp(x: Interval, bits: int) -> Interval:
    largest = libmp.mpi_abs(x, bits)[1]
    if libmp.mpf_gt(largest, _LARGEST_LOG):
        raise Unclear
    return _pair(libmp.mpi_exp(x, bits))


def _log(x: Interval, bits: int) -> Interval:
    sign = _sign(x)
    if sign <= 0:
        raise Undefined(f"it takes the logarithm of {'zero' if sign == 0 else 'a negative number'}")
    return _pair(libmp.mpi_log(x, bits))


def _sqrt(x: Interval, bits: int) -> Interval:
    if _sign(x) < 0:
        raise Undefined("it takes the square root of a negative number")
    return _pair(libmp.mpi_sqrt(x, bits))


def _power(base: Interval, exponent: Interval, bits: int) -> Interval:
    whole = _whole(exponent)
    if whole is not None:
        return _whole_power(base, whole, bits)
    sign = _sign(base)
    if sign == 0:
        return _power_of_zero(_sign(exponent))
    if sign < 0:
        if libmp.mpf_floor(exponent[0]) != libmp.mpf_floor(exponent[1]):
            raise Unclear  # perhaps an integer
        raise Undefined("it takes a fractional power of a negative number")
    return _exp(_pair(libmp.mpi_mul(exponent, _log(base, bits), bits)), bits)


def _whole_power(base: Interval, exponent: int, bits: int) -> Interval:
    if abs(exponent) <= _MAX_REPEATED:
        power = _pair(libmp.mpi_pow_int(base, abs(exponent), bits))
        return power if exponent >= 0 else _over(_ONE, power, bits)
    sign = _sign(base)
    if sign == 0:
        return _power_of_zero(exponent)
    size = _log(_pair(libmp.mpi_abs(base, bits)), bits)
    many = rational(Fraction(exponent), bits)
    power = _exp(_pair(libmp.mpi_mul(many, size, bits)), bits)
    return power if sign > 0 or exponent % 2 == 0 else _pair(libmp.mpi_neg(power, bits))


def _power_of_zero(exponent: int) -> Interval:
    if exponent < 0:
        raise Undefined("it divides by zero")
    return _ZERO if exponent else _ONE


def _whole(interval: Interval) -> int | None:
    """The integer that an exact interval is; None for any other.

    Raises:
        Unclear: for an integer too large to be an exponent.
    """
    low, high = interval
    if low != high or libmp.mpf_floor(low) != low:
        return None
    if libmp.mpf_gt(libmp.mpf_abs(low), _LARGEST_LOG):
        raise Unclear
    return int(libmp.to_int(low))


def _each_bound(pick: Callable[[Any, Any], Any]) -> Callable[[list[Interval], int], Interval]:
    return lambda values, _bits: (
        reduce(pick, (low for low, _ in values)),
        reduce(pick, (high for _, high in values)),
    )


_FUNCTIONS: dict[str, Callable[[list[Interval], int], Interval]] = {
    "exp": lambda values, bits: _exp(values[0], bits),
    "log": lambda values, bits: _log(values[0], bits),
    "sqrt": lambda values, bits: _sqrt(values[0], bits),
    "abs": lambda values, bits: _pair(libmp.mpi_abs(values[0], bits)),
    "min": _each_bound(lambda a, b: a if libmp.mpf_lt(a, b) else b),
    "max": _each_bound(lambda a, b: a if libmp.mpf_gt(a, b) else b),
}
