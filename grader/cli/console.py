"""Printing: sentences for people, free of whatever a student's text could do to a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import click

from grader.errors import GraderError
from grader.text import visible

INTERRUPTED = 130
_WIDEST = 92


def say(text: str = "", *, err: bool = False, bold: bool = False, fg: str | None = None) -> None:
    """Print a line.  Control characters in it are shown, not obeyed."""
    lines = "\n".join(visible(line) for line in text.split("\n"))
    click.secho(lines, err=err, bold=bold, fg=fg)


def points(value: Fraction) -> str:
    """Points as people write them, rounded once, here: ``3``, ``1.5``, ``0.6667``."""
    return f"{round(float(value), 4):.4f}".rstrip("0").rstrip(".")


def counted(value: Fraction, noun: str) -> str:
    """A number with its noun: ``1 point``, ``0.5 points``."""
    return f"{points(value)} {noun}{'' if value == 1 else 's'}"


def paragraph(text: str, indent: str) -> str:
    """Sentences wrapped to the terminal, so that it breaks no word."""
    width = min(_WIDEST, shutil.get_terminal_size().columns)
    wrapped = (
        textwrap.fill(line, max(width, 40), initial_indent=indent, subsequent_indent=indent)
        for line in text.splitlines()
    )
    return "\n".join(wrapped)


def quotation(block: str, kind: str, bar: str) -> list[str]:
    """A block of a feedback behind a bar, its lines as they are; a student's prose is wrapped."""
    lines = block.splitlines()
    if kind == "answer":
        return [paragraph(line, bar) if line.strip() else bar.rstrip() for line in lines]
    return [bar + line for line in lines]


@contextmanager
def explained() -> Iterator[None]:
    """Turn a GraderError into its message and exit 1, an interruption into its exit status."""
    try:
        yield
    except GraderError as error:
        say(f"error: {error}", err=True)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        say("\nInterrupted. Whatever was recorded before is kept.", err=True)
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:
        # Whoever read our output has enough of it (`grader … | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
