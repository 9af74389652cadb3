"""The aspect `stability`: does any verdict hang on the seed that the inputs are drawn with?

The pack is made ready under many seeds.  Its reference and its misconceptions are judged under each
in this process, as they are the pack's own; sample submissions are run in the sandbox under some.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from grader import submission as collecting
from grader.errors import SpecError, SpecFault
from grader.evidence import Submission
from grader.pipeline.grading import Grading
from grader.pipeline.prepare import Prepared
from grader.problem import CodeCriterion
from grader.result import Outcome
from grader.verification import Aspect, Finding, Level
from grader.verify.bench import Bench, Found, outcomes_of
from grader.verify.focus import outcomes_alone
from grader.verify.repetition import unrepeatable
from grader.verify.samples import swift_samples
from grader.verify.verdicts import Ledger, Own, Verdicts, by_chance, code_criterion

NAME = "stability"
_SEEDS, _SEEDS_QUICK = 20, 5
_SAMPLE_SEEDS, _SAMPLE_SEEDS_QUICK = 3, 2
_IN_CRITERION = re.compile(r"parts\.[^.]+\.criteria\.([^.]+)")
_SEEDS_NAMED = 6


def stability(bench: Bench, graded: Mapping[str, Mapping[str, Outcome]] | None = None) -> Found:
    """Judge the pack's answers, right and wrong, under many seeds.

    `graded` is what came of samples under the seed of the bench, as far as it is known: sample →
    criterion → outcome.
    """
    count = _SEEDS_QUICK if bench.quick else _SEEDS
    seeds = [bench.seed + i for i in range(count)]
    ledger = Ledger()
    own = Own(bench.pack, ledger)
    prepared: list[Prepared] = []
    faults: dict[int, tuple[SpecFault, ...]] = {}
    for done, seed in enumerate(seeds, 1):
        try:
            ready = bench.under(seed)
        except SpecError as error:
            faults[seed] = error.faults
            continue
        prepared.append(ready)
        own.judge(ready)
        bench.tick(done, count)
    samples = _samples(bench)
    enough = _SAMPLE_SEEDS_QUICK if bench.quick else _SAMPLE_SEEDS
    _judge_samples(bench, samples, prepared[:enough], ledger, graded or {})
    findings = (*unrepeatable(bench), *_refused(bench, faults, count), *_unsteady(ledger))
    summary = _summary(count, len(bench.problem.misconceptions), len(samples), enough)
    title = "No verdict depends on the seed"
    return Found(Aspect(NAME, title, summary, findings))


# --- samples ------------------------------------------------------------------------------------


def _samples(bench: Bench) -> list[Submission]:
    """The sample submissions, without their written answers, which no seed touches."""
    read = (collecting.read(source, bench.problem) for source in swift_samples(bench))
    return [replace(sample, answers={}, answers_problem="") for sample in read if sample.chunks]


def _judge_samples(
    bench: Bench,
    samples: Sequence[Submission],
    prepared: Sequence[Prepared],
    ledger: Ledger,
    graded: Mapping[str, Mapping[str, Outcome]],
) -> None:
    code = [outcomes_alone(ready, ready.keys) for ready in prepared]

    def came(job: tuple[Prepared, Submission]) -> Mapping[str, Outcome]:
        ready, sample = job
        if ready.seed == bench.seed and sample.id in graded:
            return graded[sample.id]
        grade = Grading(ready, bench.judge, bench.isolation).grade(sample, bench.perform)
        return outcomes_of(grade)

    jobs = [(ready, sample) for ready in code for sample in samples]
    for (ready, sample), outcomes in zip(jobs, bench.each(came, jobs), strict=True):
        for criterion_id in ready.keys:
            criterion, outcome = code_criterion(ready, criterion_id), outcomes[criterion_id]
            ledger.note(criterion, f"sample {sample.id}", ready.seed, outcome, right=False)


# --- findings -----------------------------------------------------------------------------------


def _refused(
    bench: Bench, faults: Mapping[int, Sequence[SpecFault]], count: int
) -> Iterator[Finding]:
    """Seeds under which the pack cannot be used, or its reference fails a property."""
    seen: dict[str, list[tuple[int, SpecFault]]] = {}
    for seed, found in faults.items():
        for fault in found:
            match = _IN_CRITERION.match(fault.where)
            seen.setdefault(match[1] if match else fault.where, []).append((seed, fault))
    for about, cases in seen.items():
        seeds = [seed for seed, _ in cases]
        if _by_chance(bench, about, len(seeds), count):
            continue
        _, fault = cases[0]
        text = (
            f"Under {len(seeds)} of {count} seeds ({_listed(seeds)}) the pack cannot be used: "
            f"{fault.problem}"
        )
        yield Finding(Level.ERROR, about, text, fault.mend)


def _by_chance(bench: Bench, about: str, failed: int, count: int) -> bool:
    """Whether a statistical criterion's stated rate of false alarms explains its failures."""
    found = [c for _, c in bench.problem.criteria() if c.id == about]
    return any(isinstance(c, CodeCriterion) and by_chance(c, failed, count) for c in found)


def _unsteady(ledger: Ledger) -> Iterator[Finding]:
    """One finding for each flaky criterion, with every answer that shows it."""
    flaky: dict[str, list[Verdicts]] = {}
    for verdicts in ledger.all.values():
        if verdicts.unsteady:
            flaky.setdefault(verdicts.criterion.id, []).append(verdicts)
    for about, shown in flaky.items():
        first = next((v for v in shown if v.right), shown[0])
        level = Level.ERROR if first.right else Level.WARNING
        text = f"Flaky: the verdict on {first.answer} depends on the seed: {_told(first)}."
        block = "\n".join(f"{v.answer}: {_told(v)}" for v in shown) if len(shown) > 1 else ""
        mend = "fix the inputs that decide it, or add one on which the answer always shows"
        yield Finding(level, about, text, mend, block)


def _told(verdicts: Verdicts) -> str:
    """``passed under 3 seeds (4, 9, 11), failed under 17 (…)``; the rarer verdict first."""
    seeds: dict[str, list[int]] = {}
    for seed, verdict in verdicts.by_seed.items():
        seeds.setdefault(verdict, []).append(seed)
    ordered = sorted(seeds.items(), key=lambda item: len(item[1]))
    return ", ".join(
        f"{verdict} under {len(found)} seed{'s' * (len(found) != 1)} ({_listed(found)})"
        for verdict, found in ordered
    )


def _listed(seeds: Sequence[int]) -> str:
    named = ", ".join(map(str, seeds[:_SEEDS_NAMED]))
    return named + (", …" if len(seeds) > _SEEDS_NAMED else "")


def _summary(seeds: int, misconceptions: int, samples: int, sample_seeds: int) -> str:
    of_samples = (
        f", {samples} sample submission{'s' * (samples != 1)} under {sample_seeds}"
        if samples
        else ""
    )
    return (
        f"The reference and {misconceptions} misconception{'s' * (misconceptions != 1)} under "
        f"{seeds} seeds{of_samples}."
    )
