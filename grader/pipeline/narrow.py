"""A prepared pack with some of its code criteria alone: for what touches nothing but these.

Their calls, keys and limits of time are those of the whole pack.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from grader.pipeline.calls import Calls, earlier_groups, groups
from grader.pipeline.prepare import Prepared
from grader.problem import Part, Problem
from grader.sandbox.batch import Batch, make_batch


def narrowed(prepared: Prepared, kept: Collection[str]) -> Prepared:
    """The same pack with the criteria of these ids alone."""
    problem = _with_criteria(prepared.problem, kept)
    whole, keys = prepared.problem, prepared.keys
    earlier = prepared.earlier
    if earlier is not None:
        before = earlier_groups(whole, keys)
        some = any(of.criterion_id in kept for of in before)
        earlier = _of_some(earlier, before, kept) if some else None
    return replace(
        prepared,
        pack=replace(prepared.pack, problem=problem),
        keys={id_: key for id_, key in keys.items() if id_ in kept},
        batch=_of_some(prepared.batch, groups(whole, keys), kept),
        earlier=earlier,
    )


def _with_criteria(problem: Problem, kept: Collection[str]) -> Problem:
    parts = [
        part.model_copy(update={"criteria": tuple(c for c in part.criteria if c.id in kept)})
        for part in problem.parts
    ]
    left: tuple[Part, ...] = tuple(part for part in parts if part.criteria)
    return problem.model_copy(update={"parts": left})


def _of_some(batch: Batch, calls: Sequence[Calls], kept: Collection[str]) -> Batch:
    """A batch of these calls with those of some criteria alone."""
    chosen: list[Calls] = []
    limits_s: list[float] = []
    start = 0
    for of in calls:
        end = start + len(of.stimuli)
        if of.criterion_id in kept:
            chosen.append(of)
            limits_s += batch.call_limits_s[start:end]
        start = end
    made = make_batch(
        [of.stimuli for of in chosen],
        batch.limits,
        public_groups=sum(not of.hidden for of in chosen),
    )
    return replace(
        made,
        body_limit=batch.body_limit,
        call_limits_s=tuple(limits_s),
        submission_limit_s=batch.submission_limit_s,
    )
