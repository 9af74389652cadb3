"""Grading under short limits: what never ends is stopped soon, and all else is as it was.

For wrong versions that only have to be seen to be stopped.  Code that merely is slow may be stopped
too, so whoever depends on that grades it again under the pack's own limits.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from grader.evidence import Submission
from grader.pipeline.grading import Grading
from grader.problem import Limits
from grader.sandbox.batch import make_batch
from grader.verify.bench import Bench
from grader.verify.focus import outcomes_alone

_LEAST_CALL_S = 0.2
_RESTARTS = 2


def short_limits(bench: Bench, right: Submission) -> Limits:
    """Time enough for any call of code like the reference, and few restarts."""
    limits = bench.problem.limits
    if not bench.prepared.batch.stimuli:
        return limits
    run = bench.perform(right, bench.prepared.batch)
    call_s = min(max(bench.prepared.batch.call_limits_s), max(_LEAST_CALL_S, 2 * run.cpu_s))
    restarts = min(limits.restarts, _RESTARTS)
    return limits.model_copy(update={"call_time_s": call_s, "restarts": restarts})


def hurried(bench: Bench, limits: Limits, kept: Collection[str] | None = None) -> Grading:
    """Grading of the same pack under other limits, which looks for no misconceptions; of some
    criteria alone, if their ids are given."""
    every = [criterion.id for _, criterion in bench.problem.criteria()]
    prepared = outcomes_alone(bench.prepared, every if kept is None else kept)
    batch = make_batch(prepared.batch.groups, limits)
    return Grading(replace(prepared, batch=batch), bench.judge, bench.isolation)
