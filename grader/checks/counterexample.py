"""The smallest failing case, whole, as feedback shows it: the call, its arguments, both answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.checks.attempt import Attempt
from grader.checks.closeness import Gap
from grader.evidence import Ending, Stimulus
from grader.result import Counterexample
from grader.value import Opaque, Plain, same, show

_SMALL = 4096
"""Numbers and characters that a student's value may always have in a report."""


def of(attempt: Attempt, index: int, gap: Gap | None = None) -> Counterexample:
    """Show the case at an index; the expected value belongs to it where a comparison failed."""
    observation = attempt.observations[index]
    expected = attempt.expected(index) if gap is not None else None
    shown = showable(attempt, index)
    return Counterexample(
        call=call_text(attempt, index),
        label=attempt.key.stimuli[index].label,
        arguments=_arguments(attempt, index),
        returned=observation.value if shown else None,
        has_returned=shown,
        expected=expected,
        has_expected=gap is not None,
        max_error=gap.max_error if gap else None,
        where=gap.where if gap else None,
    )


def showable(attempt: Attempt, index: int) -> bool:
    """Tell whether a call returned something, and nothing too large to keep in a report."""
    observation = attempt.observations[index]
    if observation.ending is Ending.UNREADABLE:
        return isinstance(observation.value, Opaque)
    if observation.ending is not Ending.RETURNED:
        return False
    size = _size(observation.value)
    return size <= _SMALL or size <= 2 * _size(attempt.expected(index))


def call_text(attempt: Attempt, index: int) -> str:
    """Write a call with its parameters' names: ``attend(peaked_query(K, 0, 0.1), K, V)``."""
    stimulus, named = attempt.key.stimuli[index], _named(attempt, index)
    texts = [_nested(v, named) if isinstance(v, Stimulus) else name for name, v in named]
    return f"{stimulus.function}({', '.join(texts)})"


def parameter(attempt: Attempt, position: int) -> str:
    """Name a parameter by its position, from 0."""
    names = attempt.key.parameters
    return names[position] if position < len(names) else f"argument {position + 1}"


def _named(attempt: Attempt, index: int) -> list[tuple[str, Plain]]:
    arguments = attempt.key.stimuli[index].args
    return [(parameter(attempt, i), value) for i, value in enumerate(arguments)]


def _nested(stimulus: Stimulus, outer: list[tuple[str, Plain]]) -> str:
    texts = [_argument(value, outer) for value in stimulus.args]
    return f"{stimulus.function}({', '.join(texts)})"


def _argument(value: Plain, outer: list[tuple[str, Plain]]) -> str:
    """A nested call's argument: by name where it is one of the outer call's, else its value."""
    if isinstance(value, Stimulus):
        return _nested(value, outer)
    for name, known in outer:
        if value is known:
            return name
    equal = next((name for name, known in outer if _equal(value, known)), None)
    return equal or show(value, limit=60)


def _equal(value: Plain, known: Plain) -> bool:
    return not isinstance(known, Stimulus) and type(value) is type(known) and same(value, known)


def _arguments(attempt: Attempt, index: int) -> tuple[tuple[str, Plain], ...]:
    """Arguments by name, without what a nested call gave where that is unknown or too large."""
    asked = attempt.key.stimuli[index].args
    told = [
        (parameter(attempt, i), value)
        for i, value in enumerate(attempt.arguments(index))
        if not isinstance(asked[i], Stimulus) or _tellable(value)
    ]
    return tuple(told)


def _tellable(value: Plain) -> bool:
    return not isinstance(value, Stimulus) and _size(value) <= _SMALL


def _size(value: Plain) -> int:
    """How many numbers and characters a value holds."""
    total, waiting = 0, [value]
    while waiting:
        item: Any = waiting.pop()
        total += 1
        if isinstance(item, np.ndarray):
            total += item.size
        elif isinstance(item, str):
            total += len(item)
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item)
            waiting.extend(item.values())
    return total
