"""A pack's own answers as submissions: the right ones, its known-wrong ones, and none at all.

They run in the sandbox like a student's. There is no grader there, so a few lines stand in for
what the pack's files import from it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from grader.evidence import Answer, Chunk, Submission
from grader.problem import (
    CodeCriterion,
    Misconception,
    Pack,
    Problem,
    SymbolicCriterion,
)
from grader.spec.files import python_files

_STAND_IN = b'''"""Stands in for the grader where its names are only needed to define things."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {"__init__": lambda self, *args, **kwargs: None})
'''

Sources = Mapping[str, bytes]
"""Module name → source."""


def sources(pack: Pack) -> Sources:
    """The pack's own Python files."""
    return {file.stem: file.read_bytes() for file in python_files(pack.folder)}


def reference(pack: Pack, changed: Sources | None = None) -> Submission:
    """The right answers to everything that code or a formula can answer.

    `changed` replaces some of the pack's files, as for a mutant.
    """
    modules = {**sources(pack), **(changed or {})}
    return _submission("reference", imports(pack), modules, formulas(pack.problem))


def misconception(pack: Pack, wrong: Misconception) -> Submission:
    """The right answers, but for the functions and formulas that a misconception gets wrong."""
    code = [*imports(pack)]
    for function, name in wrong.functions.items():
        code += _import("misconceptions", name, function, pack.misconceptions.get(name), pack)
    answers = formulas(pack.problem, wrong.formulas)
    return _submission(wrong.id, code, sources(pack), answers)


def constant(problem: Problem, expression: str) -> Submission:
    """Functions that return one thing, a Python expression, whatever they are called with."""
    functions = (
        f"def {name}(*args, **kwargs):\n    return {expression}\n" for name in problem.functions
    )
    return _submission("constant", ["import numpy as np", *functions], {}, {})


def empty() -> Submission:
    """What a student hands in who hands in nothing."""
    return Submission("empty", "", (), {}, {}, "")


def imports(pack: Pack) -> Iterator[str]:
    """Lines that give the reference's functions the names that students' functions have."""
    for function, name in names(pack).items():
        yield from _import("reference", name, function, pack.reference.get(name), pack)


def _import(
    module: str, name: str, function: str, there: Callable[..., Any] | None, pack: Pack
) -> Iterator[str]:
    """Lines that give a function of the pack a name, with the variant's values where it has any."""
    yield f"from {module} import {name} as {function}"
    own = inspect.signature(inspect.unwrap(there)).parameters if there else {}
    if pack.variant and "variant" in own:
        yield "from functools import partial as _with"
        yield f"{function} = _with({function}, variant={dict(pack.variant)!r})"


def without_reference(pack: Pack) -> tuple[str, ...]:
    """The functions that criteria call and that the pack has no right answer for."""
    return tuple(f for f in pack.problem.functions if f not in names(pack))


def formulas(problem: Problem, wrong: Mapping[str, str] | None = None) -> dict[str, Answer]:
    """The pack's own formulas as answers; `wrong` replaces some, by criterion id."""
    lines: dict[str, dict[str, str]] = {}
    for part, criterion in problem.criteria():
        if isinstance(criterion, SymbolicCriterion):
            formula = (wrong or {}).get(criterion.id, criterion.formula)
            lines.setdefault(part.id, {})[criterion.symbol] = formula
    return {part_id: Answer("", symbols) for part_id, symbols in lines.items()}


def names(pack: Pack) -> dict[str, str]:
    """Student's function → its name in reference.py: its own, or else what a criterion says."""
    found = {name: name for name in pack.problem.functions if name in pack.reference}
    for _, criterion in pack.problem.criteria():
        if isinstance(criterion, CodeCriterion) and criterion.reference is not None:
            found.setdefault(criterion.function, criterion.reference)
    # A reference's helper may be nested in a case, as a function of the student's own.
    others = (n for n, f in pack.reference.items() if getattr(f, "__module__", "") == "reference")
    return {**{name: name for name in others}, **found}


def _submission(
    name: str, code: Iterable[str], modules: Sources, answers: Mapping[str, Answer]
) -> Submission:
    source = "\n".join(code) + "\n"
    return Submission(
        id=name,
        origin="",
        chunks=(Chunk("submission.py", source.encode()),),
        modules={"grader": _STAND_IN, **modules},
        answers=answers,
        digest="",
    )
