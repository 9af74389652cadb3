"""The rewriting of a reference's source: what a dialect may work out differently becomes a call.

`a @ b`, `a / b`, `a ** b`, methods of arrays, `exp(a - b)`, `log(a * b)` and `log(a / b)` are
handed to the dialect's `Arithmetic`; nothing else changes, nor do the line numbers.
"""

from __future__ import annotations

import ast
from pathlib import Path
from types import CodeType

ARITHMETIC = "__arithmetic__"
"""The name in a rewritten module's builtins that its arithmetic goes by."""

METHODS = frozenset("sum mean std var prod cumsum dot max min round astype trace clip conj".split())
_OPERATORS: dict[type[ast.operator], str] = {
    ast.MatMult: "matmul",
    ast.Div: "divide",
    ast.Pow: "power",
}
_INSIDE: dict[tuple[str, type[ast.operator]], str] = {
    ("exp", ast.Sub): "exp_of_difference",
    ("log", ast.Mult): "log_of_product",
    ("log", ast.Div): "log_of_quotient",
}


def compiled(file: Path) -> CodeType:
    """Compile a pack's Python file with its arithmetic handed over.

    Raises:
        SyntaxError: if it is no Python.
    """
    tree = ast.parse(file.read_bytes(), str(file))
    return compile(ast.fix_missing_locations(_Handing().visit(tree)), str(file), "exec")


class _Handing(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        left, right = self.visit(node.left), self.visit(node.right)
        name = _OPERATORS.get(type(node.op))
        if name is None:
            return ast.copy_location(ast.BinOp(left, node.op, right), node)
        return _handed(node, name, [left, right])

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is not float:
            return node
        return _handed(node, "constant", [node])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node  # what is only printed stays as it is

    def visit_Match(self, node: ast.Match) -> ast.AST:
        return node  # patterns hold constants that cannot be calls

    def visit_Call(self, node: ast.Call) -> ast.AST:
        inside = self._inside(node)
        if inside is not None:
            return inside
        if isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            subject = self.visit(node.func.value)
            name = ast.copy_location(ast.Constant(node.func.attr), node)
            arguments = [subject, name, *map(self.visit, node.args)]
            return _handed(node, "call_method", arguments, [*map(self.visit, node.keywords)])
        return self.generic_visit(node)

    def _inside(self, node: ast.Call) -> ast.AST | None:
        """`exp` or `log` of a difference, a product or a quotient."""
        if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.BinOp):
            return None
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        argument = node.args[0]
        name = _INSIDE.get((called, type(argument.op)))
        if name is None:
            return None
        parts = (node.func, argument.left, argument.right)
        return _handed(node, name, [*map(self.visit, parts)])


def _handed(
    node: ast.AST, name: str, arguments: list[ast.expr], keywords: list[ast.keyword] | None = None
) -> ast.AST:
    function = ast.Attribute(ast.Name(ARITHMETIC, ast.Load()), name, ast.Load())
    return ast.copy_location(ast.Call(function, arguments, keywords or []), node)
