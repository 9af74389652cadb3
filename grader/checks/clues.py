"""What a wrong value says about its mistake, in one or two sentences for the student.

A clue is sought from the plainest kind of difference (no value, no number) to the subtlest (a
factor, an order); each is stated only where it explains the whole value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.checks import shapes, values
from grader.checks.closeness import Gap, Tolerance, numbers
from grader.evidence import Observation
from grader.value import Opaque, Plain, cut, describe


@dataclass(frozen=True, slots=True)
class Wrong:
    """A returned value that is not close to the expected one, and the rule it was held to."""

    observation: Observation
    expected: Plain
    gap: Gap
    tolerance: Tolerance
    integer_input: bool = False
    """Whether an argument was an array of integers."""


def clue(wrong: Wrong) -> str:
    """Say what is wrong with a value, as helpfully as the value allows."""
    returned = wrong.observation.value
    if returned is None:
        return _nothing(wrong)
    wanted = numbers(wrong.expected)
    if wanted is None:
        return _other(wrong)
    extra = _extra_item(returned, wanted, wrong.tolerance)
    if extra:
        return extra
    got = numbers(returned)
    if got is None:
        return _no_number(returned, wanted)
    if got.shape != wanted.shape:
        return shapes.clue(got, wanted, wrong.tolerance, wrong.observation.type_name)
    return values.clue(got, wanted, wrong.gap, wrong.tolerance, cut_off=wrong.integer_input)


def _nothing(wrong: Wrong) -> str:
    said = (
        f"It returned None where {shapes.asked(wrong.expected)} was asked: did you forget `return`?"
    )
    printed = " Printing a value does not return it." if wrong.observation.stdout else ""
    return said + printed


def _other(wrong: Wrong) -> str:
    """The expected value is no array: a tuple of several, a dict, a truth value, text."""
    returned, expected = wrong.observation.value, wrong.expected
    if isinstance(expected, list | tuple) and isinstance(returned, list | tuple):
        if len(returned) != len(expected):
            return f"It returned {len(returned)} items where {len(expected)} were asked."
        if wrong.gap.where:
            i = wrong.gap.where[0]
            return f"Item {i} of {len(expected)} is wrong (items count from 0)."
    if type(returned) is type(expected) and not isinstance(expected, list | tuple):
        return "The value differs from the expected one."
    return f"It returned {_named(returned)} where {shapes.asked(expected)} was asked."


def _extra_item(returned: Plain, wanted: np.ndarray, tolerance: Tolerance) -> str:
    """``return alpha, logits`` where alpha alone was asked."""
    if not isinstance(returned, list | tuple):
        return ""
    for i, item in enumerate(returned[:8]):
        got = numbers(item)
        if got is not None and wanted.size and shapes.agree(got, wanted, tolerance):
            which = ("first", "second", "third")[i] if i < 3 else f"{i + 1}th"
            many = f"a {type(returned).__name__} of {len(returned)}"
            return (
                f"It returned {many}; its {which} element has the right values: return that alone."
            )
    return ""


def _no_number(returned: Plain, wanted: np.ndarray) -> str:
    said = f"It returned {_named(returned)} where {shapes.asked(wanted)} was asked."
    if isinstance(returned, Opaque):
        return f"{said} {shapes.type_hint(returned)}".strip()
    if isinstance(returned, list | tuple):
        return f"{said} Its items are not all numbers, or are not all of one shape."
    if isinstance(returned, bool | np.ndarray):
        return f"{said} A truth value is not a number here."
    return said


def _named(value: Plain) -> str:
    """Name a student's value in words, short enough to stand in a sentence."""
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return f"an array of bool of shape {value.shape}" if value.ndim else "a bool"
    if isinstance(value, str):
        return "text (a str)"
    return cut(describe(value), 150)
