"""`grader new problem`: a small pack that works as it stands, to change step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import click

from grader.cli.console import say
from grader.cli.files import write_new
from grader.errors import GraderError
from grader.fields import ID_PATTERN
from grader.spec.schema import SCHEMA_FILE

_TEMPLATE = Path(__file__).with_name("problem_template")
_SUFFIX = ".txt"
"""The template's Python is no part of the grader's own."""


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def problem(name: str, folder: Path | None) -> None:
    """Write a small, commented pack called NAME, which passes `grader verify` as it stands.

    It goes to FOLDER, or to problems/NAME where there is a folder `problems`, else to NAME.  Files
    that are there already are never overwritten.

    \b
    Examples:
      grader new problem newton
      grader verify newton --watch
    """
    if not re.fullmatch(ID_PATTERN, name):
        raise click.UsageError(
            f"{name!r} cannot be the id of a problem: use letters, digits, - and _, beginning "
            "with a letter, 64 at most"
        )
    problems = Path("problems")
    target = folder or (problems / name if problems.is_dir() else Path(name))
    write_new(_contents(name, target))
    say(f"wrote the pack {target}, a small problem that works as it stands:")
    for path in sorted(path for path in target.rglob("*") if path.is_file()):
        say(f"  {path}")
    say(f"Begin with {target / 'problem.toml'}, and keep `grader verify {target} --watch` running.")


def _contents(name: str, target: Path) -> Mapping[Path, bytes]:
    title = name.replace("_", " ").replace("-", " ").capitalize()
    values = {"@ID@": name, "@TITLE@": title, "@FOLDER@": target.as_posix()}
    contents = {}
    template = sorted(_TEMPLATE.rglob(f"*{_SUFFIX}"))
    if not template:
        raise GraderError(f"the template is missing from this installation: {_TEMPLATE}")
    for path in template:
        text = path.read_text(encoding="utf-8")
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        contents[target / path.relative_to(_TEMPLATE).with_suffix("")] = text.encode()
    contents[target / SCHEMA_FILE.name] = SCHEMA_FILE.read_bytes()
    return contents
