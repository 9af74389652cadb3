"""Misconceptions: named where a student's wrong outputs are exactly theirs, and only there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attempts import failure, items, judge, key, misconception, property_, returned, run, text

from grader.checks import properties
from grader.evidence import Ending, Observation
from grader.result import CriterionGrade, Grade, Outcome, PartGrade

A = np.array
RIGHT = [A([0.2, 0.8]), A([0.5, 0.5])]
WRONG = [A([0.3, 0.7]), A([0.6, 0.4])]
CHANGING = [returned(w, mutated=(0,)) for w in WRONG]


def named(seen: list[Any], wrong: list[Any], **more: Any) -> bool:
    return judge(RIGHT, seen, wrong={"m": wrong}, **more).misconceptions == ("m",)


def test_equal_outputs_are_recognised_and_its_hint_replaces_the_criterions() -> None:
    result = judge(RIGHT, WRONG, wrong={"other": RIGHT[::-1], "m": WRONG}, hint="Think.")
    assert result.misconceptions == ("m",)
    assert text(result, "misconception") == "Title of m: Hint of m"
    assert not items(result, "hint")
    other = judge(RIGHT, WRONG, wrong={"other": RIGHT[::-1]}, hint="Think.")
    assert other.misconceptions == ()
    assert text(other, "hint") == "Think."


def test_rounding_of_another_order_of_operations_does_not_hide_it() -> None:
    assert named([w * (1 + 1e-9) for w in WRONG], WRONG)
    assert named([w.astype(np.float32) for w in WRONG], WRONG)
    assert not named([w * (1 + 1e-3) for w in WRONG], WRONG)


@pytest.mark.parametrize(
    ("seen", "wrong", "same"),
    [
        ([RIGHT[0], WRONG[1]], WRONG, False),  # not on every stimulus
        ([w[:, None] for w in WRONG], WRONG, False),  # shape
        ([w[:, None] for w in WRONG], [w[:, None] for w in WRONG], True),
        ([list(w) for w in WRONG], WRONG, False),  # container
        ([tuple(w) for w in WRONG], [list(w) for w in WRONG], False),
        ([(w, 1.0) for w in WRONG], [(w, 1.0) for w in WRONG], True),
        (CHANGING, WRONG, False),  # side effect
        (CHANGING, CHANGING, True),
        ([A(0.5), 0.25], [0.5, np.float64(0.25)], True),  # numpy scalars are numbers
        ([None, None], [None, None], True),
        ([True, True], [A(True), A(True)], True),
        ([1, 1], [True, True], False),
    ],
)  # fmt: skip
def test_value_shape_container_and_side_effects_must_agree(
    seen: list[Any], wrong: list[Any], same: bool
) -> None:
    assert named(seen, wrong) is same


def test_an_exception_of_the_same_type_counts_as_the_same_output() -> None:
    def error(kind: str) -> Observation:
        return Observation(Ending.RAISED, error=failure(kind, "some message"))

    wrong = [WRONG[0], error("ValueError")]
    assert named([WRONG[0], error("builtins.ValueError")], wrong)
    assert not named([WRONG[0], error("TypeError")], wrong)
    assert not named([WRONG[0], Observation(Ending.TIMEOUT)], wrong)


def test_exceptions_alone_are_a_misconception_only_by_their_messages() -> None:
    def errors(*sizes: int) -> list[Observation]:
        return [Observation(Ending.RAISED, error=failure("ValueError", f"{n} ≠ 2")) for n in sizes]

    assert not named(errors(5, 6), errors(3, 4))
    assert named(errors(3, 4), errors(3, 4))


def test_one_that_gives_the_reference_throughout_explains_nothing() -> None:
    # Both are outside a tolerance of zero, yet the misconception is the reference but for rounding.
    almost = [r * (1 + 1e-9) for r in RIGHT]
    result = judge(RIGHT, almost, wrong={"m": almost}, rtol=0.0, atol=0.0)
    assert result.outcome is Outcome.FAILED
    assert result.misconceptions == ()


def test_a_passed_criterion_names_none() -> None:
    result = judge(RIGHT, RIGHT, wrong={"m": RIGHT})
    assert (result.outcome, result.misconceptions) == (Outcome.PASSED, ())


def test_of_several_the_most_specific_is_explained_and_all_are_listed() -> None:
    known = [
        misconception("wide", functions={"f": "a", "g": "b"}),
        misconception("narrow", functions={"f": "a"}),
    ]
    result = judge(RIGHT, WRONG, wrong={"wide": WRONG, "narrow": WRONG}, misconceptions=known)
    assert result.misconceptions == ("narrow", "wide")
    assert text(result, "misconception") == "Title of narrow: Hint of narrow"


def test_outputs_of_another_number_of_calls_are_ignored() -> None:
    assert not named(WRONG, WRONG[:1])
    assert not named(WRONG, [])


def test_a_property_names_misconceptions_too() -> None:
    for expected in (RIGHT, []):
        answers = key(RIGHT, misconceptions={"m": tuple(map(returned, WRONG))})
        if not expected:
            answers = type(answers)(answers.stimuli, ("x",), (), answers.misconceptions)
        seen, known = list(map(returned, WRONG)), [misconception("m")]
        result = properties.check(property_(), answers, seen, run(), known, lambda _: False)
        assert result.misconceptions == ("m",)


NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    "seen",
    [
        [A([NAN, NAN]), A([NAN, INF])],
        [[NAN, NAN], (NAN, -INF)],
        [A([[NAN], [NAN]]), A([])],
        [(A([NAN, NAN]), NAN), A([INF])],
        [NAN, Observation(Ending.RAISED, error=failure("ValueError", "no"))],
    ],
)
def test_without_a_finite_number_anywhere_it_is_a_hunch_that_nothing_is_said_of(
    seen: list[Any],
) -> None:
    result = judge(RIGHT, seen, wrong={"m": seen}, hint="Think.")
    assert (result.misconceptions, result.hunches) == ((), ("m",))
    assert not items(result, "misconception")
    assert text(result, "hint") == "Think."


@pytest.mark.parametrize(
    "seen",
    [
        [A([NAN, NAN]), A([NAN, 0.0])],
        [A([NAN, NAN]), 3],
        [(A([NAN]), A([1.0])), NAN],
        ["nan", "nan"],
    ],
)
def test_one_finite_number_or_a_value_that_is_no_number_is_enough(seen: list[Any]) -> None:
    result = judge(RIGHT, seen, wrong={"m": seen})
    assert (result.misconceptions, result.hunches) == (("m",), ())


# --- arguments that were changed ----------------------------------------------------------------


def test_changed_arguments_are_noted_even_on_a_pass() -> None:
    seen = [RIGHT[0], returned(RIGHT[1], mutated=(1, 0, 7))]
    result = judge(RIGHT, seen, arguments=[(1, 2), (3, 4)], parameters=("q", "K"))
    assert result.outcome is Outcome.PASSED
    assert "`f` changes its arguments `q` and `K` in place" in text(result, "hint")
    one = judge(RIGHT, [returned(r, mutated=(0,)) for r in RIGHT], parameters=("q",))
    assert "`f` changes its argument `q` in place" in text(one, "hint")


# --- what a hidden criterion may say ------------------------------------------------------------


def test_no_value_of_a_hidden_criterion_reaches_its_student() -> None:
    secret = A([0.123456, 0.876544])
    seen = returned(A([0.777777, 0.222223]), mutated=(0,), stdout="333333")
    result = judge(
        [secret], [seen], arguments=[(A([444444.0]),)], wrong={"m": [seen]}, asks="Do it.",
        visibility="hidden", hint="Think.",
    )  # fmt: skip
    assert {"summary", "case", "output", "misconception"} <= {i.kind for i in result.feedback}
    for reveal, kinds in (("outcome", {"asked", "not_checked"}),
                          ("hint", {"asked", "misconception", "hint", "not_checked"})):  # fmt: skip
        criterion = CriterionGrade("c", "A title", "matches", "hidden", reveal, 1, result)
        grade = Grade("s", "p", "P", "1", (PartGrade("i", "I", 1, (criterion,)),), 1, "sum")
        shown = grade.for_student().parts[0].criteria[0].result
        assert {item.kind for item in shown.feedback} == kinds
        for number in ("123456", "876544", "777777", "222223", "333333", "444444"):
            assert number not in repr(shown)
