"""Progress on long work: a bar with the time left on a terminal, plain lines when piped."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from grader.cli.console import points, say
from grader.pipeline.many import Graded
from grader.text import visible

_LINE_EVERY_S = 10.0


class Progress:
    """Shows how far a class is graded; a context manager."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._said_at_s = time.monotonic()
        self._bar = _terminal_bar(total) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, graded: Graded) -> None:
        """Count one more, and say it."""
        self._done += 1
        if self._bar is not None:
            from rich.markup import escape

            name = escape(visible(graded.source.id))
            self._bar.update(self._bar.task_ids[0], advance=1, description=name)
        elif self._done == self._total or time.monotonic() - self._said_at_s >= _LINE_EVERY_S:
            self._said_at_s = time.monotonic()
            say(f"{self._done} of {self._total}: {graded.source.id}{_score(graded)}", err=True)


def _score(graded: Graded) -> str:
    if graded.entry is None:
        return " (unchanged)"
    grade = graded.entry.grade
    pending = f" + {points(grade.pending)} pending" if grade.pending else ""
    return f" {points(grade.score)}{pending} of {points(grade.max_score)}"


def _terminal_bar(total: int):  # type: ignore[no-untyped-def]
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("Grading"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
    )
    bar.add_task("", total=total)
    return bar
