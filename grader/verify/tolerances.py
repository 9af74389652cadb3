"""The aspect `tolerances`: does every honest way to the right answer pass, and no wrong one?

The reference is worked out in other precisions, in other orders and by other formulas; what comes
out is held against each criterion's tolerance, and the pack's misconceptions are as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from grader.errors import SpecError
from grader.pipeline.prepare import Prepared
from grader.problem import CodeCriterion, MatchesCriterion, PropertyCriterion
from grader.value import show
from grader.verification import Aspect, Finding, Level, Spread
from grader.verify.bench import Bench, Found
from grader.verify.formulations import predicates
from grader.verify.formulations.catalogue import Kind, catalogue
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
    failed: list[predicates.Failing] = []
    spreads: list[Spread] = []
    judged: list[Spread] = []
    for done, criterion in enumerate(code, 1):
        tried = [_trial(trials, p, criterion, n) for n, p in enumerate(prepared)]
        if isinstance(criterion, MatchesCriterion):
            for single in (False, True):
                measured = measure(tried, single=single)
                findings += _of_matches(measured)
                spread = [*_spread(measured)]
                spreads += spread
                judged += spread if measured.asked else []
        elif isinstance(criterion, PropertyCriterion):
            failed += predicates.failing(bench.pack, criterion, tried)
        bench.tick(done, len(code))
    findings += [predicates.finding(each) for each in failed if each.asked]
    findings += predicates.notes([each for each in failed if not each.asked])
    findings += _not_run(offered.not_run, trials)
    aspect = Aspect(
        NAME,
        "Right answers pass by any honest way, and the nearest wrong ones do not",
        _summary(len(trials.names), len(prepared), judged),
        tuple(findings),
    )
    return Found(aspect, spreads=tuple(spreads))


def _other_seeds(bench: Bench, count: int) -> Iterator[Prepared]:
    for seed in range(1, count):
        try:
            yield bench.under(bench.seed + seed)
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
    if math.isinf(distance):
        return "farther than any tolerance reaches"
    return f"{distance:.2g} times the tolerance"


def proposal(measured: Measured) -> str:
    """Tolerances in the middle between right and wrong answers, as problem.toml says them."""
    if measured.honest is None or math.isinf(measured.honest.distance):
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
        honest=honest.distance if math.isfinite(honest.distance) else None,
        honest_by=honest.by,
        wrong=wrong.distance if wrong else None,
        wrong_by=wrong.by if wrong else "",
        proposal=proposal(measured) if tight or loose else "",
        precision="float32" if measured.single else "float64",
    )


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


def _summary(count: int, seeds: int, spreads: Sequence[Spread]) -> str:
    ways = f"{count} ways to work out the reference, {seeds} seed{'s' * (seeds != 1)}"
    if not spreads:
        return f"{ways}; no criterion compares with a tolerance."
    within = [s.honest for s in spreads if s.honest is not None]
    wrong = [s.wrong for s in spreads if s.wrong is not None]
    nearest = (
        f", the nearest misconception lies {_plain(min(wrong))} tolerances off" if wrong else ""
    )
    if len(within) < len(spreads):
        return f"{ways}: some right answers differ by more than any tolerance reaches."
    honest = _plain(max(within, default=0.0))
    return f"{ways}: right answers take up at most {honest} of a tolerance{nearest}."


def _plain(distance: float) -> str:
    """``0.01``, ``600``, ``4e11``: one digit."""
    if 1e-4 <= distance < 1e5:
        return f"{float(f'{distance:.0e}'):g}"
    return _one_digit(distance)
