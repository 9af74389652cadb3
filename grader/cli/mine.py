"""`grader mine`: what a graded class got wrong alike, and a misconception for it."""

from __future__ import annotations

import ast
import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from grader import spec
from grader.cli.console import paragraph, say
from grader.cli.packs import find_pack
from grader.cli.reports import DIGEST
from grader.errors import GraderError
from grader.evidence import Ending, Observation, Stimulus
from grader.gradebook import Gradebook
from grader.mine.clusters import smallest_case
from grader.mine.mining import Mined
from grader.mine.mining import mine as mined
from grader.mine.stub import stub, write
from grader.problem import Pack
from grader.value import Plain, cut, show

_NAMES_SHOWN, _CODE_LINES = 8, 30
_INDENT, _BAR = "   ", "      │ "


@click.command()
@click.argument(
    "results",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
)
@click.option("--problem", default=None, help="The pack.  [default: by the gradebook's problem]")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="N=ID",
    help="Write group N into the pack, as a misconception with this id. May be repeated.",
)
@click.option("--hint", default="", help="With --name: what to tell those students.")
@click.option("--least", type=click.IntRange(min=1), default=2, show_default=True,
              help="Show groups of at least so many students.")  # fmt: skip
@click.option("--all", "everything", is_flag=True, help="Also groups whose mistake is known.")
@click.option("--json", "as_json", is_flag=True, help="Print the groups as JSON.")
def mine(
    results: Path,
    problem: str | None,
    names: tuple[str, ...],
    hint: str,
    least: int,
    everything: bool,
    as_json: bool,
) -> None:
    """Find what a graded class got wrong alike.

    RESULTS is the folder that `grader grade` wrote, `reports` if left out.  Students whose
    functions gave the same wrong results, on every case of the pack, are one group.  For each
    group you see how many they are, what explains their results if anything generic does, their
    smallest failing case, and one student's code.

    Give a group a name with --name, and it becomes a misconception of the pack.  Grade again, and
    each of these students is told.

    \b
    Examples:
      grader mine
      grader mine reports --name 1=forgets_the_factor --hint "There is a factor 1/n."
      grader grade attention_copying class.zip
    """
    with Gradebook(results) as book:
        pack = spec.load(find_pack(problem or book.problem_id, Path.cwd()))
        if pack.problem.id != book.problem_id:
            raise GraderError(
                f"{results} holds grades of {book.problem_id}, not of {pack.problem.id}"
            )
        if book.remembered(DIGEST) != pack.digest:
            say("note: the pack was changed since; grade again to be sure of the cases", err=True)
        found = [m for m in mined(book, pack) if everything or not m.cluster.named]
    shown = [m for m in found if len(m.cluster.members) >= least]
    if names:
        _write(_chosen(names, shown), pack, hint)
    elif as_json:
        groups = [_document(number, m) for number, m in enumerate(shown, 1)]
        click.echo(json.dumps({"schema": "grader/mine/v1", "groups": groups}, indent=2))
    else:
        _tell(shown, len(found) - len(shown), least)


def _tell(shown: Sequence[Mined], fewer: int, least: int) -> None:
    for number, each in enumerate(shown, 1):
        _show(number, each)
    if not shown:
        say("No group of students got the same wrong results in a way that is not known.")
    if fewer:
        plural = "" if fewer == 1 else "s"
        say(f"{fewer} smaller group{plural} not shown (fewer than {least} students): --least 1")
    if shown:
        say("To make group 1 a misconception of the pack: grader mine … --name 1=AN_ID")


def _show(number: int, mined: Mined) -> None:
    cluster = mined.cluster
    ids = [attempt.submission_id for attempt in cluster.members]
    more = f" and {len(ids) - _NAMES_SHOWN} more" if len(ids) > _NAMES_SHOWN else ""
    say(f"{number}. {cluster.function}, {_students(len(ids))}", bold=True)
    say(paragraph(", ".join(ids[:_NAMES_SHOWN]) + more, _INDENT))
    told = cluster.explanation.sentence if cluster.explanation else cluster.partly
    said = (
        f"Explained: {told}." if cluster.explanation else f"Not explained; {told}." if told else ""
    )
    say(paragraph(said or "Not explained.", _INDENT), fg="green" if cluster.explanation else None)
    say(paragraph(f"Loses {', '.join(cluster.criteria)}.", _INDENT))
    if cluster.named:
        say(paragraph(f"Known as {', '.join(cluster.named)}.", _INDENT))
    case = smallest_case(cluster, mined.keys)
    if case is not None:
        _show_case(mined, *case)
    say(paragraph(f"The code of {cluster.example.submission_id}:", _INDENT))
    lines = function_source(cluster.example.code, cluster.function).splitlines()
    for line in lines[:_CODE_LINES]:
        say(_BAR + line)
    if len(lines) > _CODE_LINES:
        say(f"{_BAR}… ({len(lines) - _CODE_LINES} lines more)")
    say()


def _students(count: int) -> str:
    return f"{count} student{'s' * (count != 1)}"


def _show_case(
    mined: Mined, criterion: str, stimulus: Stimulus, seen: Observation, expected: Plain
) -> None:
    label = f" (“{stimulus.label}”)" if stimulus.label else ""
    say(paragraph(f"The smallest case, in {criterion}{label}:", _INDENT))
    names = mined.keys[criterion].parameters
    for position, argument in enumerate(stimulus.args):
        name = names[position] if position < len(names) else f"argument {position + 1}"
        say(f"{_BAR}{name} = {_value(argument)}")
    returned = seen.ending is Ending.RETURNED
    say(f"{_BAR}→ {_value(seen.value) if returned else seen.ending.value.replace('_', ' ')}")
    if mined.keys[criterion].expected:
        say(f"{_BAR}expected {_value(expected)}")


def _value(value: Plain) -> str:
    if isinstance(value, Stimulus):
        return f"{value.function}({', '.join(_value(arg) for arg in value.args)})"
    return cut(" ".join(show(value, limit=300).split()), 300)


def function_source(code: str, function: str) -> str:
    """The lines of one function, with what stands around it if it cannot be told apart."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            lines = code.splitlines()[node.lineno - 1 : node.end_lineno]
            return textwrap.dedent("\n".join(lines))
    return code


def _chosen(names: Sequence[str], shown: Sequence[Mined]) -> Mapping[str, Mined]:
    chosen: dict[str, Mined] = {}
    for text in names:
        number, separator, name = text.partition("=")
        if not separator or not number.isdecimal() or not 1 <= int(number) <= len(shown):
            raise click.UsageError(
                f"--name takes the number of a group and an id, like 1=forgets_the_factor; "
                f"there are {len(shown)} groups, and this is {text!r}"
            )
        chosen[name] = shown[int(number) - 1]
    return chosen


def _write(chosen: Mapping[str, Mined], pack: Pack, hint: str) -> None:
    for name, each in chosen.items():
        for path in write(stub(each.cluster, name, pack, each.keys, hint), pack):
            say(f"wrote to {path}")
        pack = spec.load(pack.folder)
    say("The new lines stand at the end of these files: read them, mend the title and the hint.")
    say("Then grade again: `grader grade` tells every student in the group.")


def _document(number: int, mined: Mined) -> dict[str, object]:
    cluster = mined.cluster
    return {
        "number": number,
        "function": cluster.function,
        "students": [attempt.submission_id for attempt in cluster.members],
        "explanation": cluster.explanation.sentence if cluster.explanation else None,
        "symptoms": cluster.partly or None,
        "criteria": list(cluster.criteria),
        "known_as": list(cluster.named),
    }
