"""Whether a pack asks the same, and answers the same, each time it is made ready with one seed.

Part of the aspect `stability`: a grade that cannot be made again cannot be defended.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grader.checks.closeness import Tolerance, compare
from grader.errors import SpecError
from grader.evidence import AnswerKey
from grader.pipeline.prepare import prepare
from grader.problem import Limits, MatchesCriterion
from grader.sandbox.batch import make_batch
from grader.verification import Finding, Level
from grader.verify.bench import Bench
from grader.verify.verdicts import code_criterion

_DRAW = (
    "draw everything from the generator that inputs.py is given: not from np.random itself, the "
    "clock, or a variable that outlasts the call"
)
_ANSWER = "let the reference depend on its arguments alone"


def unrepeatable(bench: Bench) -> Iterator[Finding]:
    """Make the pack ready once more with the same seed; tell of what came out otherwise."""
    try:
        again = prepare(bench.pack, bench.seed)
    except SpecError as error:
        for fault in error.faults:
            text = f"Made ready a second time, the pack cannot be used: {fault.problem}"
            yield Finding(Level.ERROR, fault.where, text, fault.mend)
        return
    for criterion_id, first in bench.prepared.keys.items():
        second = again.keys[criterion_id]
        criterion = code_criterion(bench.prepared, criterion_id)
        if not _same_calls(first, second, bench.problem.limits):
            text = f"`{criterion.inputs}` gives other inputs each time, with one and the same seed."
            yield Finding(Level.ERROR, criterion_id, text, _DRAW)
        elif isinstance(criterion, MatchesCriterion) and not _same_answers(
            criterion, first, second
        ):
            text = "The reference gives another answer when it is asked the same a second time."
            yield Finding(Level.ERROR, criterion_id, text, _ANSWER)


def _same_calls(first: AnswerKey, second: AnswerKey, limits: Limits) -> bool:
    one, other = (make_batch([key.stimuli], limits).encoded for key in (first, second))
    return one == other


def _same_answers(criterion: MatchesCriterion, first: AnswerKey, second: AnswerKey) -> bool:
    tolerance = Tolerance(max(criterion.rtol, criterion.float32_rtol), criterion.atol)
    with np.errstate(all="ignore"):
        return all(
            compare(other.value, one.value, tolerance).close
            for one, other in zip(first.expected, second.expected, strict=True)
        )
