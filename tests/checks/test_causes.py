"""The cause of a failing case: the same word where, and only where, the fault is the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attempts import failure, judge, raised, returned, run

from grader.evidence import Ending, Observation
from grader.value import Opaque

STUB = Observation(Ending.STUB)
LOAD = Observation(Ending.RAISED, error=failure("SyntaxError", "invalid syntax"))
AT_5 = raised("IndexError", "index 1", (5, "g", "x[i]"))


def cause(seen: Any, **more: Any) -> str:
    return judge([np.array([1.0, 2.0])], [seen], **more).cause


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AT_5, raised("IndexError", "index 7", (9, "f", "g(x)"), (5, "g", "x[i]"))),
        (raised("TypeError", "f() takes 1"), raised("TypeError", "f() takes 1")),
        (Observation(Ending.TIMEOUT), Observation(Ending.TIMEOUT, note="Not tried: …")),
        (None, returned(None, stdout="3")),
        ("a", "b"),
        (Opaque("torch.Tensor"), Opaque("torch.Tensor")),
    ],
)
def test_one_fault_has_one_cause(one: Any, other: Any) -> None:
    assert cause(one)
    assert cause(one) == cause(other)


def test_different_faults_have_different_causes() -> None:
    seen = [
        AT_5,
        raised("IndexError", "index 1", (6, "g", "x[i]")),
        raised("ValueError", "index 1", (5, "g", "x[i]")),
        raised("TypeError", "f() takes 1"),
        raised("TypeError", "f() takes 2"),
        Observation(Ending.TIMEOUT),
        Observation(Ending.MEMORY_LIMIT),
        STUB,
        None,
        "a",
    ]
    causes = [*map(cause, seen), cause(LOAD, student=run({}, load=LOAD))]
    assert len(set(causes)) == len(causes)
    assert all(causes)


def test_a_stub_and_a_missing_function_lack_the_same() -> None:
    assert cause(STUB) == cause(Observation(Ending.MISSING), student=run({}))


def test_code_that_did_not_load_is_one_cause_for_every_function() -> None:
    student = run({}, load=LOAD)
    assert cause(LOAD, student=student) == cause(LOAD, student=student, function="g")
    assert cause(None) != cause(None, function="g")


@pytest.mark.parametrize(
    "seen", [np.array([3.0, 4.0]), np.array([1.0]), [1.0, 3.0], np.array([np.nan, np.nan])]
)
def test_wrong_numbers_may_have_any_cause(seen: Any) -> None:
    assert cause(seen) == ""


def test_what_passed_failed_for_nothing() -> None:
    assert cause(np.array([1.0, 2.0])) == ""


def test_a_misconception_is_the_fault_of_what_shows_it_whatever_it_failed_at() -> None:
    result = judge([1.0], [AT_5], wrong={"m": [AT_5]})
    assert result.fault == "misconception m"
    assert result.cause == cause(AT_5) == judge([1.0], [AT_5]).fault
