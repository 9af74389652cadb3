"""Target: the reader of formulas, and the proofs built on it.

The input is one formula, or two of them on two lines.  Python's own arithmetic, on the formulas
that are spelled the same there, is the independent witness.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from fractions import Fraction

from mpmath import libmp

from fuzz.choices import Choices, built
from fuzz.oracle import Wrong, require, timely
from grader.checks import symbolic_form, symbolic_parse, symbolic_tree
from grader.checks.symbolic_lex import key
from grader.checks.symbolic_numeric import Interval, Unclear, Undefined, rational, value
from grader.checks.symbolic_tree import Call, Constant, Node, Number, Power, Product, Sum, Variable

_SLOW_S = 2.0
_BITS = 240
_DEEPEST = 150
_POINTS = (
    {"n": Fraction(7), "eps": Fraction(3, 10), "alpha_j": Fraction(5, 4)},
    {"n": Fraction(3), "eps": Fraction(1, 7), "alpha_j": Fraction(11, 3)},
)
_NAMES = frozenset(_POINTS[0])
_SPELLINGS = {key(name): name for name in ("n", "eps", "alpha_j")}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
}
_CONSTANTS = {"e": math.e, "pi": math.pi}
_PLAIN = re.compile(r"[a-z0-9_.,+\-*/^() ]{1,200}")
_FRAGMENTS = (
    "n", "eps", "alpha_j", "e", "pi", "1", "2", "0.5", "3e2", "+", "-", "*", "/", "^", "**", "(",
    ")", "log(", "exp(", "sqrt(", "abs(", "min(", "max(", ",", "\\frac{", "}{", "}", "{", "[", "]",
    "·", "²", "⁻¹", "√", "ε", "\\varepsilon", "α_j", "\\alpha_{j}", "ln ", "log ", "\\left(",
    "\\right)", "$", " ", "=", "import os", "__class__", "n.n", "0x10", "1_0", "lambda", "n!",
    "|n|", "1e99", "٣", "e(", "2n", "n eps", "(n)(n)", "\\cdot ", "\\text{log}", "𝑛", "−",
    "^(1/2)", "^0", "^-1", "-(", "1/(",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read formulas, evaluate them, and hold what is proved of two of them against their values."""
    choices = built(data)
    text = _text(choices) if choices else data.decode("utf-8", "replace")
    read = [_check_one(line) for line in text.split("\n")[:2]]
    nodes = [node for node in read if node is not None]
    if len(nodes) == 2:
        _check_proof(*nodes)


def _check_one(text: str) -> Node | None:
    node = timely(_SLOW_S, lambda: symbolic_parse.read(text, _SPELLINGS))
    if isinstance(node, symbolic_parse.Refusal):
        require(0 <= node.at <= max(len(text), 1), "refused at a place outside of the formula")
        return None
    _check_tree(node, 0)
    spelled = symbolic_tree.spell(node)
    require(symbolic_parse.read(spelled, _SPELLINGS) == node or len(spelled) > 500,
            f"written back as {spelled!r}, it reads otherwise")  # fmt: skip
    for point in _POINTS:
        got = _evaluated(node, point)
        expected = _by_python(text, {k: float(v) for k, v in point.items()})
        if expected is not None and got is not None:
            _require_close(got, expected, text)
    return node


def _check_tree(node: Node, depth: int) -> None:
    require(depth <= _DEEPEST, "a tree that is nested too deep")
    match node:
        case Variable(name):
            require(name in _NAMES, f"a variable {name} that was not declared")
        case Constant(name):
            require(name in _CONSTANTS, f"a constant {name}")
        case Call(function, arguments):
            require(function in _FUNCTIONS, f"a function {function}")
            most = 4 if function in ("min", "max") else 1
            require(1 <= len(arguments) <= most, f"{function} of {len(arguments)} values")
        case Number(exact):
            require(exact >= 0 and type(exact) is Fraction, "a number that is none")
        case Sum() | Product() | Power():
            pass
        case _:
            raise Wrong(f"no node of a formula: {node!r}")
    for child in symbolic_tree.children(node):
        _check_tree(child, depth + 1)


