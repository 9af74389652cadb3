"""Inputs with a structure, built from the fuzzer's bytes: each byte decides one thing.

A target reads its input as it stands, unless it begins with `MARK`; what follows the mark then
decides what to build.  So a mutation of one byte is a small change of a zip, a tree or a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MARK = b"\xff"
"""No text, JSON or zip begins with it."""

_SIZES = (
    0,
    1,
    2,
    7,
    8,
    31,
    32,
    33,
    255,
    2**16,
    2**31 - 1,
    2**32,
    2**40,
    2**53,
    2**62,
    2**63,
    2**64,
)


class Choices:
    """Decisions, one after the other; once the bytes are used up each is the first option."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        """How many bytes have not been used."""
        return len(self._data) - self._at

    def byte(self) -> int:
        """The next byte; 0 behind the last."""
        at = self._at
        if at >= len(self._data):
            return 0
        self._at = at + 1
        return self._data[at]

    def below(self, count: int) -> int:
        """A number from 0 up to, not including, a count of at most 256."""
        at = self._at  # as in `byte`, which a second call would slow down by a third
        if at >= len(self._data):
            return 0
        self._at = at + 1
        return self._data[at] % count

    def pick(self, options: Sequence[T]) -> T:
        """One of at most 256 options."""
        return options[self.below(len(options))]

    def size(self) -> int:
        """A size as a liar would choose it: small, at a bound of some type, or negative."""
        kind = self.below(4)
        if kind < 2:
            return self.below(12)
        return self.pick(_SIZES) * (1 if kind == 2 else -1)

    def take(self, at_most: int) -> bytes:
        """Some of the bytes as they are."""
        count = min(self.below(at_most + 1), self.left)
        self._at += count
        return self._data[self._at - count : self._at]

    def text(self, at_most: int = 12) -> str:
        """Some of the bytes as UTF-8 text, broken characters as lone surrogates."""
        return self.take(at_most).decode("utf-8", "surrogateescape")

    def rest(self) -> bytes:
        """All that is left."""
        self._at, start = len(self._data), self._at
        return self._data[start:]


def built(data: bytes) -> Choices | None:
    """The choices that an input stands for; None if it is to be read as it stands."""
    return Choices(data[len(MARK) :]) if data.startswith(MARK) else None
