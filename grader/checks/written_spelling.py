"""Slips of the pen: a word that nobody knows, one letter away from one that the rubric knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SHORTEST: Final = 5


class Spelling:
    """Words a slip may have been meant for."""

    def __init__(self, words: Iterable[str]) -> None:
        self._alike: dict[tuple[str, int], list[str]] = {}
        for word in sorted(words):
            if len(word) >= _SHORTEST and word.isascii() and word.isalpha():
                self._alike.setdefault((word[0], len(word)), []).append(word)

    def mend(self, word: str) -> str:
        """The one known word that is a letter away and begins alike; else the word itself."""
        if len(word) < _SHORTEST:
            return word
        lengths = (len(word) - 1, len(word), len(word) + 1)
        alike = (other for n in lengths for other in self._alike.get((word[0], n), ()))
        near = [other for other in alike if _one_slip(word, other)]
        return near[0] if len(near) == 1 else word


def _one_slip(a: str, b: str) -> bool:
    """One letter more, less or changed, or two neighbours swapped."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    a, b = a[start:], b[start:]
    swapped = len(a) > 1 and a[:2] == b[1::-1] and a[2:] == b[2:]
    return swapped or a[1:] == b or a == b[1:] or a[1:] == b[1:]
