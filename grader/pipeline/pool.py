"""Sandboxes for a run: as many as there are threads that wait for one."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager

from grader.errors import SandboxError
from grader.evidence import Run, Submission
from grader.sandbox.batch import Batch
from grader.sandbox.server import Sandbox


class Pool:
    """Sandboxes for a number of threads; a broken one is replaced.  A context manager."""

    def __init__(self, first: Sandbox, jobs: int) -> None:
        # All are made in this thread: a fork server dies with the thread that started it.
        self._all = [first, *(Sandbox(like=first) for _ in range(jobs - 1))]
        self._stopped = False
        self._idle: queue.SimpleQueue[Sandbox] = queue.SimpleQueue()
        for sandbox in self._all:
            self._idle.put(sandbox)

    def perform(self, submission: Submission, batch: Batch) -> Run:
        """Run a submission in the next idle sandbox, and once more if that sandbox breaks.

        Raises:
            SandboxError: if it broke twice.
        """
        with self._borrowed() as sandbox:
            try:
                return sandbox.run(submission, batch)
            except SandboxError:
                if self._stopped:
                    raise
                sandbox.restart()
                return sandbox.run(submission, batch)

    @contextmanager
    def _borrowed(self) -> Iterator[Sandbox]:
        sandbox = self._idle.get()
        try:
            yield sandbox
        finally:
            self._idle.put(sandbox)

    def stop(self) -> None:
        """Kill every fork server, and with it whatever is being run."""
        self._stopped = True
        for sandbox in self._all:
            sandbox.kill()

    def close(self) -> None:
        """End every sandbox; what is still under way is cut short, and no sandbox restarts."""
        self._stopped = True
        for sandbox in self._all:
            sandbox.close()
