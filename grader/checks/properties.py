"""The `property` check: a predicate of the pack's over what a student's function returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.checks import verdict
from grader.checks.attempt import Attempt
from grader.checks.carried import Carried
from grader.checks.predicates import PackFault, ask, returned
from grader.checks.shapes import asked
from grader.evidence import AnswerKey, Observation, Run
from grader.problem import Misconception, PropertyCriterion
from grader.result import CheckResult, Outcome
from grader.value import Opaque, cut, describe


def check(
    criterion: PropertyCriterion,
    key: AnswerKey,
    observations: Sequence[Observation],
    run: Run,
    misconceptions: Sequence[Misconception],
    predicate: Callable[..., Any],
    earlier: Sequence[Observation] = (),
) -> CheckResult:
    """Ask the predicate about every case that returned, or once about all of them together.

    The predicate gets a `Returned` (a list of them where ``over = "all"``) and answers None or
    True if the property holds, else a sentence or False.  Where the criterion states a rate of
    false alarms it may answer with a `PValue`, and the property holds unless that is too small.
    If it raises or answers anything else, the criterion is ungraded.

    `earlier` is what the student's earlier function did on `key.earlier.stimuli`.  Where the
    property fails, the predicate is asked again, with a wrong result of that as `earlier`.
    """
    attempt = Attempt(criterion, key, observations, run, misconceptions)
    fault = attempt.fault()
    if fault:
        return verdict.ungraded(criterion, fault)
    with np.errstate(all="ignore"):
        try:
            question = _Question(attempt, criterion, predicate, Carried(attempt, earlier))
            judge = _judge_together if criterion.over == "all" else _judge_each
            return judge(question)
        except PackFault as error:
            return verdict.ungraded(criterion, str(error), error.trace)


@dataclass(frozen=True)
class _Question:
    """The predicate, how often it is asked about one submission, and what may be carried."""

    attempt: Attempt
    criterion: PropertyCriterion
    predicate: Callable[..., Any]
    carried: Carried

    def ask(self, subject: Any) -> str | None:
        """The predicate's sentence where the property fails, None where it holds."""
        rate, times = self.criterion.false_alarm, self._times
        default = f"This does not hold: {self.criterion.title}."
        share = None if rate is None else rate / times
        return ask(self.predicate, self.criterion.check, subject, default, share)

    @property
    def _times(self) -> int:
        return 1 if self.criterion.over == "all" else len(self.attempt.observations)


def _judge_each(question: _Question) -> CheckResult:
    attempt = question.attempt
    said: list[str | None] = []
    on_own = 0
    for i in range(len(attempt.observations)):
        sentence = _without_asking(attempt, i)
        if sentence is None:
            sentence = question.ask(returned(attempt, i))
            own = None if sentence is None else question.carried.at(i)
            if own is not None and question.ask(returned(attempt, i, own)) is None:
                sentence, on_own = None, on_own + 1
        said.append(sentence)
    return _conclude(question, said, on_own)


def _judge_together(question: _Question) -> CheckResult:
    attempt = question.attempt
    cases = range(len(attempt.observations))
    plain = [_without_asking(attempt, i) for i in cases]
    if any(sentence is not None for sentence in plain):
        return _conclude(question, plain)
    answer, on_own = question.ask([returned(attempt, i) for i in cases]), 0
    if answer is not None:
        own = [question.carried.at(i) for i in cases]
        on_own = sum(value is not None for value in own)
        if on_own and question.ask([returned(attempt, i, own[i]) for i in cases]) is None:
            answer = None
    return _conclude(question, [answer for _ in cases], on_own, joint=True)


def _conclude(
    question: _Question, said: Sequence[str | None], on_own: int = 0, *, joint: bool = False
) -> CheckResult:
    """`said` has a sentence for each case in which the property fails, None where it holds;
    `on_own` counts those where it holds given the student's own earlier result alone.
    """
    attempt, carried = question.attempt, question.carried
    sentence = next((s for s in said if s is not None), None)
    if sentence is None and on_own:
        return verdict.passed_on(attempt, carried, on_own)
    if sentence is None:
        together = ", taken together" if joint else ""
        return verdict.passed(attempt, f"This holds in {verdict.cases(len(said))}{together}.")
    outcomes = [attempt.outcome(i, holds=s is None) for i, s in enumerate(said)]
    found = verdict.Finding(sentence, joint=joint)
    return verdict.not_passed(attempt, outcomes, found, carried if on_own else None)


def _without_asking(attempt: Attempt, index: int) -> str | None:
    """Judge what needs no predicate: a call without a value, or with none that could be meant."""
    if attempt.ended(index) is not Outcome.PASSED:
        return ""
    value, expected = attempt.observations[index].value, attempt.expected(index)
    if isinstance(value, Opaque):
        return f"It returned {cut(describe(value), 150)}, which cannot be looked at."
    if value is None and expected is not None:
        return f"It returned None where {asked(expected)} was asked: did you forget `return`?"
    return None
