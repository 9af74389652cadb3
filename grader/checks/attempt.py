"""What a code check has before it, in one value: the question, the key, and what was seen.

`Attempt.fault` says why it cannot be judged at all; then nothing in it is the student's fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.evidence import AnswerKey, Ending, Observation, Run, Stimulus
from grader.problem import CodeCriterion, Misconception
from grader.result import Outcome
from grader.value import Opaque, Plain

_OUTCOMES = {
    Ending.RETURNED: Outcome.PASSED,
    Ending.RAISED: Outcome.ERROR,
    Ending.TIMEOUT: Outcome.TIMEOUT,
    Ending.MEMORY_LIMIT: Outcome.MEMORY_LIMIT,
    Ending.OUTPUT_LIMIT: Outcome.OUTPUT_LIMIT,
    Ending.MISSING: Outcome.MISSING,
    Ending.STUB: Outcome.MISSING,
    Ending.EXITED: Outcome.ERROR,
    Ending.CRASHED: Outcome.ERROR,
    Ending.UNREADABLE: Outcome.FAILED,
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One student's calls for one criterion, beside the answers they are judged by."""

    criterion: CodeCriterion
    key: AnswerKey
    observations: Sequence[Observation]
    run: Run
    misconceptions: Sequence[Misconception] = ()

    def expected(self, index: int) -> Plain:
        """The reference's answer for a stimulus, None where there is no reference."""
        return self.key.expected[index].value if self.key.expected else None

    def absent(self, index: int) -> bool:
        """Whether a call could not be made: the code did not load, or has no such function."""
        return self.observations[index].ending is Ending.MISSING or self._unloaded(index)

    def missing(self, index: int) -> str:
        """Name the function that a call lacked, which may be one nested in its arguments."""
        names = list(called(self.key.stimuli[index]))
        told = self.observations[index].note
        if told in names:
            return told
        return next((name for name in names if name not in self.run.defined), names[-1])

    def ended(self, index: int) -> Outcome:
        """What a call's ending makes of its case; PASSED means that it returned something."""
        if self.absent(index) and self.load_outcome is not Outcome.PASSED:
            return self.load_outcome
        return _OUTCOMES[self.observations[index].ending]

    def _unloaded(self, index: int) -> bool:
        """A call that was not made is given the ending and the error of the loading that failed."""
        load, observation = self.run.load, self.observations[index]
        if load.ending is Ending.RETURNED or observation.ending is not load.ending:
            return False
        return observation.error == load.error

    def outcome(self, index: int, *, holds: bool) -> Outcome:
        """A case's outcome: its call's ending, and whether what it returned holds."""
        ended = self.ended(index)
        return Outcome.FAILED if ended is Outcome.PASSED and not holds else ended

    @property
    def load_outcome(self) -> Outcome:
        """How loading the code came out: a function may be missing because that went wrong."""
        outcome = _OUTCOMES[self.run.load.ending]
        if self.run.load.ending is Ending.UNREADABLE or (
            outcome is Outcome.PASSED and self.run.failed_chunks
        ):
            return Outcome.ERROR
        return outcome

    def arguments(self, index: int) -> tuple[Plain, ...]:
        """A call's arguments: the pack's own, and nested calls' results as the child told them.

        Where the child told nothing, a nested call stays the `Stimulus` it is.
        """
        asked, told = self.key.stimuli[index].args, self.observations[index].args
        nested = [i for i, argument in enumerate(asked) if isinstance(argument, Stimulus)]
        if not nested or len(told) != len(asked):
            return asked
        return tuple(told[i] if i in nested else asked[i] for i in range(len(asked)))

    def fault(self) -> str:
        """Why this cannot be judged, by no fault of the student's; "" if it can."""
        wanted, seen = len(self.key.stimuli), len(self.observations)
        if not wanted:
            return f"the generator `{self.criterion.inputs}` gave no cases"
        if seen != wanted:
            return f"{seen} results came back for {wanted} calls"
        if self.key.expected and len(self.key.expected) != wanted:
            return f"the reference has {len(self.key.expected)} answers for {wanted} cases"
        for stimulus, observation in zip(self.key.stimuli, self.key.expected, strict=False):
            if observation.ending is not Ending.RETURNED:
                return f"the reference itself gave no answer for {named(stimulus)}"
        return ""

    def comparison_fault(self) -> str:
        """Why there is nothing to compare with, if so: no reference, or one without a value."""
        if not self.key.expected:
            return f"the pack has no reference for `{self.criterion.function}`"
        for stimulus, observation in zip(self.key.stimuli, self.key.expected, strict=False):
            if not _comparable(observation.value):
                return f"the reference's answer for {named(stimulus)} cannot be compared"
        return ""


def called(stimulus: Stimulus) -> Iterator[str]:
    """Names of the functions a stimulus calls, the innermost first."""
    for argument in stimulus.args:
        if isinstance(argument, Stimulus):
            yield from called(argument)
    yield stimulus.function


def named(stimulus: Stimulus) -> str:
    """A case as the instructor named it, in quotes, or by its function."""
    return f"“{stimulus.label}”" if stimulus.label else f"`{stimulus.function}`"


def _comparable(expected: Plain) -> bool:
    """None would match every forgotten `return`, and an opaque object nothing at all."""
    if isinstance(expected, list | tuple):
        return all(_comparable(item) for item in expected)
    return expected is not None and not isinstance(expected, Opaque | Stimulus)
