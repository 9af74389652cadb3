"""Making a pack ready, once per run: the calls to make and the answer key to judge them by.

Stimuli depend on the pack and the seed alone, so nothing here is done per submission.  A fault of
the pack that shows here stops the run before any student is graded by it.
"""

from __future__ import annotations

import inspect
import itertools
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from grader.checks import properties
from grader.errors import SpecError, SpecFault
from grader.evidence import AnswerKey, Case, Ending, Observation, Run, Stimulus, StudentError
from grader.pipeline.calls import Calls, earlier_groups, groups, part_of
from grader.pipeline.earlier import BadCarry, earlier_key
from grader.pipeline.patience import impatient
from grader.pipeline.rehearse import NOT_PLAIN, Functions, Misconceptions, described, timed
from grader.pipeline.timing import ReferenceTimes
from grader.problem import (
    CodeCriterion,
    MatchesCriterion,
    Misconception,
    Pack,
    Part,
    Problem,
    PropertyCriterion,
    SymbolicCriterion,
)
from grader.result import Outcome
from grader.sandbox.batch import Batch, make_batch
from grader.value import describe

_LOADED = Observation(Ending.RETURNED)
_MOST_CASES = 10_000
"""More from one generator is taken for one that does not end."""


@dataclass(frozen=True)
class Prepared:
    """A pack with its answer keys, ready for any number of submissions."""

    pack: Pack
    seed: int
    keys: Mapping[str, AnswerKey]
    """Criterion id → key, for the code criteria, in the order of the pack."""
    batch: Batch
    left_out: int = 0
    """How many hidden criteria are not part of it."""
    earlier: Batch | None = None
    """The calls for error carried forward, made in a process of their own: one in which nothing is
    known yet of what the later functions are given."""

    @cached_property
    def offsets(self) -> Mapping[str, int]:
        """Criterion id → where its observations begin in a run's."""
        starts = itertools.accumulate((len(of.stimuli) for of in self._calls), initial=0)
        return {of.criterion_id: start for of, start in zip(self._calls, starts, strict=False)}

    def observed(self, criterion_id: str, run: Run) -> tuple[Observation, ...]:
        """What was seen in a run of a criterion's own calls."""
        return part_of(run, self._calls, criterion_id)

    def observed_earlier(self, criterion_id: str, run: Run) -> tuple[Observation, ...]:
        """What was seen, in a run of `earlier`, of those that a criterion may be carried on."""
        return part_of(run, self._earlier_calls, criterion_id)

    @cached_property
    def _calls(self) -> tuple[Calls, ...]:
        return groups(self.problem, self.keys)

    @cached_property
    def _earlier_calls(self) -> tuple[Calls, ...]:
        return earlier_groups(self.problem, self.keys)

    @property
    def problem(self) -> Problem:
        """The problem that is graded."""
        return self.pack.problem

    @property
    def has_formulas(self) -> bool:
        """Whether any criterion needs a judge of formulas."""
        return any(isinstance(c, SymbolicCriterion) for _, c in self.problem.criteria())


def prepare(pack: Pack, seed: int | None = None, *, public_only: bool = False) -> Prepared:
    """Generate the stimuli and work out the answer keys; of public criteria alone, if so asked.

    Raises:
        SpecError: with everything that went wrong in the pack's own generators and references.
    """
    seed = pack.problem.seed if seed is None else seed
    whole = pack
    pack = _public_part(pack) if public_only else pack
    faults: list[SpecFault] = []
    keys: dict[str, AnswerKey] = {}
    cases: dict[str, tuple[Case, ...]] = {}
    times = ReferenceTimes()
    for part, criterion in _code_criteria(pack.problem):
        try:
            if criterion.inputs not in cases:
                cases[criterion.inputs] = _cases(pack, criterion.inputs, seed)
            key = _key(pack, criterion, cases[criterion.inputs], times)
            _trust(pack, criterion, key)
            keys[criterion.id] = key
        except _Fault as fault:
            where = f"parts.{part.id}.criteria.{criterion.id}"
            faults.append(SpecFault(where, fault.problem, fault.mend))
    faults += _add_earlier(whole, keys, times)
    if faults:
        raise SpecError(str(pack.folder), faults)
    batch = _batch(pack.problem, keys, groups(pack.problem, keys), times)
    before = earlier_groups(pack.problem, keys)
    earlier = _batch(pack.problem, keys, before, times) if before else None
    left_out = sum(1 for _ in whole.problem.criteria()) - sum(1 for _ in pack.problem.criteria())
    return Prepared(pack, seed, keys, batch, left_out, earlier)


def _add_earlier(pack: Pack, keys: dict[str, AnswerKey], times: ReferenceTimes) -> list[SpecFault]:
    """Add to the keys what their answers may be carried on."""
    faults = []
    for part, criterion in _code_criteria(pack.problem):
        if criterion.carried is None or criterion.id not in keys:
            continue
        key = keys[criterion.id]
        try:
            keys[criterion.id] = replace(key, earlier=earlier_key(pack, criterion, key, times))
        except BadCarry as fault:
            where = f"parts.{part.id}.criteria.{criterion.id}.carried.{fault.key}"
            faults.append(SpecFault(where, fault.problem, fault.mend))
    return faults


def _code_criteria(problem: Problem) -> list[tuple[Part, CodeCriterion]]:
    return [(part, c) for part, c in problem.criteria() if isinstance(c, CodeCriterion)]


