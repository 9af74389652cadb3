"""`grader new`: what somebody starts from, a student or the author of a pack."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from grader import spec
from grader.cli.console import say
from grader.cli.files import write_new
from grader.cli.new_problem import problem
from grader.cli.options import problem_argument
from grader.cli.packs import find_pack
from grader.errors import GraderError
from grader.pipeline.variants import mark, variant_of
from grader.problem import Pack
from grader.spec.schema import SCHEMA_FILE
from grader.variant import Variant, filled, values_of

_STAYS = "# (The line above says which variant of the problem is yours. Leave it as it is.)"


@click.group()
def new() -> None:
    """Write what somebody starts from: a student's starter, or a pack of your own."""


new.add_command(problem)


@new.command()
def schema() -> None:
    """Print the JSON Schema of problem.toml, for editors.

    With it, editors that know TOML complete the keys and mark mistakes.

    Keep it in a file beside problem.toml, and make this the first line of problem.toml:

    \b
      #:schema problem.schema.json

    Packs that `grader new problem` writes have both.  Print it anew after an upgrade of grader.

    \b
    Example:
      grader new schema > problems/newton/problem.schema.json
    """
    click.echo(SCHEMA_FILE.read_text(encoding="utf-8"), nl=False)


@new.command()
@problem_argument
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--student",
    metavar="ID",
    help="Whose starter: needed where the problem differs from student to student.",
)
def starter(problem: str, folder: Path | None, student: str | None) -> None:
    """Copy the starter of PROBLEM into FOLDER: stubs to fill in and headings to write under.

    FOLDER is made if there is none; without it, it is called like the problem, or like the student
    where one is named.  Files that are there already are never overwritten.

    Where the problem has variants, ID is what the student's submission will be called; the same ID
    always gets the same variant, and the statement with its values comes with the starter.

    \b
    Examples:
      grader new starter attention_copying
      grader new starter problems/attention_copying my_work
      grader new starter newton ada --student ada
    """
    pack = spec.load(find_pack(problem, Path.cwd()))
    variant = _variant(pack, student)
    target = folder or Path(student if student and variant else pack.problem.id)
    contents = {target / name: content for name, content in _files(pack, student, variant)}
    write_new(contents)
    for path in contents:
        say(f"wrote {path}")
    if variant:
        say(f"This is the variant of {student}: {values_of(variant)}.")
    statement = target if variant else pack.folder
    say(f"Read {statement / pack.problem.statement}, fill them in, then run")
    say(f"`grader check {problem} {target}`.")


def _variant(pack: Pack, student: str | None) -> Variant:
    if not (student and student.strip()) and pack.problem.variants:
        raise GraderError(
            f"{pack.problem.id} differs from student to student: say whose starter you want with "
            "--student ID, where ID is what the submission will be called."
        )
    return variant_of(pack.problem, student or "")


def _files(pack: Pack, student: str | None, variant: Variant) -> Iterator[tuple[Path, bytes]]:
    """What to write, by names in the student's folder."""
    source = pack.folder / pack.problem.starter
    for path in sorted(source.rglob("*")):
        if path.is_file():
            name = path.relative_to(source)
            content = _read(path)
            if variant:
                content = _with_values(content, variant)
            if variant and name == Path(pack.problem.files.code):
                content = _marked(content, student or "")
            yield name, content
    if variant:
        yield Path(pack.problem.statement), filled(pack.statement, variant).encode()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise GraderError(f"{path} cannot be read: {error.strerror}") from None


def _with_values(content: bytes, variant: Variant) -> bytes:
    """What is no text, such as a picture or a table of numbers, stays as it is."""
    try:
        return filled(content.decode("utf-8"), variant).encode()
    except UnicodeDecodeError:
        return content


def _marked(content: bytes, student: str) -> bytes:
    """Code that says whose it is, after a first line that has to come first."""
    first, rest = b"", content
    if content.startswith(b"#!"):
        first, _, rest = content.partition(b"\n")
        first += b"\n"
    return first + f"{mark(student)}\n{_STAYS}\n\n".encode() + rest
