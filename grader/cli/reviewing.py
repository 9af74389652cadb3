"""One question of `grader review`: what the reviewer sees, and what they may answer."""

from __future__ import annotations

import sys
from enum import Enum
from fractions import Fraction

import click

from grader.cli.console import counted, paragraph, points, quotation, say
from grader.errors import GraderError
from grader.gradebook import Pending

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]


class Answered(Enum):
    """Answers that are not points."""

    SKIP = "s"
    QUIT = "q"


def worth(pending: Pending) -> Fraction:
    """What a criterion is worth, in points of its part."""
    return pending.part.points_of(pending.criterion)


def shown(pending: Pending, formula: str = "") -> str:
    """Everything that is known of a pending criterion, as text; `formula` is the right one."""
    criterion = pending.criterion
    lines = [
        f"{pending.submission_id}   part {pending.part.id}: {criterion.title}"
        f"   ({counted(worth(pending), 'point')})"
    ]
    for item in criterion.result.feedback:
        lines += ["", paragraph(item.text, "  "), *quotation(item.block, item.kind, "    │ ")]
    if formula:
        lines += ["", "  The right formula, which the student does not see:", f"    │ {formula}"]
    return "\n".join(lines)


def ask(worth: Fraction, suggested: Fraction | None) -> tuple[Fraction, str] | Answered:
    """Ask for points until the answer is one; returns the share and a comment.

    The end of input means quit.
    """
    _forget_what_was_typed_ahead()
    while True:
        text = _prompt(worth, suggested)
        if text in ("q", "s"):
            return Answered(text)
        try:
            share = _share(text, worth, suggested)
        except GraderError as error:
            say(str(error))
            continue
        try:
            comment = click.prompt("Comment for the student", default="", show_default=False)
        except click.Abort:
            return Answered.QUIT
        return share, str(comment)


def _forget_what_was_typed_ahead() -> None:
    """A key pressed before an answer was on the screen is no judgement of it."""
    if termios is not None and sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def _prompt(worth: Fraction, suggested: Fraction | None) -> str:
    hint = "" if suggested is None else f", Enter accepts {points(suggested * worth)}"
    question = f"Points, 0 to {points(worth)} (f full, s skip, q quit{hint})"
    try:
        return str(click.prompt(question, default="", show_default=False)).strip().lower()
    except click.Abort:
        return "q"


def _share(text: str, worth: Fraction, suggested: Fraction | None) -> Fraction:
    if text == "f":
        return Fraction(1)
    if text == "" and suggested is not None:
        return suggested
    if text == "":
        raise GraderError("There is no suggestion to accept: type the points.")
    return share(text, worth)


def share(text: str, worth: Fraction) -> Fraction:
    """Read points as typed (``1``, ``0.5``, ``1/3``) into a share of what a criterion is worth.

    Raises:
        GraderError: if it is no number, or not between 0 and `worth`.
    """
    if len(text) > 20 or not set(text.strip()) <= set("0123456789./"):
        raise GraderError(f"{text[:20]!r} is not a number of points, like 1, 0.5 or 1/3")
    try:
        given = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        raise GraderError(f"{text!r} is not a number of points, like 1, 0.5 or 1/3") from None
    if not 0 <= given <= worth:
        raise GraderError(f"{text} is not between 0 and {points(worth)} points")
    return given / worth
