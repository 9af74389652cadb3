"""Proving two formulas equal with sympy, for the few right answers that `symbolic_form` cannot
settle.  Importing sympy takes a second, so only the worker does, and only when it comes to this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy

from grader.checks.symbolic_points import Range
from grader.checks.symbolic_tree import (
    Call,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    nodes,
)

_MAX_EXPONENT = 64
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "abs": sympy.Abs,
    "min": sympy.Min,
    "max": sympy.Max,
}


def proves_equal(a: Node, b: Node, ranges: Sequence[Range]) -> bool:
    """Tell whether sympy proves it on the whole domain; False means only that it did not.

    May take any time; the judge's time limit is behind it.
    """
    if not (_within_reach(a) and _within_reach(b)):
        return False
    values = {r.name: _everywhere_in(r) for r in ranges}
    difference = _translated(a, values) - _translated(b, values)
    return bool(sympy.simplify(sympy.expand_log(sympy.factor(difference, deep=True))) == 0)


def _within_reach(node: Node) -> bool:
    """Whether no constant power is so large that sympy would write out its digits."""
    exponents = [part.exponent for part in nodes(node) if isinstance(part, Power)]
    constant = [e for e in exponents if not any(isinstance(n, Variable) for n in nodes(e))]
    return all(isinstance(e, Number) and e.value <= _MAX_EXPONENT for e in map(_unsigned, constant))


def _unsigned(node: Node) -> Node:
    return node.terms[0][1] if isinstance(node, Sum) and len(node.terms) == 1 else node


def _everywhere_in(r: Range) -> Any:
    """The variable as a function of a positive one that runs over its domain, so that sympy knows
    the sign of what is made of it.  An integer's upper bound is let go."""
    if r.integer:
        beyond = sympy.Symbol(r.name, integer=True, nonnegative=True)
        return sympy.Integer(-(-r.low.numerator // r.low.denominator)) + beyond
    share = sympy.Symbol(r.name, positive=True)
    low = sympy.Rational(r.low.numerator, r.low.denominator)
    high = sympy.Rational(r.high.numerator, r.high.denominator)
    return sympy.factor((low + high * share) / (1 + share))


def _translated(node: Node, values: dict[str, Any]) -> Any:
    match node:
        case Number(value):
            return sympy.Rational(value.numerator, value.denominator)
        case Variable(name):
            return values[name]
        case Constant("e"):
            return sympy.E
        case Constant():
            return sympy.pi
        case Sum(terms):
            return sympy.Add(*(sign * _translated(term, values) for sign, term in terms))
        case Product(factors):
            return sympy.Mul(*(_translated(factor, values) ** power for power, factor in factors))
        case Power(base, exponent):
            return _translated(base, values) ** _translated(exponent, values)
        case Call(function, arguments):
            return _FUNCTIONS[function](*(_translated(a, values) for a in arguments))
