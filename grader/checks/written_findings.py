"""What a rubric finds in an answer: its concepts, with the words that show them, what speaks
against deciding without a person, and what the answer then seems worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grader.checks import written_words as words
from grader.checks.written_matching import HARMLESS, STOPS, Grammar, Match, Search, Spans, covered
from grader.checks.written_reading import Reading, Token, read
from grader.checks.written_spelling import Spelling
from grader.rubric import Rubric

_DENIALS: Final = "#denials"
_HEDGES: Final = "#hedges"
_UNKNOWN_SHARE: Final = 0.34


@dataclass(frozen=True, slots=True)
class Concern:
    """Why a person has to look."""

    id: str
    because: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A concept found, in the student's words; `sure` if nothing around it spoils it."""

    concept: str
    quote: str
    sure: bool
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything that was found."""

    evidence: tuple[Evidence, ...]
    concerns: tuple[Concern, ...]
    suggestion: Fraction
    automatic: bool


@lru_cache(maxsize=64)
def reader(rubric: Rubric) -> Reader:
    """The rubric made ready; a rubric is made ready once."""
    return Reader(rubric)


class Reader:
    """A rubric, ready to read answers."""

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric
        phrases: dict[str, Iterable[str]] = dict(rubric.vocabulary)
        phrases[STOPS] = rubric.stops
        phrases[HARMLESS] = (*words.HARMLESS, *rubric.harmless)
        phrases[_DENIALS] = (*words.DENIALS, *words.HAN_DENIALS)
        phrases[_HEDGES] = (*words.HEDGES, *words.HAN_HEDGES)
        for concept in rubric.concepts:
            phrases[f"#sure {concept.id}"] = concept.sure
            phrases[f"#likely {concept.id}"] = concept.likely
        for refusal in rubric.refusals:
            phrases[f"#refusal {refusal.id}"] = refusal.phrases
            phrases[f"#unless {refusal.id}"] = refusal.unless
        self.grammar = Grammar(phrases, rubric.symbols)
        self.known = (
            words.KNOWN | frozenset(" ".join(rubric.known).lower().split())
        )
        self.spelling = Spelling({*self.known, *self.grammar.literals})

    def knows(self, token: Token) -> bool:
        """Tell whether a token is a sign, or a word that is known to mean no harm."""
        if token.kind == "han":
            return token.text in words.HAN_COMMON or self.grammar.knows(token.text)
        if token.kind != "word" or self.grammar.knows(token.text):
            return True
        return any(form in self.known for form in plain_forms(token.text))

    def findings(self, answer: str) -> Findings:
        """Read an answer.

        Raises:
            TooMuchWork: if the answer is made to be slow.
        """
        reading = read(answer, self.rubric.symbols)
        tokens = tuple(self._mended(token) for token in reading.tokens)
        return _Judgement(self, answer, reading, tokens).findings()

    def _mended(self, token: Token) -> Token:
        if self.knows(token) or token.kind != "word":
            return token
        return replace(token, text=self.spelling.mend(token.text))


_ENDINGS: Final = (
    ("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("ing", ""), ("ing", "e"), ("ly", ""),
)  # fmt: skip


def plain_forms(word: str) -> Iterable[str]:
    """A word, and what it may be a form of: summing → sum, summe."""
    yield word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) >= len(ending) + 3:
            stem = word.removesuffix(ending)
            yield stem + instead
            if ending in ("ed", "ing") and stem[-1] == stem[-2]:
                yield stem[:-1]


class _Judgement:
    def __init__(
        self, reader: Reader, answer: str, reading: Reading, tokens: Sequence[Token]
    ) -> None:
        self.reader = reader
        self.rubric = reader.rubric
        self.answer = answer
        self.reading = reading
        self.tokens = tokens
        self.known = [reader.knows(token) for token in tokens]
        self.search = Search(reader.grammar, tokens)
        self.clauses = _clauses(tokens)
        harmless = covered(self.search.spans(HARMLESS))
        self.negations = [
            at for at, t in enumerate(tokens) if t.text in words.NEGATIONS and at not in harmless
        ]
        self.denials = [s for s in self.search.spans(_DENIALS) if s not in harmless]
        self.hedges = [s for s in self.search.spans(_HEDGES) if s not in harmless]
        self.refused = {r.id: self._refused(r.id) for r in self.rubric.refusals}

    def _refused(self, refusal: str) -> Match | None:
        """Where a refusal's statement stands, if nothing makes it harmless."""
        excused = covered(self.search.spans(f"#unless {refusal}"))
        for match in _matches(self.search.spans(f"#refusal {refusal}")):
            if excused.isdisjoint(range(match.start, match.end)):
                return match
        return None

    def findings(self) -> Findings:
        evidence = tuple(e for c in self.rubric.concepts if (e := self._evidence(c.id)))
        concerns = tuple(self._concerns())
        held = {e.concept for e in evidence if not e.denied}
        sure = {e.concept for e in evidence if e.sure}
        full = [level for level in self.rubric.levels if level.fraction == 1]
        return Findings(
            evidence=evidence,
            concerns=concerns,
            suggestion=self._suggestion(held),
            automatic=not concerns and any(sure.issuperset(level.needs) for level in full),
        )

    def _suggestion(self, held: set[str]) -> Fraction:
        if self._is_keyword_list():
            return Fraction(0)
        reached = [x.fraction for x in self.rubric.levels if held.issuperset(x.needs)]
        caps = [r.at_most for r in self.rubric.refusals if self.refused[r.id]]
        return min(max(reached, default=Fraction(0)), *caps, Fraction(1))

    # --- evidence ----------------------------------------------------------------------

    def _evidence(self, concept: str) -> Evidence | None:
        sure = _matches(self.search.spans(f"#sure {concept}"))
        clean = [match for match in sure if self._is_clean(match)]
        every = clean or [*sure, *_matches(self.search.spans(f"#likely {concept}"))]
        if not every:
            return None
        upright = [match for match in every if not self._is_denied(match)]
        best = max(upright or every, key=lambda match: match.end - match.start)
        ruled_out = any(
            concept in refusal.denies and self.refused[refusal.id]
            for refusal in self.rubric.refusals
        )
        denied = ruled_out or not upright or bool(self.denials)
        return Evidence(concept, self._quote(best), bool(clean) and not denied, denied)

    def _is_clean(self, match: Match) -> bool:
        """Whether its clauses hold known words only, and it is not cut out of something larger."""
        touched = set(self.clauses[match.start : match.end])
        if not all(known for known, clause in zip(self.known, self.clauses, strict=True) if clause in touched):
            return False
        before = self.tokens[match.start - 1] if match.start else None
        after = self.tokens[match.end] if match.end < len(self.tokens) else None
        return not (
            (before and (before.text in words.OPERATORS or before.text[0].isdigit()))
            or (
                after
                and (after.text in words.OPERATORS or after.text == "'s" or "_" in after.text or after.text[0].isdigit())
            )
        )

    def _is_denied(self, match: Match) -> bool:
        touched = set(self.clauses[match.start : match.end])
        return any(self.clauses[at] in touched for at in self.negations)

    def _quote(self, match: Match) -> str:
        return self.answer[self.tokens[match.start].start : self.tokens[match.end - 1].end]

    # --- concerns ----------------------------------------------------------------------

    def _concerns(self) -> Iterable[Concern]:
        for at in self.negations[:1]:
            yield Concern("negation", "it negates something", self._around(at))
        for at in self.denials[:1]:
            yield Concern("denial", "it calls something wrong or doubtful", self._around(at))
        for at in self.hedges[:1]:
            yield Concern("hedge", "it leaves open whether it means what it says", self._around(at))
        for refusal in self.rubric.refusals:
            if match := self.refused[refusal.id]:
                yield Concern(refusal.id, refusal.because, self._quote(match))
        yield from self._form()

    def _around(self, at: int) -> str:
        clause = [k for k, number in enumerate(self.clauses) if number == self.clauses[at]]
        return self._quote(Match(max(clause[0], at - 12), min(clause[-1] + 1, at + 13)))

    def _form(self) -> Iterable[Concern]:
        low, high = self.rubric.usual_words
        if not low <= self.reading.words <= high:
            yield Concern("length", f"answers usually have {low} to {high} words")
        if self.reading.foreign or self._is_unknown_language():
            yield Concern("language", "much of it is in words that the program does not know")
        if self._is_keyword_list():
            yield Concern("keywords", "it is a list of keywords, not a statement")
        if any(token.text == "?" for token in self.tokens):
            yield Concern("question", "it asks a question")

    def _is_unknown_language(self) -> bool:
        said = [k for k, token in enumerate(self.tokens) if token.kind in ("word", "han")]
        unknown = [k for k in said if not self.known[k]]
        return len(unknown) > 1 and len(unknown) > _UNKNOWN_SHARE * len(said)

    def _is_keyword_list(self) -> bool:
        said = [token.text for token in self.tokens if token.kind in ("word", "han")]
        signs = {token.text for token in self.tokens} & (words.FUNCTION | words.RELATIONS)
        return len(said) > 3 and not signs


def _matches(spans: Spans) -> list[Match]:
    return [Match(start, end) for start in sorted(spans) for end in sorted(spans[start])]


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """The number of each token's clause."""
    numbers, number = [], 0
    for token in tokens:
        if token.kind == "end" or token.text in words.BREAKS:
            number += 1
        numbers.append(number)
    return numbers
