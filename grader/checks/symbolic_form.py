"""Proving two formulas equal by algebra that takes no time: rational functions over exp, log and
the like, expanded and compared exactly.  Settles nearly every right answer without sympy.

A proof holds wherever both formulas are defined; that they are is `symbolic_compare`'s to see.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

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

Monomial: TypeAlias = tuple[tuple[str, int], ...]
"""Atoms (a variable, or a call like ``exp(m)``) with their exponents, sorted; negative ones too."""
Polynomial: TypeAlias = dict[Monomial, Fraction]

_MAX_TERMS = 300
_MAX_BITS = 2000
_MAX_POWER = 24
_UNIT: Monomial = ()


class _TooLarge(Exception):
    """Raised and caught inside: expanding would not pay."""


@dataclass(frozen=True, slots=True)
class _Ratio:
    top: Polynomial
    bottom: Polynomial


def proves_equal(a: Node, b: Node) -> bool:
    """Tell whether a proof was found; False means only that none was."""
    try:
        algebra = _Algebra()
        return algebra.vanishes(_add(algebra.form(a), _negative(algebra.form(b))))
    except (_TooLarge, ZeroDivisionError):
        return False


# --- polynomials ---------------------------------------------------------------------------


def _number(value: Fraction) -> _Ratio:
    return _Ratio({_UNIT: value} if value else {}, {_UNIT: Fraction(1)})


def _atom(name: str, power: int = 1) -> _Ratio:
    return _Ratio({((name, power),): Fraction(1)}, {_UNIT: Fraction(1)})


def _plus(a: Polynomial, b: Polynomial) -> Polynomial:
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    if len(a) * len(b) > _MAX_TERMS * 10:
        raise _TooLarge
    total: Polynomial = {}
    for one, x in a.items():
        for other, y in b.items():
            monomial = _joined(one, other)
            total[monomial] = total.get(monomial, Fraction(0)) + x * y
    kept = {monomial: c for monomial, c in total.items() if c}
    longest = max((max(abs(c.numerator), c.denominator) for c in kept.values()), default=1)
    if len(kept) > _MAX_TERMS or longest.bit_length() > _MAX_BITS:
        raise _TooLarge
    return kept


def _joined(one: Monomial, other: Monomial) -> Monomial:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted((name, power) for name, power in powers.items() if power))


def _leading(polynomial: Polynomial) -> Monomial:
    """The first monomial of an order that multiplying by a monomial keeps."""
    names = sorted({name for monomial in polynomial for name, _ in monomial})
    return max(polynomial, key=lambda m: [dict(m).get(name, 0) for name in names])


# --- ratios --------------------------------------------------------------------------------


def _ratio(top: Polynomial, bottom: Polynomial) -> _Ratio:
    """Divide both by the leading term of `bottom`, so that like ratios look alike."""
    if not bottom:
        raise ZeroDivisionError
    lead = _leading(bottom)
    over = {tuple((name, -power) for name, power in lead): 1 / bottom[lead]}
    return _Ratio(_times(top, over), _times(bottom, over))


def _add(a: _Ratio, b: _Ratio) -> _Ratio:
    if a.bottom == b.bottom:
        return _ratio(_plus(a.top, b.top), a.bottom)
    top = _plus(_times(a.top, b.bottom), _times(b.top, a.bottom))
    return _ratio(top, _times(a.bottom, b.bottom))


def _multiply(a: _Ratio, b: _Ratio) -> _Ratio:
    return _ratio(_times(a.top, b.top), _times(a.bottom, b.bottom))


def _negative(a: _Ratio) -> _Ratio:
    return _multiply(a, _number(Fraction(-1)))


def _to_power(a: _Ratio, power: int) -> _Ratio:
    if abs(power) > _MAX_POWER:
        raise _TooLarge
    base = a if power >= 0 else _ratio(a.bottom, a.top)
    total = _number(Fraction(1))
    for _ in range(abs(power)):
        total = _multiply(total, base)
    return total


def _spelled(polynomial: Polynomial) -> str:
    return "+".join(f"{c}·{m}" for m, c in sorted(polynomial.items()))


def _key(a: _Ratio) -> str:
    text = f"[{_spelled(a.top)}]/[{_spelled(a.bottom)}]"
    if len(text) > _MAX_TERMS * 100:
        raise _TooLarge
    return text


def _constant(a: _Ratio) -> Fraction | None:
    if a.bottom == {_UNIT: 1} and not a.top.keys() - {_UNIT}:
        return a.top.get(_UNIT, Fraction(0))
    return None


# --- functions -----------------------------------------------------------------------------


class _Algebra:
    """Turns trees into ratios; remembers what each ``log`` atom is the logarithm of."""

    def __init__(self) -> None:
        self._logs: dict[str, _Ratio] = {}

    def form(self, node: Node) -> _Ratio:
        """Expand a formula."""
        match node:
            case Number(value):
                return _number(value)
            case Variable(name):
                return _atom(name)
            case Constant("e"):
                return self._exp(_number(Fraction(1)))
            case Constant(name):
                return _atom(name)
            case Sum(terms):
                total = _number(Fraction(0))
                for sign, term in terms:
                    total = _add(total, _multiply(_number(Fraction(sign)), self.form(term)))
                return total
            case Product(factors):
                total = _number(Fraction(1))
                for power, factor in factors:
                    total = _multiply(total, _to_power(self.form(factor), power))
                return total
            case Power(base, exponent):
                return self._power(self.form(base), self.form(exponent))
            case Call(function, arguments):
                return self._call(function, [self.form(argument) for argument in arguments])

    def _call(self, function: str, arguments: list[_Ratio]) -> _Ratio:
        match function:
            case "exp":
                return self._exp(arguments[0])
            case "log":
                return self._log(arguments[0])
            case "sqrt":
                return self._power(arguments[0], _number(Fraction(1, 2)))
        return _atom(f"{function}({', '.join(sorted(map(_key, arguments)))})")

    def _power(self, base: _Ratio, exponent: _Ratio) -> _Ratio:
        power = _constant(exponent)
        if power is None:
            return self._exp(_multiply(exponent, self._log(base)))
        if power.denominator == 1:
            return _to_power(base, power.numerator)
        root = _atom(f"root{power.denominator}({_key(base)})")
        return _to_power(root, power.numerator)

    def _exp(self, exponent: _Ratio) -> _Ratio:
        """The exponential of a sum is a product, and that of a logarithm its argument."""
        total = _number(Fraction(1))
        for monomial, coefficient in exponent.top.items():
            total = _multiply(total, self._exp_of(monomial, coefficient, exponent.bottom))
        return total

    def _exp_of(self, monomial: Monomial, times: Fraction, bottom: Polynomial) -> _Ratio:
        of_log = len(monomial) == 1 and monomial[0][1] == 1 and bottom == {_UNIT: 1}
        if of_log and times.denominator == 1 and monomial[0][0] in self._logs:
            return _to_power(self._logs[monomial[0][0]], times.numerator)
        part = _key(_Ratio({monomial: Fraction(1, times.denominator)}, bottom))
        if abs(times.numerator) > 10**6:
            raise _TooLarge
        return _atom(f"exp({part})", times.numerator)

    def _log(self, argument: _Ratio) -> _Ratio:
        name = f"log({_key(argument)})"
        self._logs[name] = argument
        return _atom(name) if _constant(argument) != 1 else _number(Fraction(0))

    def vanishes(self, difference: _Ratio) -> bool:
        """Prove zero: nothing is left, or only logarithms are, whose arguments multiply to 1."""
        logs: dict[Monomial, list[tuple[str, Fraction]]] = {}
        for monomial, coefficient in difference.top.items():
            own = [(name, power) for name, power in monomial if name in self._logs]
            if len(own) != 1 or own[0][1] != 1:
                return False
            beside = tuple(pair for pair in monomial if pair != own[0])
            logs.setdefault(beside, []).append((own[0][0], coefficient))
        return all(map(self._multiply_to_one, logs.values()))

    def _multiply_to_one(self, logs: list[tuple[str, Fraction]]) -> bool:
        whole = lcm(*(coefficient.denominator for _, coefficient in logs))
        total = _number(Fraction(1))
        for name, coefficient in logs:
            total = _multiply(total, _to_power(self._logs[name], int(coefficient * whole)))
        return total.top == total.bottom
