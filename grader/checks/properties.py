"""The `property` check: a predicate of the pack's over what a student's function returned."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

from grader.checks import verdict
from grader.checks.attempt import Attempt
from grader.checks.shapes import asked
from grader.evidence import AnswerKey, Observation, Returned, Run
from grader.problem import Misconception, PropertyCriterion
from grader.result import CheckResult, Outcome
from grader.value import Opaque, Plain, cut, describe

_SENTENCE_LIMIT = 800


class _PackFault(Exception):
    """A predicate raised, or answered what no predicate may; `trace` is where."""

    def __init__(self, fault: str, trace: str = "") -> None:
        super().__init__(fault)
        self.trace = trace


def check(
    criterion: PropertyCriterion,
    key: AnswerKey,
    observations: Sequence[Observation],
    run: Run,
    misconceptions: Sequence[Misconception],
    predicate: Callable[..., Any],
) -> CheckResult:
    """Ask the predicate about every case that returned, or once about all of them together.

    The predicate gets a `Returned` (a list of them where ``over = "all"``) and answers None or
    True if the property holds, else a sentence or False.  If it raises or answers anything else,
    the criterion is ungraded.
    """
    attempt = Attempt(criterion, key, observations, run, misconceptions)
    fault = attempt.fault()
    if fault:
        return verdict.ungraded(criterion, fault)
    with np.errstate(all="ignore"):
        try:
            if criterion.over == "all":
                return _judge_together(attempt, predicate)
            return _judge_each(attempt, predicate)
        except _PackFault as error:
            return verdict.ungraded(criterion, str(error), error.trace)


def _judge_each(attempt: Attempt, predicate: Callable[..., Any]) -> CheckResult:
    said = []
    for i in range(len(attempt.observations)):
        plain = _without_asking(attempt, i)
        said.append(_ask(attempt, predicate, _returned(attempt, i)) if plain is None else plain)
    return _conclude(attempt, said)


def _judge_together(attempt: Attempt, predicate: Callable[..., Any]) -> CheckResult:
    cases = range(len(attempt.observations))
    plain = [_without_asking(attempt, i) for i in cases]
    if any(sentence is not None for sentence in plain):
        return _conclude(attempt, plain)
    answer = _ask(attempt, predicate, [_returned(attempt, i) for i in cases])
    return _conclude(attempt, [answer for _ in cases], joint=True)


def _conclude(attempt: Attempt, said: Sequence[str | None], *, joint: bool = False) -> CheckResult:
    """`said` has a sentence for each case in which the property fails, None where it holds."""
    sentence = next((s for s in said if s is not None), None)
    if sentence is None:
        together = ", taken together" if joint else ""
        return verdict.passed(attempt, f"This holds in {verdict.cases(len(said))}{together}.")
    outcomes = [attempt.outcome(i, holds=s is None) for i, s in enumerate(said)]
    return verdict.not_passed(attempt, outcomes, verdict.Finding(sentence, joint=joint))


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


def _ask(attempt: Attempt, predicate: Callable[..., Any], subject: Any) -> str | None:
    """The predicate's sentence where the property fails, None where it holds."""
    try:
        answer = predicate(subject)
    # The pack's own code may raise anything, or exit: ungraded.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        fault = f"the check `{_name(attempt)}` raised {type(error).__name__}: {error}"
        raise _PackFault(cut(fault, _SENTENCE_LIMIT), _trace(error)) from None
    if answer is None or (isinstance(answer, bool | np.bool_) and answer):
        return None
    if isinstance(answer, str | bool | np.bool_):
        default = f"This does not hold: {attempt.criterion.title}."
        return cut(str(answer), _SENTENCE_LIMIT) if isinstance(answer, str) and answer else default
    raise _PackFault(
        f"the check `{_name(attempt)}` answered {type(answer).__name__}; a check answers None or "
        "True, or else a sentence or False"
    )


def _name(attempt: Attempt) -> str:
    return attempt.criterion.check if isinstance(attempt.criterion, PropertyCriterion) else ""


def _trace(error: BaseException) -> str:
    """Where in the pack's own code an exception came from, without this machine's folders."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return "\n".join(
        f"{PurePath(f.filename).name} line {f.lineno}, in {f.name}: {f.line}" for f in frames[-6:]
    )


def _returned(attempt: Attempt, index: int) -> Returned:
    observation = attempt.observations[index]
    return Returned(
        args=tuple(_fresh(argument) for argument in attempt.arguments(index)),
        value=_fresh(observation.value),
        expected=_fresh(attempt.expected(index)),
        mutated=observation.mutated,
        label=attempt.key.stimuli[index].label,
    )


def _fresh(value: Plain) -> Plain:
    """A copy: a predicate that sorts in place must not change what the next student gets."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple):
        return type(value)(_fresh(item) for item in value)
    if isinstance(value, dict):
        return {key: _fresh(item) for key, item in value.items()}
    return value
