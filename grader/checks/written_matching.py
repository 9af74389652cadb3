"""Phrases of a rubric found in the tokens of an answer.

A rubric's phrases are a grammar without loops: each term's matches are found once, from those of
the terms it is made of, so the work grows with the answer's length and never explodes; a budget of
steps, the same on every machine, stops what an adversary still tries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, TypeAlias

from grader.checks.written_reading import Token, read
from grader.checks.written_words import FILLERS, NEGATIONS
from grader.rubric import Choice, Gap, Row, Term, Word, parse, terms

STOPS: Final = "#stops"
HARMLESS: Final = "#harmless"
_TOUCHING: Final = 0
_GAP: Final = 1
_WIDE_GAP: Final = 2
_GAP_WORDS: Final = 8
_WIDE_GAP_TOKENS: Final = 40
_MAX_STEPS: Final = 400_000
_GAP_MARKS: Final = frozenset(',:()"—')

Spans = dict[int, set[int]]
"""Where something was found: start → ends, as token numbers, of slices."""


class TooMuchWork(Exception):
    """An answer took more steps than any real one does."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a phrase was found, as a slice of tokens."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Step:
    """One step of a phrase: one of some words, a word's beginning, a term, or one of some rows."""

    words: frozenset[str] = frozenset()
    stem: str = ""
    term: str = ""
    rows: tuple[_Steps, ...] = ()
    gap: int = _TOUCHING
    """What may come before it."""
    optional: bool = False


_Steps: TypeAlias = tuple[_Step, ...]


class Grammar:
    """Phrases by name, made ready to be looked for."""

    def __init__(self, phrases: Mapping[str, Iterable[str]], symbols: Sequence[str]) -> None:
        self.symbols = tuple(symbols)
        parts = {name: {t for p in ps for t in terms(p)} for name, ps in phrases.items()}
        self.order: dict[str, tuple[str, ...]] = {}
        for name in parts:
            order: dict[str, None] = {}
            _bottom_up(name, parts, order)
            self.order[name] = tuple(order)
        self.literals: set[str] = set()
        self.stems: set[str] = set()
        self.by_word: dict[str, list[tuple[str, _Steps]]] = {}
        self.by_stem: dict[str, list[tuple[str, _Steps]]] = {}
        self.by_term: dict[str, list[tuple[str, _Steps]]] = {name: [] for name in phrases}
        for name, written in phrases.items():
            for phrase in written:
                for steps in _beginnings(self._steps(parse(phrase))):
                    self._index(name, steps)
        self.stem_lengths = sorted({len(stem) for stem in self.stems})

    def _steps(self, row: Row) -> _Steps:
        steps: list[_Step] = []
        gap = _TOUCHING
        for item in row:
            if isinstance(item, Gap):
                gap = _WIDE_GAP if item.wide else _GAP
                continue
            made = self._step(item)
            steps.append(replace(made[0], gap=gap) if gap else made[0])
            steps.extend(made[1:])
            gap = _TOUCHING
        return tuple(steps)

    def _step(self, item: Word | Term | Choice) -> _Steps:
        if isinstance(item, Term):
            return (_Step(term=item.name),)
        if isinstance(item, Word):
            return self._word(item)
        rows = [self._steps(row) for row in item.rows]
        single = [row[0].words for row in rows if len(row) == 1 and row[0].words and not row[0].gap]
        words = frozenset().union(*single)
        longer = [row for row in rows if not (len(row) == 1 and row[0].words and not row[0].gap)]
        if words and longer:
            longer.append((_Step(words=words),))
        if longer:
            return (_Step(rows=tuple(longer), optional=item.optional),)
        return (_Step(words=words, optional=item.optional),)

    def _word(self, item: Word) -> _Steps:
        if item.begins:
            self.stems.add(item.text)
            return (_Step(stem=item.text),)
        texts = _read_word(item.text, self.symbols) if _is_compound(item.text) else (item.text,)
        self.literals.update(texts)
        return tuple(_Step(words=frozenset({text})) for text in texts)

    def _index(self, name: str, steps: _Steps) -> None:
        """File a phrase by how it begins, with what is then looked for."""
        first, rest = steps[0], steps[1:]
        for word in first.words:
            self.by_word.setdefault(word, []).append((name, rest))
        if first.stem:
            self.by_stem.setdefault(first.stem, []).append((name, rest))
        if first.term:
            self.by_term[name].append((first.term, rest))

    def knows(self, word: str) -> bool:
        """Tell whether a word is a word of these phrases."""
        return word in self.literals or any(word[:k] in self.stems for k in self.stem_lengths)


def _beginnings(steps: _Steps) -> Iterator[_Steps]:
    """A phrase, once for each way to begin it."""
    first, rest = steps[0], steps[1:]
    if first.rows:
        for inner in first.rows:
            yield from _beginnings(inner + rest)
    else:
        yield (replace(first, optional=False), *rest) if first.optional else steps
    if first.optional and rest:
        yield from _beginnings(rest)


