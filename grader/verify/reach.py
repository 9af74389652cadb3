"""Which definitions of a pack's files its reference functions stand on: they are mutated."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Definition:
    """A statement at the top of a module that binds names: a function, a class, a constant."""

    module: str
    name: str
    node: ast.stmt


@dataclass(frozen=True)
class _Module:
    definitions: Mapping[str, Definition]
    imported: Mapping[str, tuple[str, str]]
    """Name here → module and name there; the name is "" for a module as a whole, "*" for all."""


def reached(trees: Mapping[str, ast.Module], entries: Iterable[str]) -> list[Definition]:
    """The definitions that functions of `reference` use, through calls and imports, and themselves.

    In the order of the modules' names, `reference` first, and of their lines.
    """
    modules = {name: _read(name, tree) for name, tree in trees.items()}
    found: dict[int, Definition] = {}
    todo = [("reference", name) for name in entries]
    seen = set(todo)
    while todo:
        definition = _resolve(modules, *todo.pop())
        if definition is None or id(definition.node) in found:
            continue
        found[id(definition.node)] = definition
        new = [use for use in _uses(definition, modules) if use not in seen]
        seen.update(new)
        todo += new
    order = sorted(trees, key=lambda name: (name != "reference", name))
    return sorted(found.values(), key=lambda d: (order.index(d.module), d.node.lineno))


def _read(name: str, tree: ast.Module) -> _Module:
    definitions: dict[str, Definition] = {}
    imported: dict[str, tuple[str, str]] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=own) | ast.ClassDef(name=own):
                definitions[own] = Definition(name, own, node)
            case ast.Assign(targets=[ast.Name(id=own)]) | ast.AnnAssign(target=ast.Name(id=own)):
                definitions[own] = Definition(name, own, node)
            case ast.ImportFrom(module=str(source), names=names, level=0):
                imported |= {alias.asname or alias.name: (source, alias.name) for alias in names}
            case ast.Import(names=names):
                imported |= {alias.asname or alias.name: (alias.name, "") for alias in names}
    return _Module(definitions, imported)


def _resolve(modules: Mapping[str, _Module], module: str, name: str) -> Definition | None:
    for _ in range(len(modules) + 1):  # imports may go in a circle
        here = modules.get(module)
        if here is None:
            return None
        if name in here.definitions:
            return here.definitions[name]
        if name in here.imported:
            module, name = here.imported[name]
        elif stars := [source for source, what in here.imported.values() if what == "*"]:
            module = stars[0]
        else:
            return None
    return None


def _uses(definition: Definition, modules: Mapping[str, _Module]) -> Iterator[tuple[str, str]]:
    imported = modules[definition.module].imported
    for node in ast.walk(definition.node):
        match node:
            case ast.Attribute(ast.Name(id=alias), attr) if imported.get(alias, ("", "?"))[1] == "":
                yield imported[alias][0], attr
            case ast.Name(id=name):
                yield definition.module, name
