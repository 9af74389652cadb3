"""Mutants of a pack's code: its reference with one thing changed, spliced into the source as it
stands, so that what differs is that one thing."""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.verify.operators import OPERATORS, is_removable
from grader.verify.reach import Definition, reached

_DIGEST_LENGTH = 6


@dataclass(frozen=True)
class CodeMutant:
    """A module of the pack with one change."""

    id: str
    about: str
    """The top-level function, class or constant that was changed."""
    module: str
    line: int
    operator: str
    diff: str
    source: bytes
    """The whole module."""


@dataclass(frozen=True)
class _Site:
    """A node, and where it hangs in the tree."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def code_mutants(sources: Mapping[str, bytes], entries: Iterable[str]) -> list[CodeMutant]:
    """Every mutant of what the named functions of reference.py stand on, in the order of lines.

    The same sources give the same mutants with the same ids.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    made: list[CodeMutant] = []
    counts: Counter[str] = Counter()
    for definition in reached(trees, entries):
        tree, source = trees[definition.module], sources[definition.module]
        made += _of_definition(definition, tree, source, counts)
    return made


def _of_definition(
    definition: Definition, tree: ast.Module, source: bytes, counts: Counter[str]
) -> Iterator[CodeMutant]:
    seen = {ast.unparse(definition.node)}
    for site in _sites(definition.node):
        for operator, new in _changes(site, _rebound(definition.node)):
            old = ast.unparse(site.node)
            site.put(new)
            whole, changed = ast.unparse(tree), ast.unparse(definition.node)
            site.put(site.node)
            if changed in seen:
                continue
            seen.add(changed)
            text = _spliced(source, site.node, ast.unparse(new), whole)
            if text is None:
                continue
            line = getattr(site.node, "lineno", definition.node.lineno)
            words = (source.splitlines()[line - 1].strip().decode(), old, ast.unparse(new))
            name = f"{definition.name}.{operator}.{_digest(words)}"
            counts[name] += 1
            yield CodeMutant(
                id=name if counts[name] == 1 else f"{name}-{counts[name]}",
                about=definition.name,
                module=definition.module,
                line=line,
                operator=operator,
                diff=difference(source.decode(), text.decode()),
                source=text,
            )


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:_DIGEST_LENGTH]


def difference(before: str, after: str) -> str:
    """The lines that differ, those before with ``-`` and those after with ``+``."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


# --- where a change can be made -------------------------------------------------------------


def _sites(root: ast.stmt) -> Iterator[_Site]:
    """Every node below a definition that runs: no annotations, docstrings or decorators."""
    for field, value in ast.iter_fields(root):
        if field in ("annotation", "returns", "decorator_list", "type_params", "type_comment"):
            continue
        children = value if isinstance(value, list) else [value]
        for i, child in enumerate(children):
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if field == "body" and i == 0 and _is_docstring(child):
                continue
            yield _Site(root, field, i if isinstance(value, list) else None, child)
            if not _is_negative_number(child):
                yield from _sites(child)  # type: ignore[arg-type]  # any node will do


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_negative_number(node: ast.AST) -> bool:
    """``-1`` is one constant to whoever writes it."""
    return (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and isinstance(node.operand, ast.Constant)
    )


def _changes(site: _Site, rebound: frozenset[str]) -> Iterator[tuple[str, ast.AST]]:
    for name, operator in OPERATORS.items():
        for new in operator(site.node):
            yield name, new
    if site.field == "test":
        for forced in (True, False):
            yield "condition", ast.Constant(forced)
    if isinstance(site.node, ast.stmt) and is_removable(site.node, rebound):
        yield "removed_statement", ast.Pass()


def _rebound(root: ast.stmt) -> frozenset[str]:
    """Names that a definition binds more than once; a parameter is bound by the call."""
    bound = Counter(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(root)
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    )
    return frozenset(name for name, count in bound.items() if count > 1)


# --- the changed source ---------------------------------------------------------------------


def _spliced(source: bytes, old: ast.AST, new: str, wanted: str) -> bytes | None:
    """The source with one node's text replaced; None where no text gives the tree that is wanted.

    Parentheses are put around what replaces it only if it would else be read as something else.
    """
    start, end = _span(source, old)
    for text in (new, f"({new})"):
        candidate = source[:start] + text.encode() + source[end:]
        try:
            if ast.unparse(ast.parse(candidate)) == wanted:
                return candidate
        except SyntaxError:
            continue
    return None


def _span(source: bytes, node: ast.AST) -> tuple[int, int]:
    """Where a node's text begins and ends, in bytes."""
    lines = source.splitlines(keepends=True)
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
    begin = sum(map(len, lines[: first - 1])) + getattr(node, "col_offset", 0)
    return begin, sum(map(len, lines[: last - 1])) + getattr(node, "end_col_offset", 0)