@cache
def _read_word(word: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    """Read a phrase's word as an answer's are read, so that k_j^T or 内积 fit what is there."""
    return tuple(token.text for token in read(word, symbols).tokens)


def _is_compound(word: str) -> bool:
    return len(word) > 1 and (not word.isascii() or "_" in word) and any(map(str.isalnum, word))


def _bottom_up(name: str, parts: Mapping[str, set[str]], order: dict[str, None]) -> None:
    """Put into `order` what a name is made of, each before what is made of it, the name last."""
    for part in sorted(parts[name]):
        if part not in order:
            _bottom_up(part, parts, order)
    order[name] = None


class Search:
    """A grammar's phrases looked for in one answer.

    Raises:
        TooMuchWork: from any of its methods, if the answer is made to be slow.
    """

    def __init__(self, grammar: Grammar, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.tokens = tokens
        # The empty text at the end stands for what no phrase looks for.
        self.texts = [*(token.text for token in tokens), ""]
        self.found: dict[str, Spans] = {}
        self.steps = 0
        self.skips = [self._skip(at) for at in range(len(tokens) + 1)]
        self.wide = self._wide()
        self.reach = self._reach(self._stopped())
        self.heads = self._heads()
        for name in (HARMLESS, STOPS):
            self.spans(name)
            self.reach = self._reach(self._stopped())

    def spans(self, name: str) -> Spans:
        """Where a name's phrases stand: found when first asked for."""
        for part in self.grammar.order[name]:
            if part not in self.found:
                self.found[part] = self._find(part)
        return self.found[name]

    def _find(self, name: str) -> Spans:
        spans: Spans = {}
        for start, rest in self.heads.get(name, ()):
            if ends := self._walk(rest, {start + 1}):
                spans.setdefault(start, set()).update(ends)
        for part, rest in self.grammar.by_term[name]:
            for start, begun in self.found[part].items():
                if ends := self._walk(rest, begun):
                    spans.setdefault(start, set()).update(ends)
        return spans

    def _stopped(self) -> frozenset[int]:
        """What no gap may hold: the rubric's stops, and negations that are not harmless."""
        harmless = covered(self.found.get(HARMLESS, {}))  # empty as long as it is looked for
        negations = {at for at, text in enumerate(self.texts) if text in NEGATIONS}
        return frozenset(covered(self.found.get(STOPS, {})) | (negations - harmless))

    def _heads(self) -> dict[str, list[tuple[int, _Steps]]]:
        """For each name, what must follow where the first word of one of its phrases stands."""
        grammar, heads = self.grammar, dict[str, list[tuple[int, _Steps]]]()
        for at, text in enumerate(self.texts):
            for name, rest in grammar.by_word.get(text, ()):
                heads.setdefault(name, []).append((at, rest))
            for length in grammar.stem_lengths:
                if length > len(text):
                    break
                for name, rest in grammar.by_stem.get(text[:length], ()):
                    heads.setdefault(name, []).append((at, rest))
        return heads

    def _walk(self, steps: _Steps, ends: set[int], gap: int = _TOUCHING) -> set[int]:
        """Where a phrase can end that goes on from where something else ended."""
        for k, step in enumerate(steps):
            gap = max(gap, step.gap)
            after = self._after(step, ends, gap)
            if step.optional:
                if gap:
                    rest = steps[k + 1 :]
                    return self._walk(rest, after) | self._walk(rest, ends, gap)
                after = after | ends
            if not after:
                return after
            ends, gap = after, _TOUCHING
        return ends

    def _after(self, step: _Step, ends: set[int], gap: int) -> set[int]:
        """Where one step can end."""
        self.steps += len(ends)
        if self.steps > _MAX_STEPS:
            raise TooMuchWork
        if step.rows:
            return {end for row in step.rows for end in self._walk(row, ends, gap)}
        near = (self.skips, self.reach, self.wide)[gap]
        if step.words:
            words, texts = step.words, self.texts
            return {s + 1 for end in ends for s in near[end] if texts[s] in words}
        if step.term:
            spans = self.found[step.term]
            if not spans:
                return set()
            return {e for end in ends for s in near[end] if s in spans for e in spans[s]}
        stem, texts = step.stem, self.texts
        return {s + 1 for end in ends for s in near[end] if texts[s].startswith(stem)}

    def _skip(self, at: int) -> tuple[int, ...]:
        end = at
        while self.texts[end] in FILLERS and end - at < 6:
            end += 1
        return tuple(range(at, end + 1))

    def _wide(self) -> list[range]:
        """For each token, where what is anywhere later in its sentence can begin."""
        end = len(self.tokens)
        wide = [range(end, end + 1)]
        for at in reversed(range(len(self.tokens))):
            if self.tokens[at].kind == "end":
                end = at
            wide.append(range(at, min(end, at + _WIDE_GAP_TOKENS) + 1))
        return wide[::-1]

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
