"""Asking a pack's own predicate, which may raise or answer anything: then the pack has a fault, and
nothing is the student's."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import numpy as np

from grader.checks.attempt import Attempt
from grader.evidence import PValue, Returned
from grader.value import Plain, cut

_SENTENCE_LIMIT = 800


class PackFault(Exception):
    """A pack's function raised, or answered what it may not; `trace` is where."""

    def __init__(self, fault: str, trace: str = "") -> None:
        super().__init__(fault)
        self.trace = trace


def ask(
    predicate: Callable[..., Any],
    name: str,
    subject: Any,
    default: str,
    false_alarm: float | None = None,
) -> str | None:
    """The predicate's sentence where it says no (`default` if it says False), else None.

    A `PValue` says no where it is below `false_alarm`, the probability with which a right answer
    may fail this one judgement.

    Raises:
        PackFault: if it raises, or answers anything but None, a bool, a sentence or a `PValue`.
    """
    answer = called(predicate, f"the check `{name}`", subject)
    if isinstance(answer, PValue):
        return _surprise(name, answer, default, false_alarm)
    if answer is None or (isinstance(answer, bool | np.bool_) and answer):
        return None
    if isinstance(answer, str | bool | np.bool_):
        return cut(str(answer), _SENTENCE_LIMIT) if isinstance(answer, str) and answer else default
    raise PackFault(
        f"the check `{name}` answered {type(answer).__name__}; a check answers None or True, or "
        "else a sentence or False"
    )


def _surprise(name: str, answer: PValue, default: str, false_alarm: float | None) -> str | None:
    """The sentence for a result that chance does not explain, None for one that it may."""
    if false_alarm is None:
        raise PackFault(
            f"the check `{name}` answered PValue; then the criterion must state the probability "
            "that a right answer fails, as false_alarm"
        )
    if not isinstance(answer.p, float | int | np.floating) or not 0 <= answer.p <= 1:
        raise PackFault(f"the check `{name}` answered PValue({answer.p!r}), which is not 0 to 1")
    if answer.p >= false_alarm:
        return None
    chance = f"A right answer is that far off with a probability of {max(answer.p, 1e-300):.1g}."
    return f"{cut(answer.text, _SENTENCE_LIMIT) or default} {chance}"


def called(function: Callable[..., Any], what: str, *args: Any) -> Any:
    """What a function of the pack's returns.

    Raises:
        PackFault: if it raises.
    """
    try:
        return function(*args)
    # The pack's own code may raise anything, or exit: ungraded.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        fault = f"{what} raised {type(error).__name__}: {error}"
        raise PackFault(cut(fault, _SENTENCE_LIMIT), _trace(error)) from None


def _trace(error: BaseException) -> str:
    """Where in the pack's own code an exception came from, without this machine's folders."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return "\n".join(
        f"{PurePath(f.filename).name} line {f.lineno}, in {f.name}: {f.line}" for f in frames[-6:]
    )


def returned(attempt: Attempt, index: int, earlier: Plain = None) -> Returned:
    """What a predicate gets to see of a call."""
    observation = attempt.observations[index]
    return Returned(
        args=tuple(fresh(argument) for argument in attempt.arguments(index)),
        value=fresh(observation.value),
        expected=fresh(attempt.expected(index)),
        mutated=observation.mutated,
        label=attempt.key.stimuli[index].label,
        earlier=fresh(earlier),
    )


def fresh(value: Plain) -> Plain:
    """A copy: a predicate that sorts in place must not change what the next student gets."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple):
        return type(value)(fresh(item) for item in value)
    if isinstance(value, dict):
        return {key: fresh(item) for key, item in value.items()}
    return value
