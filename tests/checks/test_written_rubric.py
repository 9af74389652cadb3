"""Rubrics as an instructor writes them: what the phrases mean, and what is wrong with a bad one."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError
from written_examples import PARTS, criterion, rubric

from grader.checks import written
from grader.evidence import Answer
from grader.result import CheckResult, Outcome
from grader.rubric import Rubric

Json = dict[str, Any]


def other_exercise(**more: Any) -> Json:
    """A rubric for another question: why is a variance never negative?"""
    return {
        "usual_words": [2, 60],
        "symbols": ["x"],
        "vocabulary": {
            "square": ["square*", "x ^ 2", "平方"],
            "not_negative": ["(non negative|nonnegative)", "(is|are) (always)? (at least|≥) 0"],
            "mean": ["mean", "average"],
        },
        "stops": ["cube"],
        "harmless": ["non negative"],
        "links": ["number ever"],
        "known": ["number zebra"],
        "concepts": [
            {
                "id": "squares",
                "title": "a square is not negative",
                "sure": ["{square} ... {not_negative}"],
                "likely": ["{square}"],
            },
            {"id": "averages", "title": "it is a mean", "sure": ["{mean} of (the)? {square}"]},
        ],
        "levels": [
            {"fraction": 1, "needs": ["squares", "averages"]},
            {"fraction": "1/3", "needs": ["squares"]},
        ],
        "refusals": [
            {
                "id": "median",
                "because": "it speaks of a median",
                "phrases": ["median"],
                "unless": ["no median"],
                "denies": ["averages"],
                "at_most": 0.25,
            }
        ],
        **more,
    }


def judged(text: str, **more: Any) -> CheckResult:
    made = Rubric.model_validate(other_exercise(**more))
    return written.check(criterion(made), Answer(text))


def found(text: str, **more: Any) -> set[str]:
    return set(judged(text, **more).group.split())


# --- what phrases mean --------------------------------------------------------------------------


def test_another_exercise_needs_no_code() -> None:
    right = judged("It is a mean of squares, and squares are always at least 0.")
    assert right.outcome is Outcome.PASSED
    half = judged("Squares are nonnegative.")
    assert (half.outcome, half.suggested_fraction) == (Outcome.NEEDS_REVIEW, Fraction(1, 3))


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("The squares are nonnegative.", "squares"),
        ("The squares of this number are, as ever, nonnegative.", "squares"),
        ("Squares, x^2, are non-negative.", "squares"),
        ("The squares of a cube are nonnegative.", "squares?"),  # a gap never holds a stop
        ("The squares of zebras are nonnegative.", "squares?"),  # nor any noun
        ("Squares exist. They are nonnegative.", "squares?"),  # nor a sentence's end
        ("The squares are not nonnegative.", "squares-"),
        ("平方 are nonnegative.", "squares"),
        ("The squares are nonnegatvie.", "squares"),
    ],
)
def test_what_a_phrase_finds(text: str, evidence: str) -> None:
    assert evidence in found(text)


def test_a_wide_gap_holds_anything_within_the_sentence() -> None:
    concept = {"id": "squares", "title": "x", "sure": ["{mean} [...] {square}"]}
    levels = [{"fraction": 1, "needs": ["squares"]}]
    more = {"concepts": [concept], "levels": levels, "refusals": []}
    assert "squares" in found("The mean of a cube and of 3 squares.", **more)
    assert "squares" not in found("The mean of a cube. Squares.", **more)


def test_a_refusal_denies_caps_and_is_excused() -> None:
    text = "It is a mean of squares, and squares are nonnegative"
    refused = judged(f"{text}, as is the median.")
    assert refused.suggested_fraction == Fraction(1, 4)
    assert {"!median", "averages-"} <= set(refused.group.split())
    assert "it speaks of a median (“median”)" in refused.feedback[0].text
    assert "!median" not in found(f"{text}, it is no median.")


def test_a_level_may_be_reached_in_several_ways() -> None:
    levels = [{"fraction": 1, "needs": ["squares"]}, {"fraction": 1, "needs": ["averages"]}]
    assert judged("Squares are nonnegative.", levels=levels).outcome is Outcome.PASSED
    assert judged("It is the mean of the squares.", levels=levels).outcome is Outcome.PASSED


# --- what is wrong with a bad rubric ------------------------------------------------------------


def faults(data: Json) -> dict[str, str]:
    with pytest.raises(ValidationError) as caught:
        Rubric.model_validate(data)
    return {".".join(map(str, e["loc"])): e["msg"] for e in caught.value.errors()}


@pytest.mark.parametrize(
    ("phrase", "message"),
    [
        ("(a|b", "a ( without its )"),
        ("a|b) c", "a ) without its ("),
        ("a|b", "put alternatives in ( )"),
        ("{square", "a { without its }"),
        ("{Not A Name}", "names no term"),
        ("? a", "a ? follows"),
        ("a ... ", "begins and ends"),
        ("... a", "begins and ends"),
        ("(a)? (b)?", "begins and ends"),
        ("", "begins and ends"),
        ("(a||b) c", "an empty alternative"),
        ("sq*are", "* stands at the end"),
        ("(" * 30 + "a" + ")" * 30, "brackets in each other"),
    ],
)
def test_a_phrase_that_is_none_is_placed_and_explained(phrase: str, message: str) -> None:
    data = other_exercise(stops=["cube", phrase])
    assert message in faults(data)["stops.1"]


def test_every_fault_of_a_whole_is_told_at_once() -> None:
    data = other_exercise()
    data["vocabulary"] |= {"a": ["{b}"], "b": ["x {a}"]}
    data["concepts"][0]["sure"] = ["{sqare} {mean}"]
    data["concepts"][1]["id"] = "squares"
    data["levels"] = [{"fraction": "1/2", "needs": ["sqares"]}]
    data["usual_words"] = [9, 3]
    told = faults(data)
    assert told["concepts.0.sure.0"].endswith("no term sqare (did you mean square?)")
    assert told["vocabulary.a"] == "the term a is made of itself"
    assert told["concepts.1.id"] == "there are two concepts called squares"
    assert told["levels.0.needs.0"] == "there is no concept sqares (did you mean squares?)"
    assert told["refusals.0.denies.0"].startswith("there is no concept averages")
    assert told["levels"].startswith("one level has to be worth everything")
    assert "usual_words" in told


@pytest.mark.parametrize("share", ["1/0", "2", -1, 1.5, True, "half", "1e9", None, "9" * 99])
def test_a_share_is_between_nothing_and_everything(share: object) -> None:
    data = other_exercise()
    data["levels"][1]["fraction"] = share
    assert list(faults(data)) == ["levels.1.fraction"]


@pytest.mark.parametrize(
    ("share", "exact"),
    [("1/3", Fraction(1, 3)), (0.1, Fraction(1, 10)), (Decimal("0.25"), Fraction(1, 4)), (0, 0)],
)
def test_shares_are_exact(share: object, exact: Fraction) -> None:
    data = other_exercise()
    data["levels"][1]["fraction"] = share
    assert Rubric.model_validate(data).levels[1].fraction == exact


def test_an_unknown_key_is_a_fault() -> None:
    assert "concepts.0.shure" in faults(
        other_exercise(concepts=[{"id": "a", "title": "b", "shure": ["c"]}])
    )


def test_a_concept_without_phrases_is_a_fault() -> None:
    data = other_exercise()
    data["concepts"][1]["sure"] = []
    assert "never found" in faults(data)["concepts.1"]


@pytest.mark.parametrize("part", PARTS)
def test_the_packs_rubrics_are_values(part: str) -> None:
    made = rubric(part)
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    with pytest.raises(ValidationError):
        made.usual_words = (1, 2)