def _batch(
    problem: Problem,
    keys: Mapping[str, AnswerKey],
    calls: Sequence[Calls],
    times: ReferenceTimes,
) -> Batch:
    return make_batch(
        [of.stimuli for of in calls],
        problem.limits,
        _largest(keys),
        public_groups=sum(not of.hidden for of in calls),
        reference_s=[time_s for of in calls for time_s in times.of(of.stimuli)],
        reference_total_s=times.total_s,
    )


def _public_part(pack: Pack) -> Pack:
    parts = [
        part.model_copy(
            update={"criteria": tuple(c for c in part.criteria if c.visibility == "public")}
        )
        for part in pack.problem.parts
    ]
    kept: tuple[Part, ...] = tuple(part for part in parts if part.criteria)
    problem = pack.problem.model_copy(update={"parts": kept})
    return Pack(**{**vars(pack), "problem": problem})


class _Fault(Exception):
    def __init__(self, problem: str, mend: str) -> None:
        super().__init__(problem)
        self.problem = problem
        self.mend = mend


def _cases(pack: Pack, name: str, seed: int) -> tuple[Case, ...]:
    # Each generator has a stream of its own, so that adding one changes no other's cases.
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    try:
        with impatient():
            cases = tuple(itertools.islice(pack.inputs[name](rng), _MOST_CASES + 1))
    except (Exception, SystemExit) as error:  # the pack's code may raise anything
        raised = described(error, pack.folder)
        problem = f"{name} in inputs.py raised {raised.type}: {raised.message}{_line(raised)}"
        raise _Fault(problem, f"mend {name}; it is called with a numpy Generator") from error
    if not cases:
        raise _Fault(f"{name} in inputs.py gives no case", "yield at least one Case")
    if len(cases) > _MOST_CASES:
        raise _Fault(
            f"{name} in inputs.py gives more than {_MOST_CASES:,} cases",
            "yield fewer: each is a call of every student's function",
        )
    wrong = [case for case in cases if not isinstance(case, Case)]
    if wrong:
        found = describe(wrong[0])
        raise _Fault(f"{name} in inputs.py yields {found}", "yield grader.Case(*arguments)")
    return cases


def _key(
    pack: Pack, criterion: CodeCriterion, cases: tuple[Case, ...], times: ReferenceTimes
) -> AnswerKey:
    stimuli = tuple(Stimulus(criterion.function, case.args, case.label) for case in cases)
    name = criterion.reference or criterion.function
    functions: Functions = {**pack.reference}
    if name in pack.reference:
        functions = {**functions, criterion.function: pack.reference[name]}
    expected: tuple[Observation, ...] = ()
    taken_s: tuple[float, ...] = ()
    if isinstance(criterion, MatchesCriterion) or name in pack.reference:
        expected, taken_s = zip(*timed(stimuli, functions, pack.folder), strict=True)
        _require_answers(name, stimuli, expected)
    times.add(name, stimuli, taken_s)
    wrong = {
        misconception.id: {**functions, **_wrong(pack, misconception)}
        for misconception in pack.problem.misconceptions
        if criterion.function in misconception.functions
    }
    known = Misconceptions(stimuli, wrong, pack.folder)
    return AnswerKey(stimuli, _parameters(pack, criterion), expected, known)


def _wrong(pack: Pack, misconception: Misconception) -> dict[str, Callable[..., Any]]:
    return {
        function: pack.misconceptions[name] for function, name in misconception.functions.items()
    }


def _require_answers(
    name: str, stimuli: tuple[Stimulus, ...], expected: tuple[Observation, ...]
) -> None:
    for stimulus, observation in zip(stimuli, expected, strict=True):
        if observation.error is not None:
            error = observation.error
            where = f" on the case “{stimulus.label}”" if stimulus.label else ""
            raised = f"raised {error.type}: {error.message}{_line(error)}"
            told = error.message if error.type == NOT_PLAIN else raised
            problem = f"{name} in reference.py {told}{where}"
            raise _Fault(problem, "mend the reference, or the inputs that it is given")


def _line(error: StudentError) -> str:
    """Where in the pack's own files it was raised, where that is known."""
    return f" ({error.where.file} line {error.where.line})" if error.where else ""


def _trust(pack: Pack, criterion: CodeCriterion, key: AnswerKey) -> None:
    """Refuse a property that the reference itself fails: every right answer would fail it too.

    A predicate that raises is left to the checks, which call it a grader's error each time.
    """
    if not isinstance(criterion, PropertyCriterion) or not key.expected:
        return
    run = Run(key.expected, _LOADED, {criterion.function: "function"})
    predicate = pack.checks[criterion.check]
    result = properties.check(criterion, key, key.expected, run, (), predicate)
    if result.outcome in (Outcome.PASSED, Outcome.GRADER_ERROR):
        return
    said = " ".join(item.text for item in result.feedback if item.kind in ("summary", "case"))
    raise _Fault(
        f"the reference itself does not pass {criterion.check}: {said}",
        "mend the check in checks.py, the reference, or the inputs",
    )


def _parameters(pack: Pack, criterion: CodeCriterion) -> tuple[str, ...]:
    name = criterion.reference or criterion.function
    function = pack.reference.get(name)
    if function is None:
        return ()
    return tuple(inspect.signature(function).parameters)


def _largest(keys: Mapping[str, AnswerKey]) -> int:
    earlier = (o for key in keys.values() if key.earlier for o in key.earlier.expected)
    values = (o.value for o in (*(o for key in keys.values() for o in key.expected), *earlier))
    return max((v.nbytes for v in values if isinstance(v, np.ndarray)), default=0)
