"""The load step: a pack's folder → a `Pack`, or everything that is wrong with it at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import SpecError
from grader.problem import Pack, Problem, WrittenCriterion
from grader.spec.contents import missing_starter, read_rubrics, read_statement
from grader.spec.explain import read_model
from grader.spec.files import digest
from grader.spec.functions import missing_functions
from grader.spec.locate import FILE, locate
from grader.spec.modules import Modules, load_modules
from grader.spec.outline import Outline
from grader.spec.placeholders import wrong_placeholders
from grader.spec.preload import missing_modules
from grader.spec.rules import broken_rules
from grader.spec.schema import json_schema
from grader.spec.toml_file import read_toml

if TYPE_CHECKING:
    from grader.rubric import Rubric

__all__ = ["json_schema", "load"]


def load(folder: Path) -> Pack:
    """Load a pack from its folder, or from its problem.toml.

    Runs the pack's Python files, which are trusted as the grader itself is.

    Raises:
        SpecError: if there is no pack there, or with every fault of the pack that could be found.
    """
    file = locate(folder)
    modules = load_modules(file.parent.absolute())
    try:
        data = read_toml(file, FILE)
    except SpecError as error:
        raise SpecError(str(file), [*error.faults, *modules.faults]) from None
    return _assembled(file, data, modules)


def _assembled(file: Path, data: Mapping[str, Any], modules: Modules) -> Pack:
    folder, outline = file.parent, Outline(data)
    problem, faults = read_model(Problem, data)
    rubrics, rubric_faults = read_rubrics(outline, folder)
    statement, statement_faults = read_statement(outline, folder)
    faults += [
        *broken_rules(outline),
        *statement_faults,
        *missing_starter(outline, folder),
        *rubric_faults,
        *modules.faults,
        *missing_functions(outline, modules),
        *wrong_placeholders(outline, statement, folder),
        *missing_modules(outline),
    ]
    if problem is None or faults:
        raise SpecError(str(file), [*dict.fromkeys(faults)])
    return Pack(
        problem=_with_rubrics(problem, rubrics),
        folder=folder.absolute(),
        digest=digest(folder, rubrics),
        statement=statement,
        reference=modules.callables("reference"),
        inputs=modules.callables("inputs"),
        checks=modules.callables("checks"),
        misconceptions=modules.callables("misconceptions"),
    )


def _with_rubrics(problem: Problem, rubrics: Mapping[str, Rubric]) -> Problem:
    parts = tuple(
        part.model_copy(
            update={
                "criteria": tuple(
                    criterion.model_copy(update={"reading": rubrics[criterion.rubric]})
                    if isinstance(criterion, WrittenCriterion)
                    else criterion
                    for criterion in part.criteria
                )
            }
        )
        for part in problem.parts
    )
    return problem.model_copy(update={"parts": parts})
