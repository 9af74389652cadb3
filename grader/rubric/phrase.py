"""The language that a rubric's statements are written in: phrases, matched token by token.

    dot (product|products)   words; ( | ) lists alternatives
    (the)? same              ? makes a word or a group optional
    normali*                 how a word begins
    {key}                    any phrase of the vocabulary's term `key`
    {key} ... {query}        a gap: a few ordinary words, never one of the rubric's `stops`
    {key} [...] {query}      a wide gap: anything within the sentence

Filler words such as articles and brackets may stand between any two tokens.  No phrase can loop,
so no answer can drive the matching into exponential time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Word:
    """A token as written, or its beginning."""

    text: str
    begins: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """Any phrase of a term of the vocabulary."""

    name: str


@dataclass(frozen=True, slots=True)
class Gap:
    """A few ordinary words; a wide one is anything within the sentence."""

    wide: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several rows, or none of them where it is optional."""

    rows: tuple[Row, ...]
    optional: bool


Item: TypeAlias = Word | Term | Gap | Choice
Row: TypeAlias = tuple[Item, ...]

_DEEPEST = 20
_PIECE = re.compile(r"\s*(?:(\.\.\.|\[\.\.\.\])|\{([^{}]*)\}|([()|?])|([^\s(){}|?]+))")
_PLAIN = re.compile(r"[^\[\](){}|?.]*")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@cache
def parse(phrase: str) -> Row:
    """Read a phrase.

    Raises:
        ValueError: if the phrase is no phrase.
    """
    pieces = list(_pieces(phrase))
    if pieces and all(type(piece) is Word for piece in pieces):
        return tuple(piece for piece in pieces if isinstance(piece, Word))
    rows = _rows(pieces)
    if len(rows) > 1:
        raise ValueError("put alternatives in ( ), or write them as phrases of their own")
    needed = [item for item in rows[0] if type(item) is not Choice or not item.optional]
    if not needed or isinstance(needed[0], Gap) or isinstance(needed[-1], Gap):
        raise ValueError("a phrase begins and ends with something that is no gap")
    return tuple(rows[0])


def _pieces(phrase: str) -> Iterator[str | Item]:
    if _PLAIN.fullmatch(phrase):  # most phrases are, and a pack has thousands
        yield from map(_word, phrase.split())
        return
    at, end = 0, len(phrase.rstrip())
    while at < end:
        match = _PIECE.match(phrase, at)
        if match is None:
            raise ValueError("a { without its }, or a } without its {")
        at = match.end()
        gap, name, mark, word = match.groups()
        if name is not None:
            yield _term(name)
        else:
            yield Gap(wide=gap != "...") if gap else mark or _word(word)


@cache
def _term(name: str) -> Term:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{{{name}}} names no term: a term's name is like key_j")
    return Term(name)


@cache
def _word(word: str) -> Word:
    stem = word.removesuffix("*")
    if "*" in stem or not stem:
        raise ValueError(f"{word}: * stands at the end of a word's beginning")
    return Word(stem.lower(), begins=stem != word)


def _rows(pieces: Sequence[str | Item]) -> list[list[Item]]:
    """The alternatives that pieces spell, those of brackets in them as one item each."""
    around: list[list[list[Item]]] = []
    rows: list[list[Item]] = [[]]
    last = len(pieces) - 1
    opens = True
    """Whether nothing stands here yet that a ? could make optional."""
    for at, piece in enumerate(pieces):
        if piece == "?":
            if opens:
                raise ValueError("a ? follows the word or group that it makes optional")
            opens = True
            continue
        opens = piece == "(" or piece == "|"
        if piece == "(":
            if len(around) == _DEEPEST:
                raise ValueError(f"has more than {_DEEPEST} brackets in each other")
            around.append(rows)
            rows = [[]]
        elif piece == "|":
            rows.append([])
        elif piece == ")":
            if not around:
                raise ValueError("a ) without its (")
            if not all(rows):
                raise ValueError("an empty alternative; write ( … )? for what may be missing")
            inner, rows = rows, around.pop()
            rows[-1].append(_item(inner, at < last and pieces[at + 1] == "?"))
        elif not isinstance(piece, str):
            optional = at < last and pieces[at + 1] == "?"
            rows[-1].append(Choice(((piece,),), optional=True) if optional else piece)
    if around:
        raise ValueError("a ( without its )")
    return rows


def _item(rows: Sequence[Sequence[Item]], optional: bool) -> Item:
    if not optional and len(rows) == len(rows[0]) == 1:
        return rows[0][0]
    return Choice(tuple(map(tuple, rows)), optional)


@cache
def terms(phrase: str) -> frozenset[str]:
    """The names of the terms that a phrase refers to."""
    if "{" not in phrase:
        return frozenset()
    return frozenset(
        name for _, name, _, _ in map(re.Match.groups, _PIECE.finditer(phrase)) if name
    )
