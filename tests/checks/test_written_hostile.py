"""Answers made to hang, crash or fool the `written` check."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_examples import EXAMPLES, PARTS, criterion, judge

from grader.checks import written
from grader.evidence import Answer
from grader.result import CheckResult, Outcome
from grader.rubric import Rubric

RIGHT = {
    "i": "α_i ≥ 0 and they sum to 1.",
    "ii": "k_j^T q ≫ k_i^T q for all i ≠ j.",
    "iii": "c ≈ v_j.",
    "iv": "If the query matches a key, attention copies the value of that key to the output.",
}


def harmless(found: CheckResult, text: str) -> None:
    assert found.outcome in (Outcome.PASSED, Outcome.NEEDS_REVIEW, Outcome.MISSING)
    quotes = [item.block for item in found.feedback if item.kind == "evidence"]
    assert all(quote and quote in text for quote in quotes)


@pytest.mark.parametrize("part", PARTS)
def test_the_right_answers_used_here_are_right(part: str) -> None:
    assert judge(part, RIGHT[part]).outcome is Outcome.PASSED


@pytest.mark.parametrize("part", PARTS)
def test_a_hundred_thousand_characters_go_to_a_person_unread(part: str) -> None:
    found = judge(part, RIGHT[part] + " " * 100_000 + RIGHT[part])
    assert found.outcome is Outcome.NEEDS_REVIEW
    assert found.suggested_fraction is None
    assert "5,000 characters" in found.feedback[-1].text


BAITS = (
    *("a", "a ", "k_j^T q ", "dot product of k_j and q ", "much larger than ", "the ", ",", "."),
    *("{", "(", "k_{", "x^{", "\\frac{", "∑_{i", "'", "_", "^", "-", "\n", "\n- ", "内积远大于"),
    *("sum to 1 positive ", "query matches key copies value ", "c is close to v_j ", "not ", "\\"),
    *("\u200b", "\u202e", "\x00", "a\u0338", "\ud800", "😀", "α", "<sub>", "&gt;", "$", "not \\"),
)


def baited(part: str, bait: str, length: int) -> None:
    text = (bait * length)[:length]
    found = judge(part, text)
    harmless(found, text)
    assert found.outcome is not Outcome.PASSED


@pytest.mark.parametrize("bait", BAITS)
def test_what_is_repeated_without_end_is_read(bait: str) -> None:
    for part in PARTS:
        baited(part, bait, 700)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("bait", ["k_j^T q ", "x^{", "内积远大于", "query matches key "])
def test_what_is_as_long_as_can_be_is_read(part: str, bait: str) -> None:
    baited(part, bait, written.LONGEST_ANSWER)


def test_an_answer_that_takes_too_much_work_goes_to_a_person() -> None:
    vocabulary: dict[str, Any] = {"t0": ["of ... of"]}
    for n in range(1, 9):
        vocabulary[f"t{n}"] = [f"{{t{n - 1}}} [...] {{t{n - 1}}}"]
    slow = Rubric.model_validate(
        {
            "vocabulary": vocabulary,
            "concepts": [{"id": "slow", "title": "it is slow", "sure": ["{t8}"]}],
            "levels": [{"fraction": 1, "needs": ["slow"]}],
        }
    )
    found = written.check(criterion(slow), Answer("of " * 1600))
    assert (found.outcome, found.suggested_fraction) == (Outcome.NEEDS_REVIEW, None)
    assert "too long to read" in found.feedback[-1].text


def test_words_of_the_rubrics_in_any_order_are_no_answer() -> None:
    words = sorted({word for e in EXAMPLES for word in e.text.split()})
    chance = random.Random(0)
    for part in PARTS:
        for _ in range(40):
            text = " ".join(chance.choices(words, k=chance.randrange(1, 40)))
            harmless(judge(part, text), text)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("hidden", ["\u0338", "\u0336", " ≠ ", "¬"])
def test_strokes_through_an_answer_are_seen(part: str, hidden: str) -> None:
    text = "".join(c + hidden if c in "≥≫≈m" else c for c in RIGHT[part])
    assert judge(part, text).outcome is not Outcome.PASSED


@settings(max_examples=60)
@given(st.text(max_size=200), st.sampled_from(PARTS))
def test_any_text_gives_a_result(text: str, part: str) -> None:
    harmless(judge(part, text), text)


@settings(max_examples=60)
@given(
    st.sampled_from(PARTS),
    st.integers(0, 80),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Mn"]), max_size=9),
)
def test_characters_that_nobody_sees_break_nothing(part: str, at: int, unseen: str) -> None:
    text = RIGHT[part][:at] + unseen + RIGHT[part][at:]
    harmless(judge(part, text), text)
