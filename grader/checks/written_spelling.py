"""Slips of the pen: a word that nobody knows, one letter away from one that the rubric knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

_SHORTEST: Final = 5


class Spelling:
    """Words a slip may have been meant for."""

    def __init__(self, words: Iterable[str]) -> None:
        self._near: dict[str, list[str]] = {}
        for word in sorted(words):
            if len(word) >= _SHORTEST and word.isascii() and word.isalpha():
                for form in {word, *_shortened(word)}:
                    self._near.setdefault(form, []).append(word)

    def mend(self, word: str) -> str:
        """The one known word that is a letter away, begins alike; else the word itself."""
        if len(word) < _SHORTEST:
            return word
        near = {
            other
            for form in (word, *_shortened(word))
            for other in self._near.get(form, ())
            if other[0] == word[0] and _one_slip(word, other)
        }
        return near.pop() if len(near) == 1 else word


def _shortened(word: str) -> Iterator[str]:
    """A word without one of its letters, in every way."""
    return (word[:k] + word[k + 1 :] for k in range(len(word)))


def _one_slip(a: str, b: str) -> bool:
    """One letter more, less or changed, or two neighbours swapped."""
    start = next((k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    a, b = a[start:], b[start:]
    return (
        a[1:] == b or a == b[1:] or a[1:] == b[1:]
        or (len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1] and a[2:] == b[2:])
    )  # fmt: skip
