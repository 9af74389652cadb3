"""What each student's function gave where it lost points, as the gradebook keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grader.evidence import Observation
from grader.gradebook import Gradebook
from grader.pipeline.wrong import read_results
from grader.result import Grade
from grader.value import Plain, same

_RTOL, _ATOL = 1e-6, 1e-9
"""Two students did the same thing if their numbers differ by no more than rounding."""


@dataclass(frozen=True)
class Attempt:
    """One student's function, where it lost points."""

    submission_id: str
    function: str
    outputs: Mapping[str, tuple[Observation, ...]]
    """Criterion's id → what the function did, case by case."""
    code: str
    named: tuple[str, ...] = ()
    """Misconceptions that its feedback names already."""

    def is_like(self, other: Attempt) -> bool:
        """Whether it lost the same criteria by the same results."""
        return self.outputs.keys() == other.outputs.keys() and all(
            _alike(mine, other.outputs[criterion]) for criterion, mine in self.outputs.items()
        )


def _alike(mine: tuple[Observation, ...], other: tuple[Observation, ...]) -> bool:
    return len(mine) == len(other) and all(
        a.ending is b.ending
        and agree(a.value, b.value)
        and a.mutated == b.mutated
        and (a.error.type if a.error else "") == (b.error.type if b.error else "")
        for a, b in zip(mine, other, strict=True)
    )


def agree(a: Plain, b: Plain) -> bool:
    """Whether two values are the same up to rounding; a number is one in whatever it comes."""
    return same(_plain_number(a), _plain_number(b), rtol=_RTOL, atol=_ATOL)


def _plain_number(value: Plain) -> Plain:
    return value.item() if isinstance(value, np.ndarray) and not value.ndim else value


def attempts(grade: Grade, book: Gradebook) -> Iterator[Attempt]:
    """Every function that lost points of one graded submission, as the gradebook keeps it."""
    wrong, code = book.wrong(grade.submission_id)
    named = _named(grade)
    for function in dict.fromkeys(w.function for w in wrong):
        of_it = {w.criterion: w.cases for w in wrong if w.function == function}
        outputs = {criterion: tuple(read_results(cases)) for criterion, cases in of_it.items()}
        told = dict.fromkeys(name for c in of_it for name in named.get(c, ())[:1])
        yield Attempt(grade.submission_id, function, outputs, code, tuple(told))


def _named(grade: Grade) -> Mapping[str, tuple[str, ...]]:
    """Criterion's id → the misconceptions that its feedback names."""
    return {c.id: c.result.misconceptions for part in grade.parts for c in part.criteria}
