"""The goals of the `written` check on answers with known scores, and what its results say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_examples import EXAMPLES, PARTS, Example, agreement, criterion, judge, result, rubric

from grader.checks import written
from grader.evidence import Answer
from grader.result import CheckResult, Outcome

HALF = Fraction(1, 2)


def said(found: CheckResult, kind: str) -> list[str]:
    return [item.text for item in found.feedback if item.kind == kind]


def reviewed(examples: list[Example]) -> list[tuple[Fraction, Fraction]]:
    pairs = []
    for example in examples:
        found = result(example)
        if found.outcome is Outcome.NEEDS_REVIEW:
            assert found.suggested_fraction is not None
            pairs.append((example.share, found.suggested_fraction))
    return pairs


# --- the goals ----------------------------------------------------------------------------------


@pytest.mark.parametrize("part", PARTS)
def test_full_credit_is_never_given_wrongly(part: str) -> None:
    wrong = [
        e.text
        for e in EXAMPLES
        if e.part == part and result(e).outcome is Outcome.PASSED and e.share < 1
    ]
    assert wrong == []


def test_there_are_three_outcomes_and_only_a_blank_is_worth_nothing() -> None:
    for example in EXAMPLES:
        found = result(example)
        if not example.text.strip():
            assert (found.outcome, found.fraction) == (Outcome.MISSING, 0)
        elif found.outcome is Outcome.PASSED:
            assert (found.fraction, found.suggested_fraction) == (1, None)
        else:
            assert (found.outcome, found.fraction) == (Outcome.NEEDS_REVIEW, 0)
            assert found.suggested_fraction in (0, HALF, 1)


@pytest.mark.parametrize("chosen", ["held_out", "developed"])
@pytest.mark.parametrize("part", PARTS)
def test_most_of_what_a_class_writes_is_decided_without_a_person(part: str, chosen: str) -> None:
    answers = [e for e in EXAMPLES if (e.set, e.kind, e.part) == (chosen, "natural", part)]
    decided = sum(result(e).outcome is Outcome.PASSED for e in answers)
    assert decided / len(answers) >= 0.55


@pytest.mark.parametrize(("lang", "least"), [("en", 0.7), ("zh", 0.6)])
def test_right_answers_in_either_language_pass(lang: str, least: float) -> None:
    answers = [e for e in EXAMPLES if (e.kind, e.lang, e.share) == ("natural", lang, Fraction(1))]
    passed = sum(result(e).outcome is Outcome.PASSED for e in answers)
    assert passed / len(answers) >= least


def test_over_all_parts_sixty_in_a_hundred_held_out_answers_are_decided() -> None:
    answers = [e for e in EXAMPLES if e.set == "held_out" and e.kind == "natural"]
    decided = sum(result(e).outcome is Outcome.PASSED for e in answers)
    assert decided / len(answers) >= 0.6


@pytest.mark.parametrize("chosen", ["given", "held_out"])
def test_suggestions_agree_with_a_person(chosen: str) -> None:
    assert agreement(reviewed([e for e in EXAMPLES if e.set == chosen])) >= 0.85


def test_suggestions_agree_with_a_person_on_what_a_class_writes() -> None:
    assert agreement(reviewed([e for e in EXAMPLES if e.kind == "natural"])) >= 0.85


# --- edits that break an answer -----------------------------------------------------------------

Edit = Callable[[str], str]


def put(pattern: str, new: str | Callable[[re.Match[str]], str], count: int = 0) -> Edit:
    return lambda text: re.sub(pattern, new, text, count=count)


def swapped(a: str, b: str) -> Edit:
    return put(f"{a}|{b}", lambda match: b if match.group() == a else a)


SWAPPED_INDICES = put(
    r"(?<=[kv])(_?\{?)([ij])(?![a-z])", lambda m: m[1] + {"i": "j", "j": "i"}[m[2]]
)
NEGATED = (
    put(r"\b(is|are|must|should|will|would|can|does|be)\b", r"\1 not", 1),
    put(r"\b(is|are|does)\b", r"\1n't", 1),
    put("(会|是|要)", r"不\1", 1),
    lambda text: f"It is not true that {text}",
    lambda text: text.rstrip(". ") + " is false.",
)
EDITS: dict[str, tuple[Edit, ...]] = {
    "i": (
        put(r"(?<=(?:m|s|o|l|=|p) )(1|one|unity)\b(?! *[,\])])", "2"),
        put(r"(为|是|等于) ?(1|一)", r"\1 2"),
        put(r"≥|>=|\\geq?\b", "<"),
        put(r"\b[nN]on-?\s?negative", "negative"),
        put(r"\b[pP]ositive", "negative"),
        put("非负", "负"),
    ),
    "ii": (
        put("≫|>>", "≪"),
        put(r"\\gg", r"\\ll"),
        put("larger|greater|bigger|higher", "smaller"),
        put(r"\bdominates?\b", "is dominated by"),
        put("远大于|远超过|远高于", "远小于"),
        put(r"\bk(?=[_ijⱼᵢ{⊤])", "v"),
        put(r"\b[kK]ey", "value"),
        put("query", "value"),
        SWAPPED_INDICES,
    ),
    "iii": (
        put(r"\bv(?=[_jⱼ{])", "k"),
        put(r"\b[vV]alue", "key"),
        put(r"\bv(_?\{?)j", r"v\1i"),
        put("≈", "≉"),
        put(r"\\approx", r"\\not\\approx"),
        put("close to|similar to", "far from"),
        put("接近", "远离"),
    ),
    "iv": (
        swapped("key", "value"),
        put(r"\bvalue|\bv(?=_)", lambda m: "key" if m.group() == "value" else "k"),
        put(r"\bvalue", "query"),
        put(r"\bkey|\bk(?=_)", lambda m: "value" if m.group() == "key" else "v"),
        put(r"\bsimilar\b", "dissimilar"),
        put(r"\bmatches\b", "does not match"),
        put(r"\bcopies\b", "does not copy"),
        put("匹配", "不匹配"),
        put("复制", "不复制"),
    ),
}


def broken(part: str) -> Iterator[str]:
    for example in EXAMPLES:
        if example.part == part and example.share == 1 and example.set != "developed":
            edited = {edit(example.text) for edit in (*EDITS[part], *NEGATED)}
            yield from sorted(edited - {example.text})


@pytest.mark.parametrize("part", PARTS)
def test_right_answers_that_an_edit_made_wrong_are_refused(part: str) -> None:
    texts = list(broken(part))
    passed = [text for text in texts if judge(part, text).outcome is Outcome.PASSED]
    assert len(texts) > 100
    assert len(passed) <= 0.05 * len(texts), passed


# --- one answer at a time -----------------------------------------------------------------------

MODEL_ANSWERS = {
    "i": "α can be interpreted as a categorical probability distribution because it is a set of "
    "non-negative values that sum to 1, which is the definition of a probability distribution.",
    "ii": "The categorical distribution α puts almost all of its weight on some α_j when the query "
    "q is very similar to one of the keys k_j. This causes the dot product k_i^⊤q to be much "
    "larger for j than for any other i, leading to a much larger value of α_j.",
    "iii": "Under these conditions, the output c will be very similar to the value vector v_j "
    "corresponding to α_j, because it is weighted much more heavily than the other value vectors.",
    "iv": "Intuitively, this means that attention can easily 'copy' a value vector to the output "
    "if the query is very similar to one of the keys. This is useful because it allows the model "
    "to directly use relevant information from the input sequence without having to rely on "
    "sequential processing. However, it also means that attention can be misled if the query is "
    "not actually similar to any of the keys, which is why multi-headed attention can be useful.",
}


@pytest.mark.parametrize("part", PARTS)
def test_model_answers_are_worth_everything_whatever_their_length(part: str) -> None:
    limit = {"ii": 1, "iv": 2}.get(part)
    found = judge(part, MODEL_ANSWERS[part], max_sentences=limit)
    assert 1 in (found.fraction, found.suggested_fraction)
    warned = said(found, "constraint")
    assert bool(warned) is (part in ("ii", "iv"))
    if part == "ii":
        assert warned == [
            "The answer has 2 sentences; at most 1 sentence was asked for. "
            "No points are lost for that."
        ]


@settings(max_examples=20)
@given(sentences=st.integers(1, 5), words=st.integers(1, 50), part=st.sampled_from(PARTS))
def test_limits_change_nothing_but_the_warnings(sentences: int, words: int, part: str) -> None:
    text = MODEL_ANSWERS[part]
    free, limited = judge(part, text), judge(part, text, max_sentences=sentences, max_words=words)
    assert (free.outcome, free.fraction, free.suggested_fraction, free.group) == (
        limited.outcome, limited.fraction, limited.suggested_fraction, limited.group,
    )  # fmt: skip
    assert [item for item in limited.feedback if item.kind != "constraint"] == list(free.feedback)


def test_evidence_is_quoted_from_the_answer_once_a_concept() -> None:
    for example in EXAMPLES:
        titles = [concept.title for concept in rubric(example.part).concepts]
        shown = [item for item in result(example).feedback if item.kind == "evidence"]
        assert all(item.block and item.block in example.text for item in shown), example.text
        for title in titles:
            assert sum(title in item.text for item in shown) <= 1


def test_a_passed_answer_shows_evidence_for_everything_that_was_asked() -> None:
    found = judge("i", "All α_i ≥ 0 and they sum to 1.")
    assert found.outcome is Outcome.PASSED
    assert [(i.text, i.block) for i in found.feedback if i.kind == "evidence"] == [
        ("Says that no weight is negative.", "All α_i ≥ 0"),
        ("Says that the weights sum to 1.", "sum to 1"),
    ]


def test_a_missing_concept_is_named() -> None:
    found = judge("i", "The values of alpha sum up to 1.", hint="Which two conditions?")
    assert (found.outcome, found.suggested_fraction) == (Outcome.NEEDS_REVIEW, HALF)
    assert "Not found: that no weight is negative." in said(found, "rubric")
    assert said(found, "hint") == ["Which two conditions?"]


def test_a_denied_concept_is_quoted_but_does_not_count() -> None:
    found = judge("i", "The alphas do not sum to 1, but they are positive.")
    assert found.suggested_fraction == HALF
    assert "Speaks of this, but may deny it: the weights sum to 1." in said(found, "evidence")


@pytest.mark.parametrize("answer", [None, Answer(""), Answer(" \n\t")])
def test_a_blank_is_missing(answer: Answer | None) -> None:
    found = written.check(criterion(rubric("i"), asks="Why?", hint="Think."), answer)
    assert (found.outcome, found.fraction) == (Outcome.MISSING, 0)
    assert said(found, "asked") == ["Why?"]
    assert said(found, "hint") == ["Think."]


def test_a_rubric_that_was_not_read_is_our_fault() -> None:
    found = written.check(criterion(None), Answer("They sum to 1."))
    assert found.outcome is Outcome.GRADER_ERROR


def test_like_answers_have_one_group_and_unlike_ones_have_not() -> None:
    one, two = judge("i", "They are positive."), judge("i", "Each weight is positive.")
    other = judge("i", "They sum to 1.")
    assert one.group == two.group != other.group


CONDITIONS = (
    r"$k_j^\top q \gg k_i^\top q$ for all $i \neq j$",
    r"\mathbf{k}_{j}^{\intercal} \mathbf{q} \gg \mathbf{k}_{i}^{\intercal} \bm{q}\ (i\ne j)",
    "k_j^Tq >> k_i^Tq for i != j",
    "kj⊤ q ≫ ki⊤ q, i ≠ j",
    "kjTq ≫ kiTq for all i ≠ j",
    "kⱼᵀq ≫ kᵢᵀq ∀ i≠j",
    "𝑘𝑗𝑇𝑞 ≫ 𝑘𝑖𝑇𝑞, ∀ 𝑖 ≠ 𝑗",
    "q·k_j ≫ q·k_i for all other i",
    "<k_j, q> ≫ <k_i, q>, i ≠ j",
    r"\exp(k_j^\top q) \gg \sum_{i \neq j} \exp(k_i^\top q)",
    "k<sub>j</sub><sup>T</sup>q &gt;&gt; k<sub>i</sub><sup>T</sup>q for all i ≠ j",
    "k_j^T q - k_i^T q >> 0 for all i ≠ j",
    "q 与 k_j 的内积远大于 q 与其他 key 的内积。",
    "The dot product of q and k_j is much larger than all other dot products.",
    "The dot prodcut of the query and key j is much biger than with any other key.",
)


@pytest.mark.parametrize("text", CONDITIONS)
def test_one_condition_is_read_in_every_notation(text: str) -> None:
    assert judge("ii", text).outcome is Outcome.PASSED


CONCERNS = (
    ("ii", "k_j^T q is not much larger than k_i^T q.", "negation"),
    ("ii", "It is wrong that k_j^T q is much larger than k_i^T q.", "denial"),
    ("ii", "Maybe k_j^T q is much larger than k_i^T q.", "hedge"),
    ("ii", "Is k_j^T q much larger than k_i^T q?", "question"),
    ("ii", "k_j^T q ≪ k_i^T q", "smaller"),
    ("ii", "k_i^T q ≫ k_j^T q for i ≠ j", "reversed"),
    ("ii", "v_j^T q ≫ v_i^T q", "value_for_key"),
    ("ii", "k_j^T q ≫ k_i^T q for some i", "some_others"),
    ("ii", "query key dot product much larger all other keys", "keywords"),
    ("ii", "Скалярное произведение k_j^T q ≫ k_i^T q", "language"),
    ("ii", "Il prodotto scalare fra q e la chiave deve essere molto maggiore", "language"),
    ("ii", "k_j^T q ≫ k_i^T q, whence the zebra", "unfamiliar"),
    ("ii", "k_j^T q ≫ k_i^T q. " * 40, "length"),
    ("iii", "c ≈ k_j", "other_target"),
    ("iii", "c ≈ v_i", "other_index"),
    ("iv", "If the query matches a key, attention copies the query to the output.", "copies_other"),
    ("iv", "If the query matches a value, attention copies the value.", "value_matched"),
    ("iv", "If the query matches a key, attention copies its content.", "unplain"),
)


@pytest.mark.parametrize(("part", "text", "concern"), CONCERNS)
def test_whatever_else_it_says_it_goes_to_a_person(part: str, text: str, concern: str) -> None:
    found = judge(part, text)
    assert found.outcome is Outcome.NEEDS_REVIEW
    assert f"!{concern}" in found.group.split()
