"""Mutation operators: the small changes that turn right code into code with one mistake in it.

Each takes a node of a syntax tree and yields what could stand in its place.  They are the classical
ones (arithmetic, comparison, boolean, constants, statements) and those that go wrong in numerical
code: axes, transposes, ranges, a maximum not subtracted, dtypes, copies, reductions.  The first
operator that makes a change gives it its name, so the telling ones stand before the general ones.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping

Operator = Callable[[ast.AST], Iterator[ast.AST]]

_ARITHMETIC: Mapping[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_COMPARISON: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_REDUCTIONS = {
    "sum": "mean", "mean": "sum", "max": "min", "min": "max", "amax": "amin", "amin": "amax",
    "maximum": "minimum", "minimum": "maximum", "argmax": "argmin", "argmin": "argmax",
    "any": "all", "all": "any", "prod": "sum", "std": "var", "var": "std", "cumsum": "cumprod",
    "cumprod": "cumsum", "median": "mean", "nansum": "nanmean", "nanmax": "nanmin",
}  # fmt: skip
_MAXIMA = frozenset({"max", "amax", "maximum"})
_COPIES = frozenset({"copy", "deepcopy", "array", "asarray", "ascontiguousarray"})
_MAKERS = frozenset({"zeros", "ones", "empty", "eye", "identity", "arange", "linspace", "range"})
"""Calls whose first argument is a size: it is no value to use in their place."""
_TYPES = frozenset({"float", "int", "complex", "bool", "float64", "float32", "int64", "longdouble"})
_OTHER_TYPES = ("float32", "int64")


def called(node: ast.AST) -> str:
    """The last name of a called function: ``max`` of ``np.max(x)`` and of ``x.max()``."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
    return ""


