"""A rubric made ready to read answers: its phrases as one grammar, and which words it can place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from grader.checks import written_words as words
from grader.checks.written_grammar import Grammar
from grader.checks.written_reading import Reading, Token, read
from grader.checks.written_search import HARMLESS, STOPS
from grader.checks.written_spelling import Spelling
from grader.rubric import Rubric

DENIALS: Final = "#denials"
HEDGES: Final = "#hedges"


def sure(concept_id: str) -> str:
    """The grammar's name for what shows a concept beyond doubt."""
    return f"#sure {concept_id}"


def likely(concept_id: str) -> str:
    """The grammar's name for what makes a concept likely."""
    return f"#likely {concept_id}"


def refused(refusal_id: str) -> str:
    """The grammar's name for the statements of a refusal."""
    return f"#refused {refusal_id}"


def excused(refusal_id: str) -> str:
    """The grammar's name for what makes a refusal's statement none."""
    return f"#excused {refusal_id}"


@lru_cache(maxsize=64)
def reader(rubric: Rubric) -> Reader:
    """The rubric made ready; it is made ready once."""
    return Reader(rubric)


class Reader:
    """A rubric, ready to read answers."""

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric
        phrases = dict(_phrases(rubric))
        statements = {sure(concept.id) for concept in rubric.concepts}
        loose = phrases.keys() - rubric.vocabulary.keys() - statements
        self.grammar = Grammar(phrases, rubric.symbols, _split(rubric.links), loose)
        self._placed = words.NEUTRAL | _split(rubric.known)
        self._own = self.grammar.lexicon(statements)
        self._every = self.grammar.lexicon(phrases)
        self._spelling = Spelling(self._placed | self._every.words)

    def read(self, answer: str) -> Reading:
        """Read an answer, slips of the pen mended."""
        reading = read(answer, self.rubric.symbols)
        return replace(reading, tokens=tuple(map(self._mended, reading.tokens)))

    def places(self, token: Token) -> bool:
        """Tell whether a token is of the rubric's own statements, or changes nothing in them."""
        if token.kind not in ("word", "han") or token.text in self._own:
            return True
        if token.kind == "han":
            return token.text in words.HAN_NEUTRAL or token.text in self._placed
        return any(form in self._placed for form in _plain_forms(token.text))

    def _mended(self, token: Token) -> Token:
        if token.kind != "word" or token.text in self._every or self.places(token):
            return token
        return replace(token, text=self._spelling.mend(token.text))


def _split(lists: Sequence[str]) -> frozenset[str]:
    return frozenset(" ".join(lists).lower().split())


def _phrases(rubric: Rubric) -> Iterator[tuple[str, Iterable[str]]]:
    yield from rubric.vocabulary.items()
    yield STOPS, rubric.stops
    yield HARMLESS, (*words.HARMLESS, *rubric.harmless)
    yield DENIALS, (*words.DENIALS, *words.HAN_DENIALS)
    yield HEDGES, (*words.HEDGES, *words.HAN_HEDGES)
    for concept in rubric.concepts:
        yield sure(concept.id), concept.sure
        yield likely(concept.id), concept.likely
    for refusal in rubric.refusals:
        yield refused(refusal.id), refusal.phrases
        yield excused(refusal.id), refusal.unless


_ENDINGS: Final = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"),
    ("ly", ""),
)  # fmt: skip


def _plain_forms(word: str) -> Iterator[str]:
    """A word, and what it may be a form of: dividing is from divide, summed from sum."""
    yield word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            stem = word.removesuffix(ending)
            yield stem + instead
            if ending in ("ed", "ing") and stem[-1] == stem[-2]:
                yield stem[:-1]
