"""How the `written` check reads: notations fold into one, and every token keeps its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from written_examples import EXAMPLES

from grader.checks.written_reading import read

SYMBOLS = ("k", "v", "q", "c", "alpha")


def texts(answer: str) -> str:
    return " ".join(token.text for token in read(answer, SYMBOLS).tokens)


SAME = (
    ("k_j ^t q ≫ k_i ^t q",
     (r"$k_j^\top q \gg k_i^T q$", r"\mathbf{k}_{j}^{\intercal} q >> {k_i}^T q", "kj⊤ q ≫ ki⊤ q",
      "kjTq >> kiTq", "𝑘𝑗𝑇𝑞 ≫ 𝑘𝑖𝑇𝑞", "kⱼᵀq ≫ kᵢᵀq", "k⊤ j q ≫ k⊤ i q", "k_j'q >> k_i'q",
      "K_J^T Q ≫ K_I^T Q", "k[j]^T q ≫ k[i]^T q", "k_j\u200b^T\u00a0q ≫ k_i^T q",
      "k<sub>j</sub><sup>T</sup> q &gt;&gt; k<sub>i</sub><sup>T</sup> q")),
    ("∑ alpha_i = 1",
     (r"\sum_{i=1}^{n} \alpha_i = 1", r"$\Sigma_i \alpha_i = 1$", "∑i αi = 1", "Σ_{i} α_i = 1",
      "∑i=1 αi = 1", "∑ᵢ αᵢ = 1")),
    ("∑ _ ( i ≠ j ) exp", (r"\sum_{i\neq j} \exp", "Σ_{i≠j} exp", "∑_{i != j} exp")),
    ("c ≈ v_j", ("c ~ v_j", "c ≅ vj", r"$c \approx v_{j}$", "c ~= v_j", r"c \simeq \bm{v}_j")),
    ("c ¬ ≈ v_j", (r"c \not\approx v_j", "c¬≈v_j")),
    ("is n't non negative", ("isn't non-negative", "isn’t non‑negative")),
    ("jth key 's value", ("j-th key's value", "j^{th} key’s value", "jth key's value")),
    ("can not be", ("cannot be", "can not be")),
    ("( a ) / ( b )", (r"\frac{a}{b}", r"\dfrac{a}{b}")),
    ("内 积 , 对", ("内积，对", "内积、对", "内积, 对")),
    ("‖ c - v_j ‖", (r"\|c - v_j\|", "||c − v_j||", r"\lVert c - v_j \rVert")),
)  # fmt: skip


@pytest.mark.parametrize(("plain", "written"), [(a, b) for a, many in SAME for b in many])
def test_notations_fold_into_one(plain: str, written: str) -> None:
    assert texts(written) == plain


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One sentence.", 1),
        ("One sentence", 1),
        ("Two. Sentences.", 2),
        (r"We need $k_j^\top q$. It dominates.", 2),
        ("The others, i.e. all k_i.q, are small, e.g. 0.5.", 1),
        ("See eq. (2) for that.", 1),
        ("0.5 of it. 1.5 of that!", 2),
        ("两句话。第二句！", 2),
        ("半角。全角．", 2),
        ("- one\n- two\n- three", 3),
        ("1. one\n2. two", 2),
        ("Really?! Yes...", 2),
        ("A wrapped\nline.", 1),
        ("", 0),
        (" . . ", 0),
    ],
)
def test_sentences_are_counted_as_a_reader_would(text: str, sentences: int) -> None:
    assert read(text).sentences == sentences


@pytest.mark.parametrize(
    ("text", "words"),
    [("the dot-product, of two", 4), ("内积 远大于", 5), ("$c \\approx v_j$", 3), ("… — !", 0)],
)
def test_words_are_counted(text: str, words: int) -> None:
    assert read(text).words == words


def test_letters_of_other_scripts_are_noticed() -> None:
    assert not read("α ∈ ℝ, 内积, naïve, 𝑘").foreign
    assert read("скаляр").foreign
    assert read("the keу").foreign  # a Cyrillic у


def placed(text: str) -> None:
    for token in read(text, SYMBOLS).tokens:
        assert 0 <= token.start < token.end <= len(text)


def test_every_token_has_its_place_in_the_answer() -> None:
    for example in EXAMPLES[::7]:
        placed(example.text)


FRAGMENTS = (
    *"kjqvT_^{}()[]$\\<≫∑α ⊤.'-\n=≠i1内ⱼᵀ𝑘*|",
    *("\\frac", "\\sum", "\\mathbf", "th", "**", "&gt;", "\u0338", "n't", "s", "<sub>", "</sub>"),
)


@settings(max_examples=300)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
def test_no_notation_confuses_the_places(text: str) -> None:
    placed(text)


@given(st.text(st.sampled_from([*map(chr, (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000)))])))
def test_each_han_character_is_a_token(text: str) -> None:
    assert [token.text for token in read(text).tokens] == list(text)


@given(st.text(max_size=80))
def test_no_text_confuses_the_places(text: str) -> None:
    placed(text)
