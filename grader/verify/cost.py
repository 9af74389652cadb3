"""Aspect: what each criterion costs of every submission, and whether its limits leave room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from grader.evidence import Stimulus
from grader.problem import Limits
from grader.sandbox.batch import make_batch
from grader.verification import Aspect, Cost, Finding, Level
from grader.verify import versions
from grader.verify.bench import Bench, Found

NAME = "cost"
_REPEATS = 3
_AMPLE = {"call_time_s": 600.0, "submission_time_s": 3600.0}
_NOTHING = Stimulus("", ())
"""A call of no function: the submission is loaded, and that is all.  Without a call it is not."""
_SHARE = 10
"""A right answer may well be ten times as slow as the reference."""


def cost(bench: Bench) -> Found:
    """Run the reference on each criterion's calls alone, and measure."""
    right = versions.reference(bench.pack)
    ample = bench.problem.limits.model_copy(update=_AMPLE)
    loading = make_batch([[_NOTHING]], ample)
    bench.perform(right, loading)  # the first run warms up

    def measured(criterion_id: str) -> Cost:
        stimuli = bench.prepared.keys[criterion_id].stimuli
        batch = make_batch([stimuli], ample)
        times = [bench.perform(right, batch).cpu_s for _ in range(1 if bench.quick else _REPEATS)]
        return Cost(criterion_id, len(stimuli), max(0.0, min(times) - idle_s))

    idle_s = min(bench.perform(right, loading).cpu_s for _ in range(_REPEATS))
    costs = bench.each(measured, bench.prepared.keys)
    order = {criterion.id: i for i, (_, criterion) in enumerate(bench.problem.criteria())}
    costs.sort(key=lambda each: order[each.criterion])
    whole_s = min(bench.perform(right, bench.prepared.batch).cpu_s for _ in range(_REPEATS))
    aspect = Aspect(NAME, "Time", _summary(costs, whole_s), tuple(_findings(bench, costs)))
    return Found(aspect, costs=tuple(costs))


def _summary(costs: Sequence[Cost], whole_s: float) -> str:
    if not costs:
        return "No criterion runs code."
    slowest = max(costs, key=lambda each: each.cpu_s)
    return (
        f"A submission like the reference takes {1000 * whole_s:.0f} ms of CPU time; the slowest "
        f"criterion is {slowest.criterion} ({1000 * slowest.cpu_s:.1f} ms for {slowest.calls} "
        f"call{'s' * (slowest.calls != 1)})."
    )


def _findings(bench: Bench, costs: Sequence[Cost]) -> Iterator[Finding]:
    limits = bench.problem.limits
    for each in costs:
        per_call_s = each.cpu_s / each.calls
        if _room(limits, limits.call_time_s, per_call_s) < _SHARE:
            yield Finding(
                Level.WARNING,
                each.criterion,
                f"A call takes the reference {per_call_s:.3g} s, and its limit is less than "
                f"{_SHARE} times that: right answers that are slower would not pass.",
                "use smaller inputs, or raise call_time_s or call_time_factor in [limits]",
            )
    total_s = sum(each.cpu_s for each in costs)
    if _room(limits, limits.submission_time_s, total_s) < _SHARE:
        yield Finding(
            Level.WARNING,
            "limits.submission_time_s",
            f"All calls together take the reference {total_s:.3g} s, and the limit for a "
            f"submission is less than {_SHARE} times that.",
            "use smaller inputs, or raise submission_time_s or call_time_factor in [limits]",
        )


def _room(limits: Limits, limit_s: float, taken_s: float) -> float:
    """How many times as slow as the reference an answer may be."""
    return max(limit_s / taken_s if taken_s else inf, limits.call_time_factor)
