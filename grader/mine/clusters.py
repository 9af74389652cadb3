"""Students who got the same wrong results, and what explains them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.evidence import AnswerKey, Ending, Observation, Stimulus
from grader.mine.attempts import Attempt, agree
from grader.mine.guesses import Guess, Seen, guesses
from grader.pipeline.patience import impatient
from grader.pipeline.rehearse import as_received
from grader.value import Plain, same

_GUESS_TIME_LIMIT_S = 2.0
Keys = Mapping[str, AnswerKey]
"""Criterion's id → its answer key."""


@dataclass(frozen=True)
class Cluster:
    """Students whose functions failed alike, the largest group first in a list of them."""

    function: str
    members: tuple[Attempt, ...]
    explanation: Guess | None = None
    """A generic explanation that gives exactly their results, on every case."""
    partly: str = ""
    """Where nothing explains all: what is plainly wrong with some results (nan, a shape)."""

    @property
    def example(self) -> Attempt:
        """The member with the shortest code."""
        return min(self.members, key=lambda attempt: (len(attempt.code), attempt.submission_id))

    @property
    def criteria(self) -> tuple[str, ...]:
        """What all of them lost points on."""
        return tuple(self.members[0].outputs)

    @property
    def named(self) -> tuple[str, ...]:
        """The misconceptions that the feedback of every one of them names already."""
        shared = set.intersection(*(set(attempt.named) for attempt in self.members))
        return tuple(name for name in self.members[0].named if name in shared)


def clusters(attempts: Sequence[Attempt], keys: Keys, right: Mapping[str, Any]) -> list[Cluster]:
    """Group attempts by what they gave, and explain each group; the largest come first.

    `right` maps the functions to the right ones.
    """
    groups: list[list[Attempt]] = []
    for attempt in attempts:
        like = next((g for g in groups if g[0].function == attempt.function
                     and g[0].is_like(attempt)), None)  # fmt: skip
        if like is None:
            groups.append([attempt])
        else:
            like.append(attempt)
    found = [Cluster(group[0].function, tuple(group)) for group in groups]
    explained = [_explained(cluster, keys, right.get(cluster.function)) for cluster in found]
    return sorted(explained, key=lambda c: (-len(c.members), c.function, c.example.submission_id))


def _explained(cluster: Cluster, keys: Keys, right: Callable[..., Any] | None) -> Cluster:
    partly = _symptoms(cluster, keys)
    seen = [*_seen(cluster, keys)]
    wrong = [case for case in seen if not agree(case.wrong, case.right)]
    if right is None or not wrong or len(seen) < _cases(cluster):
        return replace(cluster, partly=partly)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        found = next((guess for guess in guesses(seen) if _fits(guess, right, seen)), None)
    return replace(cluster, explanation=found, partly="" if found else partly)


def _cases(cluster: Cluster) -> int:
    return sum(len(outputs) for outputs in cluster.example.outputs.values())


def _seen(cluster: Cluster, keys: Keys) -> Iterator[Seen]:
    """The cases that can be compared with the right results."""
    for criterion, outputs in cluster.example.outputs.items():
        for expected, observation in zip(keys[criterion].expected, outputs, strict=False):
            if observation.ending is Ending.RETURNED and expected.ending is Ending.RETURNED:
                yield Seen(expected.args, expected.value, observation.value)


def _fits(guess: Guess, right: Callable[..., Any], seen: Sequence[Seen]) -> bool:
    try:
        with impatient(_GUESS_TIME_LIMIT_S):
            return all(agree(case.wrong, _received(guess, right, case)) for case in seen)
    # A guess need not make sense for the function at hand, which may raise anything then, or
    # never end.
    except Exception:  # noqa: BLE001
        return False


def _received(guess: Guess, right: Callable[..., Any], case: Seen) -> Plain:
    def guarded(*args: Any) -> Any:
        # LAPACK prints to the terminal what it thinks of nan.
        if any(_has_nan(arg) for arg in args):
            raise ValueError("nan in an argument")
        return right(*args)

    return as_received(guess.apply(guarded, tuple(as_received(arg) for arg in case.args)))


def _has_nan(value: Plain) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f" and bool(np.isnan(value).any())


def smallest_case(cluster: Cluster, keys: Keys) -> tuple[str, Stimulus, Observation, Plain] | None:
    """The first case that was wrong: criterion, call, what came and what should have."""
    for criterion, outputs in cluster.example.outputs.items():
        key = keys[criterion]
        for i, observation in enumerate(outputs):
            expected = key.expected[i].value if key.expected else None
            if not key.expected or not agree(observation.value, expected):
                return criterion, key.stimuli[i], observation, expected
    return None


def _symptoms(cluster: Cluster, keys: Keys) -> str:
    """What is plain to see without an explanation."""
    said = [_symptom(o, e) for o, e in _pairs(cluster, keys)]
    return "; ".join(dict.fromkeys(each for each in said if each))


def _pairs(cluster: Cluster, keys: Keys) -> Iterator[tuple[Observation, Plain]]:
    for criterion, outputs in cluster.example.outputs.items():
        expected = keys[criterion].expected
        for i, observation in enumerate(outputs):
            yield observation, expected[i].value if expected else None


def _symptom(observation: Observation, expected: Plain) -> str:
    value = observation.value
    if observation.ending is not Ending.RETURNED:
        return f"some calls end in {observation.ending.value.replace('_', ' ')}"
    if observation.mutated:
        return "it changes its arguments"
    if _right_to_a_few_digits(value, expected):
        return "it is right to a few digits only, as float32 is"
    if isinstance(value, np.ndarray) and isinstance(expected, np.ndarray):
        if value.shape != expected.shape:
            return "the shape is wrong in some cases"
        if (
            value.dtype.kind in "fc"
            and not np.isfinite(value).all()
            and np.isfinite(expected).all()
        ):
            return "it overflows to nan or inf in some cases"
    elif type(value) is not type(expected) and expected is not None:
        return f"it returns {type(value).__name__} where {type(expected).__name__} is asked"
    return ""


def _right_to_a_few_digits(value: Plain, expected: Plain) -> bool:
    """Whether numbers differ by more than double precision explains, and no more than single."""
    return same(value, expected, rtol=1e-5, atol=1e-30) and not same(
        value, expected, rtol=1e-11, atol=1e-30
    )
