"""Phrases of a rubric found in the tokens of an answer.

A rubric's phrases are a grammar without loops: each term's matches are found once, from those of
the terms it is made of, so the work grows with the answer's length and never explodes; a budget of
steps, the same on every machine, stops what an adversary still tries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from grader.checks.written_reading import Token, read
from grader.checks.written_words import FILLERS, NEGATIONS
from grader.rubric import Choice, Gap, Item, Row, Term, Word, items, parse, terms

STOPS: Final = "#stops"
HARMLESS: Final = "#harmless"
_GAP_WORDS: Final = 8
_MAX_STEPS: Final = 400_000
_GAP_MARKS: Final = frozenset(",:()\"—")

Spans = dict[int, set[int]]
"""Where something was found: start → ends, as token numbers, of slices."""


class TooMuchWork(Exception):
    """An answer took more steps than any real one does."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a phrase was found, as a slice of tokens."""

    start: int
    end: int


class Grammar:
    """Phrases by name, made ready to be looked for."""

    def __init__(self, phrases: Mapping[str, Iterable[str]], symbols: Sequence[str]) -> None:
        self.order = _bottom_up({name: terms(ps) for name, ps in phrases.items()})
        self.literals: set[str] = set()
        self.stems: set[str] = set()
        self.by_word: dict[str, list[tuple[str, Row]]] = {}
        self.by_stem: dict[str, list[tuple[str, Row]]] = {}
        self.by_term: dict[str, list[tuple[str, Row]]] = {name: [] for name in phrases}
        for name, written in phrases.items():
            for phrase in written:
                row = _tokenised(parse(phrase), tuple(symbols))
                self._learn(row)
                for head in _heads(row):
                    self._index(name, head)
        self.stem_lengths = sorted({len(stem) for stem in self.stems})

    def _learn(self, row: Row) -> None:
        for item in items(row):
            if isinstance(item, Word):
                (self.stems if item.begins else self.literals).add(item.text)

    def _index(self, name: str, row: Row) -> None:
        """File a row by its first item; the rest is what is looked for after it."""
        first, rest = row[0], row[1:]
        if isinstance(first, Term):
            self.by_term[name].append((first.name, rest))
        elif isinstance(first, Word):
            index = self.by_stem if first.begins else self.by_word
            index.setdefault(first.text, []).append((name, rest))

    def knows(self, word: str) -> bool:
        """Tell whether a word is a word of these phrases."""
        return word in self.literals or any(word[:k] in self.stems for k in self.stem_lengths)

    def find(self, tokens: Sequence[Token]) -> dict[str, Spans]:
        """Find every phrase: name → spans.

        Raises:
            TooMuchWork: if the answer is made to be slow.
        """
        return _Search(self, tokens).run()


def _heads(row: Row) -> Iterator[Row]:
    """A row, once for each way to begin it."""
    first, rest = row[0], row[1:]
    if not isinstance(first, Choice):
        yield row
        return
    for inner in first.rows:
        yield from _heads(inner + rest)
    if first.optional and rest:
        yield from _heads(rest)


def _tokenised(row: Row, symbols: tuple[str, ...]) -> Row:
    """Read a phrase's words as an answer's are read, so that k_j^T or 内积 fit what is there."""
    made: list[Item] = []
    for item in row:
        if isinstance(item, Choice):
            rows = tuple(_tokenised(inner, symbols) for inner in item.rows)
            made.append(Choice(rows, item.optional))
        elif isinstance(item, Word) and not item.begins and _is_compound(item.text):
            made.extend(Word(text) for text in _read_word(item.text, symbols))
        else:
            made.append(item)
    return tuple(made)


