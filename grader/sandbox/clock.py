"""The clocks of a child: CPU time, and the time on the wall that it did not wait for a processor.

A busy machine is not the student's fault, and a call that sleeps still ends.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from typing import Protocol

WALL_FACTOR = 5
"""What has a limit of CPU time may take this many times as long by the wall, waits left out.  An
honest call does both at once; the rest is room for disks, and for a kernel that does not tell of
waits."""
WAIT_FACTOR = 20
"""Waits are left out up to so many times the limit: twenty busy processes for each core.  The code
has one thread and no way to lower its priority, so that alone it never waits; but it could yield
to what else the machine does, for as long as that lasts."""


class Clock(Protocol):
    """What a child's time is told by."""

    def cpu_s(self) -> float: ...

    def waited_s(self) -> float: ...


class Stopwatch:
    """Runs from when it is made, over one child's CPU time and its time on the wall."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began_wall_s = time.monotonic()
        self._began_cpu_s = clock.cpu_s()
        self._began_waited_s = clock.waited_s()

    def cpu_s(self) -> float:
        """CPU seconds that were used meanwhile."""
        return self._clock.cpu_s() - self._began_cpu_s

    def wall_s(self) -> float:
        """Seconds by the clock on the wall, all of them."""
        return time.monotonic() - self._began_wall_s

    def awake_s(self, limit_s: float) -> float:
        """Seconds on the wall without the waits for a processor, up to `WAIT_FACTOR` × `limit_s`.

        The kernel adds a wait when it is over, so one that still lasts counts as awake.
        """
        waited_s = self._clock.waited_s() - self._began_waited_s
        return self.wall_s() - min(max(waited_s, 0.0), WAIT_FACTOR * limit_s)


class Waits:
    """How long a process has waited for a processor: /proc/PID/schedstat, second number.

    It is opened once, and kept if the process still lives by then: so it never tells of another
    that has got the same id.  Where the kernel hides or does not count this, it is 0: then all
    time on the wall counts.
    """

    def __init__(self, pid: int, pidfd: int) -> None:
        self._fd = -1
        with contextlib.suppress(OSError):
            self._fd = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        if select.select([pidfd], [], [], 0)[0]:
            self.close()
        self._last_s = 0.0

    def seconds(self) -> float:
        """The total so far; of a dead process, the last that was seen."""
        if self._fd >= 0:
            with contextlib.suppress(OSError, ValueError, IndexError):
                self._last_s = int(os.pread(self._fd, 80, 0).split()[1]) / 1e9
        return self._last_s

    def close(self) -> None:
        """Let go of it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
