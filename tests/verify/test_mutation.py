"""What the mutation operators make of a line, and that the same sources give the same mutants."""

from __future__ import annotations

import ast

import pytest

from grader.problem import Domain, SymbolicCriterion
from grader.verify.formula_mutation import formula_mutants
from grader.verify.mutation import CodeMutant, code_mutants


def mutants(body: str, *, parameters: str = "x, y", above: str = "") -> list[CodeMutant]:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    source = f"import numpy as np\n{above}\n\ndef f({parameters}):\n{lines}"
    return code_mutants({"reference": source.encode()}, ["f"])


def after(body: str, operator: str, **more: str) -> set[str]:
    """The changed lines that an operator makes of a function's body."""
    return {
        line[1:].strip()
        for mutant in mutants(body, **more)
        if mutant.operator == operator
        for line in mutant.diff.splitlines()
        if line.startswith("+")
    }


@pytest.mark.parametrize(
    ("operator", "before", "expected"),
    [
        ("arithmetic", "return x + y", "return x - y"),
        ("arithmetic", "return x * (x - y)", "return x * (x + y)"),
        ("arithmetic", "return -x", "return x"),
        ("arithmetic", "x += y\nreturn x", "x -= y"),
        ("comparison", "return x < y", "return x <= y"),
        ("comparison", "return x == y", "return x != y"),
        ("boolean", "return x and y", "return x or y"),
        ("boolean", "return not x", "return x"),
        ("boolean", "return f(x, deep=True)", "return f(x, deep=False)"),
        ("constant", "return x + 3", "return x + 4"),
        ("constant", "return x + 3", "return x + 2"),
        ("constant", "return x + 3", "return x + -3"),
        ("constant", "return x + 3", "return x + 0"),
        ("constant", "return x * -1", "return x * -2"),
        ("arithmetic", "return x * -1", "return x * 1"),
        ("axis", "return x.sum(axis=0)", "return x.sum(axis=1)"),
        ("transposition", "return x.T @ y", "return x @ y"),
        ("transposition", "return x @ y", "return y @ x"),
        ("transposition", "return x @ y", "return x.T @ y"),
        ("off_by_one", "return [i for i in range(x)]", "return [i for i in range(x - 1)]"),
        ("off_by_one", "return x[1:]", "return x[2:]"),
        ("off_by_one", "return x[:y]", "return x[:y + 1]"),
        ("off_by_one", "return x[y]", "return x[y - 1]"),
        ("drop_max", "return np.exp(x - x.max())", "return np.exp(x)"),
        ("drop_max", "return x - np.max(x)", "return x"),
        ("dropped_term", "return x * y / 2", "return x / 2"),
        ("dropped_term", "return x ** 2", "return x"),
        ("dtype", "return np.asarray(x, float)", "return np.asarray(x)"),
        ("dtype", "return x.astype(float)", "return x"),
        ("dtype", "return np.zeros(3, dtype=float)", "return np.zeros(3, dtype='float32')"),
        ("in_place", "x = x - y\nreturn x", "x -= y"),
        ("in_place", "z = x.copy()\nreturn z", "z = x"),
        ("in_place", "return np.array(x)", "return x"),
        ("swapped_arguments", "return f(x, y)", "return f(y, x)"),
        ("removed_statement", "x[0] = 1\nreturn x", "pass"),
        ("dropped_keyword", "return x.sum(keepdims=True)", "return x.sum()"),
        ("reduction", "return x.sum()", "return x.mean()"),
        ("reduction", "return np.max(x)", "return np.min(x)"),
        ("dropped_call", "return np.abs(x)", "return x"),
        ("dropped_call", "return x.max()", "return x"),
        ("condition", "if x:\n    return y\nreturn x", "if True:"),
        ("condition", "return x if y else 0", "return x"),
        ("loop", "while x:\n    break\nreturn x", "continue"),
    ],
)
def test_each_operator_makes_its_change(operator: str, before: str, expected: str) -> None:
    assert expected in after(before, operator)


def test_a_mutant_is_the_source_with_one_thing_changed() -> None:
    body = "# a comment, kept\nreturn (x +\n        y) * 2   # another"
    for mutant in mutants(body):
        ast.parse(mutant.source)
        assert b"a comment, kept" in mutant.source
        assert mutant.line >= 5


def test_parentheses_are_put_only_where_the_change_needs_them() -> None:
    assert "return x * y" in after("return x * abs(y)", "dropped_call")
    assert "return x * (y + 1)" in after("return x * abs(y + 1)", "dropped_call")


def test_docstrings_annotations_and_messages_are_no_code() -> None:
    body = '"""Adds 1."""\ny: list[int] = x\nreturn f"{y + 1}"'
    assert mutants(body, parameters="x: int = None, y: float = None") == []


def test_no_statement_is_removed_that_alone_binds_a_name() -> None:
    assert after("z = abs(x)\nreturn z", "removed_statement") == set()


def test_what_the_reference_stands_on_is_mutated_wherever_it_is_and_nothing_else() -> None:
    sources = {
        "reference": b"from material import helper, LIMIT\n\n\ndef f(x):\n    return helper(x)\n"
        b"\n\ndef unused(x):\n    return x + 1\n",
        "material": b"LIMIT = 3\n\n\ndef helper(x):\n    return min(x, LIMIT)\n"
        b"\n\ndef other(x):\n    return x - 1\n",
    }
    assert {(m.module, m.about) for m in code_mutants(sources, ["f"])} == {
        ("reference", "f"),
        ("material", "helper"),
        ("material", "LIMIT"),
    }


def test_the_same_source_gives_the_same_mutants_each_once() -> None:
    body = "z = x - x.max()\nreturn z / z.sum() + z[1:] @ y"
    ids = [mutant.id for mutant in mutants(body)]
    assert ids == [mutant.id for mutant in mutants(body)]
    assert len(set(ids)) == len(ids)
    sources = [mutant.source for mutant in mutants(body)]
    assert len(set(sources)) == len(sources)


def test_an_id_stays_when_other_lines_change() -> None:
    short, long = "return x + y", "z = abs(y)\nif z:\n    x[0] = z\nreturn x + y"
    ids = {mutant.id for mutant in mutants(long)}
    assert {mutant.id for mutant in mutants(short)} <= ids


def formula(text: str, **domains: Domain) -> SymbolicCriterion:
    domains = domains or {name: Domain(min=1.0, max=9.0) for name in ("n", "m")}
    return SymbolicCriterion(
        id="c", title="C", weight=1, kind="symbolic", symbol="s", formula=text, variables=domains
    )


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("n + m", "n - m"),
        ("n + m", "n"),
        ("n/m", "n*m"),
        ("log(n)", "n"),
        ("exp(n)", "log(n)"),
        ("n^2", "n"),
        ("n - 1", "n - 2"),
        ("n*m", "m*m"),
        ("n", "-n"),
    ],
)
def test_formulas_are_mutated(before: str, expected: str) -> None:
    assert expected in {mutant.after for mutant in formula_mutants(formula(before))}


def test_formula_mutants_are_the_same_each_time() -> None:
    one, other = (formula_mutants(formula("log((n-1)*m/n)")) for _ in range(2))
    assert one == other
    assert len({mutant.id for mutant in one}) == len(one) > 10
