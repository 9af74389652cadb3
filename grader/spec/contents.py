"""The files that a problem names besides its Python: statement, starter, rubrics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import SpecError, SpecFault
from grader.problem import Problem
from grader.spec.explain import read_model
from grader.spec.files import read_text, stays_inside
from grader.spec.locate import FILE
from grader.spec.outline import Outline
from grader.spec.toml_file import read_toml
from grader.spec.wording import did_you_mean, quoted

if TYPE_CHECKING:
    from grader.rubric import Rubric


def read_statement(outline: Outline, folder: Path) -> tuple[str, list[SpecFault]]:
    """The statement's text, or why there is none."""
    name = outline.text("statement", Problem.model_fields["statement"].default)
    faults = [*_astray("statement", name, folder)]
    if faults:
        return "", faults
    try:
        return read_text(folder / name, name), []
    except SpecError as error:
        return "", [*error.faults]


def missing_starter(outline: Outline, folder: Path) -> Iterator[SpecFault]:
    """Tell if the folder that students begin with is not there."""
    name = outline.text("starter", Problem.model_fields["starter"].default)
    faults = [*_astray("starter", name, folder)]
    if faults:
        yield from faults
    elif not (folder / name).is_dir():
        yield SpecFault(
            "starter", f"{quoted(name)} is not a folder", "starter names a folder with stubs"
        )


def read_rubrics(outline: Outline, folder: Path) -> tuple[dict[str, Rubric], list[SpecFault]]:
    """The rubrics of the written criteria by file name, and what is wrong with any."""
    rubrics: dict[str, Rubric] = {}
    faults: list[SpecFault] = []
    read: set[str] = set()
    for criterion in outline.criteria_of("written"):
        name = criterion.text("rubric")
        astray = [*_astray(criterion.at("rubric"), name, folder)] if name.strip() else []
        faults += astray
        if astray or name in read or not name.strip():
            continue
        read.add(name)
        from grader.rubric import Rubric  # its models take their time, and many packs have none

        try:
            rubric, wrong = read_model(Rubric, read_toml(folder / name, name), name)
        except SpecError as error:
            rubric, wrong = None, [*error.faults]
        faults += wrong
        if rubric:
            rubrics[name] = rubric
    return rubrics, faults


def _astray(where: str, name: str, folder: Path) -> Iterator[SpecFault]:
    """Tell if a name leads out of the pack, or to nothing."""
    if not stays_inside(name):
        yield SpecFault(where, f"{quoted(name)} leads out of the pack", "name a file in its folder")
    elif not _exists(folder / name):
        others = [
            path.name
            for path in sorted(folder.iterdir())
            if path.name[:1] not in "._" and path.name != FILE
        ]
        otherwise = f"add it to the pack's folder, or correct {where.rpartition('.')[2]}"
        yield SpecFault(
            where, f"the pack has no {quoted(name)}", did_you_mean(name, others, otherwise)
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name that no file can have
        return False
