"""Formulas put together from pieces: subscripts, transposes, powers, fractions, limits of sums.

The half of `written_assembly` that knows no words.
"""

from __future__ import annotations

import re
from typing import Final

from grader.checks.written_pieces import DEEPEST, Cursor, Piece

INDICES: Final = frozenset("ijlmn")
_CONDITIONS: Final = frozenset({"≠", "∖", "¬", "not", "/", "∉", "<", ">"})
_TRANSPOSES: Final = frozenset({"t", "⊤", "top", "'", "tr", "transpose", "*"})


class Formulas(Cursor):
    """A cursor that reads formulas."""

    def run(self) -> list[Piece]:
        """Put everything together."""
        raise NotImplementedError

    def base(self, base: Piece, *, transposed: bool = False) -> None:
        """Emit a name with its scripts: first the subscript, then the rest."""
        tail = [Piece("^t", "math", base.start, base.end)] if transposed else []
        named = base.kind in ("word", "math") and not base.text[0].isdigit()
        if "_" not in base.text and (transposed or (named and base.text in self.symbols)):
            self._loose_index(base)
        while self.depth < DEEPEST and self._script(base, tail, named=named):
            pass
        self.out.append(base)
        self.out.extend(tail)

    def _loose_index(self, base: Piece) -> None:
        """Take the index of `α i`, or of `k j` where a PDF has lost its subscript."""
        space = self.peek().text == ""
        index = self.peek(1 if space else 0)
        after = [self.peek(k + 1 + space).text for k in range(2)]
        if index.text in INDICES and index.kind == "word" and "th" not in after and after[0] != "'":
            self.at += 1 + space
            _subscribe(base, index)

    def _script(self, base: Piece, tail: list[Piece], *, named: bool) -> bool:
        mark = self.peek()
        if mark.text == "_" and named and self.peek(1).text:
            self.at += 1
            self._subscript(base, tail)
        elif mark.text == "^" and self.peek(1).text:
            self.at += 1
            self._superscript(base, tail)
        elif mark.text == "⊤":
            self.at += 1
            tail.append(Piece("^t", "math", mark.start, mark.end))
            if named and "_" not in base.text:
                self._loose_index(base)
        elif mark.text == "'" and named and base.kind == "math":
            self._prime(base, tail)
        elif mark.text == "[" and named and self.peek(2).text == "]":
            _subscribe(base, self.peek(1))
            self.at += 3
        else:
            return False
        return True

    def _subscript(self, base: Piece, tail: list[Piece]) -> None:
        braced = self.peek().text == "{"
        inner = self.group()
        word = inner[0].text if len(inner) == 1 else ""
        split = re.fullmatch(r"([A-Za-z0-9])(T)?([a-z])?", word)
        if word and word[0].isalnum() and "_" not in base.text:
            if split and not braced:
                first = Piece(split[1], "word", inner[0].start, inner[0].end)
                _subscribe(base, first)
                if split[2]:
                    tail.append(Piece("^t", "math", first.start, first.end))
                if split[3]:
                    tail.append(Piece(split[3], "math", first.start, first.end))
            else:
                _subscribe(base, inner[0])
        elif inner:
            tail.extend(self._inside("_", inner))

    def _superscript(self, base: Piece, tail: list[Piece]) -> None:
        inner = self.group()
        texts = [piece.text.lower() for piece in inner]
        if len(texts) == 1 and texts[0] in _TRANSPOSES:
            tail.append(Piece("^t", "math", inner[0].start, inner[0].end))
            if base.kind == "math" and "_" not in base.text:
                self._loose_index(base)
        elif texts == ["th"]:
            base.text, base.kind, base.end = base.text + "th", "word", inner[0].end
        elif len(texts) == 3 and texts[0] == "(" and texts[2] == ")" and "_" not in base.text:
            _subscribe(base, inner[1])
        elif inner:
            tail.extend(self._inside("^", inner))

    def _prime(self, base: Piece, tail: list[Piece]) -> None:
        mark, after = self.peek(), self.peek(1)
        self.at += 1
        if after.text == "s" and not self.peek(1).text.isalnum():
            tail.append(Piece("'s", "word", mark.start, after.end))
            self.at += 1
        elif after.start == mark.end:
            tail.append(Piece("^t", "math", mark.start, mark.end))
        base.end = max(base.end, mark.start)

    def _inside(self, mark: str, inner: list[Piece]) -> list[Piece]:
        """A script that is more than a name: its mark, then what it holds, in brackets."""
        first, last = inner[0], inner[-1]
        body = type(self)(inner, self.symbols, self.depth + 1).run()
        sign = Piece(mark, "math", first.start, first.end)
        if len(body) == 1:
            return [sign, *body]
        opening = Piece("(", "mark", first.start, first.end)
        return [sign, opening, *body, Piece(")", "mark", last.start, last.end)]

    def power(self) -> None:
        """Read what is raised over something that is no name."""
        inner = self.group() if self.peek().text else []
        if len(inner) == 1 and inner[0].text.lower() in _TRANSPOSES:
            self.emit("^t", "math", inner[0])
        elif inner:
            self.out.extend(self._inside("^", inner))

    def fraction(self, piece: Piece) -> None:
        """Read a fraction's two groups: ( a ) / ( b )."""
        if self.depth >= DEEPEST or self.peek().text != "{":
            return
        for mark in ("", "/"):
            if mark:
                self.emit(mark, "math", piece)
            inner = self.group() if self.peek().text == "{" else []
            self.emit("(", "mark", piece)
            self.out.extend(type(self)(inner, self.symbols, self.depth + 1).run())
            self.emit(")", "mark", piece)

    def sum(self, piece: Piece) -> None:
        """Emit a sum's sign; limits that only say "over all" are dropped, conditions stay."""
        self.emit("∑", "math", piece)
        while self.depth < DEEPEST and self.peek().text in ("_", "^") and self.peek(1).text:
            mark = self.peek().text
            self.at += 1
            inner = self.group()
            if mark == "_" and len(inner) > 1 and {p.text for p in inner} & _CONDITIONS:
                self.out.extend(self._inside("_", inner))
        if self.peek().text in INDICES and self.peek(1).text not in ("≠", "=", "∈"):
            self.at += 1
        ahead = [k for k in range(4) if self.peek(k).text][:3]
        texts = [self.peek(k).text for k in ahead]
        if len(texts) == 3 and texts[0] in INDICES and texts[1] == "=" and texts[2].isdigit():
            self.at += ahead[2] + 1


def _subscribe(base: Piece, index: Piece) -> None:
    base.text, base.kind = f"{base.text}_{index.text.lower()}", "math"
    base.end = max(base.end, index.end)
