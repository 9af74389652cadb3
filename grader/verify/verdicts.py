"""The verdicts on a pack's own answers, right and wrong, under many seeds.

They are the pack's own code, so they are judged in this process, without a sandbox.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grader.checks import matches, properties
from grader.evidence import AnswerKey, Ending, Observation, Run, Stimulus
from grader.pipeline.prepare import Prepared
from grader.pipeline.rehearse import Functions, rehearse
from grader.problem import CodeCriterion, MatchesCriterion, Pack, PropertyCriterion
from grader.result import Outcome
from grader.sandbox.child import wire
from grader.verify.formulations.trial import as_asked

_LOADED = Observation(Ending.RETURNED)
_IMPROBABLE = 1e-4
"""More failures of a right answer than chance allows this seldom are no chance."""

REFERENCE = "the reference"


@dataclass
class Verdicts:
    """What came of one answer on one criterion, seed by seed."""

    criterion: CodeCriterion
    answer: str
    """``the reference``, ``misconception scaled``, ``sample ada``."""
    right: bool
    """Whether it is a right answer, so that failing is the fault."""
    by_seed: dict[int, str] = field(default_factory=dict)

    @property
    def unsteady(self) -> bool:
        """Whether the seed decides; more than a stated rate of false alarms explains."""
        if len(set(self.by_seed.values())) < 2:
            return False
        failed = sum(verdict != "passed" for verdict in self.by_seed.values())
        return not (self.right and by_chance(self.criterion, failed, len(self.by_seed)))


class Ledger:
    """All verdicts, by criterion and answer."""

    def __init__(self) -> None:
        self.all: dict[tuple[str, str], Verdicts] = {}

    def note(
        self, criterion: CodeCriterion, answer: str, seed: int, outcome: Outcome, *, right: bool
    ) -> None:
        """Write down one verdict."""
        start = Verdicts(criterion, answer, right)
        entry = self.all.setdefault((criterion.id, answer), start)
        entry.by_seed[seed] = _verdict(outcome)


def _verdict(outcome: Outcome) -> str:
    """What a student would see change: how a wrong answer fails earns nothing either way."""
    if outcome in (Outcome.PASSED, Outcome.PARTIAL):
        return outcome.value
    return "not graded" if outcome.pending else "failed"


class Own:
    """Judges the pack's own answers; what is asked again in the same words is not judged again."""

    def __init__(self, pack: Pack, ledger: Ledger) -> None:
        self._pack = pack
        self._ledger = ledger
        self._known: dict[tuple[str, str, bytes], Outcome] = {}

    def judge(self, prepared: Prepared) -> None:
        """Note the verdicts under one seed."""
        for criterion_id, key in prepared.keys.items():
            criterion = code_criterion(prepared, criterion_id)
            questions = [*_questions(criterion, key)]
            for answer, functions in _answers(self._pack, criterion):
                outcome = self._outcome(criterion, questions, answer, functions)
                right = answer == REFERENCE
                self._ledger.note(criterion, answer, prepared.seed, outcome, right=right)

    def _outcome(
        self,
        criterion: CodeCriterion,
        questions: Sequence[tuple[bytes, AnswerKey]],
        answer: str,
        functions: Functions,
    ) -> Outcome:
        for fingerprint, key in questions:
            asked = (criterion.id, answer, fingerprint)
            if asked not in self._known:
                did = rehearse(key.stimuli, functions, self._pack.folder)
                self._known[asked] = _judged(self._pack, criterion, key, did)
            if self._known[asked] is not Outcome.PASSED:
                return self._known[asked]
        return Outcome.PASSED


def _questions(criterion: CodeCriterion, key: AnswerKey) -> Iterator[tuple[bytes, AnswerKey]]:
    """The cases one by one where the first wrong one settles it, else all together; each with a
    hash of what is asked."""
    count = len(key.stimuli)
    size = 1 if _first_settles(criterion) else count
    for start in range(0, count, size):
        cases = slice(start, start + size)
        yield (
            _hash(key.stimuli[cases]),
            AnswerKey(key.stimuli[cases], key.parameters, key.expected[cases]),
        )


def _hash(stimuli: Sequence[Stimulus]) -> bytes:
    encoder = wire.Encoder()
    structure = wire.dumps([encoder.encode(stimulus) for stimulus in stimuli])
    return hashlib.sha256(structure + encoder.body).digest()


def _answers(pack: Pack, criterion: CodeCriterion) -> Iterator[tuple[str, Functions]]:
    """The pack's answers to a criterion, right and wrong."""
    right = as_asked(pack.reference, criterion)
    if criterion.function in right:
        yield REFERENCE, right
    for wrong in pack.problem.misconceptions:
        if criterion.function in wrong.functions:
            own = {name: pack.misconceptions[other] for name, other in wrong.functions.items()}
            yield f"misconception {wrong.id}", {**right, **own}


def _first_settles(criterion: CodeCriterion) -> bool:
    if criterion.credit == "share":
        return False
    if isinstance(criterion, MatchesCriterion):
        return True
    return criterion.over == "case" and criterion.false_alarm is None


def _judged(
    pack: Pack, criterion: CodeCriterion, key: AnswerKey, observations: Sequence[Observation]
) -> Outcome:
    run = Run(tuple(observations), _LOADED, {criterion.function: "function"})
    if isinstance(criterion, MatchesCriterion):
        return matches.check(criterion, key, observations, run, ()).outcome
    predicate = pack.checks[criterion.check]
    return properties.check(criterion, key, observations, run, (), predicate).outcome


def code_criterion(prepared: Prepared, criterion_id: str) -> CodeCriterion:
    found = (c for _, c in prepared.problem.criteria() if c.id == criterion_id)
    criterion = next(found)
    assert isinstance(criterion, CodeCriterion)
    return criterion


def by_chance(criterion: CodeCriterion, failed: int, count: int) -> bool:
    """Whether a statistical criterion's stated rate of false alarms explains that a right answer
    failed under so many seeds."""
    rate = criterion.false_alarm if isinstance(criterion, PropertyCriterion) else None
    return rate is not None and _at_least(failed, count, rate) >= _IMPROBABLE


def _at_least(failed: int, count: int, rate: float) -> float:
    """The probability of so many failures or more, of so many tries that fail at a rate."""
    return math.fsum(
        math.comb(count, k) * rate**k * (1 - rate) ** (count - k) for k in range(failed, count + 1)
    )