def _axis(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.keyword(arg="axis"):
            for axis in (0, 1, -1, None):
                yield ast.keyword("axis", ast.Constant(axis))


def _off_by_one(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=args):
            for i, bound in enumerate(args):
                for other in _one_off(bound):
                    yield ast.Call(node.func, [*args[:i], other, *args[i + 1 :]], [])
        case ast.Slice(lower, upper, step):
            for low in _one_off(lower) if lower else (ast.Constant(1),):
                yield ast.Slice(low, upper, step)
            for up in _one_off(upper) if upper else (ast.Constant(-1),):
                yield ast.Slice(lower, up, step)
        case ast.Subscript(value, ast.Name() | ast.BinOp() as index, ctx):
            for other in _one_off(index):
                yield ast.Subscript(value, other, ctx)


def _one_off(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case _:
            yield ast.BinOp(node, ast.Add(), ast.Constant(1))
            yield ast.BinOp(node, ast.Sub(), ast.Constant(1))


def _transposition(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Attribute(value, "T"):
            yield value
        case ast.BinOp(left, ast.MatMult(), right):
            yield ast.BinOp(right, ast.MatMult(), left)
            yield ast.BinOp(_transposed(left), ast.MatMult(), right)
            yield ast.BinOp(left, ast.MatMult(), _transposed(right))


def _transposed(node: ast.expr) -> ast.expr:
    match node:
        case ast.Attribute(value, "T"):
            return value
    return ast.Attribute(node, "T", ast.Load())


def _drop_max(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, ast.Sub(), right) if called(right) in _MAXIMA:
            yield left


def _dtype(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func, [*args, last], keywords) if args and _is_type(last):
            yield ast.Call(func, args, keywords)
            for other in _OTHER_TYPES:
                yield ast.Call(func, [*args, ast.Constant(other)], keywords)
        case ast.Call(ast.Attribute(value, "astype"), [kind]):
            yield value
            for other in _OTHER_TYPES:
                yield ast.Call(node.func, [ast.Constant(other)], [])
            if not _is_type(kind):
                yield ast.Call(node.func, [ast.Constant("float64")], [])
        case ast.keyword(arg="dtype"):
            for other in _OTHER_TYPES:
                yield ast.keyword("dtype", ast.Constant(other))


def _is_type(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name in _TYPES
    return False


def _in_place(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Assign([ast.Name(id=name) as target], ast.BinOp(ast.Name(id=left), op, right)):
            if left == name:
                yield ast.AugAssign(target, op, right)
        case ast.AugAssign(ast.Name(id=name) as target, op, value):
            yield ast.Assign([target], ast.BinOp(ast.Name(name, ast.Load()), op, value), lineno=0)
        case ast.Call(ast.Attribute(value, "copy"), [], []):
            yield value
        case ast.Call(args=[value, *_]) if called(node) in _COPIES:
            yield value


def _reduction(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(ast.Attribute(value, name, ctx), args, keywords) if name in _REDUCTIONS:
            yield ast.Call(ast.Attribute(value, _REDUCTIONS[name], ctx), args, keywords)
        case ast.Call(ast.Name(("max" | "min") as name, ctx), args, keywords):
            yield ast.Call(ast.Name(_REDUCTIONS[name], ctx), args, keywords)


def _swapped_arguments(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func, args, keywords) if not any(isinstance(a, ast.Starred) for a in args):
            for i in range(len(args) - 1):
                swapped = [*args[:i], args[i + 1], args[i], *args[i + 2 :]]
                yield ast.Call(func, swapped, keywords)


def _dropped_keyword(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(func, args, keywords):
            for i, keyword in enumerate(keywords):
                if keyword.arg is not None:
                    yield ast.Call(func, args, keywords[:i] + keywords[i + 1 :])


def _dropped_call(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(args=[ast.Starred(), *_]):
            return
        case ast.Call(args=[value, *_]) if called(node) not in _MAKERS:
            yield value
        case ast.Call(ast.Attribute(ast.Name() | ast.BinOp() | ast.Call() as value, _), []):
            yield value


def _arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, op, right):
            for other in _ARITHMETIC.get(type(op), ()):
                yield ast.BinOp(left, other(), right)
        case ast.AugAssign(target, op, value):
            for other in _ARITHMETIC.get(type(op), ()):
                yield ast.AugAssign(target, other(), value)
        case ast.UnaryOp(ast.USub() | ast.Invert(), operand):
            yield operand


def _dropped_term(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, ast.Add() | ast.Mult(), right):
            yield from (left, right)
        case ast.BinOp(left, ast.Sub() | ast.Div() | ast.FloorDiv() | ast.Mod() | ast.Pow(), _):
            yield left


def _comparison(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, ops, others):
            for i, op in enumerate(ops):
                for other in _COMPARISON[type(op)]:
                    yield ast.Compare(left, [*ops[:i], other(), *ops[i + 1 :]], others)


def _boolean(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)


def _condition(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.IfExp(_, body, orelse):
            yield from (body, orelse)
        case ast.comprehension(target, values, [_, *_], is_async):
            yield ast.comprehension(target, values, [], is_async)


def _constant(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
            yield from (ast.Constant(v) for v in (-value + 1, -value - 1, value, 0 * value))
        case ast.Constant(bool()):
            return
        case ast.Constant(int() | float() as value):
            yield from (ast.Constant(v) for v in (value + 1, value - 1, -value, 0 * value))


def _loop(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


OPERATORS: Mapping[str, Operator] = {
    "axis": _axis,
    "off_by_one": _off_by_one,
    "transposition": _transposition,
    "drop_max": _drop_max,
    "dtype": _dtype,
    "in_place": _in_place,
    "reduction": _reduction,
    "swapped_arguments": _swapped_arguments,
    "dropped_keyword": _dropped_keyword,
    "dropped_call": _dropped_call,
    "arithmetic": _arithmetic,
    "dropped_term": _dropped_term,
    "comparison": _comparison,
    "boolean": _boolean,
    "condition": _condition,
    "constant": _constant,
    "loop": _loop,
}
"""All but `removed_statement`, which has to know the function around the statement."""


def is_removable(statement: ast.stmt, rebound: frozenset[str]) -> bool:
    """Tell whether a function could do without a statement and still run.

    Not so where it is all that binds a name: what is left would only raise NameError, which every
    check sees.  `rebound` are the names that are bound more than once.
    """
    match statement:
        case ast.Expr(ast.Constant()):
            return False
        case ast.Expr() | ast.AugAssign() | ast.If() | ast.For() | ast.While() | ast.Raise():
            return True
        case ast.Assert() | ast.Delete():
            return True
        case ast.Assign(targets):
            return all(
                target.id in rebound if isinstance(target, ast.Name) else _is_store(target)
                for target in targets
            )
    return False


def _is_store(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript | ast.Attribute)
