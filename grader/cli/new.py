"""`grader new`: what somebody starts from."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from grader import spec
from grader.cli.console import say
from grader.cli.options import problem_argument
from grader.cli.packs import find_pack
from grader.errors import GraderError


@click.group()
def new() -> None:
    """Write what somebody starts from: a student's starter."""


@new.command()
@problem_argument
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def starter(problem: str, folder: Path | None) -> None:
    """Copy the starter of PROBLEM into FOLDER: stubs to fill in and headings to write under.

    FOLDER is made if there is none; without it, it is called like the problem.  Files that are
    there already are never overwritten.

    \b
    Examples:
      grader new starter attention_copying
      grader new starter problems/attention_copying my_work
    """
    pack = spec.load(find_pack(problem, Path.cwd()))
    source = pack.folder / pack.problem.starter
    target = folder or Path(pack.problem.id)
    files = [path for path in sorted(source.rglob("*")) if path.is_file()]
    there = [target / path.relative_to(source) for path in files]
    taken = [str(path) for path in there if path.exists()]
    if taken:
        raise GraderError(
            f"Nothing was written, because it would replace {', '.join(taken)}. "
            "Choose another folder, or move those files away."
        )
    try:
        for path, copy in zip(files, there, strict=True):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    except OSError as error:
        raise GraderError(f"{error.filename} cannot be written: {error.strerror}") from None
    for copy in there:
        say(f"wrote {copy}")
    say(f"Read {pack.folder / pack.problem.statement}, fill them in, then run")
    say(f"`grader check {problem} {target}`.")
