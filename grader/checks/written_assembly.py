"""Pieces of text put together into what is read: words with their contractions, hyphens and full
stops, and formulas.  The second half of `written_reading`, which cuts an answer into pieces."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from grader.checks.written_formulas import INDICES, Formulas
from grader.checks.written_pieces import DEEPEST, NOTHING, Piece

_ENDINGS: Final = {"s": "'s", "re": "are", "d": "would", "ll": "will", "ve": "have", "m": "am"}
_DROPPED: Final = frozenset({"", "{", "}", "$", "&", "\\", "#", '"', "'", "_", "%"})


@lru_cache(maxsize=64)
def _glued(symbols: frozenset[str]) -> re.Pattern[str]:
    """One symbol of a glued formula, with its index and its transpose: kjTq is k_j, ^t, q."""
    names = "".join(sorted(re.escape(s) for s in symbols if len(s) == 1))
    return re.compile(rf"(?i:([{names}]))([ijlmn]|[0-9])?(T|t(?=[{names}]))?" if names else r"(?!)")


class Assembly(Formulas):
    """Everything put together."""

    def run(self) -> list[Piece]:
        """Assemble everything."""
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            self.at += 1
            self._step(piece)
        return self.out

    def _step(self, piece: Piece) -> None:
        text = piece.text
        if text == "∑":
            self.sum(piece)
        elif text == "\\frac":
            self.fraction(piece)
        elif text == "^" and self.depth < DEEPEST:
            self.power()
        elif text == "⊤":
            self.emit("^t", "math", piece)
        elif text == "-":
            self._hyphen(piece)
        elif text in (".", "!", "?"):
            self._stop(piece)
        elif text == "*":
            self._star(piece)
        elif text == "&" and not self.peek().text and not self.peek(-2).text:
            self.emit("and", "word", piece)
        elif text in _DROPPED:
            return
        elif piece.kind == "word":
            self._word(piece)
        elif text == ")" or (piece.kind == "math" and text[0].isalnum()):
            self.base(Piece(text.lower(), piece.kind, piece.start, piece.end))
        else:
            self.emit("‖" if text == "|" else text, piece.kind, piece)

    # --- words -------------------------------------------------------------------------

    def _word(self, piece: Piece) -> None:
        text = piece.text
        units = self._units(text)
        if units:
            self._glued_formula(piece, units)
        elif text == "T" and self.out and self.out[-1].kind == "math":
            self.emit("^t", "math", piece)
        elif (text.lower() in INDICES and self._ordinal(piece)) or (
            self.peek().text == "'" and self._contraction(piece)
        ):
            return
        elif text.lower() == "cannot":
            self.emit("can", "word", piece)
            self.emit("not", "word", piece)
        else:
            single = len(text) == 1 and text.lower() != "a"
            self.base(Piece(text.lower(), "math" if single else "word", piece.start, piece.end))

    def _units(self, text: str) -> list[re.Match[str]]:
        """Split kjTq; a word that is no such formula has no units."""
        if not 2 <= len(text) <= 8:
            return []
        found = list(_glued(self.symbols).finditer(text))
        whole = "".join(match.group() for match in found) == text
        marked = any(match[2] or match[3] for match in found)
        return found if whole and marked else []

    def _glued_formula(self, piece: Piece, units: list[re.Match[str]]) -> None:
        for unit in units:
            name = unit[1].lower() + (f"_{unit[2]}" if unit[2] else "")
            part = Piece(name, "math", piece.start + unit.start(), piece.start + unit.end())
            if unit is units[-1]:
                self.base(part, transposed=bool(unit[3]))
            else:
                self.emit(name, "math", part)
                if unit[3]:
                    self.emit("^t", "math", part)

    def _ordinal(self, piece: Piece) -> bool:
        """Read j-th, j^{th}, j'th."""
        ahead = [self.peek(k).text for k in range(5)]
        for used, form in (
            (2, ["-", "th"]), (1, ["th"]), (2, ["^", "th"]), (4, ["^", "{", "th", "}"]),
            (5, ["^", "{", "", "th", "}"]), (2, ["'", "th"]), (2, ["", "th"]), (3, ["", "-", "th"]),
        ):  # fmt: skip
            if ahead[: len(form)] == form:
                last = self.peek(used - 1)
                self.at += used
                self.out.append(Piece(piece.text.lower() + "th", "word", piece.start, last.end))
                return True
        return False

    def _contraction(self, piece: Piece) -> bool:
        """Read don't, it's, they're; a possessive stays as 's."""
        ending = self.peek(1)
        text, tail = piece.text.lower(), ending.text.lower()
        if tail == "t" and text.endswith("n"):
            self.emit(text[:-1], "word", piece)
            self.emit("n't", "word", ending)
        elif tail in _ENDINGS:
            single = len(text) == 1 and tail == "s"
            self.emit(text, "math" if single else "word", piece)
            self.emit(_ENDINGS[tail], "word", ending)
        else:
            return False
        self.at += 2
        return True

    # --- punctuation -------------------------------------------------------------------

    def _hyphen(self, piece: Piece) -> None:
        before, after = self.peek(-2), self.peek()
        if _is_word(before) and _is_word(after):
            return
        if after.text == "th":
            self.at += 1
            return
        spaced = not before.text and not after.text
        beyond = _is_word(self.peek(-3)) and _is_word(self.peek(1))
        self.emit("," if spaced and beyond else "-", "mark" if spaced and beyond else "math", piece)

    def _stop(self, piece: Piece) -> None:
        if piece.text == "." and self._multiplies():
            self.emit("·", "math", piece)
        else:
            self.emit(piece.text, "end", piece)

    def _multiplies(self) -> bool:
        """Whether a full stop is a dot between factors: k_j.q, or k_j . q."""
        before, after = self.peek(-2), self.peek()
        if not before.text and not after.text:
            factor = self.peek(1).text
            named = bool(self.out) and self.out[-1].kind == "math" and "_" in self.out[-1].text
            return named and factor in self.symbols
        names = before.kind != "end" and (after.kind == "math" or len(after.text) == 1)
        return bool(before.text) and names and after.text.isalnum() and after.text.islower()

    def _star(self, piece: Piece) -> None:
        after = next((p for p in (self.peek(), self.peek(1)) if p.text), NOTHING)
        if (
            self.out
            and self.out[-1].kind == "math"
            and (after.kind == "math" or len(after.text) < 3)
        ):
            self.emit("·", "math", piece)


def _is_word(piece: Piece) -> bool:
    return piece.kind == "word" and len(piece.text) > 1
