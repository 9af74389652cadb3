"""The functions that a problem names in its Python files: those that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword
from typing import NamedTuple

from grader.errors import SpecFault
from grader.spec.modules import Modules
from grader.spec.outline import Entry, Outline
from grader.spec.rules import CODE_KINDS
from grader.spec.wording import did_you_mean, listed


class Wanted(NamedTuple):
    """A function that a key of the problem names, and the file it should be in."""

    where: str
    module: str
    name: str


def missing_functions(outline: Outline, modules: Modules) -> Iterator[SpecFault]:
    """Tell of each function that is not where the problem says, and of each file that lacks all.

    Of a file that could not be loaded nothing is said here.
    """
    absent: dict[str, list[Wanted]] = {}
    for wanted in _wanted(outline):
        if wanted.module not in modules.present:
            absent.setdefault(wanted.module, []).append(wanted)
        elif wanted.module in modules.loaded:
            yield from _missing(wanted, modules)
    for module, wants in absent.items():
        names = dict.fromkeys(wanted.name for wanted in wants)
        yield SpecFault(
            f"{module}.py",
            f"is missing, though {wants[0].where} names a function in it",
            f"add it to the pack's folder, with {listed(names)}",
        )


def _wanted(outline: Outline) -> Iterator[Wanted]:
    named = [
        *(wanted for criterion in outline.criteria for wanted in _wanted_by(criterion)),
        *(
            Wanted(entry.at("functions", of), "misconceptions", name)
            for entry in outline.misconceptions
            for of, name in entry.table("functions").texts()
        ),
    ]
    return (wanted for wanted in named if wanted.name.isidentifier() and not iskeyword(wanted.name))


def _wanted_by(criterion: Entry) -> Iterator[Wanted]:
    kind = criterion.text("kind")
    if kind not in CODE_KINDS:
        return
    yield Wanted(criterion.at("inputs"), "inputs", criterion.text("inputs"))
    if "reference" in criterion.keys:
        yield Wanted(criterion.at("reference"), "reference", criterion.text("reference"))
    elif kind == "matches":
        yield Wanted(criterion.at("function"), "reference", criterion.text("function"))
    if kind == "property":
        yield Wanted(criterion.at("check"), "checks", criterion.text("check"))
    carried = criterion.table("carried")
    for key, module in (("usable", "checks"), ("reference", "reference")):
        yield Wanted(carried.at(key), module, carried.text(key))


def _missing(wanted: Wanted, modules: Modules) -> Iterator[SpecFault]:
    functions = sorted(modules.callables(wanted.module))
    if wanted.name in functions:
        return
    file = f"{wanted.module}.py"
    there = vars(modules.loaded[wanted.module]).get(wanted.name)
    if callable(there):
        problem = f"{wanted.name} in {file} begins with _, as what is private does"
        mend = "rename it, here and there"
    elif there is not None:
        problem = f"{wanted.name} in {file} is of type {type(there).__name__}, not a function"
        mend = "define it with def"
    else:
        problem = f"{file} has no function {wanted.name}"
        own = [name for name in functions if _is_own(modules, wanted.module, name)]
        has = f" (what it has: {listed(own)})" if own else ""
        mend = did_you_mean(wanted.name, functions, f"define it there{has}")
    yield SpecFault(wanted.where, problem, mend)


def _is_own(modules: Modules, module: str, name: str) -> bool:
    """Tell a module's own functions from those it imports."""
    return getattr(modules.callables(module)[name], "__module__", None) == module
