"""Pieces of text put together: subscripts, transposes, limits of sums, contractions, hyphens and
full stops.  The second half of `written_reading`, which cuts an answer into these pieces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

Kind = Literal["word", "han", "math", "mark", "end"]


@dataclass(slots=True)
class Piece:
    """A cut of the folded text; a space or a command without meaning has no text."""

    text: str
    kind: Kind
    start: int
    end: int


_INDICES: Final = frozenset("ijlmn")
_TRANSPOSES: Final = frozenset({"t", "⊤", "top", "'", "tr", "transpose", "*"})
_ENDINGS: Final = {"s": "'s", "re": "are", "d": "would", "ll": "will", "ve": "have", "m": "am"}
_DROPPED: Final = frozenset({"", "{", "}", "$", "&", "\\", "#", '"', "'", "_", "%"})
_DEEPEST: Final = 8
_LONGEST_BRACKET: Final = 40
_NOTHING: Final = Piece("", "mark", 0, 0)


@lru_cache(maxsize=64)
def _glued(symbols: frozenset[str]) -> re.Pattern[str]:
    """One symbol of a glued formula, with its index and its transpose: kjTq is k_j, ^t, q."""
    names = "".join(sorted(re.escape(s) for s in symbols if len(s) == 1))
    return re.compile(rf"(?i:([{names}]))([ijlmn]|[0-9])?(T|t(?=[{names}]))?" if names else r"(?!)")


class Assembly:
    """One pass over pieces, from left to right, into `out`."""

    def __init__(self, pieces: Sequence[Piece], symbols: frozenset[str], depth: int = 0) -> None:
        self.pieces = pieces
        self.symbols = symbols
        self.depth = depth
        self.at = 0
        self.out: list[Piece] = []

    def run(self) -> list[Piece]:
        """Assemble everything."""
        while self.at < len(self.pieces):
            piece = self.pieces[self.at]
            self.at += 1
            self._step(piece)
        return self.out

    def _peek(self, ahead: int = 0) -> Piece:
        at = self.at + ahead
        return self.pieces[at] if 0 <= at < len(self.pieces) else _NOTHING

    def _emit(self, text: str, kind: Kind, piece: Piece) -> None:
        self.out.append(Piece(text, kind, piece.start, piece.end))

    def _step(self, piece: Piece) -> None:
        text = piece.text
        if text == "∑":
            self._sum(piece)
        elif text == "\\frac":
            self._fraction(piece)
        elif text == "^" and self.depth < _DEEPEST:
            self._power(piece)
        elif text == "⊤":
            self._emit("^t", "math", piece)
        elif text == "-":
            self._hyphen(piece)
        elif text in (".", "!", "?"):
            self._stop(piece)
        elif text == "*":
            self._star(piece)
        elif text == "&" and not self._peek().text and not self._peek(-2).text:
            self._emit("and", "word", piece)
        elif text in _DROPPED:
            return
        elif piece.kind == "word":
            self._word(piece)
        elif text == ")" or (piece.kind == "math" and text[0].isalnum()):
            self._base(Piece(text.lower(), piece.kind, piece.start, piece.end))
        else:
            self._emit("‖" if text == "|" else text, piece.kind, piece)

    # --- words -------------------------------------------------------------------------

    def _word(self, piece: Piece) -> None:
        text = piece.text
        units = self._units(text)
        if units:
            self._glued_formula(piece, units)
        elif text == "T" and self.out and self.out[-1].kind == "math":
            self._emit("^t", "math", piece)
        elif (text.lower() in _INDICES and self._ordinal(piece)) or (
            self._peek().text == "'" and self._contraction(piece)
        ):
            return
        elif text.lower() == "cannot":
            self._emit("can", "word", piece)
            self._emit("not", "word", piece)
        else:
            single = len(text) == 1 and text.lower() != "a"
            self._base(Piece(text.lower(), "math" if single else "word", piece.start, piece.end))

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
                self._base(part, transposed=bool(unit[3]))
            else:
                self._emit(name, "math", part)
                if unit[3]:
                    self._emit("^t", "math", part)

    def _ordinal(self, piece: Piece) -> bool:
        """Read j-th, j^{th}, j'th."""
        ahead = [self._peek(k).text for k in range(5)]
        for used, form in (
            (2, ["-", "th"]), (1, ["th"]), (2, ["^", "th"]), (4, ["^", "{", "th", "}"]),
            (5, ["^", "{", "", "th", "}"]), (2, ["'", "th"]), (2, ["", "th"]), (3, ["", "-", "th"]),
        ):  # fmt: skip
            if ahead[: len(form)] == form:
                last = self._peek(used - 1)
                self.at += used
                self.out.append(Piece(piece.text.lower() + "th", "word", piece.start, last.end))
                return True
        return False

    def _contraction(self, piece: Piece) -> bool:
        """Read don't, it's, they're; a possessive stays as 's."""
        ending = self._peek(1)
        text, tail = piece.text.lower(), ending.text.lower()
        if tail == "t" and text.endswith("n"):
            self._emit(text[:-1], "word", piece)
            self._emit("n't", "word", ending)
        elif tail in _ENDINGS:
            single = len(text) == 1 and tail == "s"
            self._emit(text, "math" if single else "word", piece)
            self._emit(_ENDINGS[tail], "word", ending)
        else:
            return False
        self.at += 2
        return True

    # --- formulas ----------------------------------------------------------------------

    def _base(self, base: Piece, *, transposed: bool = False) -> None:
        """Emit a name with its scripts: first the subscript, then the rest."""
        tail = [Piece("^t", "math", base.start, base.end)] if transposed else []
        named = base.kind in ("word", "math") and not base.text[0].isdigit()
        if (transposed and "_" not in base.text) or (
            named and "_" not in base.text and (base.text in self.symbols or base.text == "alpha")
        ):
            self._loose_index(base)
        while self.depth < _DEEPEST and self._script(base, tail, named=named):
            pass
        self.out.append(base)
        self.out.extend(tail)

    def _loose_index(self, base: Piece) -> None:
        """Take the index of `α i`, or of `k j` where a PDF has lost its subscript."""
        space = self._peek().text == ""
        index = self._peek(1 if space else 0)
        after = [self._peek(k + 1 + space).text for k in range(2)]
        if (
            index.text in _INDICES
            and index.kind == "word"
            and "th" not in after
            and after[0] != "'"
        ):
            self.at += 1 + space
            _subscribe(base, index)

    def _script(self, base: Piece, tail: list[Piece], *, named: bool) -> bool:
        mark = self._peek()
        if mark.text == "_" and named and self._peek(1).text:
            self.at += 1
            self._subscript(base, tail)
        elif mark.text == "^" and self._peek(1).text:
            self.at += 1
            self._superscript(base, tail)
        elif mark.text == "⊤":
            self.at += 1
            tail.append(Piece("^t", "math", mark.start, mark.end))
            if named and "_" not in base.text:
                self._loose_index(base)
        elif mark.text == "'" and named and base.kind == "math":
            self._prime(base, tail)
        elif mark.text == "[" and named and self._peek(2).text == "]":
            _subscribe(base, self._peek(1))
            self.at += 3
        else:
            return False
        return True

    def _subscript(self, base: Piece, tail: list[Piece]) -> None:
        braced = self._peek().text == "{"
        inner = self._group()
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
        inner = self._group()
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
        mark, after = self._peek(), self._peek(1)
        self.at += 1
        if after.text == "s" and not self._peek(1).text.isalnum():
            tail.append(Piece("'s", "word", mark.start, after.end))
            self.at += 1
        elif after.start == mark.end:
            tail.append(Piece("^t", "math", mark.start, mark.end))
        base.end = max(base.end, mark.start)

    def _group(self) -> list[Piece]:
        """Take what a script holds: braces, a bracket, or one piece."""
        first = self._peek()
        closing = {"{": "}", "(": ")"}.get(first.text)
        self.at += 1
        if closing is None:
            if re.fullmatch(r"T[a-zA-Z]{1,4}", first.text):  # k_j^Tq: only T is raised
                self.at -= 1
                first.text, first.start = first.text[1:], first.start + 1
                return [Piece("T", "word", first.start - 1, first.start)]
            return [first]
        end, depth = self.at, 1
        limit = (
            len(self.pieces) if closing == "}" else min(len(self.pieces), end + _LONGEST_BRACKET)
        )
        while end < limit and depth:
            depth += {first.text: 1, closing: -1}.get(self.pieces[end].text, 0)
            end += 1
        inner = self.pieces[self.at : end - 1 if not depth else end]
        self.at = end
        kept = (
            [piece for piece in inner if piece.text not in ("", "{", "}")]
            if len(inner) < 6
            else list(inner)
        )
        if closing == ")" and kept:
            return [first, *kept, Piece(")", "mark", kept[-1].end, kept[-1].end + 1)]
        return kept

    def _inside(self, mark: str, inner: list[Piece]) -> list[Piece]:
        """A script that is more than a name: its mark, then what it holds, in brackets."""
        first, last = inner[0], inner[-1]
        body = Assembly(inner, self.symbols, self.depth + 1).run()
        sign = Piece(mark, "math", first.start, first.end)
        if len(body) == 1:
            return [sign, *body]
        opening = Piece("(", "mark", first.start, first.end)
        return [sign, opening, *body, Piece(")", "mark", last.start, last.end)]

    def _power(self, piece: Piece) -> None:
        inner = self._group() if self._peek().text else []
        if len(inner) == 1 and inner[0].text.lower() in _TRANSPOSES:
            self._emit("^t", "math", inner[0])
        elif inner:
            self.out.extend(self._inside("^", inner))

    def _fraction(self, piece: Piece) -> None:
        if self.depth >= _DEEPEST or self._peek().text != "{":
            return
        for mark in ("", "/"):
            if mark:
                self._emit(mark, "math", piece)
            inner = self._group() if self._peek().text == "{" else []
            self._emit("(", "mark", piece)
            self.out.extend(Assembly(inner, self.symbols, self.depth + 1).run())
            self._emit(")", "mark", piece)

    def _sum(self, piece: Piece) -> None:
        """Emit a sum's sign; limits that only say "over all" are dropped, conditions stay."""
        self._emit("∑", "math", piece)
        while self.depth < _DEEPEST and self._peek().text in ("_", "^") and self._peek(1).text:
            mark = self._peek().text
            self.at += 1
            inner = self._group()
            texts = {p.text for p in inner}
            if (
                mark == "_"
                and len(inner) > 1
                and texts & {"≠", "∖", "¬", "not", "/", "∉", "<", ">"}
            ):
                self.out.extend(self._inside("_", inner))
        if self._peek().text in _INDICES and self._peek(1).text not in ("≠", "=", "∈"):
            self.at += 1
        ahead = [self._peek(k) for k in range(4)]
        words = [p.text for p in ahead if p.text][:3]
        if len(words) == 3 and words[0] in _INDICES and words[1] == "=" and words[2].isdigit():
            used = [k for k, p in enumerate(ahead) if p.text]
            if len(used) >= 3:
                self.at += used[2] + 1

    # --- punctuation -------------------------------------------------------------------

    def _hyphen(self, piece: Piece) -> None:
        before, after = self._peek(-2), self._peek()
        if _is_word(before) and _is_word(after):
            return
        if after.text == "th":
            self.at += 1
            return
        spaced = not before.text and not after.text
        beyond = _is_word(self._peek(-3)) and _is_word(self._peek(1))
        self._emit(
            "," if spaced and beyond else "-", "mark" if spaced and beyond else "math", piece
        )

    def _stop(self, piece: Piece) -> None:
        before, after = self._peek(-2), self._peek()
        touching = bool(before.text) and bool(after.text)
        names = before.kind != "end" and (after.kind == "math" or len(after.text) == 1)
        if (
            piece.text == "."
            and touching
            and names
            and after.text.isalnum()
            and after.text.islower()
        ):
            self._emit("·", "math", piece)
        else:
            self._emit(piece.text, "end", piece)

    def _star(self, piece: Piece) -> None:
        after = next((p for p in (self._peek(), self._peek(1)) if p.text), _NOTHING)
        if (
            self.out
            and self.out[-1].kind == "math"
            and (after.kind == "math" or len(after.text) < 3)
        ):
            self._emit("·", "math", piece)


def _subscribe(base: Piece, index: Piece) -> None:
    base.text, base.kind = f"{base.text}_{index.text.lower()}", "math"
    base.end = max(base.end, index.end)


def _is_word(piece: Piece) -> bool:
    return piece.kind == "word" and len(piece.text) > 1
