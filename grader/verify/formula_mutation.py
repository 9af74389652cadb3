"""Mutants of a pack's formulas: the right one with one sign, factor, number or name changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.checks.symbolic_lex import key
from grader.checks.symbolic_parse import Refusal, read
from grader.checks.symbolic_tree import (
    Call,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    children,
    spell,
)
from grader.problem import SymbolicCriterion

_OTHER_FUNCTIONS = {"min": "max", "max": "min", "exp": "log", "log": "exp"}


@dataclass(frozen=True)
class FormulaMutant:
    """A formula that differs from the right one in one thing."""

    id: str
    criterion: str
    operator: str
    before: str
    after: str


def formula_mutants(criterion: SymbolicCriterion) -> list[FormulaMutant]:
    """Every mutant of a criterion's formula, each once; none if the formula cannot be read."""
    spellings = {key(a): v for v, d in criterion.variables.items() for a in d.aliases}
    spellings |= {key(variable): variable for variable in criterion.variables}
    tree = read(criterion.formula, spellings)
    if isinstance(tree, Refusal):
        return []
    names = [*criterion.variables]
    before = spell(tree)
    made: dict[str, FormulaMutant] = {}
    for operator, changed in _mutations(tree, names):
        after = spell(changed)
        if after not in made and after != before:
            digest = hashlib.sha256(f"{before}\0{after}".encode()).hexdigest()[:6]
            name = f"{criterion.id}.{operator}.{digest}"
            made[after] = FormulaMutant(name, criterion.id, operator, before, after)
    return [*made.values()]


def _mutations(node: Node, names: Sequence[str]) -> Iterator[tuple[str, Node]]:
    """What the node could be with one change, in itself or below."""
    yield from _changed(node, names)
    for i, child in enumerate(children(node)):
        for operator, other in _mutations(child, names):
            yield operator, _with_child(node, i, other)


def _with_child(node: Node, index: int, child: Node) -> Node:
    match node:
        case Sum(pairs) | Product(pairs):
            sign = pairs[index][0]
            return type(node)((*pairs[:index], (sign, child), *pairs[index + 1 :]))
        case Power(base, exponent):
            return Power(child, exponent) if index == 0 else Power(base, child)
        case Call(function, arguments):
            return Call(function, (*arguments[:index], child, *arguments[index + 1 :]))
    raise AssertionError("a leaf has no children")


def _changed(node: Node, names: Sequence[str]) -> Iterator[tuple[str, Node]]:
    match node:
        case Sum(pairs) | Product(pairs):
            for i, (sign, operand) in enumerate(pairs):
                turned = (*pairs[:i], (-sign, operand), *pairs[i + 1 :])
                yield "arithmetic", type(node)(turned)
                if len(pairs) > 1:
                    yield "dropped_term", type(node)((*pairs[:i], *pairs[i + 1 :]))
        case Power(base, exponent):
            yield "dropped_exponent", base
            yield "swapped_arguments", Power(exponent, base)
        case Call(function, arguments):
            if len(arguments) == 1:
                yield "dropped_call", arguments[0]
            if function in _OTHER_FUNCTIONS:
                yield "function", Call(_OTHER_FUNCTIONS[function], arguments)
        case Number(value):
            for other in (value + 1, value - 1, Fraction(0)):
                if other >= 0:
                    yield "constant", Number(other)
                else:
                    yield "constant", Sum(((-1, Number(-other)),))
        case Variable(name):
            for other_name in names:
                if other_name != name:
                    yield "swapped_variables", Variable(other_name)
    if not isinstance(node, Sum | Number):
        yield "sign", Sum(((-1, node),))
