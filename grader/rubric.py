"""What an instructor writes to have an explanation in words read: a rubric, as strict frozen models.

A noun of the pack, part of `Problem`: `spec` reads a rubric's TOML into it, `checks.written`
applies it.  A rubric names vocabulary, builds concepts from it, says what which concepts are worth,
and which statements always go to a person.

Phrases are the language of it all, matched token by token:

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

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

# --- phrases -------------------------------------------------------------------------------


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
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@cache
def parse(phrase: str) -> Row:
    """Read a phrase.

    Raises:
        ValueError: if the phrase is no phrase.
    """
    pieces = list(_pieces(phrase))
    rows, end = _rows(pieces, 0, 0)
    if end < len(pieces):
        raise ValueError("a ) without its (")
    if len(rows) > 1:
        raise ValueError("put alternatives in ( ), or write them as phrases of their own")
    needed = [item for item in rows[0] if not (isinstance(item, Choice) and item.optional)]
    if not needed or isinstance(needed[0], Gap) or isinstance(needed[-1], Gap):
        raise ValueError("a phrase begins and ends with something that is no gap")
    return rows[0]


def _pieces(phrase: str) -> Iterator[str | Item]:
    at = 0
    while phrase[at:].strip():
        match = _PIECE.match(phrase, at)
        if match is None:
            raise ValueError("a { without its }, or a } without its {")
        at = match.end()
        gap, name, mark, word = match.groups()
        if name is not None:
            yield _term(name)
        else:
            yield Gap(wide=gap != "...") if gap else mark or _word(word)


def _term(name: str) -> Term:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{{{name}}} names no term: a term's name is like key_j")
    return Term(name)


def _word(word: str) -> Word:
    stem = word.removesuffix("*")
    if "*" in stem or not stem:
        raise ValueError(f"{word}: * stands at the end of a word's beginning")
    return Word(stem.lower(), begins=stem != word)


def _rows(pieces: Sequence[str | Item], at: int, depth: int) -> tuple[list[Row], int]:
    """Read alternatives up to a ) or the end, and say where that is."""
    if depth > _DEEPEST:
        raise ValueError(f"has more than {_DEEPEST} brackets in each other")
    rows: list[list[Item]] = [[]]
    while at < len(pieces) and pieces[at] != ")":
        if pieces[at] == "|":
            rows.append([])
            at += 1
        else:
            item, at = _item(pieces, at, depth)
            rows[-1].append(item)
    return [tuple(row) for row in rows], at


def _item(pieces: Sequence[str | Item], at: int, depth: int) -> tuple[Item, int]:
    piece = pieces[at]
    if piece == "?":
        raise ValueError("a ? follows the word or group that it makes optional")
    rows: list[Row]
    if piece == "(":
        rows, at = _rows(pieces, at + 1, depth + 1)
        if at == len(pieces):
            raise ValueError("a ( without its )")
        if not all(rows):
            raise ValueError("an empty alternative; write ( … )? for what may be missing")
    else:
        assert not isinstance(piece, str)
        rows = [(piece,)]
    optional = at + 1 < len(pieces) and pieces[at + 1] == "?"
    if not optional and len(rows) == len(rows[0]) == 1:
        return rows[0][0], at + 1
    return Choice(tuple(rows), optional), at + 1 + optional


@cache
def terms(phrase: str) -> frozenset[str]:
    """The names of the terms that a phrase refers to."""
    return frozenset(
        name for _, name, _, _ in map(re.Match.groups, _PIECE.finditer(phrase)) if name
    )


# --- models --------------------------------------------------------------------------------


def _phrase(value: str) -> str:
    parse(value)
    return value


_SHARE = re.compile(r"[0-9]{1,9}/[0-9]{1,9}|[0-9]{1,9}(\.[0-9]{1,18})?")


def _share(value: object) -> Fraction:
    """Read a share of the points exactly: "1/3", 0.5, 1."""
    if isinstance(value, Fraction):
        share = value
    elif isinstance(value, bool) or not _SHARE.fullmatch(str(value)):
        raise ValueError('write a share of the points, like "1/2", 0.5 or 1')
    else:
        try:
            share = Fraction(str(value))
        except ZeroDivisionError:
            raise ValueError("a fraction has no 0 below the line") from None
    if share > 1:
        raise ValueError("a share of the points is at most 1")
    return share


_ID = r"^[A-Za-z][A-Za-z0-9_-]{0,63}$"
Id = Annotated[str, Field(pattern=_ID)]
TermName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Share = Annotated[Fraction, BeforeValidator(_share), WithJsonSchema({"type": ["number", "string"]})]
Phrase = Annotated[str, AfterValidator(_phrase)]
Phrases = Annotated[tuple[Phrase, ...], Field(strict=False)]
Ids = Annotated[tuple[Id, ...], Field(strict=False)]


class _Model(BaseModel):
    model_config = ConfigDict(
        strict=True, frozen=True, extra="forbid", arbitrary_types_allowed=True
    )


class Concept(_Model):
    """One idea that an answer should hold."""

    id: Id
    title: str
    """What the idea is, to go on "says that": "no weight is negative"."""
    sure: Phrases = ()
    """Statements clear enough to earn points without a person."""
    likely: Phrases = ()
    """Statements that make the idea likely: they count in suggestions only."""


class Level(_Model):
    """What an answer with these concepts is worth."""

    fraction: Share
    needs: Ids = Field(min_length=1)
    """Ids of concepts, all of them needed; several levels may have one fraction."""


class Refusal(_Model):
    """A statement that sends an answer to a person, whatever else it says."""

    id: Id
    because: str
    """Why, to go on "a person has to look, because": "it sets the value where the key belongs"."""
    phrases: Phrases = Field(min_length=1)
    unless: Phrases = ()
    """Where one of these overlaps it, the statement is none."""
    denies: Ids = ()
    """Concepts that do not count in the suggestion where this was found."""
    at_most: Share = Fraction(1)
    """The suggestion is no higher than this."""


class Rubric(_Model):
    """How to read the answers to one question."""

    usual_words: tuple[int, int] = Field(default=(3, 120), strict=False)
    """An answer with fewer words or more goes to a person."""
    symbols: tuple[str, ...] = Field(default=(), strict=False)
    """The question's one-letter names: `kj` and `kjTq` are then read as k_j and k_j^T q."""
    vocabulary: dict[TermName, Phrases] = {}
    stops: Phrases = ()
    """What no gap contains: the question's other nouns."""
    harmless: Phrases = ()
    """Where a negation, a hedge or an exception changes nothing: `no ... {weight} is negative`."""
    links: tuple[str, ...] = Field(default=(), strict=False)
    """Words, separated by spaces, that gaps between what is sure may hold beside little words."""
    known: tuple[str, ...] = Field(default=(), strict=False)
    """Further ordinary words, separated by spaces: gaps may contain them."""
    concepts: tuple[Concept, ...] = Field(min_length=1, strict=False)
    levels: tuple[Level, ...] = Field(min_length=1, strict=False)
    refusals: tuple[Refusal, ...] = Field(default=(), strict=False)

    def __hash__(self) -> int:
        # Cheap, as it is asked for at every answer; equality compares everything.
        return hash(tuple(self.vocabulary))

    @model_validator(mode="after")
    def _whole(self) -> Self:
        faults = [*_term_faults(self), *_id_faults(self), *_level_faults(self)]
        if faults:
            raise ValidationError.from_exception_data("Rubric", faults)
        return self


