"""Setting equivalent mutants apart: those that give what the reference gives, whatever is asked.

What is asked are the pack's own generators under other seeds, and variations of their cases that
stay of the same kind (`kinds`) and leave the reference an ordinary, finite answer.  "The same" is
to rounding: within the tightest rtol that the pack itself asks of the function, or 1e-9.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from grader.errors import SpecError
from grader.evidence import Ending, Observation, Returned, Stimulus, Submission
from grader.problem import Limits, MatchesCriterion, PropertyCriterion
from grader.sandbox.batch import Batch, make_batch
from grader.value import Plain, as_array, is_number, show
from grader.verify.bench import Bench
from grader.verify.kinds import kinds_of, variations

_ROUNDING = 1e-9
_NARROW_ROUNDING = 1e-4
_SEEDS, _SEEDS_QUICK = 8, 2
_LARGEST_VARIED = 200
"""Cases of more numbers are not varied: what they could show, smaller ones show."""
_VARIED_QUICK = 25
_MOST_VARIATIONS, _MOST_VARIATIONS_QUICK = 1000, 200
_ANY_LIMITS = Limits()
_VALUE_SHOWN = 160
_ARGUMENTS_SHOWN = 300


class Inputs:
    """Calls to compare mutants with the reference on; made when first asked for.

    Threads may share them.
    """

    def __init__(self, bench: Bench, right: Submission, limits: Limits) -> None:
        """`right` is the reference, and `limits` what each run of the calls may use."""
        self._bench = bench
        self._right = right
        self._limits = limits
        self._tolerances = _tolerances(bench)
        self._lock = threading.Lock()
        self._batches: dict[frozenset[str], list[_Round]] = {}

    def difference(self, mutant: Submission, functions: frozenset[str]) -> tuple[str, int]:
        """A case on which a mutant gives something else, in words, "" if there is none; and how
        many were tried.

        `functions` are those that the mutant can have changed.
        """
        count = 0
        for batch, expected in self._rounds(functions):
            run = self._bench.perform(mutant, batch)
            seen = zip(batch.stimuli, expected, run.observations, strict=True)
            for stimulus, ours, theirs in seen:
                count += 1
                if not _alike(theirs, ours, self._tolerances.get(stimulus.function, _ROUNDING)):
                    return _told(stimulus, ours, theirs), count
        return "", count

    def _rounds(self, functions: frozenset[str]) -> list[_Round]:
        with self._lock:
            if functions not in self._batches:
                chosen = [
                    [pair for pair in pairs if functions & _functions(pair[0])]
                    for pairs in self._calls
                ]
                self._batches[functions] = [
                    (
                        make_batch(_grouped([stimulus for stimulus, _ in pairs]), self._limits),
                        tuple(observation for _, observation in pairs),
                    )
                    for pairs in chosen
                    if pairs
                ]
            return self._batches[functions]

    @cached_property
    def _calls(self) -> list[list[_Call]]:
        """The calls of each round, with what the reference does on them."""
        bench = self._bench
        count = _SEEDS_QUICK if bench.quick else _SEEDS
        seeds = range(bench.seed + 1, bench.seed + 1 + count)
        generated = [stimulus for seed in seeds for stimulus in _generated(bench, seed)]
        own = [stimulus for key in bench.prepared.keys.values() for stimulus in key.stimuli]
        kinds = kinds_of([*own, *generated])
        small = [s for s in _distinct(own) if _size(s) <= _LARGEST_VARIED]
        small = _spread_out(small, _VARIED_QUICK if bench.quick else len(small))
        varied = [variation for s in small for variation in variations(s, kinds)]
        varied = _spread_out(varied, _MOST_VARIATIONS_QUICK if bench.quick else _MOST_VARIATIONS)
        promised = _Promises(bench).kept
        return [
            self._answered(_distinct(generated), _returned),
            self._answered(_distinct(varied), promised),
        ]

    def _answered(
        self, stimuli: Sequence[Stimulus], allowed: Callable[[Stimulus, Observation], bool]
    ) -> list[_Call]:
        if not stimuli:
            return []
        groups = _grouped(stimuli)
        run = self._bench.perform(self._right, make_batch(groups, self._limits))
        flat = [stimulus for group in groups for stimulus in group]
        pairs = zip(flat, run.observations, strict=True)
        return [(stimulus, seen) for stimulus, seen in pairs if allowed(stimulus, seen)]


_Call = tuple[Stimulus, Observation]
_Round = tuple[Batch, tuple[Observation, ...]]


def _grouped(stimuli: Sequence[Stimulus]) -> list[list[Stimulus]]:
    """A group for each function: a call that has to be stopped costs the rest of its group."""
    groups: dict[str, list[Stimulus]] = {}
    for stimulus in stimuli:
        groups.setdefault(stimulus.function, []).append(stimulus)
    return [*groups.values()]


def _functions(stimulus: Stimulus) -> frozenset[str]:
    nested = [argument for argument in stimulus.args if isinstance(argument, Stimulus)]
    return frozenset([stimulus.function]).union(*map(_functions, nested))


def _distinct(stimuli: Sequence[Stimulus]) -> list[Stimulus]:
    """Each call once: several criteria may share their cases."""
    seen: dict[bytes, Stimulus] = {}
    for stimulus in stimuli:
        seen.setdefault(make_batch([[replace(stimulus, label="")]], _ANY_LIMITS).encoded, stimulus)
    return [*seen.values()]


def _spread_out(stimuli: list[Stimulus], most: int) -> list[Stimulus]:
    """So many at most, from the whole length of the list; always the same."""
    return stimuli if len(stimuli) <= most else stimuli[:: -(-len(stimuli) // most)]


def _size(stimulus: Stimulus) -> int:
    return sum(np.size(a) for a in stimulus.args if not isinstance(a, Stimulus))


def _generated(bench: Bench, seed: int) -> Iterator[Stimulus]:
    try:
        keys = bench.under(seed).keys
    except SpecError:  # a seed with which the pack does not stand is told of under stability
        return
    for key in keys.values():
        for stimulus in key.stimuli:
            yield replace(stimulus, label=f"{stimulus.label} (seed {seed})".strip())


def _returned(_: Stimulus, observation: Observation) -> bool:
    return observation.ending is Ending.RETURNED


class _Promises:
    """The pack's own properties as bounds of what may be asked.

    A property that the reference has on every case of the pack, and loses on a varied one, shows
    that the variation left what the statement allows.
    """

    def __init__(self, bench: Bench) -> None:
        self._checks: dict[str, list[Callable[[Returned], object]]] = {}
        for _, criterion in bench.problem.criteria():
            if not isinstance(criterion, PropertyCriterion) or criterion.over != "case":
                continue
            predicate = bench.pack.checks[criterion.check]
            if all(
                _holds(predicate, stimulus, observation)
                for other in bench.prepared.keys.values()
                for stimulus, observation in zip(other.stimuli, other.expected, strict=False)
                if stimulus.function == criterion.function
            ):
                self._checks.setdefault(criterion.function, []).append(predicate)

    def kept(self, stimulus: Stimulus, observation: Observation) -> bool:
        """Tell whether the reference's answer is ordinary: returned, finite, as promised."""
        if observation.ending is not Ending.RETURNED or not _is_finite(observation.value):
            return False
        predicates = self._checks.get(stimulus.function, ())
        return all(_holds(predicate, stimulus, observation) for predicate in predicates)


