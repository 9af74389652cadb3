"""The aspect `tolerances`: does every honest way to the right answer pass, and no wrong one?

The reference is worked out in other precisions, in other orders and by other formulas; what comes
out is held against each criterion's tolerance, and the pack's misconceptions are as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.checks import properties
from grader.errors import SpecError
from grader.evidence import Ending, Observation, Run
from grader.pipeline.prepare import Prepared, prepare
from grader.problem import CodeCriterion, MatchesCriterion, PropertyCriterion
from grader.result import CheckResult, Outcome
from grader.value import show
from grader.verification import Aspect, Finding, Level, Spread
from grader.verify.bench import Bench, Found
from grader.verify.formulations.catalogue import Formulation, Kind, catalogue
from grader.verify.formulations.spread import (
    ROOM,
    Farthest,
    Measured,
    measure,
    scale,
    yardstick,
)
from grader.verify.formulations.trial import Trial, Trials

NAME = "tolerances"
_SEEDS, _SEEDS_QUICK = 4, 1
_SEEDS_EXACT = 2
"""High precision is slow, and what it shows depends little on the seed."""
_DRAWS, _DRAWS_QUICK = 3, 1
_EXACT_TIME_S, _EXACT_TIME_QUICK_S = 1.0, 0.2
_WIDEST = 0.05
"""A larger relative tolerance takes almost anything for right."""
_NO_TOLERANCE = "no tolerance will do"
_LOADED = Observation(Ending.RETURNED)


def tolerances(bench: Bench) -> Found:
    """Measure every criterion that judges code, under several seeds."""
    quick = bench.quick
    draws = _DRAWS_QUICK if quick else _DRAWS
    time_s = _EXACT_TIME_QUICK_S if quick else _EXACT_TIME_S
    offered = catalogue(bench.pack, draws=draws, exact_time_s=time_s)
    trials = Trials(bench.pack, offered.formulations)
    prepared = [bench.prepared, *_other_seeds(bench, _SEEDS_QUICK if quick else _SEEDS)]
    code = [c for _, c in bench.problem.criteria() if isinstance(c, CodeCriterion)]
    findings: list[Finding] = []
    failing: list[_Failing] = []
    spreads: list[Spread] = []
    for done, criterion in enumerate(code, 1):
        tried = [_trial(trials, p, criterion, n) for n, p in enumerate(prepared)]
        if isinstance(criterion, MatchesCriterion):
            for single in (False, True):
                measured = measure(tried, single=single)
                findings += _of_matches(measured)
                spreads += _spread(measured)
        elif isinstance(criterion, PropertyCriterion):
            failing += _of_property(bench, criterion, tried)
        bench.tick(done, len(code))
    findings += map(_fails, (f for f in failing if f.asked))
    findings += _notes([f for f in failing if not f.asked])
    findings += _not_run(offered.not_run, trials)
    names = tuple(dict.fromkeys(f.name for f in offered.formulations))
    aspect = Aspect(
        NAME,
        "Right answers pass by any honest way, and the nearest wrong ones do not",
        _summary(names, len(prepared), spreads),
        tuple(findings),
    )
    return Found(aspect, spreads=tuple(spreads))


def _other_seeds(bench: Bench, count: int) -> Iterator[Prepared]:
    for seed in range(1, count):
        try:
            yield prepare(bench.pack, bench.seed + seed)
        except SpecError:
            continue  # the aspect `stability` tells of it


def _trial(trials: Trials, prepared: Prepared, criterion: CodeCriterion, number: int) -> Trial:
    kinds = set(Kind) if number < _SEEDS_EXACT else set(Kind) - {Kind.EXACT}
    return trials.of(prepared, criterion, kinds)


# --- criteria that compare ----------------------------------------------------------------------


def _of_matches(measured: Measured) -> Iterator[Finding]:
    honest, wrong = measured.honest, measured.wrong
    if honest is not None and honest.distance * ROOM > 1 and measured.asked:
        yield _too_tight(measured, honest)
    if wrong is not None and wrong.distance < ROOM:
        yield _too_loose(measured, wrong)
    if measured.exact is not None:
        text = (
            f"Rounding is part of the answer: worked out {measured.exact.by} it lies "
            f"{_times(measured.exact.distance)} from the reference, in {measured.exact.where}, "
            "although every way in double precision agrees."
        )
        mend = "if that is not what the problem is about, mend the reference"
        yield Finding(Level.NOTE, measured.criterion.id, text, mend, _shown(measured.exact))
    if measured.jumps:
        far = measured.jumps[0]
        text = (
            f"In {far.where} the answer jumps when the inputs move by one rounding: where a "
            "student's way to it rounds otherwise, chance may decide."
        )
        mend = "choose inputs away from the jump"
        yield Finding(Level.NOTE, measured.criterion.id, text, mend, _shown(far))


def _too_tight(measured: Measured, honest: Farthest) -> Finding:
    failing = honest.distance > 1
    text = (
        f"The right answer worked out {honest.by} {'fails' if failing else 'all but fails'}"
        f"{_in_single(measured)}: in {honest.where} it lies {_times(honest.distance)} from the "
        "reference."
    )
    mend = f"{proposal(measured)}, or choose inputs for which rounding matters less"
    level = Level.ERROR if failing else Level.WARNING
    return Finding(level, measured.criterion.id, text, mend, _shown(honest))


def _too_loose(measured: Measured, wrong: Farthest) -> Finding:
    passes = "passes as right" if wrong.distance <= 1 else "all but passes as right"
    text = (
        f"The misconception {wrong.by} {passes}{_in_single(measured)}: where it is farthest off, "
        f"in {wrong.where}, it lies {_times(wrong.distance)} from the reference."
    )
    mend = f"{proposal(measured)}, or choose inputs on which it is farther off"
    return Finding(Level.WARNING, measured.criterion.id, text, mend, _shown(wrong))


def _in_single(measured: Measured) -> str:
    return " in single precision" if measured.single else ""


def _times(distance: float) -> str:
    if distance > 1e300:
        return "farther than any tolerance reaches"
    return f"{distance:.2g} times the tolerance"


def proposal(measured: Measured) -> str:
    """Tolerances in the middle between right and wrong answers, as problem.toml says them."""
    if measured.honest is None or measured.honest.distance > 1e300:
        return _NO_TOLERANCE
    rtol, atol = (scale(measured) * part for part in yardstick(measured))
    if rtol > _WIDEST:
        return _NO_TOLERANCE
    if measured.single:
        return f"write float32_rtol = {_one_digit(rtol)}"
    written = [f"rtol = {_one_digit(rtol)}"] if rtol else []
    return "write " + ", ".join([*written, f"atol = {_one_digit(atol)}"])


def _one_digit(value: float) -> str:
    if not value:
        return "0"
    digits, _, power = f"{value:.0e}".partition("e")
    return f"{digits}e{int(power)}"


def _shown(far: Farthest) -> str:
    return (
        f"case:      {far.case}, seed {far.seed}\n"
        f"by:        {far.by}\n"
        f"returned:  {show(far.returned)}\n"
        f"reference: {show(far.expected)}"
    )


def _spread(measured: Measured) -> Iterator[Spread]:
    honest, wrong = measured.honest, measured.wrong
    if honest is None:
        return
    tight = honest.distance * ROOM > 1 and measured.asked
    loose = wrong is not None and wrong.distance < ROOM
    yield Spread(
        criterion=measured.criterion.id,
        rtol=measured.tolerance.rtol,
        atol=measured.tolerance.atol,
        honest=honest.distance,
        honest_by=honest.by,
        wrong=wrong.distance if wrong else None,
        wrong_by=wrong.by if wrong else "",
        proposal=proposal(measured) if tight or loose else "",
        precision="float32" if measured.single else "float64",
    )


# --- criteria with a predicate ------------------------------------------------------------------


@dataclass(frozen=True)
class _Failing:
    """A right answer that does not pass a property."""

    criterion: PropertyCriterion
    trial: Trial
    formulation: Formulation
    result: CheckResult

    @property
    def asked(self) -> bool:
        """Whether a student may be expected to answer so."""
        kind = self.formulation.kind
        return kind is Kind.HONEST or (kind is Kind.SINGLE and any(self.trial.narrow))


def _of_property(
    bench: Bench, criterion: PropertyCriterion, trials: Sequence[Trial]
) -> Iterator[_Failing]:
    """The first answer of each kind that does not pass."""
    told: set[Kind] = set()
    for trial in trials:
        for formulation, answers in trial.answers:
            if formulation.kind in told:
                continue
            result = _judged(bench, criterion, trial, answers)
            if result.outcome is not Outcome.PASSED:
                told.add(formulation.kind)
                yield _Failing(criterion, trial, formulation, result)


def _judged(
    bench: Bench, criterion: PropertyCriterion, trial: Trial, answers: Sequence[Observation]
) -> CheckResult:
    run = Run(tuple(answers), _LOADED, {criterion.function: "function"})
    predicate = bench.pack.checks[criterion.check]
    return properties.check(criterion, trial.key, answers, run, (), predicate)


def _fails(failing: _Failing) -> Finding:
    """A right answer that students are asked for, and that does not pass."""
    criterion, result = failing.criterion, failing.result
    kinds = ("summary", "case", "error")
    said = " ".join(item.text for item in result.feedback if item.kind in kinds)
    case = next((item.case for item in result.feedback if item.case is not None), None)
    block = "" if case is None else f"case:     {case.label or case.call}\n"
    if case is not None and case.has_returned:
        block += f"returned: {show(case.returned)}"
    text = (
        f"The right answer worked out {failing.formulation.name} does not pass "
        f"(seed {failing.trial.seed}): {said}"
    )
    mend = f"allow more for rounding in {criterion.check}, or choose inputs where it matters less"
    return Finding(Level.ERROR, criterion.id, text, mend, block)


_NOT_ASKED = {
    Kind.EXACT: "Rounding is part of the answer: in higher precision, right ones do not pass",
    Kind.PERTURBED: "From inputs that are one rounding off, right answers do not pass",
    Kind.SINGLE: "In single precision, which no input asks for, right answers do not pass",
}


def _notes(failing: Sequence[_Failing]) -> Iterator[Finding]:
    """Of what nobody is asked for, a line for each kind: a property may be about the very digits
    of its inputs, or about rounding itself."""
    for kind, text in _NOT_ASKED.items():
        ids = [f.criterion.id for f in failing if f.formulation.kind is kind]
        if ids:
            yield Finding(Level.NOTE, ids[0], f"{text}: {', '.join(ids)}.")


# --- what was tried -----------------------------------------------------------------------------


def _not_run(not_loaded: Sequence[str], trials: Trials) -> Iterator[Finding]:
    """Nothing is claimed of what could not be run; higher precision needs to be had only once."""
    for what in not_loaded:
        text = f"The reference could not be worked out {what}."
        yield Finding(Level.NOTE, "reference.py", text)
    exact = {f.name for f in trials.formulations if f.kind is Kind.EXACT}
    had = trials.run.get(Kind.EXACT, set())
    for (name, reason), functions in trials.not_run.items():
        left = functions - had if name in exact else functions
        if left:
            text = f"Not worked out {name}: {', '.join(sorted(left))} ({reason})."
            yield Finding(Level.NOTE, "reference.py", text)


def _summary(names: Sequence[str], seeds: int, spreads: Sequence[Spread]) -> str:
    ways = f"{len(names)} ways to work out the reference, {seeds} seed{'s' * (seeds != 1)}"
    if not spreads:
        return f"{ways}; no criterion compares with a tolerance."
    honest = max(s.honest for s in spreads)
    wrong = [s.wrong for s in spreads if s.wrong is not None]
    nearest = f", the nearest misconception lies {min(wrong):.1g} tolerances off" if wrong else ""
    return f"{ways}: right answers take up at most {honest:.1g} of a tolerance{nearest}."