# --- what only the whole rubric can tell ---------------------------------------------------

_Where: TypeAlias = tuple[int | str, ...]


def _fault(where: _Where, problem: str, given: Any) -> InitErrorDetails:
    # The message goes in as a value: braces in it would be read as a template's.
    error = PydanticCustomError("rubric", "{problem}", {"problem": problem})
    return InitErrorDetails(type=error, loc=where, input=given)


def _meant(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _phrases(rubric: Rubric) -> Iterator[tuple[_Where, str]]:
    for name, phrases in rubric.vocabulary.items():
        yield from ((("vocabulary", name, k), phrase) for k, phrase in enumerate(phrases))
    for key, phrases in (("stops", rubric.stops), ("harmless", rubric.harmless)):
        yield from (((key, k), phrase) for k, phrase in enumerate(phrases))
    for n, concept in enumerate(rubric.concepts):
        for key, phrases in (("sure", concept.sure), ("likely", concept.likely)):
            yield from ((("concepts", n, key, k), phrase) for k, phrase in enumerate(phrases))
    for n, refusal in enumerate(rubric.refusals):
        for key, phrases in (("phrases", refusal.phrases), ("unless", refusal.unless)):
            yield from ((("refusals", n, key, k), phrase) for k, phrase in enumerate(phrases))


def _term_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    names = rubric.vocabulary.keys()
    for where, phrase in _phrases(rubric):
        for name in sorted(terms(phrase) - names):
            said = f"the vocabulary has no term {name}{_meant(name, names)}"
            yield _fault(where, said, phrase)
    for name in names:
        if name in _reached(rubric, name):
            said = f"the term {name} is made of itself"
            yield _fault(("vocabulary", name), said, rubric.vocabulary[name])


def _reached(rubric: Rubric, name: str) -> set[str]:
    """Every term that a term is made of, directly or through others."""
    found: set[str] = set()
    ahead = [name]
    while ahead:
        new = {
            t for phrase in rubric.vocabulary.get(ahead.pop(), ()) for t in terms(phrase)
        } - found
        found |= new
        ahead.extend(new)
    return found


def _id_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    for key, rows in (("concepts", rubric.concepts), ("refusals", rubric.refusals)):
        seen: set[str] = set()
        for n, row in enumerate(rows):
            if row.id in seen:
                yield _fault((key, n, "id"), f"there are two {key} called {row.id}", row.id)
            seen.add(row.id)
    ids = [concept.id for concept in rubric.concepts]
    named = [(("levels", n, "needs"), level.needs) for n, level in enumerate(rubric.levels)]
    named += [(("refusals", n, "denies"), row.denies) for n, row in enumerate(rubric.refusals)]
    for where, wanted in named:
        for k, name in enumerate(wanted):
            if name not in ids:
                said = f"there is no concept {name}{_meant(name, ids)}"
                yield _fault((*where, k), said, name)


def _level_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    if all(level.fraction != 1 for level in rubric.levels):
        yield _fault(("levels",), "one level has to be worth everything: fraction = 1", None)
    low, high = rubric.usual_words
    if not 0 <= low <= high:
        yield _fault(("usual_words",), "write the fewest words, then the most", [low, high])
