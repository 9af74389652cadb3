"""A criterion's calls, answered by every formulation: what came out, and what could not be run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.checks.closeness import is_narrow
from grader.evidence import AnswerKey, Ending, Observation, Stimulus
from grader.pipeline.prepare import Prepared
from grader.pipeline.rehearse import Functions, rehearse
from grader.problem import CodeCriterion, Pack
from grader.verify.formulations.catalogue import Formulation, Kind

Answers = tuple[Observation, ...]


@dataclass(frozen=True)
class Trial:
    """One criterion under one seed, answered by every formulation that could be run on it."""

    criterion: CodeCriterion
    key: AnswerKey
    seed: int
    folder: Path
    """The pack's."""
    answers: Sequence[tuple[Formulation, Answers]]

    @property
    def narrow(self) -> tuple[bool, ...]:
        """For each case whether it gives single precision or less, so that the wide tolerance
        applies."""
        return tuple(any(map(is_narrow, stimulus.args)) for stimulus in self.key.stimuli)


@dataclass
class Trials:
    """Runs formulations on criteria; calls that several criteria share are answered once."""

    pack: Pack
    formulations: Sequence[Formulation]
    not_run: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """What could not be run, and why → the functions of the pack that it is about."""
    names: set[str] = field(default_factory=set)
    """The names of the formulations that were run on anything."""
    run: dict[Kind, set[str]] = field(default_factory=dict)
    """The functions of the pack that each kind of formulation was run on."""
    _known: dict[tuple[object, ...], Answers] = field(default_factory=dict)

    def of(self, prepared: Prepared, criterion: CodeCriterion, kinds: Iterable[Kind]) -> Trial:
        """Answer a criterion's calls by the formulations of some kinds."""
        key = prepared.keys[criterion.id]
        wanted = set(kinds)
        found: list[tuple[Formulation, Answers]] = []
        for number, formulation in enumerate(self.formulations):
            if formulation.kind not in wanted:
                continue
            answers = self._answers(formulation, number, prepared, criterion)
            if self._usable(formulation, criterion, key, answers):
                self.names.add(formulation.name)
                self.run.setdefault(formulation.kind, set()).add(_named(criterion))
                found.append((formulation, answers))
        return Trial(criterion, key, prepared.seed, self.pack.folder, found)

    def _answers(
        self, formulation: Formulation, number: int, prepared: Prepared, criterion: CodeCriterion
    ) -> Answers:
        call = (prepared.seed, number, criterion.function, criterion.inputs, _named(criterion))
        if call not in self._known:
            functions = as_asked(formulation.functions, criterion)
            stimuli = prepared.keys[criterion.id].stimuli
            self._known[call] = rehearse(stimuli, functions, self.pack.folder)
        return self._known[call]

    def _usable(
        self, formulation: Formulation, criterion: CodeCriterion, key: AnswerKey, answers: Answers
    ) -> bool:
        """Whether it answered every case that the reference answers."""
        if any(observation.mutated for observation in key.expected):
            return not formulation.copies
        failed = next((a for a in answers if a.ending is not Ending.RETURNED), None)
        if failed is None:
            return True
        error = failed.error
        reason = f"{error.message or error.type}" if error else "no answer"
        self.not_run.setdefault((formulation.name, reason), set()).add(_named(criterion))
        return False


def _named(criterion: CodeCriterion) -> str:
    """The reference's function that answers a criterion."""
    return criterion.reference or criterion.function


def as_asked(functions: Functions, criterion: CodeCriterion) -> Functions:
    """The reference's functions, the criterion's own by the name that students give it."""
    name = _named(criterion)
    if name not in functions:
        return functions
    return {**functions, criterion.function: functions[name]}


def label(stimulus: Stimulus) -> str:
    """A case by its label, or by its function."""
    return f"“{stimulus.label}”" if stimulus.label else f"a call of {stimulus.function}"
