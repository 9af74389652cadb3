"""Grading the grader: whether a pack gives right answers full marks, and wrong ones not.

`verify(folder)` asks a pack one question after the other (its *aspects*) and gives a
`Verification`; nothing in it claims what was not asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import SpecError
from grader.evidence import Tier
from grader.pipeline.session import Session, open_session
from grader.verification import Aspect, Verification
from grader.verify import answers, cost, misconceptions, mutants, redundancy, samples, stability
from grader.verify import tolerances as precision
from grader.verify.bench import Bench, Found
from grader.verify.faults import refused
from grader.verify.seeds import Seeds

__all__ = ["Options", "verify"]

Progress = Callable[[str, int, int], None]
"""Is told which aspect is under way, and how much of it is done, of how much."""


def _unwatched(aspect: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Options:
    """How thoroughly to verify, and with what."""

    jobs: int = 1
    quick: bool = False
    """A fixed sample of mutants and samples, and fewer seeds: for while one writes."""
    seed: int | None = None
    samples: Path | None = None
    """Folder of sample submissions; the pack's own if left out."""
    weakest: Tier = Tier.B
    progress: Progress = _unwatched


def verify(pack_folder: Path, options: Options | None = None) -> Verification:
    """Ask a pack everything.

    Raises:
        SandboxError: if this machine isolates less than asked for.
    """
    options = options or Options()
    started_s = time.monotonic()
    try:
        with open_session(
            pack_folder, jobs=options.jobs, seed=options.seed, weakest=options.weakest
        ) as session:
            loaded = _loaded(session, time.monotonic() - started_s)
            found = [loaded, *_asked(session, options)]
            problem, seed = session.prepared.problem, session.prepared.seed
    except SpecError as error:
        name = pack_folder.resolve().name
        aspects = (refused(pack_folder, error),)
        took_s = time.monotonic() - started_s
        return Verification(name, name, "", aspects, quick=options.quick, took_s=took_s)
    return Verification(
        problem_id=problem.id,
        problem_title=problem.title,
        problem_version=problem.version,
        aspects=tuple(each.aspect for each in found),
        misconceptions=tuple(kill for each in found for kill in each.misconceptions),
        mutants=tuple(mutant for each in found for mutant in each.mutants),
        spreads=tuple(spread for each in found for spread in each.spreads),
        costs=tuple(cost for each in found for cost in each.costs),
        quick=options.quick,
        seed=seed,
        took_s=time.monotonic() - started_s,
    )


def _loaded(session: Session, took_s: float) -> Found:
    problem = session.prepared.problem
    criteria = sum(1 for _ in problem.criteria())
    calls = len(session.prepared.batch.stimuli)
    summary = f"Parts: {len(problem.parts)}; criteria: {criteria}; calls of student code: {calls}."
    return Found(Aspect("pack", "The pack loads", summary, took_s=took_s))


def _asked(session: Session, options: Options) -> Iterator[Found]:
    others = Seeds()

    def bench(name: str) -> Bench:
        return Bench(
            prepared=session.prepared,
            grading=session.grading,
            judge=session.judge,
            perform=session.pool.perform,
            isolation=session.isolation,
            jobs=options.jobs,
            quick=options.quick,
            samples=options.samples or samples.default_folder(session.prepared.pack),
            tick=lambda done, total: options.progress(name, done, total),
            seeds=others,
        )

    known: list[Found] = []
    for module, ask in _ASPECTS:
        options.progress(module, 0, 0)
        started_s = time.monotonic()
        found = ask(bench(module), known)
        took_s = time.monotonic() - started_s
        known.append(replace(found, aspect=replace(found.aspect, took_s=took_s)))
        yield known[-1]


def _redundancy(bench: Bench, known: Sequence[Found]) -> Found:
    kills = [kill for found in known for kill in found.misconceptions]
    tried = [mutant for found in known for mutant in found.mutants]
    return redundancy.redundancy(bench, kills, tried)


def _stability(bench: Bench, known: Sequence[Found]) -> Found:
    graded = {sample: came for found in known for sample, came in found.outcomes.items()}
    return stability.stability(bench, graded)


Ask = Callable[[Bench, Sequence[Found]], Found]

_ASPECTS: tuple[tuple[str, Ask], ...] = (
    (answers.NAME, lambda bench, _: answers.answers(bench)),
    (samples.NAME, lambda bench, _: samples.samples(bench)),
    (misconceptions.NAME, lambda bench, _: misconceptions.misconceptions(bench)),
    (mutants.NAME, lambda bench, _: mutants.mutants(bench)),
    (precision.NAME, lambda bench, _: precision.tolerances(bench)),
    (stability.NAME, _stability),
    (redundancy.NAME, _redundancy),
    (cost.NAME, lambda bench, _: cost.cost(bench)),
)
