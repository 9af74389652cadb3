"""A reviewer at a gradebook: which criteria are meant, and what is recorded of each decision."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

import click

from grader.cli.console import counted, points, say
from grader.cli.reports import Reports, remembered_formulas
from grader.cli.reviewing import Answered, ask, share, shown, worth
from grader.errors import GradebookError, GraderError
from grader.gradebook import Gradebook, Pending, decision
from grader.result import Outcome
from grader.variant import filled_formula


@dataclass(frozen=True, slots=True)
class Scope:
    """What a reviewer named on the command line; None stands for all."""

    part_id: str | None
    submission_id: str | None
    criterion_id: str | None

    def require_known(self, gradebook: Gradebook) -> None:
        """Refuse a name that the gradebook does not have.

        Raises:
            GraderError: with the names that it has.
        """
        if self.submission_id is not None:
            _require("submission", self.submission_id, gradebook.submissions())
        if self.part_id is None and self.criterion_id is None:
            return
        parts = [part for grade in gradebook.grades() for part in grade.parts]
        if self.part_id is not None:
            _require("part", self.part_id, (part.id for part in parts))
        if self.criterion_id is not None:
            _require("criterion", self.criterion_id, (c.id for p in parts for c in p.criteria))

    def waiting(self, gradebook: Gradebook) -> list[Pending]:
        """What waits for a person, of this."""
        return [
            pending
            for pending in gradebook.pending()
            if self.part_id in (None, pending.part.id)
            and self.submission_id in (None, pending.submission_id)
            and self.criterion_id in (None, pending.criterion.id)
        ]


def _require(noun: str, name: str, known: Iterable[str]) -> None:
    names = list(dict.fromkeys(known))
    if name in names:
        return
    near = get_close_matches(name, names, n=1)
    some = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
    mend = f"Did you mean {near[0]}?" if near else f"There are: {some}"
    raise GraderError(f"The gradebook has no {noun} {name!r}. {mend}")


class Desk:
    """One reviewer at one gradebook."""

    def __init__(self, gradebook: Gradebook, folder: Path, who: str) -> None:
        self._gradebook = gradebook
        self._reports = Reports(gradebook, folder)
        self._formulas = remembered_formulas(gradebook)
        self._who = who

    def walk(self, waiting: list[Pending]) -> None:
        """Ask about each in turn; those with the very same answer are offered together."""
        total, decided, left = len(waiting), 0, list(waiting)
        try:
            while left:
                pending = self._still_waiting(left.pop(0))
                if pending is None:
                    continue
                say()
                say(f"— {total - len(left)} of {total} —", bold=True)
                say(shown(pending, self._right_formula(pending)))
                answered = ask(worth(pending), pending.criterion.result.suggested_fraction)
                if answered is Answered.QUIT:
                    break
                if answered is Answered.SKIP:
                    continue
                decided += self._record(pending, *answered)
                same = [other for other in left if _same_answer(other, pending)]
                if same and _decide_alike(len(same)):
                    left = [other for other in left if other not in same]
                    decided += sum(self._record(other, *answered) for other in same)
        except click.Abort:
            say()
        finally:
            self._reports.write_class()
        say()
        say(f"{decided} decided, {sum(1 for each in waiting if self._still_waiting(each))} left.")

    def _right_formula(self, pending: Pending) -> str:
        formula = self._formulas.get(pending.criterion.id, "")
        return filled_formula(formula, self._gradebook.grade(pending.submission_id).variant)

    def _still_waiting(self, pending: Pending) -> Pending | None:
        """The same as it stands now; None if somebody else has decided it meanwhile."""
        try:
            found = self._gradebook.criterion(pending.submission_id, pending.criterion.id)
        except KeyError:
            return None
        return found if found.criterion.result.outcome is Outcome.NEEDS_REVIEW else None

    def decide_one(self, scope: Scope, given: str, comment: str) -> None:
        """Record one decision that was typed on the command line."""
        if scope.submission_id is None or scope.criterion_id is None:
            raise click.UsageError("--points wants --submission and --criterion beside it")
        try:
            pending = self._gradebook.criterion(scope.submission_id, scope.criterion_id)
        except KeyError:
            what = f"{scope.submission_id} has no criterion {scope.criterion_id!r}"
            raise GraderError(f"{what}: it was graded by an older version of the pack") from None
        self._decide(pending, share(given, worth(pending)), comment)
        grade = self._gradebook.grade(pending.submission_id)
        of = counted(worth(pending), "point")
        say(f"{pending.submission_id}: {pending.criterion.id} gets {given} of {of}.")
        say(f"Score now {points(grade.score)} of {points(grade.max_score)}.")
        self._reports.write_class()

    def _record(self, pending: Pending, fraction: Fraction, comment: str) -> bool:
        """Record a decision at the desk, or say why it cannot be."""
        try:
            self._decide(pending, fraction, comment)
        except GradebookError as error:
            say(str(error), err=True)
            return False
        return True

    def _decide(self, pending: Pending, fraction: Fraction, comment: str) -> None:
        self._gradebook.decide(decision(pending, fraction, self._who, comment))
        self._reports.write_submission(pending.submission_id)

    def undo(self, scope: Scope) -> None:
        """Take back the latest decision, of those that are meant."""
        taken = self._gradebook.undo_decision(scope.submission_id or "", scope.criterion_id or "")
        if taken is None:
            say("There is no decision to take back.")
            return
        self._reports.write_submission(taken.submission_id)
        self._reports.write_class()
        say(
            f"Taken back: {taken.submission_id}, {taken.criterion_id}, "
            f"decided by {taken.who} at {taken.decided_at}."
        )


def _same_answer(one: Pending, other: Pending) -> bool:
    return one.criterion.id == other.criterion.id and one.basis == other.basis


def _decide_alike(count: int) -> bool:
    have = "1 more has" if count == 1 else f"{count} more have"
    alike = "it" if count == 1 else "them"
    return click.confirm(f"{have} the very same answer. Decide {alike} alike?", default=True)
