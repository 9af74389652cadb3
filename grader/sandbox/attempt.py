"""One attempt: watch one child perform a list of calls, within its limits, until it is dead.

Judges nothing and decodes nothing while the child lives; what arrived is read afterwards.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from grader.errors import SandboxError
from grader.evidence import Ending, Observation
from grader.problem import Limits
from grader.sandbox.child import perform, wire
from grader.sandbox.clock import WALL_FACTOR, Clock, Stopwatch
from grader.sandbox.output import Printed
from grader.sandbox.replies import Frames, read_death
from grader.sandbox.zygote import Death

_SETUP_TIME_S = 60.0
"""For what comes before any student code: a machine that needs longer is out of order."""
_EXIT_GRACE_S = 0.5
_USED_UP = "The whole submission used up its time."


class Process(Clock, Protocol):
    """What an attempt needs of a child."""

    def read(self, timeout_s: float) -> Iterator[tuple[str, bytes]]: ...

    def drain(self, name: str) -> Iterator[bytes]: ...

    def hand_over(self) -> None: ...

    def end(self, grace_s: float = 0.0) -> Death: ...


@dataclass(frozen=True)
class Terms:
    """What one child is asked, and what it may use of what its submission has left."""

    public: tuple[int, ...]
    """Indices of the calls, in order."""
    hidden: tuple[int, ...]
    """Those that come behind them, and that the child gets when they are handed over."""
    limits: Limits
    call_limits_s: Sequence[float]
    """CPU seconds for each call of the batch, by its index."""
    body_limit: int
    cpu_left_s: float
    wall_left_s: float
    """On the wall, without waits for a processor."""
    mark: bytes
    """What the child prints after each step, and no student can guess beforehand."""


@dataclass
class Attempt:
    """What was seen of one child."""

    frames: dict[int, tuple[bytes, bytes, str]] = field(default_factory=dict)
    """Call index (or `perform.LOADED`) → JSON, body, what the call printed."""
    stopped_at: int | None = None
    """Index of the call (or `perform.LOADED`) that the child did not survive, if any."""
    stopped_by: Observation | None = None
    cpu_s: float = 0.0
    wall_s: float = 0.0
    """Without waits for a processor."""


class _Stop(Exception):
    """Ends the watch early, with what it means for the call in progress."""

    def __init__(self, ending: Ending, note: str) -> None:
        self.observation = Observation(ending, note=note)


class _Flood(_Stop):
    """Ends it because too much was printed, by a step that may not be the one in progress."""


class Watch:
    """Reads a child's streams and keeps its clock."""

    def __init__(self, child: Process, terms: Terms) -> None:
        self._child = child
        self._terms = terms
        self._limits = terms.limits
        self._frames = Frames(terms.body_limit, 4 * terms.body_limit + (64 << 20))
        hidden = [perform.OPENED, *terms.hidden] if terms.hidden else []
        self._expected = [perform.READY, perform.LOADED, *terms.public, *hidden]
        self._done = False
        self._ended = False
        self.printed = Printed(terms.mark, terms.limits.output_kb * 1024)
        self._setup_fault = ""
        self._handed_over = False
        self.attempt = Attempt()
        self._whole = Stopwatch(child)
        self._step: Stopwatch | None = self._whole

    def run(self) -> Attempt:
        """Watch until the child has replied to everything, died, or was stopped; it is dead then.

        Raises:
            SandboxError: if the child failed before any student code could run.
        """
        stop: Observation | None = None
        try:
            while not (self._done or self._ended):
                for stream, data in self._child.read(self._patience_s()):
                    self._take(stream, data)
                self._check_time()
        except _Flood as early:
            stop = early.observation
            self._catch_up()
        except _Stop as early:
            stop = early.observation
        except wire.WireError as error:
            stop = Observation(Ending.CRASHED, note=f"Its replies were garbled ({error}).")
        self._drain("out")
        self._drain("err")
        self.printed.close()
        cpu_s = self._child.cpu_s()
        death = self._child.end(_EXIT_GRACE_S if self._ended else 0.0)
        # The clock of a child that ended by itself has stopped; the kernel's account has not.
        self.attempt.cpu_s = max(cpu_s, death.cpu_s)
        self.attempt.wall_s = self._whole.awake_s(self._terms.wall_left_s / WALL_FACTOR)
        self._settle(stop or read_death(death))
        return self.attempt

    def _catch_up(self) -> None:
        """Take the replies to the steps before the one that printed too much.

        What was printed may have been read before the replies that were sent ahead of it.
        """
        with contextlib.suppress(wire.WireError):
            for data in (b"", *self._child.drain("reply")):
                for index, text, body in self._frames.feed(data):
                    is_next = self._expected[:1] == [index]
                    too_early = index == perform.OPENED and not self._handed_over
                    if not is_next or too_early or self._has_flooded(index):
                        return
                    self._accept(index, text, body)

    def _settle(self, stop: Observation) -> None:
        if self._expected[:1] == [perform.OPENED]:
            self._expected.pop(0)
        current = self._expected[0] if self._expected else None
        if self._setup_fault or current == perform.READY:
            fault = self._setup_fault or stop.note
            raise SandboxError(f"the sandbox could not be set up in a child: {fault}")
        if not self._done and current is not None:
            self.attempt.stopped_at = current
            self.attempt.stopped_by = stop

    def _limit_s(self) -> float:
        """What the step under way may take: CPU seconds, once there is student code to take it."""
        step = self._expected[0] if self._expected else perform.DONE
        if step == perform.READY:
            return _SETUP_TIME_S
        if step in (perform.LOADED, perform.OPENED):
            return self._limits.import_time_s
        return self._limits.call_time_s if step < 0 else self._terms.call_limits_s[step]

    def _patience_s(self) -> float:
        limit_s = self._limit_s()
        left_s = limit_s - (self._step.wall_s() if self._step else 0.0)
        return left_s + 0.005 if left_s > 0 else min(0.05, limit_s)

    def _check_time(self) -> None:
        # Made when a step is first waited for: most are over before that.
        self._step = step = self._step or Stopwatch(self._child)
        limit_s = self._limit_s()
        if self._expected[:1] == [perform.READY]:
            if step.wall_s() >= limit_s:
                raise _Stop(Ending.CRASHED, f"It was not ready after {limit_s:g} s.")
            return
        overtime = _overtime(step, limit_s)
        if overtime and not self._has_answered():
            raise _Stop(Ending.TIMEOUT, overtime)
        self._check_whole()

    def _has_answered(self) -> bool:
        """Whether the step under way is over, once all that has arrived is read.

        This process may have waited for a processor itself while the child went on.
        """
        step, more = self._step, True
        while more and self._step is step and not (self._done or self._ended):
            more = False
            for stream, data in self._child.read(0.0):
                self._take(stream, data)
                more = True
        return self._step is not step or self._done or self._ended

    def _check_whole(self) -> None:
        # Calls that sleep use no CPU time, and each may sleep within its own limit.
        left_s = self._terms.wall_left_s
        slept = self._whole.wall_s() >= left_s and (
            self._whole.awake_s(left_s / WALL_FACTOR) >= left_s
        )
        if slept or self._whole.cpu_s() >= self._terms.cpu_left_s:
            raise _Stop(Ending.TIMEOUT, _USED_UP)

    def _take(self, stream: str, data: bytes) -> None:
        if stream == "reply":
            self._ended = not data
            for index, text, body in self._frames.feed(data):
                self._take_frame(index, text, body)
        else:
            self.printed.add(stream, data)
            self._check_flood()

    def _check_flood(self) -> None:
        if self.printed.flooded_by:
            note = f"It printed more than {self._limits.output_kb:,} kB, the limit."
            raise _Flood(Ending.OUTPUT_LIMIT, note)

    def _has_flooded(self, index: int) -> bool:
        """Whether a step that has been replied to is the one that printed too much.

        Its mark comes behind what it printed.  On standard error there are no marks: there it is
        the first step that has not been replied to.
        """
        is_step = index >= perform.LOADED
        return self.printed.flooded_by == "out" and is_step and not self.printed.steps.ended

    def _take_frame(self, index: int, text: bytes, body: bytes) -> None:
        if index == perform.SETUP_FAILED and self._expected[:1] == [perform.READY]:
            self._setup_fault = str(wire.loads(text).get("message"))
            raise _Stop(Ending.CRASHED, "")
        if not self._expected or (self._expected[0] != index and index != perform.DONE):
            raise wire.WireError("a reply that was not asked for")
        self._drain("out")
        if self._has_flooded(index):
            self._check_flood()
        self._done = index == perform.DONE
        if not self._done:
            self._accept(index, text, body)
        self._check_flood()
        if index == perform.READY:
            self._whole = Stopwatch(self._child)
        if self._expected:
            self._check_whole()
        if self._expected[:1] == [perform.OPENED] and not self._done:
            self._open()
        self._step = None

    def _accept(self, index: int, text: bytes, body: bytes) -> None:
        self._expected.pop(0)
        if index >= perform.LOADED:
            self.attempt.frames[index] = (text, body, self.printed.steps.next())

    def _drain(self, stream: str) -> None:
        """Take in what a stream holds, or as much of it as may be printed."""
        for data in self._child.drain(stream):
            self.printed.add(stream, data)
            if self.printed.flooded_by:
                return

    def _open(self) -> None:
        """Hand over the hidden calls: what will be shown to the student is final."""
        self._drain("err")
        self._check_flood()
        self.printed.keep_the_rest()
        self._handed_over = True
        self._child.hand_over()


def _overtime(step: Stopwatch, limit_s: float) -> str:
    """What to say of a step that has had more than its time; "" where it has not."""
    if step.wall_s() < limit_s:
        return ""
    if step.cpu_s() >= limit_s:
        return f"It was stopped after {limit_s:g} s, the limit."
    wall_limit_s = WALL_FACTOR * limit_s
    if step.awake_s(limit_s) < wall_limit_s:
        return ""
    return (
        f"It was stopped after {wall_limit_s:g} s, in which it waited more than it computed; "
        f"the limit is {limit_s:g} s of computing."
    )
