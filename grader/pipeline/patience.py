"""How long the pack's own code may take in the trusted process, before any student's runs.

A reference that never ends would else keep a class waiting without a word.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

CALL_TIME_LIMIT_S = 60.0
"""For one call, by the clock on the wall.  A right answer that takes a minute is of no use: every
student's would."""
_AGAIN_S = 1.0
"""Code that catches the exception gets it once more after so long."""


@contextmanager
def impatient(limit_s: float | None = None) -> Iterator[None]:
    """Raise TimeoutError in what takes longer than `limit_s`, `CALL_TIME_LIMIT_S` if left out.

    Only in the main thread, and where there are timers: elsewhere it goes on.  What is in the
    middle of a call to C is interrupted when that returns.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return
    allowed_s = CALL_TIME_LIMIT_S if limit_s is None else limit_s

    def stop(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"it did not end within {allowed_s:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, allowed_s, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
