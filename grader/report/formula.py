"""The plain formulas of packs and answers, like ``m = log((n-1)*(1-eps)/eps)``, as MathML.

Only drawn here, never judged: whether two formulas agree is the symbolic check's business.
"""

from __future__ import annotations

import ast
import math
import re
from functools import lru_cache

from markupsafe import Markup

from grader.report.latex import leaf, wrap
from grader.report.symbols import IDENTIFIERS

_LENGTH = 500
_DEPTH = 50
_ALLOWED = re.compile(r"[\w\s.+\-*/(),^]+")
_GLUED = re.compile(r"(?<![\w.])(?:\d++\.?+\d*+|\.\d++)(?:[eE][+-]?\d++)?+(?=\w)")
"""A number with a letter on its heels (``2n``, ``0x1f``), which Python reads in ways of its own."""
_SPELLINGS = str.maketrans({"−": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/"})
_GREEK = IDENTIFIERS | {"eps": "ε", "epsilon": "ε", "inf": "∞"}
_INFIX: dict[type[ast.operator], tuple[int, str]] = {
    ast.Add: (1, "+"),
    ast.Sub: (1, "−"),
    ast.Mult: (2, "\u2062"),
}
_UNARY, _POWER, _ATOM = 3, 4, 5


class _NotFormula(ValueError):
    """The text is not a formula as understood here."""


@lru_cache(maxsize=2048)
def to_mathml(source: str) -> Markup | None:
    """Draw ``FORMULA`` or ``NAME = FORMULA``; None where it is not one.  Never raises."""
    source = source.strip()
    symbol, equals, right = source.rpartition("=")
    if not source.isprintable():
        return None
    try:
        body = _parse(right)
        if equals:
            body = wrap("mrow", _name(symbol.strip()), leaf("mo", "="), body)
    except _NotFormula:
        return None
    return Markup('<math displaystyle="true" alttext="{}">{}</math>').format(source, body)


def _parse(source: str) -> Markup:
    source = source.strip().translate(_SPELLINGS)
    if len(source) > _LENGTH or not _ALLOWED.fullmatch(source) or _GLUED.search(source):
        raise _NotFormula(source)
    try:
        tree = ast.parse(source.replace("^", "**"), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _NotFormula(source) from None
    return _draw(tree.body, 0)[0]


def _draw(node: ast.expr, depth: int) -> tuple[Markup, int]:
    """Draw a node; with it, how tightly it binds."""
    if depth > _DEPTH:
        raise _NotFormula("nested too deeply")
    match node:
        case ast.Constant(value=int() | float() as value) if _drawable(value):
            return leaf("mn", repr(value)), _ATOM
        case ast.Name(id=name):
            return _name(name), _ATOM
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return wrap("mrow", leaf("mo", "−"), _fit(operand, _UNARY, depth)), _UNARY
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _draw(operand, depth + 1)
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(left, op, right, depth)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if args:
            return _call(name, args, depth)
        case _:
            raise _NotFormula(type(node).__name__)


def _binary(left: ast.expr, op: ast.operator, right: ast.expr, depth: int) -> tuple[Markup, int]:
    if isinstance(op, ast.Div):
        return wrap("mfrac", _draw(left, depth + 1)[0], _draw(right, depth + 1)[0]), _ATOM
    if isinstance(op, ast.Pow):
        exponent = _draw(right, depth + 1)[0]
        return wrap("msup", _fit(left, _ATOM, depth), exponent), _POWER
    if type(op) not in _INFIX:
        raise _NotFormula(type(op).__name__)
    binding, sign = _INFIX[type(op)]
    if isinstance(op, ast.Mult) and _begins_with_digit(right):
        sign = "⋅"
    second = _fit(right, binding + (not isinstance(op, ast.Add)), depth)
    return wrap("mrow", _fit(left, binding, depth), leaf("mo", sign), second), binding


def _drawable(number: float) -> bool:
    return not isinstance(number, bool) and number != math.inf


def _begins_with_digit(node: ast.expr) -> bool:
    """Tell whether a factor's first sign is a digit, so that ``2·3`` does not read as 23."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div | ast.Pow):
        node = node.left
    return isinstance(node, ast.Constant)


def _call(name: str, args: list[ast.expr], depth: int) -> tuple[Markup, int]:
    drawn = [_draw(arg, depth + 1)[0] for arg in args]
    match name, drawn:
        case "exp", [power]:
            return wrap("msup", leaf("mi", "e"), power), _POWER
        case "sqrt", [inner]:
            return wrap("msqrt", inner), _ATOM
        case "abs", [inner]:
            return wrap("mrow", leaf("mo", "|"), inner, leaf("mo", "|")), _ATOM
    listed = [drawn[0]]
    for argument in drawn[1:]:
        listed += [leaf("mo", ","), argument]
    return wrap("mrow", _name(name), leaf("mo", "\u2061"), _fenced(*listed)), _ATOM


def _fit(node: ast.expr, binding: int, depth: int) -> Markup:
    """Draw an operand, in parentheses where it binds less tightly than its place asks."""
    drawn, own = _draw(node, depth + 1)
    return drawn if own >= binding else _fenced(drawn)


def _fenced(*inner: Markup) -> Markup:
    return wrap("mrow", leaf("mo", "("), *inner, leaf("mo", ")"))


def _name(name: str) -> Markup:
    if not name.isidentifier():
        raise _NotFormula(name)
    base, _, subscript = name.partition("_")
    if not base:
        return leaf("mi", name)
    drawn = leaf("mi", _GREEK.get(base, base))
    if not subscript:
        return drawn
    below = leaf("mn" if subscript.isdigit() else "mi", _GREEK.get(subscript, subscript))
    return wrap("msub", drawn, below)
