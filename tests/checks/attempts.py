"""Builders of what a check is given: criteria, keys, observations, runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grader.checks import matches, properties
from grader.evidence import (
    AnswerKey,
    Ending,
    Observation,
    Run,
    Stimulus,
    StudentError,
    TraceLine,
)
from grader.problem import MatchesCriterion, Misconception, PropertyCriterion
from grader.result import CheckResult, Feedback

LOADED = Observation(Ending.RETURNED)


def returned(value: Any, **more: Any) -> Observation:
    return Observation(Ending.RETURNED, value, **more)


def raised(kind: str, message: str, *lines: tuple[int, str, str], **more: Any) -> Observation:
    return Observation(Ending.RAISED, error=failure(kind, message, *lines), **more)


def failure(kind: str, message: str, *lines: tuple[int, str, str]) -> StudentError:
    trace = tuple(TraceLine("attention.py", number, name, text) for number, name, text in lines)
    return StudentError(kind, message, trace)


def run(defined: Mapping[str, str] | None = None, **more: Any) -> Run:
    names = {"f": "function"} if defined is None else defined
    return Run((), more.pop("load", LOADED), names, **more)


def matching(**more: Any) -> MatchesCriterion:
    known = {"id": "c", "title": "A title", "weight": 1, "function": "f", "inputs": "cases"}
    return MatchesCriterion(kind="matches", **(known | more))


def property_(**more: Any) -> PropertyCriterion:
    known = {"id": "c", "title": "A title", "weight": 1, "function": "f", "inputs": "cases"}
    return PropertyCriterion(kind="property", check="holds", **(known | more))


def misconception(name: str, **more: Any) -> Misconception:
    known = {"title": f"Title of {name}", "hint": f"Hint of {name}", "functions": {"f": "g"}}
    return Misconception(id=name, **(known | more))


def key(
    expected: Sequence[Any],
    arguments: Sequence[tuple[Any, ...]] | None = None,
    parameters: tuple[str, ...] = ("x", "y"),
    **more: Any,
) -> AnswerKey:
    """Cases labelled `case 0`, `case 1` …; each gets its index as argument unless told others."""
    arguments = arguments or [(i,) for i in range(len(expected))]
    stimuli = tuple(Stimulus("f", args, f"case {i}") for i, args in enumerate(arguments))
    answers = tuple(map(returned, expected))
    return AnswerKey(stimuli, parameters, answers, **more)


def judge(
    expected: Sequence[Any],
    seen: Sequence[Any],
    *,
    arguments: Sequence[tuple[Any, ...]] | None = None,
    wrong: Mapping[str, Sequence[Any]] | None = None,
    misconceptions: Sequence[Misconception] | None = None,
    student: Run | None = None,
    parameters: tuple[str, ...] = ("x", "y"),
    **criterion: Any,
) -> CheckResult:
    """Run the matches check; plain values stand for calls that returned them."""
    wrong = {name: tuple(map(_observed, values)) for name, values in (wrong or {}).items()}
    return matches.check(
        matching(**criterion),
        key(expected, arguments, parameters, misconceptions=wrong),
        list(map(_observed, seen)),
        student or run(),
        [misconception(name) for name in wrong] if misconceptions is None else misconceptions,
    )


def ask(predicate: Any, seen: Sequence[Any], expected: Sequence[Any] = (), **more: Any) -> Any:
    """Run the property check; without expected values the pack has no reference."""
    arguments = more.pop("arguments", None) or [(i,) for i in range(len(seen))]
    stimuli = key(arguments, arguments).stimuli
    answers = AnswerKey(stimuli, ("x", "y"), tuple(map(returned, expected)))
    observations = list(map(_observed, seen))
    student = more.pop("student", None) or run()
    return properties.check(property_(**more), answers, observations, student, (), predicate)


def _observed(value: Any) -> Observation:
    return value if isinstance(value, Observation) else returned(value)


def items(result: CheckResult, kind: str) -> list[Feedback]:
    return [item for item in result.feedback if item.kind == kind]


def text(result: CheckResult, kind: str) -> str:
    return "\n".join(item.text for item in items(result, kind))