def _evaluated(node: Node, point: dict[str, Fraction]) -> Interval | None:
    at = {name: rational(exact, _BITS) for name, exact in point.items()}
    try:
        low, high = timely(_SLOW_S, lambda: value(node, at, _BITS))
    except (Undefined, Unclear):
        return None
    require(bool(libmp.mpf_le(low, high)), "an interval that is upside down")
    return low, high


def _require_close(interval: Interval, expected: float, text: str) -> None:
    try:
        low, high = (libmp.to_float(bound, strict=True) for bound in interval)
    except OverflowError:
        return
    # Doubles lose digits where terms cancel; a misread formula is wrong in the first ones.
    slack = 1e-6 * max(abs(expected), abs(low), 1e-3)
    require(low - slack <= expected <= high + slack, f"{text!r} is {expected!r}, not {low!r}")


def _by_python(text: str, at: dict[str, float]) -> float | None:
    """A formula's value where Python reads the same text; None where it does not."""
    if not _PLAIN.fullmatch(text):
        return None
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval")
        result = _walked(tree.body, at)
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError, LookupError):
        return None
    return result if math.isfinite(result) and _is_tame(text) else None


def _is_tame(text: str) -> bool:
    """Whether doubles can be trusted with it: no large number that then cancels."""
    return not re.search(r"[0-9]{5}|e[0-9+]", text) and len(text) < 60


def _walked(node: ast.expr, at: dict[str, float]) -> float:
    match node:
        case ast.Constant(float() | int() as number):
            return float(number)
        case ast.Name(name):
            return at[name] if name in at else _CONSTANTS[name]
        case ast.UnaryOp(ast.USub(), operand):
            return -_walked(operand, at)
        case ast.UnaryOp(ast.UAdd(), operand):
            return _walked(operand, at)
        case ast.BinOp(left, operation, right):
            return _operated(operation, _walked(left, at), _walked(right, at))
        case ast.Call(ast.Name(name), arguments, []) if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](*[_walked(a, at) for a in arguments]))
    raise ValueError("not of the common part")


def _operated(operation: ast.operator, a: float, b: float) -> float:
    match operation:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a / b
        case ast.Pow():
            power = a**b
            if isinstance(power, float) and 1e-9 < abs(power) < 1e9:
                return power
    raise ValueError("not of the common part")


def _check_proof(a: Node, b: Node) -> None:
    proved = timely(_SLOW_S, lambda: symbolic_form.proves_equal(a, b))
    backwards = timely(_SLOW_S, lambda: symbolic_form.proves_equal(b, a))
    require(proved == backwards, "proved in one order only")
    if not proved:
        return
    for point in _POINTS:
        one, other = _evaluated(a, point), _evaluated(b, point)
        if one and other:
            gap = libmp.mpf_sub(*sorted((one[0], other[0]), key=libmp.to_rational), 53, "u")
            sizes = [libmp.mpf_abs(bound) for bound in (*one, *other)]
            most = max(map(libmp.to_rational, sizes), key=lambda r: Fraction(*r))
            small = Fraction(*libmp.to_rational(libmp.mpf_abs(gap))) <= Fraction(*most) / 10**40
            require(
                small, f"proved equal, but {symbolic_tree.spell(a)} is not {symbolic_tree.spell(b)}"
            )


def _text(choices: Choices) -> str:
    """Two formulas; half of the time the second is nearly the first."""
    first = [_fragment(choices) for _ in range(choices.below(16))]
    second = list(first) if choices.below(2) else []
    for _ in range(choices.below(6)):
        second.insert(choices.below(len(second) + 1), _fragment(choices))
    return "".join(first) + "\n" + "".join(second)


def _fragment(choices: Choices) -> str:
    return choices.text(4) if choices.below(8) == 7 else choices.pick(_FRAGMENTS)
