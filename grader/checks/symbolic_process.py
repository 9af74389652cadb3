"""The formula worker seen from the grader: a process, two pipes, and clocks that kill it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from grader.checks.symbolic_verdict import Finding, Verdict

_START_LIMIT_S = 60.0
_MAX_REPLY_BYTES = 1 << 16
_MAX_LAST_WORDS = 400
_INHERITED = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
"""Without these some Pythons do not start; nothing else of the grader's environment is passed."""

_T = TypeVar("_T")


class Worker:
    """One `symbolic_worker` process, ready to be asked.  All but `kill` belongs to one thread.

    Raises:
        OSError: if it cannot be started, with what it said.
    """

    def __init__(
        self, *, memory_mb: int, time_limit_s: float, wall_limit_s: float, sympy: bool
    ) -> None:
        limits = [str(os.getpid()), str(memory_mb), str(time_limit_s)]
        limits += ["sympy"] if sympy else []
        self._killed = False
        self._ending = ""
        self._struck = False
        self._time_limit_s = time_limit_s
        self._wall_limit_s = wall_limit_s
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "grader.checks.symbolic_worker", *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={"LANG": "C.UTF-8"} | {n: os.environ[n] for n in _INHERITED if n in os.environ},
            start_new_session=os.name == "posix",  # Ctrl-C is the grader's to answer
        )
        if self._within(_START_LIMIT_S, self._read) != {"ready": True}:
            raise OSError(f"it did not start; {self.end()}")

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._killed and self._process.poll() is None

    def ask(self, request: dict[str, Any]) -> Verdict | None:
        """The verdict; the last one it gave, where it died looking for a proof; else None."""
        return self._within(self._wall_limit_s, lambda: self._exchange(request))

    @property
    def exceeded_s(self) -> float:
        """The limit that ended it, of CPU time or by the wall, in seconds; 0 if none did."""
        if self._struck:
            return self._wall_limit_s
        by_cpu_time = sys.platform != "win32" and self._process.wait() == -signal.SIGPROF
        return self._time_limit_s if by_cpu_time else 0.0

    def kill(self) -> None:
        """SIGKILL, from any thread, any number of times."""
        self._killed = True
        self._process.kill()

    def end(self) -> str:
        """Kill it, let go of it, and say how it ended."""
        self.kill()
        if not self._ending:
            _, said = self._process.communicate()  # also closes the pipes
            last_words = said.decode(errors="replace").strip()[-_MAX_LAST_WORDS:]
            self._ending = f"exit status {self._process.returncode} {last_words}".strip()
        return self._ending

    def _within(self, limit_s: float, work: Callable[[], _T]) -> _T:
        clock = threading.Timer(limit_s, self._time_out)
        clock.daemon = True
        clock.start()
        try:
            return work()
        finally:
            clock.cancel()
            clock.join()  # so that it cannot strike at the next request

    def _time_out(self) -> None:
        self._struck = True
        self.kill()

    def _exchange(self, request: dict[str, Any]) -> Verdict | None:
        latest = None
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            while "verdict" in (reply := self._read()):
                latest = Verdict(**_rebuilt(reply["verdict"]))
        except BrokenPipeError:
            return None
        return latest

    def _read(self) -> dict[str, Any]:
        """The next message; an empty one if the worker is gone or does not keep to the form."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline(_MAX_REPLY_BYTES)
        with contextlib.suppress(ValueError):
            message = json.loads(line)
            if line.endswith(b"\n") and isinstance(message, dict):
                return message
        self.kill()
        return {}


def _rebuilt(fields: dict[str, Any]) -> dict[str, Any]:
    at = tuple((name, where) for name, where in fields["at"])
    return fields | {"finding": Finding(fields["finding"]), "at": at}
