"""The tree of a formula, and how it is written back: what `symbolic_parse` makes and the steps of
a judgement walk.

Sums and products are flat, with a sign or a ±1 exponent beside each operand, so that a long
formula is a wide tree and never a deep one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A decimal as written, exact and not negative."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the criterion, by its declared name."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """``e`` or ``pi``."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms, each with its sign; ``-x`` is a sum of one term."""

    terms: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Factors, each with the exponent 1 or −1; ``a/b`` is ``((1, a), (-1, b))``."""

    factors: tuple[tuple[int, Node], ...]


@dataclass(frozen=True, slots=True)
class Power:
    """A base to an exponent; powers of ``e`` are calls of ``exp`` instead."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Call:
    """One of the functions of `ARITY`."""

    function: str
    arguments: tuple[Node, ...]


Node: TypeAlias = Number | Variable | Constant | Sum | Product | Power | Call

ARITY = {"exp": (1, 1), "log": (1, 1), "sqrt": (1, 1), "abs": (1, 1), "min": (2, 4), "max": (2, 4)}
"""Every function a formula may call → the least and the most arguments; `log` is natural."""

_SUM, _PRODUCT, _POWER, _ATOM = range(4)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below a node."""
    match node:
        case Sum(pairs) | Product(pairs):
            yield from (child for _, child in pairs)
        case Power(base, exponent):
            yield from (base, exponent)
        case Call(_, arguments):
            yield from arguments


def nodes(node: Node) -> Iterator[Node]:
    """A node and everything below it."""
    yield node
    for child in children(node):
        yield from nodes(child)


def spell(node: Node) -> str:
    """Write a tree the plain way, as in ``log((n - 1)*(1 - eps)/eps)``; reading that again gives
    the same tree."""
    match node:
        case Number(value):
            return decimal(value)
        case Variable(name) | Constant(name):
            return name
        case Sum(terms):
            text = "".join(f" {'-' if s < 0 else '+'} {_inside(t, _PRODUCT)}" for s, t in terms)
            return "-" + text[3:] if terms[0][0] < 0 else text[3:]
        case Product(factors):
            text = "".join(f"{'/' if e < 0 else '*'}{_inside(f, _POWER)}" for e, f in factors)
            return "1" + text if factors[0][0] < 0 else text[1:]
        case Power(base, exponent):
            return f"{_inside(base, _ATOM)}^{_inside(exponent, _ATOM)}"
        case Call(function, arguments):
            return f"{function}({', '.join(map(spell, arguments))})"


def _inside(node: Node, least: int) -> str:
    text = spell(node)
    return text if _strength(node) >= least else f"({text})"


def _strength(node: Node) -> int:
    match node:
        case Sum():
            return _SUM
        case Product():
            return _PRODUCT
        case Power():
            return _POWER
    return _ATOM


def decimal(value: Fraction) -> str:
    """Write an exact number as a decimal where it is one (``0.05``), else as ``1/3``."""
    twos_and_fives = value.denominator
    places = 0
    while twos_and_fives % 10 == 0:
        twos_and_fives, places = twos_and_fives // 10, places + 1
    for prime in (2, 5):
        while twos_and_fives % prime == 0:
            twos_and_fives, places = twos_and_fives // prime, places + 1
    if twos_and_fives != 1:
        return str(value)
    sign, digits = "-" * (value < 0), str(abs(value.numerator) * 10**places // value.denominator)
    if not places:
        return sign + digits
    digits = digits.rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"
