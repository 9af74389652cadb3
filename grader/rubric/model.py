"""A rubric as strict frozen models: vocabulary, the concepts built from it, what they are worth,
and the statements that always go to a person."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Self

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

from grader.rubric.phrase import parse
from grader.rubric.soundness import faults


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
        strict=True,
        frozen=True,
        extra="forbid",
        arbitrary_types_allowed=True,
        defer_build=True,  # all but `Rubric` are only parts of it
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
    """Where a negation or a hedge changes nothing: `no ... {weight} is negative`."""
    links: tuple[str, ...] = Field(default=(), strict=False)
    """Words, separated by spaces, that gaps between what is sure may hold beside little words."""
    known: tuple[str, ...] = Field(default=(), strict=False)
    """Words, separated by spaces, that change nothing in an answer to this question.  An answer
    with a word that is neither here, nor in a `sure` phrase, nor a little word goes to a person."""
    concepts: tuple[Concept, ...] = Field(min_length=1, strict=False)
    levels: tuple[Level, ...] = Field(min_length=1, strict=False)
    refusals: tuple[Refusal, ...] = Field(default=(), strict=False)

    def __hash__(self) -> int:
        # Cheap, as it is asked for at every answer; equality compares everything.
        return hash(tuple(self.vocabulary))

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if found := faults(self):
            raise ValidationError.from_exception_data("Rubric", found)
        return self
