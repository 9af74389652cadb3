"""All calls of a run, in groups, and where what was seen of each is found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.evidence import AnswerKey, Observation, Run, Stimulus
from grader.problem import Problem


@dataclass(frozen=True)
class Calls:
    """A group of calls: a criterion's own, or the earlier ones that it may be carried on."""

    criterion_id: str
    hidden: bool
    stimuli: tuple[Stimulus, ...]


def groups(problem: Problem, keys: Mapping[str, AnswerKey]) -> tuple[Calls, ...]:
    """The criteria's own calls, in their order.

    Those of public criteria come first: what they return and print must not quote a hidden one.
    """
    hidden = {c.id for _, c in problem.criteria() if c.visibility == "hidden"}
    found = [Calls(id_, id_ in hidden, key.stimuli) for id_, key in keys.items()]
    return tuple(sorted(found, key=lambda of: of.hidden))


def earlier_groups(problem: Problem, keys: Mapping[str, AnswerKey]) -> tuple[Calls, ...]:
    """The earlier calls that criteria may be carried on, in the order of their own."""
    earlier = {id_: key.earlier for id_, key in keys.items()}
    return tuple(
        replace(of, stimuli=own.stimuli)
        for of in groups(problem, keys)
        if (own := earlier[of.criterion_id])
    )


def part_of(run: Run, calls: Sequence[Calls], criterion_id: str) -> tuple[Observation, ...]:
    """What was seen, in a run of all these calls, of those of one criterion."""
    start = 0
    for of in calls:
        if of.criterion_id == criterion_id:
            return run.observations[start : start + len(of.stimuli)]
        start += len(of.stimuli)
    return ()
