"""Which criteria a wrong version can lose points on, so that it is asked nothing else.

A version that differs from the right one in a few functions differs where a call reaches these.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from grader.checks.attempt import called
from grader.pipeline.narrow import narrowed
from grader.pipeline.prepare import Prepared


def reaching(prepared: Prepared, functions: Collection[str]) -> frozenset[str]:
    """The code criteria with a call, nested ones counted, of one of the students' functions."""
    wanted = frozenset(functions)
    return frozenset(
        criterion_id
        for criterion_id, key in prepared.keys.items()
        if any(not wanted.isdisjoint(called(stimulus)) for stimulus in key.stimuli)
    )


def outcomes_alone(prepared: Prepared, kept: Collection[str]) -> Prepared:
    """The criteria of these ids alone, and no misconceptions to look for: they change no outcome,
    only what is said of it."""
    some = narrowed(prepared, kept)
    problem = some.problem.model_copy(update={"misconceptions": ()})
    return replace(some, pack=replace(some.pack, problem=problem))
