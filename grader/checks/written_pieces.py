"""Pieces of an answer's text, and a cursor over them: the ground of `written_formulas` and
`written_assembly`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["word", "han", "math", "mark", "end"]

DEEPEST: Final = 8
"""Scripts inside scripts are read to this depth."""

_LONGEST_BRACKET: Final = 40


@dataclass(slots=True)
class Piece:
    """A cut of the folded text; a space or a command without meaning has no text."""

    text: str
    kind: Kind
    start: int
    end: int


NOTHING: Final = Piece("", "mark", 0, 0)


class Cursor:
    """One pass over pieces, from left to right, into `out`."""

    def __init__(self, pieces: Sequence[Piece], symbols: frozenset[str], depth: int = 0) -> None:
        self.pieces = pieces
        self.symbols = symbols
        self.depth = depth
        self.at = 0
        self.out: list[Piece] = []

    def peek(self, ahead: int = 0) -> Piece:
        """The piece so far ahead, or one without text where there is none."""
        at = self.at + ahead
        return self.pieces[at] if 0 <= at < len(self.pieces) else NOTHING

    def emit(self, text: str, kind: Kind, piece: Piece) -> None:
        """Put out a text that stands where `piece` stands."""
        self.out.append(Piece(text, kind, piece.start, piece.end))

    def group(self) -> list[Piece]:
        """Take what a script holds: braces, a bracket, or one piece."""
        first = self.peek()
        self.at += 1
        if first.text == "{":
            return _plain(self._closed("{", "}", len(self.pieces)))
        if first.text == "(":
            inner = _plain(self._closed("(", ")", self.at + _LONGEST_BRACKET))
            last = inner[-1] if inner else first
            return [first, *inner, Piece(")", "mark", last.start, last.end)]
        if re.fullmatch(r"T[a-zA-Z]{1,4}", first.text):  # k_j^Tq: only T is raised
            self.at -= 1
            first.text, first.start = first.text[1:], first.start + 1
            return [Piece("T", "word", first.start - 1, first.start)]
        return [first]

    def _closed(self, opening: str, closing: str, limit: int) -> Sequence[Piece]:
        """Take pieces up to the bracket that closes, or as far as may be."""
        start, depth = self.at, 1
        while self.at < min(limit, len(self.pieces)):
            text = self.pieces[self.at].text
            self.at += 1
            depth += (text == opening) - (text == closing)
            if not depth:
                return self.pieces[start : self.at - 1]
        return self.pieces[start : self.at]


def _plain(pieces: Sequence[Piece]) -> list[Piece]:
    """Drop spaces and braces around and within what is short enough to be one name."""
    short = len(pieces) < 6
    return [piece for piece in pieces if not short or piece.text not in ("", "{", "}")]
