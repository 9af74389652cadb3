"""A grammar's phrases looked for in one answer.

Each name's matches are found once, from those of the names it is made of, so the work grows with
the answer's length and never explodes.  A budget of steps, the same on every machine, ends what an
adversary still tries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from grader.checks.written_grammar import Grammar, Step, Steps
from grader.checks.written_reading import Token
from grader.checks.written_words import FILLERS, HAN_LINKS, LINKS, NEGATIONS

HARMLESS: Final = "#harmless"
STOPS: Final = "#stops"
"""Names in every grammar: what makes a negation harmless, and what no gap holds."""

_MAX_WORK: Final = 200_000
_SIZES: Final = {"word": 2, "han": 1}
_GAP_SIZE: Final = 16
_WIDE_GAP_TOKENS: Final = 40
_MOST_FILLERS: Final = 6
_GAP_MARKS: Final = frozenset(',:()"—ni')

Spans: TypeAlias = dict[int, set[int]]
"""Where something was found: start → ends, as token numbers, of slices."""


class TooMuchWork(Exception):
    """An answer takes more steps than any real one does."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a phrase was found, as a slice of tokens."""

    start: int
    end: int


class Search:
    """A grammar's phrases in the tokens of one answer.

    Raises:
        TooMuchWork: from any of its methods, if the answer is made to be slow.
    """

    def __init__(self, grammar: Grammar, tokens: Sequence[Token]) -> None:
        self._grammar = grammar
        self._tokens = tokens
        # The empty text at the end stands for what no phrase looks for.
        self._texts = [*(token.text for token in tokens), ""]
        self._found: dict[str, Spans] = {}
        self._work = 0
        self._heads = self._beginnings()
        touching = [self._skip(at) for at in range(len(self._texts))]
        wide = self._wide()
        # What a gap may not hold is itself looked for with gaps: first those that stop at every
        # negation, then those that stop at the harmful ones, then those that stop at `STOPS` too.
        for name in (HARMLESS, STOPS, ""):
            stopped = self._stopped()
            self._loose = (touching, self._gaps(stopped, linked=False), wide)
            self._strict = (touching, self._gaps(stopped, linked=True), wide)
            self._near = self._strict
            if name:
                self.spans(name)

    def matches(self, name: str) -> list[Match]:
        """Where a name's phrases stand, in order."""
        spans = self.spans(name)
        return [Match(start, end) for start in sorted(spans) for end in sorted(spans[start])]

    def covered(self, name: str) -> frozenset[int]:
        """Every token that one of a name's phrases covers."""
        spans = self.spans(name)
        return frozenset(at for start in spans for at in range(start, max(spans[start])))

    def spans(self, name: str) -> Spans:
        """Where a name's phrases stand; found when first asked for."""
        for part in self._grammar.order[name]:
            if part not in self._found:
                self._near = self._loose if part in self._grammar.loose else self._strict
                self._found[part] = self._find(part)
        return self._found[name]

    # --- matching ----------------------------------------------------------------------

    def _find(self, name: str) -> Spans:
        spans: Spans = {}
        for start, rest in self._heads.get(name, ()):
            if ends := self._walk(rest, {start + 1}):
                spans.setdefault(start, set()).update(ends)
        for part, rest in self._grammar.by_term[name]:
            for start, begun in self._found[part].items():
                if ends := self._walk(rest, begun):
                    spans.setdefault(start, set()).update(ends)
        return spans

    def _beginnings(self) -> dict[str, list[tuple[int, Steps]]]:
        """For each name, what must follow where the first word of one of its phrases stands."""
        grammar, heads = self._grammar, dict[str, list[tuple[int, Steps]]]()
        for at, text in enumerate(self._texts):
            for name, rest in grammar.by_word.get(text, ()):
                heads.setdefault(name, []).append((at, rest))
            for length in grammar.stem_lengths:
                for name, rest in grammar.by_stem.get(text[:length], ()):
                    heads.setdefault(name, []).append((at, rest))
                if length >= len(text):
                    break
        return heads

    def _walk(self, steps: Steps, ends: set[int], gap: int = 0) -> set[int]:
        """Where a phrase can end that goes on from where something else ended."""
        for k, step in enumerate(steps):
            if step.gap > gap:
                gap = step.gap
            after = self._after(step, ends, gap)
            if step.optional:
                if gap:
                    rest = steps[k + 1 :]
                    return self._walk(rest, after) | self._walk(rest, ends, gap)
                after |= ends
            if not after:
                return after
            ends, gap = after, 0
        return ends

    def _after(self, step: Step, ends: set[int], gap: int) -> set[int]:
        """Where one step can end."""
        if step.rows:
            self._count(len(step.rows))
            return {end for row in step.rows for end in self._walk(row, ends, gap)}
        near, texts = self._near[gap], self._texts
        starts = {start for end in ends for start in near[end]}
        self._count(len(ends) + len(starts))
        if words := step.words:
            return {start + 1 for start in starts if texts[start] in words}
        if stem := step.stem:
            return {start + 1 for start in starts if texts[start].startswith(stem)}
        spans, after = self._found[step.term], set[int]()
        for start in starts & spans.keys():
            self._count(len(spans[start]))
            after |= spans[start]
        return after

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > _MAX_WORK:
            raise TooMuchWork

    # --- gaps --------------------------------------------------------------------------

    def _skip(self, at: int) -> range:
        end = at
        while self._texts[end] in FILLERS and end - at < _MOST_FILLERS:
            end += 1
        return range(at, end + 1)

    def _stopped(self) -> frozenset[int]:
        """What no gap may hold: the rubric's stops, and negations that are not harmless."""
        harmless = self.covered(HARMLESS) if HARMLESS in self._found else frozenset()
        stops = self.covered(STOPS) if STOPS in self._found else frozenset()
        negations = {at for at, text in enumerate(self._texts) if text in NEGATIONS}
        return stops | (negations - harmless)

    def _gaps(self, stopped: frozenset[int], *, linked: bool) -> list[range]:
        """For each token, where what follows a gap there can begin."""
        count = len(self._tokens)
        fills = [at not in stopped and self._may_fill(at, linked) for at in range(count)]
        sizes = [_SIZES.get(token.kind, 0) for token in self._tokens]
        gaps, end, held = [], 0, 0
        for at in range(count + 1):
            end = max(end, at)
            while end < count and fills[end] and held + sizes[end] <= _GAP_SIZE:
                held += sizes[end]
                end += 1
            gaps.append(range(at, end + 1))
            if at < end:
                held -= sizes[at]
        return gaps

    def _may_fill(self, at: int, linked: bool) -> bool:
        token = self._tokens[at]
        if token.text in _GAP_MARKS:
            return True
        if not linked:
            return token.kind in ("word", "han")
        little = LINKS if token.kind == "word" else HAN_LINKS
        return token.text in little or token.text in self._grammar.links

    def _wide(self) -> list[range]:
        """For each token, where what is anywhere later in its sentence can begin."""
        end = len(self._tokens)
        wide = [range(end, end + 1)]
        for at in reversed(range(len(self._tokens))):
            if self._tokens[at].kind == "end":
                end = at
            wide.append(range(at, min(end, at + _WIDE_GAP_TOKENS) + 1))
        return wide[::-1]