@cache
def _read_word(word: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(token.text for token in read(word, symbols).tokens)


def _is_compound(word: str) -> bool:
    return len(word) > 1 and (not word.isascii() or "_" in word) and any(map(str.isalnum, word))


def _bottom_up(parts: Mapping[str, frozenset[str]]) -> list[str]:
    """Names so that each comes after those it is made of, what gaps depend on first of all."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        for part in sorted(parts[name]):
            if part not in order:
                visit(part)
        order[name] = None

    for name in sorted(parts, key=lambda name: (name != HARMLESS, name != STOPS, name)):
        visit(name)
    return list(order)


class _Search:
    def __init__(self, grammar: Grammar, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        self.texts = [token.text for token in tokens]
        self.found: dict[str, Spans] = {}
        self.steps = 0
        self.skips = [self._skip(at) for at in range(len(tokens) + 1)]
        self.reach = self._reach(frozenset())

    def run(self) -> dict[str, Spans]:
        heads = self._heads()
        for name in self.grammar.order:
            spans: Spans = {}
            for start, rest in heads.get(name, ()):
                self._add(spans, start, self._walk(rest, {start + 1}))
            for part, rest in self.grammar.by_term[name]:
                for start, ends in self.found[part].items():
                    self._add(spans, start, self._walk(rest, ends))
            self.found[name] = spans
            if name in (HARMLESS, STOPS):
                self.reach = self._reach(self._stopped())
        return self.found

    def _stopped(self) -> frozenset[int]:
        """What no gap may hold: the rubric's stops, and negations that are not harmless."""
        harmless = covered(self.found.get(HARMLESS, {}))
        negations = {at for at, text in enumerate(self.texts) if text in NEGATIONS}
        return frozenset(covered(self.found.get(STOPS, {})) | (negations - harmless))

    def _heads(self) -> dict[str, list[tuple[int, Row]]]:
        """For each name, what must follow where the first word of one of its phrases stands."""
        grammar, heads = self.grammar, dict[str, list[tuple[int, Row]]]()
        for at, text in enumerate(self.texts):
            for name, rest in grammar.by_word.get(text, ()):
                heads.setdefault(name, []).append((at, rest))
            for length in grammar.stem_lengths:
                if length > len(text):
                    break
                for name, rest in grammar.by_stem.get(text[:length], ()):
                    heads.setdefault(name, []).append((at, rest))
        return heads

    @staticmethod
    def _add(spans: Spans, start: int, ends: set[int]) -> None:
        if ends:
            spans.setdefault(start, set()).update(ends)

    def _walk(self, row: Row, ends: set[int], gap: bool = False) -> set[int]:
        """Where a row can end that begins where something else ended."""
        for k, item in enumerate(row):
            if not ends:
                break
            if isinstance(item, Gap):
                gap = True
            elif not isinstance(item, Choice):
                ends, gap = self._after(item, ends, gap), False
            else:
                chosen = {end for inner in item.rows for end in self._walk(inner, ends, gap)}
                if item.optional and gap:
                    return self._walk(row[k + 1 :], chosen) | self._walk(row[k + 1 :], ends, gap)
                ends, gap = chosen | ends if item.optional else chosen, False
        return ends

    def _after(self, item: Word | Term, ends: set[int], gap: bool) -> set[int]:
        near = self.reach if gap else self.skips
        starts = {start for end in ends for start in near[end]}
        self.steps += len(starts) + 1
        if self.steps > _MAX_STEPS:
            raise TooMuchWork
        if isinstance(item, Term):
            spans = self.found[item.name]
            return {end for start in starts if start in spans for end in spans[start]}
        texts, text = self.texts, item.text
        if item.begins:
            return {s + 1 for s in starts if s < len(texts) and texts[s].startswith(text)}
        return {s + 1 for s in starts if s < len(texts) and texts[s] == text}

    def _skip(self, at: int) -> tuple[int, ...]:
        end = at
        while end < len(self.texts) and self.texts[end] in FILLERS and end - at < 6:
            end += 1
        return tuple(range(at, end + 1))

    def _reach(self, stopped: frozenset[int]) -> list[range]:
        return [self._gap(at, stopped) for at in range(len(self.tokens) + 1)]

    def _gap(self, at: int, stopped: frozenset[int]) -> range:
        end, words = at, 0.0
        while end < len(self.tokens) and end not in stopped and _may_fill(self.tokens[end]):
            words += {"word": 1.0, "han": 0.5}.get(self.tokens[end].kind, 0.0)
            if words > _GAP_WORDS:
                break
            end += 1
        return range(at, end + 1)


def _may_fill(token: Token) -> bool:
    return token.kind in ("word", "han") or token.text in _GAP_MARKS


def covered(spans: Spans) -> set[int]:
    """Every token that some span covers."""
    return {at for start, ends in spans.items() for at in range(start, max(ends))}
