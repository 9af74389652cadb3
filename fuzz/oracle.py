"""What every oracle says when a reader is wrong, and the clock that all of them share."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


class Wrong(AssertionError):
    """A reader accepted what it must not, altered what it read, or took too long over it."""


def require(holds: bool, what: str) -> None:
    """Raise `Wrong`, with what was found, unless the condition holds."""
    if not holds:
        raise Wrong(what)


def timely(limit_s: float, read: Callable[[], T]) -> T:
    """Call a reader, and require that it takes no more than so many seconds.

    Where it took longer it is called once more by the clock of this process alone, since others
    may have kept it waiting.
    """
    start_s = time.perf_counter()
    try:
        return read()
    finally:
        if time.perf_counter() - start_s > limit_s:
            _require_timely(limit_s, read)


def _require_timely(limit_s: float, read: Callable[[], object]) -> None:
    start_s = time.process_time()
    with suppress(Exception):  # it was raised to the caller the first time
        read()
    took_s = time.process_time() - start_s
    require(took_s <= limit_s, f"took {took_s:.2f} s; the limit is {limit_s:g} s")
