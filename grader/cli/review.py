"""`grader review`: what a machine should not decide alone, decided by a person."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from pathlib import Path

import click

from grader.cli.console import counted, points, say
from grader.cli.desk import Desk, Scope
from grader.cli.options import folder_option
from grader.cli.reviewing import worth
from grader.errors import GraderError
from grader.gradebook import Gradebook, Pending


@click.command()
@folder_option
@click.option("--who", default=None, help="Who decides.  [default: your login name]")
@click.option("--part", "part_id", default=None, help="Only this part.")
@click.option("--submission", "submission_id", default=None, help="Only this submission.")
@click.option("--criterion", "criterion_id", default=None, help="Only this criterion.")
@click.option(
    "--points",
    "given",
    default=None,
    help="Decide without asking: the points for --submission and --criterion, even if decided.",
)
@click.option("--comment", default="", help="A word to the student, with --points.")
@click.option("--undo", is_flag=True, help="Take back the latest decision.")
@click.option("--list", "only_list", is_flag=True, help="Show what is pending, and decide nothing.")
def review(
    folder: Path,
    who: str | None,
    part_id: str | None,
    submission_id: str | None,
    criterion_id: str | None,
    given: str | None,
    comment: str,
    undo: bool,
    only_list: bool,
) -> None:
    """Walk through what waits for a person: read an answer, see the evidence, give the points.

    Each decision is recorded at once, with who and when, and the student's report follows. Stop
    whenever you like. A decision outlives regrading, as long as the answer stays the same.

    \b
    Examples:
      grader review
      grader review -o reports --part ii --who "J. Smith"
      grader review --submission ada --criterion when_peaked --points 1.5 --comment "Which key?"
      grader review --undo
      grader review --undo --submission ada
    """
    _refuse_contradictions(part_id, given, comment, undo=undo, only_list=only_list)
    with Gradebook(folder) as gradebook:
        scope = Scope(part_id, submission_id, criterion_id)
        scope.require_known(gradebook)
        desk = Desk(gradebook, folder, who or _login())
        if undo:
            desk.undo(scope)
        elif given is not None:
            desk.decide_one(scope, given, comment)
        elif only_list:
            _list(scope.waiting(gradebook))
        else:
            desk.walk(scope.waiting(gradebook))


def _refuse_contradictions(
    part_id: str | None, given: str | None, comment: str, *, undo: bool, only_list: bool
) -> None:
    if (given is not None) + undo + only_list > 1:
        raise click.UsageError("--points, --undo and --list exclude each other")
    if comment and given is None:
        raise click.UsageError("--comment goes with --points; without it you are asked for one")
    if part_id is not None and (undo or given is not None):
        raise click.UsageError("--part narrows what you are asked or shown; name a --criterion")


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise GraderError("Your login name is not known here: say who you are with --who") from None


def _list(waiting: Sequence[Pending]) -> None:
    for pending in waiting:
        suggested = pending.criterion.result.suggested_fraction
        hint = "" if suggested is None else f", suggested {points(suggested * worth(pending))}"
        say(
            f"{pending.submission_id}: {pending.part.id}, {pending.criterion.id} "
            f"({counted(worth(pending), 'point')}{hint})"
        )
    say(f"{len(waiting)} pending.")