def _holds(
    predicate: Callable[[Returned], object], stimulus: Stimulus, observation: Observation
) -> bool:
    args = observation.args or stimulus.args
    value = observation.value
    try:
        with np.errstate(all="ignore"):
            answer = predicate(Returned(args, value, value, observation.mutated, stimulus.label))
    except Exception:  # noqa: BLE001 - the pack's own predicate, on an input that it never met
        return False
    return answer is None or answer is True


def _tolerances(bench: Bench) -> dict[str, float]:
    found: dict[str, float] = {}
    for _, criterion in bench.problem.criteria():
        if isinstance(criterion, MatchesCriterion):
            known = found.get(criterion.function, criterion.rtol)
            found[criterion.function] = max(_ROUNDING, min(known, criterion.rtol))
    return found


# --- the same, to rounding ------------------------------------------------------------------


def _alike(a: Observation, b: Observation, tolerance: float) -> bool:
    if a.ending is not Ending.RETURNED or set(a.mutated) != set(b.mutated):
        return False
    narrow = any(_is_narrow(x) for x in (a.value, b.value, *b.args))
    return _same(a.value, b.value, _NARROW_ROUNDING if narrow else tolerance)


def _same(a: Plain, b: Plain, tolerance: float) -> bool:
    if isinstance(b, dict):
        return (
            isinstance(a, dict)
            and a.keys() == b.keys()
            and all(_same(a[key], b[key], tolerance) for key in b)
        )
    if isinstance(b, list | tuple):
        return (
            type(a) is type(b)
            and len(a) == len(b)
            and all(_same(x, y, tolerance) for x, y in zip(a, b, strict=True))
        )
    one, other = as_array(a), as_array(b)
    if one is None or other is None:
        return _is_equal(a, b)
    if isinstance(a, np.ndarray) != isinstance(b, np.ndarray) and (one.ndim or other.ndim):
        return False
    return one.shape == other.shape and _near(one, other, tolerance)


def _is_equal(a: Plain, b: Plain) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(np.asarray(a), np.asarray(b))
    return type(a) is type(b) and bool(a == b)


def _near(a: np.ndarray, b: np.ndarray, tolerance: float) -> bool:
    """Relative to the largest element: what is lost beside that is rounding."""
    if not b.size or (a.dtype == b.dtype and a.tobytes() == b.tobytes()):
        return True
    with np.errstate(all="ignore"):
        wide = np.result_type(a.dtype, b.dtype, np.float64)
        scale = np.max(np.abs(b), initial=0, where=np.isfinite(b))
        limit = tolerance * float(scale) + np.finfo(float).tiny
        return bool(np.allclose(a.astype(wide), b.astype(wide), 0, limit, equal_nan=True))


def _is_narrow(value: Plain) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.dtype.itemsize < 8


def _is_finite(value: Plain) -> bool:
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(_is_finite, value))
    if is_number(value) or (isinstance(value, np.ndarray) and value.dtype.kind in "iufc"):
        return bool(np.isfinite(np.asarray(value, dtype=complex)).all())
    return True


def _told(stimulus: Stimulus, ours: Observation, theirs: Observation) -> str:
    args = ", ".join(_argument(argument) for argument in stimulus.args)
    what = f"{stimulus.function}({args})"
    if len(what) > _ARGUMENTS_SHOWN:
        what = f"{stimulus.function}, case “{stimulus.label}”"
    right = show(ours.value, limit=_VALUE_SHOWN)
    if theirs.ending is not Ending.RETURNED:
        return f"{what}: {right}, but the mutant ends otherwise ({theirs.ending})"
    if set(theirs.mutated) != set(ours.mutated):
        return f"{what}: the two do not change the same arguments"
    return f"{what}: {right}, but {show(theirs.value, limit=_VALUE_SHOWN)} from the mutant"


def _argument(argument: Plain) -> str:
    if isinstance(argument, Stimulus):
        return f"{argument.function}({', '.join(map(_argument, argument.args))})"
    return show(argument, limit=_VALUE_SHOWN)
