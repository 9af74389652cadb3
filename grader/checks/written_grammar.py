"""A rubric's phrases made ready to be looked for: a grammar without loops.

`written_search` looks for them in an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple, TypeAlias

from grader.checks.written_reading import read
from grader.rubric import Choice, Gap, Row, Term, Word, parse, terms

TOUCHING: Final = 0
GAP: Final = 1
WIDE_GAP: Final = 2


class Step(NamedTuple):
    """One step of a phrase: one of some words, a word's beginning, a term, or one of some rows."""

    words: frozenset[str] = frozenset()
    stem: str = ""
    term: str = ""
    rows: tuple[tuple[Any, ...], ...] = ()
    """Of steps; mypy knows no recursive tuples."""
    gap: int = TOUCHING
    """What may stand before it."""
    optional: bool = False


Steps: TypeAlias = tuple[Step, ...]


class Lexicon:
    """Words and beginnings of words."""

    def __init__(self, words: Iterable[str] = (), stems: Iterable[str] = ()) -> None:
        self.words = frozenset(words)
        self.stems = frozenset(stems)
        self._lengths = sorted({len(stem) for stem in self.stems})

    def __contains__(self, word: str) -> bool:
        return word in self.words or any(word[:n] in self.stems for n in self._lengths)


class Grammar:
    """Phrases by name.

    A phrase's terms are names too.  In the phrases of the names in `loose`, gaps hold any word; in
    all others only little words and `links`.
    """

    def __init__(
        self,
        phrases: Mapping[str, Iterable[str]],
        symbols: Sequence[str],
        links: Iterable[str] = (),
        loose: Collection[str] = (),
    ) -> None:
        self.symbols = tuple(symbols)
        self.links = frozenset(links)
        self.loose = frozenset(loose)
        self.by_word: dict[str, list[tuple[str, Steps]]] = {}
        self.by_stem: dict[str, list[tuple[str, Steps]]] = {}
        self.by_term: dict[str, list[tuple[str, Steps]]] = {name: [] for name in phrases}
        self._rows: dict[str, list[Steps]] = {}
        self.order = _orders(
            {name: {t for p in ps for t in terms(p)} for name, ps in phrases.items()}
        )
        for name, written in phrases.items():
            self._rows[name] = [self._steps(parse(phrase)) for phrase in written]
            for row in self._rows[name]:
                for steps in _beginnings(row):
                    self._file(name, steps)
        self.stem_lengths = sorted({len(stem) for stem in self.by_stem})

    def lexicon(self, names: Iterable[str]) -> Lexicon:
        """The words of some names' phrases, and of all that those are made of."""
        parts = {part for name in names for part in self.order[name]}
        steps = [step for part in parts for row in self._rows[part] for step in _every(row)]
        return Lexicon(
            {word for step in steps for word in step.words},
            {step.stem for step in steps if step.stem},
        )

    def _steps(self, row: Row) -> Steps:
        steps: list[Step] = []
        gap = TOUCHING
        for item in row:
            if isinstance(item, Gap):
                gap = WIDE_GAP if item.wide else GAP
                continue
            first, *more = self._step(item)
            steps += [first._replace(gap=gap) if gap else first, *more]
            gap = TOUCHING
        return tuple(steps)

    def _step(self, item: Word | Term | Choice) -> Steps:
        if isinstance(item, Term):
            return (Step(term=item.name),)
        if isinstance(item, Choice):
            return (self._choice(item),)
        if item.begins:
            return (Step(stem=item.text),)
        return _spelled(item.text, self.symbols)

    def _choice(self, choice: Choice) -> Step:
        """Alternatives that are single words are looked up all at once."""
        words: set[str] = set()
        longer: list[Steps] = []
        for row in choice.rows:
            only = row[0]
            if len(row) == 1 and isinstance(only, Word) and not only.begins:
                texts = _tokens(only.text, self.symbols)
                if len(texts) == 1:
                    words.add(texts[0])
                    continue
            longer.append(self._steps(row))
        if not longer:
            return Step(frozenset(words), optional=choice.optional)
        if words:
            longer.append((Step(frozenset(words)),))
        return Step(rows=tuple(longer), optional=choice.optional)

    def _file(self, name: str, steps: Steps) -> None:
        """File a phrase by how it begins, with what is then looked for."""
        first, rest = steps[0], steps[1:]
        for word in first.words:
            self.by_word.setdefault(word, []).append((name, rest))
        if first.stem:
            self.by_stem.setdefault(first.stem, []).append((name, rest))
        if first.term:
            self.by_term[name].append((first.term, rest))


def _beginnings(steps: Steps) -> Iterator[Steps]:
    """A phrase, once for each way to begin it."""
    first, rest = steps[0], steps[1:]
    if first.rows:
        for inner in first.rows:
            yield from _beginnings(inner + rest)
    else:
        yield first._replace(optional=False) if first.optional else first, *rest
    if first.optional and rest:
        yield from _beginnings(rest)


def _every(steps: Steps) -> Iterator[Step]:
    for step in steps:
        yield step
        for row in step.rows:
            yield from _every(row)


def _orders(parts: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """For each name, what it is made of, each before what is made of it, the name itself last."""

    def visit(name: str, order: dict[str, None]) -> dict[str, None]:
        for part in sorted(parts[name]):
            if part not in order:
                visit(part, order)
        order[name] = None
        return order

    return {name: tuple(visit(name, {})) for name in parts}


@cache
def _spelled(word: str, symbols: tuple[str, ...]) -> Steps:
    """A phrase's word, token by token."""
    return tuple(Step(frozenset((text,))) for text in _tokens(word, symbols))


_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


@cache
def _tokens(word: str, symbols: tuple[str, ...]) -> tuple[str, ...]:
    """Read a phrase's word as an answer's are read, so that k_j or 内积 fit what is there."""
    if _HAN.fullmatch(word):  # each is a token; a rubric has hundreds of such words
        return tuple(word)
    compound = len(word) > 1 and (not word.isascii() or "_" in word)
    if not compound or not any(map(str.isalnum, word)):
        return (word,)
    return tuple(token.text for token in read(word, symbols).tokens)
