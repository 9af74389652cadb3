"""The bench on which a pack is tried: what every aspect of a verification works with, and what it
hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from grader.checks.symbolic_judge import FormulaJudge
from grader.evidence import Isolation, Submission
from grader.pipeline.grading import Grading, Perform
from grader.pipeline.prepare import Prepared
from grader.problem import Pack, Problem
from grader.result import CriterionGrade, Grade, Outcome
from grader.verification import Aspect, Cost, Kill, Mutant, Spread
from grader.verify.seeds import Seeds

Item = TypeVar("Item")
Made = TypeVar("Made")


def _unseen(done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Found:
    """What an aspect hands back: its findings, and the figures that it has."""

    aspect: Aspect
    misconceptions: tuple[Kill, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    spreads: tuple[Spread, ...] = ()
    costs: tuple[Cost, ...] = ()
    outcomes: Mapping[str, Mapping[str, Outcome]] = field(default_factory=dict)
    """Sample → criterion → what came of it, for the samples that were graded as students are."""


@dataclass(frozen=True)
class Bench:
    """A prepared pack, the means to run and grade submissions to it, and how thoroughly to.

    `samples` are folders of sample submissions by their expectation (the folder's name).
    `tick(done, total)` tells how far the aspect under way has come.
    """

    prepared: Prepared
    grading: Grading
    judge: FormulaJudge
    perform: Perform
    """Runs a submission's code on a batch in the sandbox, `jobs` at once; more threads wait."""
    isolation: Isolation
    jobs: int = 1
    quick: bool = False
    samples: Path | None = None
    tick: Callable[[int, int], None] = _unseen
    seeds: Seeds = field(default_factory=Seeds)
    """What the aspects share of the pack under other seeds."""

    @property
    def pack(self) -> Pack:
        """The pack that is verified."""
        return self.prepared.pack

    @property
    def problem(self) -> Problem:
        """Its problem."""
        return self.prepared.problem

    @property
    def seed(self) -> int:
        """The seed of the inputs; whatever is drawn at random is drawn from it."""
        return self.prepared.seed

    def under(self, seed: int) -> Prepared:
        """The pack made ready under any seed.

        Raises:
            SpecError: if it cannot be used under it.
        """
        return self.prepared if seed == self.seed else self.seeds.at(self.pack, seed)

    def each(self, make: Callable[[Item], Made], items: Iterable[Item]) -> list[Made]:
        """Make something of each item, several at a time, with progress; in the order of the items.

        One more is under way than sandboxes are there, so that none waits while a run is judged.
        Whatever raises ends it: what is queued is dropped, what is under way is waited for.
        """
        todo: Sequence[Item] = list(items)
        made: list[Made] = []
        threads = ThreadPoolExecutor(self.jobs + 1, thread_name_prefix="verify")
        try:
            for result in threads.map(make, todo):
                made.append(result)
                self.tick(len(made), len(todo))
        finally:
            threads.shutdown(wait=True, cancel_futures=True)
        return made

    def grade(self, submission: Submission) -> Grade:
        """Grade a submission as `grader grade` would, hidden criteria and all."""
        return self.grading.grade(submission, self.perform)


def criteria_of(grade: Grade) -> Mapping[str, CriterionGrade]:
    """The graded criteria by id, in the order of the file."""
    return {criterion.id: criterion for part in grade.parts for criterion in part.criteria}


def outcomes_of(grade: Grade) -> Mapping[str, Outcome]:
    """What came of each criterion."""
    return {id_: criterion.result.outcome for id_, criterion in criteria_of(grade).items()}
