"""One submission through run, check and score.

A student's fault ends in a result; ours, in criteria that are ungraded.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

import grader
from grader import scoring
from grader.checks import manual, matches, properties, symbolic, together
from grader.checks.symbolic_judge import FormulaJudge
from grader.errors import SandboxError
from grader.evidence import Answer, Ending, Isolation, Observation, Run, Submission
from grader.pipeline.prepare import Prepared
from grader.problem import (
    CodeCriterion,
    Criterion,
    MatchesCriterion,
    Part,
    SymbolicCriterion,
    WrittenCriterion,
)
from grader.result import CheckResult, Feedback, Grade, Outcome
from grader.sandbox.batch import Batch
from grader.value import cut

_LONGEST_ANSWER = 6000

Perform = Callable[[Submission, Batch], Run]


def environment() -> dict[str, str]:
    """What a result says of the machine that made it."""
    return {
        "grader": grader.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "platform": f"{platform.system()} {platform.machine()}",
    }


class Grading:
    """Grades submissions to one prepared pack.  Threads may share it."""

    def __init__(self, prepared: Prepared, judge: FormulaJudge, isolation: Isolation) -> None:
        self._prepared = prepared
        self._judge = judge
        self._isolation = isolation
        self._environment = environment()

    def grade(self, submission: Submission, perform: Perform) -> Grade:
        """Grade one submission; `perform` runs its code in a sandbox."""
        ran = None
        fault = ""
        try:
            ran = self._run(submission, perform)
        except SandboxError as error:
            fault = f"The code could not be run, through no fault of its own: {error}"
        problem = self._prepared.problem
        found = [self._check(*where, submission, ran) for where in problem.criteria()]
        if ran:
            found = self._carried(submission, ran, found, perform)
        criteria = [criterion for _, criterion in problem.criteria()]
        told = together.reconciled(criteria, found, problem.misconceptions)
        results = {result.criterion_id: result for result in told}
        return scoring.grade(
            problem,
            submission.id,
            results,
            isolation=self._isolation if submission.chunks else None,
            environment=self._environment,
            warnings=submission.warnings,
            seed=self._prepared.seed,
            variant=self._prepared.pack.variant,
            stdout=ran.load.stdout if ran else "",
            stderr=ran.stderr if ran else "",
            fault=fault,
        )

    def ungraded(self, submission_id: str, fault: str) -> Grade:
        """The grade of a submission that we could not even read: every point is open."""
        results = {c.id: _not_run(c) for _, c in self._prepared.problem.criteria()}
        return scoring.grade(
            self._prepared.problem,
            submission_id,
            results,
            environment=self._environment,
            seed=self._prepared.seed,
            variant=self._prepared.pack.variant,
            fault=fault,
        )

    def _run(self, submission: Submission, perform: Perform) -> Run:
        count = len(self._prepared.batch.stimuli)
        if submission.code_problem:
            unread = Observation(Ending.UNREADABLE, note=submission.code_problem)
            return Run((unread,) * count, unread)
        return perform(submission, self._prepared.batch)

    def _check(
        self, part: Part, criterion: Criterion, submission: Submission, ran: Run | None
    ) -> CheckResult:
        answer = submission.answers.get(part.id)
        if isinstance(criterion, CodeCriterion):
            return self._check_code(criterion, ran) if ran else _not_run(criterion)
        if answer is None and submission.answers_problem:
            return _unread(criterion, submission.answers_problem)
        if isinstance(criterion, SymbolicCriterion):
            known = self._prepared.problem.misconceptions
            seed = self._prepared.seed
            return symbolic.check(criterion, part.id, answer, self._judge, known, seed)
        if isinstance(criterion, WrittenCriterion):
            from grader.checks import written  # loaded for packs that have answers in words

            return _with_answer(written.check(criterion, answer), answer)
        return _with_answer(manual.check(criterion), answer)

    def _carried(
        self, submission: Submission, ran: Run, found: Sequence[CheckResult], perform: Perform
    ) -> list[CheckResult]:
        """The results, with those judged again that an earlier result may still win.

        Only then are the earlier functions called, in a run of their own.
        """
        calls = self._prepared.earlier
        criteria = [criterion for _, criterion in self._prepared.problem.criteria()]
        open_ = [i for i, result in enumerate(found) if _may_be_carried(criteria[i], result)]
        results = list(found)
        if not open_ or calls is None:
            return results
        try:
            before = perform(submission, calls)
        except SandboxError as error:
            for i in open_:
                results[i] = _not_run(criteria[i], f": {error}")
            return results
        for i in open_:
            criterion = criteria[i]
            if isinstance(criterion, CodeCriterion):
                earlier = self._prepared.observed_earlier(criterion.id, before)
                results[i] = self._check_code(criterion, ran, earlier)
        return results

    def _check_code(
        self, criterion: CodeCriterion, ran: Run, earlier: Sequence[Observation] = ()
    ) -> CheckResult:
        prepared = self._prepared
        key = prepared.keys[criterion.id]
        observations = prepared.observed(criterion.id, ran)
        known = prepared.problem.misconceptions
        if isinstance(criterion, MatchesCriterion):
            return matches.check(criterion, key, observations, ran, known, earlier)
        predicate = prepared.pack.checks[criterion.check]
        return properties.check(criterion, key, observations, ran, known, predicate, earlier)


def _with_answer(result: CheckResult, answer: Answer | None) -> CheckResult:
    """Quote the whole answer, for whoever decides on it and for whoever wrote it."""
    if answer is None or not answer.text.strip():
        return result
    text = cut(answer.text.strip(), _LONGEST_ANSWER)
    quoted = Feedback("answer", "You wrote:", block=text)
    asked = [item for item in result.feedback if item.kind == "asked"]
    rest = [item for item in result.feedback if item.kind != "asked"]
    return replace(result, feedback=(*asked, quoted, *rest))


def _unread(criterion: Criterion, problem: str) -> CheckResult:
    """What was handed in but could not be read is not blank: a person must look at it."""
    said = (Feedback("asked", criterion.asks), Feedback("summary", problem))
    cause = "the answers could not be read"
    return CheckResult(criterion.id, Outcome.NEEDS_REVIEW, Fraction(0), said, cause=cause)


def _may_be_carried(criterion: Criterion, result: CheckResult) -> bool:
    """Whether an answer is there that an earlier result could make right."""
    if not isinstance(criterion, CodeCriterion) or criterion.carried is None:
        return False
    stopped = result.outcome not in (Outcome.FAILED, Outcome.PARTIAL)
    return (
        result.fraction < 1
        and not result.outcome.pending
        and not (stopped and criterion.credit == "all")
    )


def _not_run(criterion: Criterion, why: str = "") -> CheckResult:
    said = [
        Feedback("summary", "Not graded: the grader could not do its part. No points are lost.")
    ]
    if why:
        said.append(Feedback("error", f"The sandbox failed{why}"))
    return CheckResult(criterion.id, Outcome.GRADER_ERROR, Fraction(0), tuple(said))
