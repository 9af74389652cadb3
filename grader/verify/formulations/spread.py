"""How far apart the right answers to a `matches` criterion lie, and how far the nearest wrong one,
in units of the criterion's tolerance."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.checks.closeness import Tolerance
from grader.checks.distance import distance
from grader.evidence import Ending, Observation
from grader.pipeline.rehearse import rehearse
from grader.problem import MatchesCriterion
from grader.value import Plain
from grader.verify.formulations.catalogue import FAR_ULPS, Formulation, Kind
from grader.verify.formulations.trial import Trial, as_asked, label

ROOM = 10.0
"""How many times nearer than the tolerance right answers are to lie, and how many times farther
off wrong ones.  The formulations tried are a handful: a student's way may round ten times worse,
and a mistake on a luckier input be ten times smaller than those that the pack knows."""

_STAND_IN = Tolerance(1e-16, 1e-16)
"""The yardstick where a criterion allows no difference at all."""


@dataclass(frozen=True)
class Farthest:
    """The answer that lies farthest out, or for wrong ones nearest: where, and what it is."""

    distance: float
    by: str
    case: str = ""
    seed: int = 0
    returned: Plain = None
    expected: Plain = None
    kind: Kind = Kind.HONEST
    jumps: bool = False
    """Whether it is no rounding but a jump: the answer is not continuous here."""

    @property
    def where(self) -> str:
        """``“three keys” (seed 7)``."""
        return f"{self.case} (seed {self.seed})"


@dataclass(frozen=True)
class Measured:
    """What was found of one criterion in one precision."""

    criterion: MatchesCriterion
    single: bool
    """Whether this is about answers in single precision, and the tolerance for those."""
    asked: bool
    """Whether any case of the criterion has that precision."""
    tolerance: Tolerance
    honest: Farthest | None
    wrong: Farthest | None
    """The nearest misconception that this tolerance could tell from a right answer."""
    exact: Farthest | None = None
    """What higher precision gives, where it is far off although all honest ways in double precision
    agree: then `honest` is about those alone."""
    jumps: tuple[Farthest, ...] = ()
    """Cases in which the answer jumps when its inputs move by one rounding."""


def measure(trials: Sequence[Trial], *, single: bool) -> Measured:
    """Measure a criterion over its trials, one for each seed."""
    criterion = trials[0].criterion
    assert isinstance(criterion, MatchesCriterion)
    tolerance = _tolerance(criterion, single=single)
    yardstick = tolerance if any(tolerance) else _STAND_IN
    asked = any(narrow == single for trial in trials for narrow in trial.narrow)
    found = [far for trial in trials for far in _right(trial, yardstick, single=single)]
    smooth = [far for far in found if not far.jumps]
    honest = max(smooth, key=_distance, default=None)
    double = max((far for far in smooth if far.kind is not Kind.EXACT), key=_distance, default=None)
    exact = None
    if honest and double and _roomy(double) and not _roomy(honest):
        honest, exact = double, honest
    # Where the right answer is 0 its last digit is nothing; one of the tolerance's own is little.
    digit = max(_last_digit(trials, yardstick), float(np.finfo(float).eps))
    least = max(honest.distance if honest else 0.0, digit)
    told_apart = (
        far
        for far in _wrong(trials, yardstick, single=single)
        if far.distance > ROOM * ROOM * least
    )
    nearest = min(told_apart, key=_distance, default=None)
    jumps = tuple(far for far in found if far.jumps)
    return Measured(criterion, single, asked, tolerance, honest, nearest, exact, jumps)


def _roomy(far: Farthest) -> bool:
    return far.distance * ROOM <= 1


def scale(measured: Measured) -> float:
    """By what to multiply the tolerance so that right and wrong answers are as far from it.

    Where no wrong answer is known, right ones get a hundred times the room they take.
    """
    assert measured.honest is not None
    least = max(measured.honest.distance, 1e-3)
    if measured.wrong is None:
        return least * ROOM * ROOM
    return math.sqrt(least * measured.wrong.distance)


def yardstick(measured: Measured) -> Tolerance:
    """What the distances of a measurement are in units of."""
    return measured.tolerance if any(measured.tolerance) else _STAND_IN


def _tolerance(criterion: MatchesCriterion, *, single: bool) -> Tolerance:
    if not single:
        return Tolerance(criterion.rtol, criterion.atol)
    wide = criterion.float32_rtol
    return Tolerance(max(criterion.rtol, wide), max(criterion.atol, wide))


def _counted(trial: Trial, kind: Kind, *, single: bool) -> Iterator[int]:
    """The cases in which answers of a kind are judged by the tolerance in question."""
    for index, narrow in enumerate(trial.narrow):
        if single == (narrow or kind is Kind.SINGLE):
            yield index


def _right(trial: Trial, tolerance: Tolerance, *, single: bool) -> Iterator[Farthest]:
    """Every right answer, by each formulation in each case."""
    for formulation, answers in trial.answers:
        for index in _counted(trial, formulation.kind, single=single):
            far = _far(trial, answers, index, formulation.name, tolerance)
            suspect = formulation.farther is not None and far.distance * ROOM > 1
            jumps = suspect and _jumps(trial, formulation, index, far, tolerance)
            yield replace(far, kind=formulation.kind, jumps=jumps)


def _jumps(
    trial: Trial, formulation: Formulation, index: int, far: Farthest, tolerance: Tolerance
) -> bool:
    """Whether a perturbation `FAR_ULPS` as large moves the answer hardly further."""
    if math.isinf(far.distance) or formulation.farther is None:
        return True
    functions = as_asked(formulation.farther, trial.criterion)
    stimulus = trial.key.stimuli[index]
    (farther,) = rehearse([stimulus], functions, trial.folder)
    moved = distance(farther.value, trial.key.expected[index].value, tolerance)
    return moved < FAR_ULPS / 8 * far.distance


def _far(
    trial: Trial, answers: Sequence[Observation], index: int, by: str, tolerance: Tolerance
) -> Farthest:
    expected, answer = trial.key.expected[index].value, answers[index]
    returned = answer.ending is Ending.RETURNED
    apart = distance(answer.value, expected, tolerance) if returned else math.inf
    case = label(trial.key.stimuli[index])
    return Farthest(apart, by, case, trial.seed, answer.value, expected)


def _wrong(trials: Sequence[Trial], tolerance: Tolerance, *, single: bool) -> Iterator[Farthest]:
    """Each misconception, under each seed, in the case that gives it away.

    Left out where it has another shape, or ends in an error or nan: no tolerance matters then.
    """
    for trial in trials:
        every = range(len(trial.key.stimuli))
        cases = every if single else [*_counted(trial, Kind.HONEST, single=False)]
        for name, answers in trial.key.misconceptions.items():
            found = (_far(trial, answers, index, name, tolerance) for index in cases)
            worst = max(found, key=_distance, default=None)
            if worst is not None and math.isfinite(worst.distance):
                yield worst


def _distance(far: Farthest) -> float:
    return far.distance


def _last_digit(trials: Sequence[Trial], tolerance: Tolerance) -> float:
    """What one rounding of the result itself comes to."""
    return max(
        (
            distance(_rounded_up(observation.value), observation.value, tolerance)
            for trial in trials
            for observation in trial.key.expected
        ),
        default=0.0,
    )


def _rounded_up(value: Plain) -> Plain:
    """Every number one place further from 0, where that is not what an integer is."""
    if isinstance(value, list | tuple):
        return type(value)(map(_rounded_up, value))
    if isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f"):
        moved = np.where(np.isfinite(value), np.asarray(value) * (1 + 2.0**-52), value)
        return moved if isinstance(value, np.ndarray) else float(moved)
    return value
