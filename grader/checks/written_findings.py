"""What a rubric finds in an answer: its concepts, with the words that show them, what speaks
against deciding without a person, and what the answer then seems worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grader.checks import written_reader as names
from grader.checks import written_words as words
from grader.checks.written_reader import Reader
from grader.checks.written_reading import Reading, Token
from grader.checks.written_search import HARMLESS, Match, Search
from grader.rubric import Level

_STRANGE_SHARE: Final = 0.5
_FEWEST_KEYWORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Evidence:
    """A concept found, in the student's words."""

    concept: str
    quote: str
    sure: bool
    """Said clearly, and nothing around it spoils it."""
    denied: bool
    """Negated or contradicted."""


@dataclass(frozen=True, slots=True)
class Concern:
    """Why a person has to look: `because` goes on "a person has to look, because …"."""

    id: str
    because: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found."""

    evidence: tuple[Evidence, ...]
    concerns: tuple[Concern, ...]
    suggestion: Fraction
    automatic: bool
    """Whether it earns full credit without a person."""


def findings(reader: Reader, answer: str, reading: Reading) -> Findings:
    """Look for everything in an answer that `reader` has read.

    Raises:
        TooMuchWork: if the answer is made to be slow.
    """
    return _Judgement(reader, answer, reading).findings()


class _Judgement:
    def __init__(self, reader: Reader, answer: str, reading: Reading) -> None:
        self.reader = reader
        self.rubric = reader.rubric
        self.answer = answer
        self.reading = reading
        self.tokens = reading.tokens
        self.clauses = _clauses(self.tokens)
        self.search = Search(reader.grammar, self.tokens)
        self.harmless = self.search.covered(HARMLESS)
        self.negations = [
            at for at, t in enumerate(self.tokens)
            if t.text in words.NEGATIONS and at not in self.harmless
        ]  # fmt: skip
        self.denials = sorted(self.search.spans(names.DENIALS).keys() - self.harmless)
        self.hedges = sorted(self.search.spans(names.HEDGES).keys() - self.harmless)
        self.refused = {r.id: self._refused(r.id) for r in self.rubric.refusals}
        self.strange = [
            at for at, token in enumerate(self.tokens)
            if not reader.places(token) and at not in self.harmless
            and token.text not in words.NEGATIONS
        ]  # fmt: skip

    def findings(self) -> Findings:
        concerns = (*self._said(), *self._form())
        full = [level for level in self.rubric.levels if level.fraction == 1]
        if not concerns and (evidence := self._full_evidence(full)):
            return Findings(evidence, concerns, Fraction(1), automatic=True)
        evidence = tuple(e for c in self.rubric.concepts if (e := self._evidence(c.id)))
        held = {e.concept for e in evidence if not e.denied}
        return Findings(evidence, concerns, self._suggestion(held), automatic=False)

    def _full_evidence(self, levels: Sequence[Level]) -> tuple[Evidence, ...]:
        """The evidence for everything that one of some levels needs, if all of it is sure."""
        for level in levels:
            found = [e for name in level.needs if (e := self._evidence(name)) and e.sure]
            if len(found) == len(level.needs):
                return tuple(found)
        return ()

    def _suggestion(self, held: set[str]) -> Fraction:
        if self._is_keyword_list():
            return Fraction(0)
        reached = [x.fraction for x in self.rubric.levels if held.issuperset(x.needs)]
        caps = [r.at_most for r in self.rubric.refusals if self.refused[r.id]]
        return min(max(reached, default=Fraction(0)), *caps, Fraction(1))

    # --- evidence ----------------------------------------------------------------------

    def _evidence(self, concept: str) -> Evidence | None:
        sure = self.search.matches(names.sure(concept))
        clean = [match for match in sure if self._is_whole(match)]
        found = clean or [*sure, *self.search.matches(names.likely(concept))]
        if not found:
            return None
        upright = [match for match in found if not self._is_negated(match)]
        best = max(upright or found, key=lambda match: match.end - match.start)
        denied = not upright or bool(self.denials) or self._is_denied(concept)
        return Evidence(concept, self._quote(best), bool(clean) and not denied, denied)

    def _is_whole(self, match: Match) -> bool:
        """Whether it is not cut out of something larger: of 2·v_j, of v_j's key."""
        before = self.tokens[match.start - 1].text if match.start else ""
        after = self.tokens[match.end].text if match.end < len(self.tokens) else ""
        return not (
            before in words.OPERATORS or before[:1].isdigit()
            or after in words.OPERATORS or after[:1].isdigit() or after == "'s" or "_" in after
        )  # fmt: skip

    def _is_negated(self, match: Match) -> bool:
        touched = set(self.clauses[match.start : match.end])
        return any(self.clauses[at] in touched for at in self.negations)

    def _is_denied(self, concept: str) -> bool:
        return any(concept in r.denies and self.refused[r.id] for r in self.rubric.refusals)

    def _refused(self, refusal: str) -> Match | None:
        """Where a refusal's statement stands, if nothing makes it none."""
        found = self.search.matches(names.refused(refusal))
        if not found:
            return None
        excused = self.search.covered(names.excused(refusal))
        return next((m for m in found if excused.isdisjoint(range(m.start, m.end))), None)

    def _quote(self, match: Match) -> str:
        quoted = self.tokens[match.start : match.end]
        return self.answer[min(t.start for t in quoted) : max(t.end for t in quoted)]

    # --- concerns ----------------------------------------------------------------------

    def _said(self) -> Iterator[Concern]:
        """Concerns about what the answer says."""
        for at in self.negations[:1]:
            yield Concern("negation", "it negates something", self._around(at))
        for at in self.denials[:1]:
            yield Concern("denial", "it calls something wrong or doubtful", self._around(at))
        for at in self.hedges[:1]:
            yield Concern("hedge", "it leaves open whether it means it", self._around(at))
        for refusal in self.rubric.refusals:
            if match := self.refused[refusal.id]:
                yield Concern(refusal.id, refusal.because, self._quote(match))
        if self.strange:
            first = self.strange[0]
            because = "it has words that the program cannot place"
            yield Concern("unfamiliar", because, self._quote(Match(first, first + 1)))

    def _around(self, at: int) -> str:
        clause = [k for k, number in enumerate(self.clauses) if number == self.clauses[at]]
        return self._quote(Match(max(clause[0], at - 12), min(clause[-1] + 1, at + 13)))

    def _form(self) -> Iterator[Concern]:
        """Concerns about how the answer is written."""
        low, high = self.rubric.usual_words
        if not low <= self.reading.words <= high:
            yield Concern("length", f"answers usually have {low} to {high} words")
        if self.reading.foreign or self._is_unknown_language():
            yield Concern("language", "much of it is in a language that the program does not read")
        if self._is_keyword_list():
            yield Concern("keywords", "it is a list of keywords, not a statement")
        if any(token.text == "?" for token in self.tokens):
            yield Concern("question", "it asks a question")

    def _is_unknown_language(self) -> bool:
        said = sum(token.kind in ("word", "han") for token in self.tokens)
        return len(self.strange) > 1 and len(self.strange) > _STRANGE_SHARE * said

    def _is_keyword_list(self) -> bool:
        said = sum(token.kind in ("word", "han") for token in self.tokens)
        linked = any(t.text in words.FUNCTION or t.text in words.RELATIONS for t in self.tokens)
        return said >= _FEWEST_KEYWORDS and not linked


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """The number of each token's clause."""
    numbers, number = [], 0
    for token in tokens:
        if token.kind == "end" or token.text in words.BREAKS:
            number += 1
        numbers.append(number)
    return numbers
