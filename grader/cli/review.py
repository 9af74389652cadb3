"""`grader review`: what a machine should not decide alone, decided by a person."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import click

from grader.cli.console import explaining, points, say
from grader.cli.options import folder_option
from grader.cli.reports import Reports
from grader.cli.reviewing import Answered, ask, share, shown
from grader.errors import GraderError
from grader.gradebook import Gradebook, Pending, decision
from grader.result import Grade


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
@explaining
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
    """
    with Gradebook(folder) as gradebook:
        desk = _Desk(gradebook, folder, who or _login())
        wanted = [
            pending
            for pending in gradebook.pending()
            if part_id in (None, pending.part.id)
            and submission_id in (None, pending.submission_id)
            and criterion_id in (None, pending.criterion.id)
        ]
        if undo:
            desk.undo()
        elif given is not None:
            desk.decide_one(submission_id, criterion_id, given, comment)
        elif only_list:
            _list(wanted)
        else:
            desk.walk(wanted)


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise GraderError("Your login name is not known here: say who you are with --who") from None


def _list(waiting: Sequence[Pending]) -> None:
    for pending in waiting:
        suggested = pending.criterion.result.suggested_fraction
        hint = "" if suggested is None else f", suggested {points(suggested * _worth(pending))}"
        say(
            f"{pending.submission_id}: {pending.part.id}, {pending.criterion.id} "
            f"({points(_worth(pending))} points{hint})"
        )
    say(f"{len(waiting)} pending.")


def _worth(pending: Pending) -> Fraction:
    return pending.part.points_of(pending.criterion)


class _Desk:
    """One reviewer at one gradebook."""

    def __init__(self, gradebook: Gradebook, folder: Path, who: str) -> None:
        self._gradebook = gradebook
        self._reports = Reports(gradebook, folder)
        self._who = who

    def walk(self, waiting: list[Pending]) -> None:
        """Ask about each in turn; those with the very same answer are offered together."""
        total, decided = len(waiting), 0
        left = list(waiting)
        while left:
            pending = left.pop(0)
            say()
            say(f"— {total - len(left)} of {total} —", bold=True)
            say(shown(pending))
            answered = ask(_worth(pending), pending.criterion.result.suggested_fraction)
            if answered is Answered.QUIT:
                break
            if answered is Answered.SKIP:
                continue
            fraction, comment = answered
            same = [other for other in left if _same_answer(other, pending)]
            if same and click.confirm(
                f"{len(same)} more have the very same answer. Decide them alike?", default=True
            ):
                left = [other for other in left if other not in same]
            else:
                same = []
            for each in (pending, *same):
                self._record(each, fraction, comment)
            decided += 1 + len(same)
        say()
        say(f"{decided} decided, {total - decided} left.")
        self._reports.write_class()

    def decide_one(
        self, submission_id: str | None, criterion_id: str | None, given: str, comment: str
    ) -> None:
        """Record one decision that was typed on the command line."""
        if submission_id is None or criterion_id is None:
            raise GraderError("--points wants --submission and --criterion beside it")
        pending = self._find(submission_id, criterion_id)
        worth = _worth(pending)
        self._record(pending, share(given, worth), comment)
        grade = self._gradebook.grade(submission_id)
        say(f"{submission_id}: {criterion_id} gets {given} of {points(worth)} points.")
        say(f"Score now {points(grade.score)} of {points(grade.max_score)}.")
        self._reports.write_class()

    def _find(self, submission_id: str, criterion_id: str) -> Pending:
        try:
            grade: Grade = self._gradebook.grade(submission_id)
        except KeyError:
            raise GraderError(f"The gradebook has no submission {submission_id!r}") from None
        for part in grade.parts:
            for criterion in part.criteria:
                if criterion.id == criterion_id:
                    return Pending(submission_id, part, criterion)
        known = ", ".join(c.id for part in grade.parts for c in part.criteria)
        raise GraderError(f"There is no criterion {criterion_id!r}. There are: {known}")

    def _record(self, pending: Pending, fraction: Fraction, comment: str) -> None:
        self._gradebook.decide(decision(pending, fraction, self._who, comment))
        self._reports.write_submission(pending.submission_id)

    def undo(self) -> None:
        """Take back the latest decision."""
        taken = self._gradebook.undo_decision()
        if taken is None:
            say("There is no decision to take back.")
            return
        self._reports.write_submission(taken.submission_id)
        say(
            f"Taken back: {taken.submission_id}, {taken.criterion_id}, "
            f"decided by {taken.who} at {taken.decided_at}."
        )
        self._reports.write_class()


def _same_answer(one: Pending, other: Pending) -> bool:
    if one.criterion.id != other.criterion.id:
        return False
    texts = [
        [item.block for item in pending.criterion.result.feedback if item.kind == "answer"]
        for pending in (one, other)
    ]
    return texts[0] == texts[1] and any(texts[0])
