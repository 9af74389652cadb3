"""Progress on long work: a bar with the time left on a terminal, plain lines when piped."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from types import TracebackType

from grader.cli.console import points, say
from grader.pipeline.many import Graded
from grader.text import visible

_LINE_EVERY_S = 10.0


class Progress:
    """Shows how far a class is graded; a context manager.

    `ids` are the submissions in the order in which they are begun.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self._total = len(ids)
        self._left = dict.fromkeys(ids)
        self._done = 0
        self._said_at_s = time.monotonic()
        self._bar = _terminal_bar(self._total) if sys.stderr.isatty() else None

    def __enter__(self) -> Progress:
        if self._bar is not None:
            self._bar.start()
            self._bar.update(self._bar.task_ids[0], description=self._under_way())
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
        self._left.pop(graded.source.id, None)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], advance=1, description=self._under_way())
        elif self._done == self._total or time.monotonic() - self._said_at_s >= _LINE_EVERY_S:
            self._said_at_s = time.monotonic()
            say(f"{self._done} of {self._total}: {graded.source.id}{_score(graded)}", err=True)

    def _under_way(self) -> str:
        """The one that has been under way for longest: where the bar stands still, that is why."""
        from rich.markup import escape

        return escape(visible(next(iter(self._left), "")))


def _score(graded: Graded) -> str:
    if graded.entry is None:
        return " (unchanged)"
    grade = graded.entry.grade
    pending = f" + {points(grade.pending)} pending" if grade.pending else ""
    return f" {points(grade.score)}{pending} of {points(grade.max_score)}"


def _terminal_bar(total: int):  # type: ignore[no-untyped-def]
    from rich import progress
    from rich.console import Console
    from rich.text import Text

    class TimeLeft(progress.ProgressColumn):
        """By the mean so far, so that it grows again while one submission holds up the rest."""

        def render(self, task: progress.Task) -> Text:
            done, elapsed_s = task.completed, task.elapsed or 0.0
            if not done or task.finished:
                return Text("")
            left_s = round(elapsed_s / done * (total - done))
            return Text(f"{left_s // 60}:{left_s % 60:02} left", style="progress.remaining")

    bar = progress.Progress(
        progress.TextColumn("Grading"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        TimeLeft(),
        progress.TextColumn("{task.description}"),
        console=Console(stderr=True),
    )
    bar.add_task("", total=total)
    return bar


class Steps:
    """Shows which step of a longer inquiry is under way; a context manager.

    Silent where nobody watches: what comes of each step is printed at the end.
    """

    def __init__(self, title: str) -> None:
        self._step = ""
        self._bar = _steps_bar(title) if sys.stderr.isatty() else None

    def __enter__(self) -> Steps:
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

    def show(self, step: str, done: int, total: int) -> None:
        """Show a step, and how much of it is done (0 of 0 where that is not known)."""
        if self._bar is None:
            return
        if step != self._step:
            self._step = step
            self._bar.remove_task(self._bar.task_ids[0])
            self._bar.add_task(step, total=None)
        self._bar.update(self._bar.task_ids[0], completed=done, total=total or None)


def _steps_bar(title: str):  # type: ignore[no-untyped-def]
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.TextColumn(title),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        progress.TextColumn("{task.description}"),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=None)
    return bar
