"""Printing: sentences for people, free of whatever a student's text could do to a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import wraps
from typing import ParamSpec, TypeVar

import click

from grader.errors import GraderError
from grader.text import visible

P = ParamSpec("P")
R = TypeVar("R")

INTERRUPTED = 130


def say(text: str = "", *, err: bool = False, bold: bool = False, fg: str | None = None) -> None:
    """Print a line.  Control characters in it are shown, not obeyed."""
    lines = "\n".join(visible(line) for line in text.split("\n"))
    click.secho(lines, err=err, bold=bold, fg=fg)


def points(value: Fraction) -> str:
    """Points as people write them, rounded once, here: ``3``, ``1.5``, ``0.6667``."""
    return f"{round(float(value), 4):.4f}".rstrip("0").rstrip(".")


@contextmanager
def explained() -> Iterator[None]:
    """Turn a GraderError into its message and exit 1; leave everything else alone."""
    try:
        yield
    except GraderError as error:
        say(f"error: {error}", err=True)
        raise SystemExit(1) from None
    except BrokenPipeError:
        # Whoever read our output has enough of it (`grader … | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None


def explaining(command: Callable[P, R]) -> Callable[P, R]:
    """`explained` around a whole command."""

    @wraps(command)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with explained():
            return command(*args, **kwargs)

    return wrapper
