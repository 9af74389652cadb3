"""Reading formulas: every spelling people use, and a place and a reason for what is not read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.checks.symbolic_parse import Refusal, read
from grader.checks.symbolic_points import Range, spellings
from grader.checks.symbolic_tree import (
    Call,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Variable,
    spell,
)
from grader.checks.symbolic_verdict import MAX_LENGTH

NAMES = spellings(
    [
        Range("n", True, Fraction(2), Fraction(50)),
        Range("m", False, Fraction(-20), Fraction(20)),
        Range("eps", False, Fraction(0), Fraction(1), aliases=("ε", "epsilon", "tol")),
        Range("alpha_j", False, Fraction(0), Fraction(1)),
    ]
)


def reading(text: str) -> str:
    node = read(text, NAMES)
    assert not isinstance(node, Refusal), f"{text}: {node.reason} at {node.at}"
    return spell(node)


def refusal(text: str) -> Refusal:
    node = read(text, NAMES)
    assert isinstance(node, Refusal), f"{text} was read as {spell(node)}"
    return node


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("log((n-1)*(1-eps)/eps)", "log((n - 1)*(1 - eps)/eps)"),
        ("ln((n-1)(1-ε)/tol)", "log((n - 1)*(1 - eps)/eps)"),
        ("ln[(n−1)·(1−ε)÷ε]", "log((n - 1)*(1 - eps)/eps)"),
        ("Ln((n – 1) × (1 – ϵ) ∕ ϵ).", "log((n - 1)*(1 - eps)/eps)"),
        ("np.log((n-1)*(1-eps)/eps)", "log((n - 1)*(1 - eps)/eps)"),
        ("`log((n-1)*(1-eps)/eps)`", "log((n - 1)*(1 - eps)/eps)"),
        (r"log((n-1)\*(1-eps)/eps)", "log((n - 1)*(1 - eps)/eps)"),
        (r"$\ln\left(\frac{(n-1)(1-\epsilon)}{\varepsilon}\right)$", "log((n - 1)*(1 - eps)/eps)"),
        (r"\(\log\bigl((n-1)\cdot\dfrac{1-ε}{ε}\bigr)\)", "log((n - 1)*((1 - eps)/eps))"),
        (r"\ln \frac{n-1}{\epsilon}", "log((n - 1)/eps)"),
        (r"\operatorname{ln}\!\left(n\right)", "log(n)"),
        ("𝑛 + 𝜀", "n + eps"),
        ("ｎ＋１", "n + 1"),
        ("n\u00a0+\u200b1", "n + 1"),
        ("1/(1+(n-1)e^{-m})", "1/(1 + (n - 1)*exp(-m))"),
        ("1/(1+(n-1)e**(-m))", "1/(1 + (n - 1)*exp(-m))"),
        ("1/(1+(n-1)e^-m)", "1/(1 + (n - 1)*exp(-m))"),
        ("1/(1+(n-1)e⁻ᵐ)", "1/(1 + (n - 1)*exp(-m))"),
        (r"\frac{1}{1+(n-1)\mathrm{e}^{-m}}", "1/(1 + (n - 1)*exp(-m))"),
        ("(1 + (n-1)*exp(-m))^(-1)", "(1 + (n - 1)*exp(-m))^(-1)"),
        ("2m(n-1)", "2*m*(n - 1)"),
        ("3εn", "3*eps*n"),
        ("n² + n³", "n^2 + n^3"),
        ("ln n + ln m", "log(n) + log(m)"),
        (r"\log_e(n) + \log_{e}(m)", "log(n) + log(m)"),
        ("√n + √(n+1) + \\sqrt{m}", "sqrt(n) + sqrt(n + 1) + sqrt(m)"),
        ("max(n, m) - min(1, n, m) + abs(m)", "max(n, m) - min(1, n, m) + abs(m)"),
        ("-n^2", "-n^2"),
        ("(-n)^2", "(-n)^2"),
        ("2^3^n", "2^(3^n)"),
        ("n - -m", "n - (-m)"),
        ("n/m/2", "n/m/2"),
        ("0.5 + .25 + 2. + 1e-3", "0.5 + 0.25 + 2 + 0.001"),
        ("π e", "pi*e"),
        ("α_j + αⱼ + \\alpha_{j} + alpha_j + α\\_j", " + ".join(["alpha_j"] * 5)),
    ],
)
def test_reads_what_people_write(text: str, expected: str) -> None:
    assert reading(text) == expected


def test_decimals_are_exact() -> None:
    assert read("0.1", NAMES) == Number(Fraction(1, 10))
    assert read("12.50e-2", NAMES) == Number(Fraction(1, 8))


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("ln((n-1)/eps", 2, "never closed"),
        ("(n-1]/eps", 4, "a `)` was expected"),
        ("n-1)/eps", 3, "closes nothing"),
        ("n + * 2", 4, "something is missing before"),
        ("n +", 3, "ends here"),
        ("   ", 0, "nothing here"),
        ("0,5*n", 1, "not expected"),
        ("(0,5)*n", 2, "with a point"),
        ("n = 2", 2, "second `=`"),
        ("|n|", 0, "abs(x)"),
        ("n!", 1, "factorial"),
        ("n ≥ 2", 2, "comparison"),
        ("n 2", 2, "operator is missing"),
        ("exp -m", 0, "with parentheses"),
        ("exp^(-m)", 0, "with parentheses"),
        ("max(n)", 0, "2 to 4 values"),
        ("log(n, 2)", 0, "one value"),
        ("e(-m)", 0, "exp(x)"),
        (r"\sqrt[3]{n}", 5, "cube root"),
        (r"\frac12", 0, "braces"),
        ("n @ m", 2, "no place"),
        ("n\x00", 1, "no place"),
        ("\x1b[31mn", 0, "no place"),
        ("n + \ud800", 4, "no place"),
        ("٣", 0, "no place"),
    ],
)
def test_says_where_and_why_it_stopped(text: str, at: int, reason: str) -> None:
    refused = refusal(text)
    assert reason in refused.reason
    assert refused.at == at


@pytest.mark.parametrize(
    "text",
    [
        "ln (n-1)(1-eps)",  # of both, or of the first?
        "ln(n-1)m",
        "ln n/eps",
        r"\ln n m",
        "1/2n",
        "n/eps(1-eps)",
        "e^-m(n-1)",
        "2^n m",
    ],
)
def test_does_not_guess_between_two_readings(text: str) -> None:
    assert "not clear" in refusal(text).reason


@pytest.mark.parametrize(
    ("text", "unknown", "meant"),
    [
        ("n + epz", "epz", "eps"),
        ("lg(n)", "lg", "log"),
        ("neps", "neps", "n*eps"),
        ("N - 1", "N", "n"),
        ("exq(-m)", "exq", "exp"),
        (r"\foo n", r"\foo", ""),
        ("factorial(10**9)", "factorial", ""),
        ("__import__('os')", "", ""),
        ("n.__class__", "", ""),
        ("(lambda: n)()", "", ""),
    ],
)
def test_names_an_unknown_name_and_a_known_one_close_to_it(
    text: str, unknown: str, meant: str
) -> None:
    refused = refusal(text)
    assert (refused.unknown, refused.meant) == (unknown, meant)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 250 + "n" + ")" * 249,
        "-" * 499 + "n",
        "2^" * 249 + "n",
        "ln " * 160 + "n",
        "{[" * 120 + "n",
        "9" * 400,
        "1e999999999",
        "1e00000000999999999",
        "n" * (MAX_LENGTH + 1),
        "(" * 100_000 + ")" * 100_000,
    ],
)
def test_bounds_what_it_reads(text: str) -> None:
    assert refusal(text).reason


def test_reads_a_formula_as_long_as_is_allowed() -> None:
    text = "n+" * (MAX_LENGTH // 2 - 1) + "n"
    assert reading(text).count("n") == MAX_LENGTH // 2


NUMBERS = st.builds(Fraction, st.integers(0, 999), st.sampled_from([1, 2, 5, 10, 1000]))
LEAVES: st.SearchStrategy[Node] = st.builds(Number, NUMBERS) | st.sampled_from(
    [Variable("n"), Variable("m"), Variable("eps"), Constant("pi")]
)


def above(below: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    """What reading can make of smaller trees."""
    signed = st.tuples(st.sampled_from([1, -1]), below)
    first = st.tuples(st.just(1), below.filter(lambda node: not isinstance(node, Product)))
    return st.one_of(
        st.lists(signed, min_size=2, max_size=4).map(lambda terms: Sum(tuple(terms))),
        below.map(lambda node: Sum(((-1, node),))),
        st.tuples(first, signed, signed).map(Product),
        st.builds(Power, below, below),
        st.builds(Call, st.sampled_from(["exp", "log", "sqrt", "abs"]), st.tuples(below)),
        st.builds(Call, st.sampled_from(["min", "max"]), st.tuples(below, below)),
    )


TREES = st.recursive(LEAVES, above, max_leaves=12)


@settings(max_examples=100, deadline=None)
@given(TREES)
def test_reading_what_it_spelled_gives_the_same_tree(tree: Node) -> None:
    text = spell(tree)
    if len(text) <= MAX_LENGTH:
        assert read(text, NAMES) == tree


WORDS = st.sampled_from(
    ["n", "m", "eps", "ε", "(", ")", "[", "]", "{", "}", "+", "-", "*", "**", "/", "^", "²", "⁻ᵐ",
     "ln", "exp", "e", "e^", "√", "\\frac", "\\left", "\\", "_", "_{", "0.5", "1e5", ".", ",", " "]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.lists(WORDS, max_size=40).map("".join))
def test_any_text_is_read_or_refused_in_place(text: str) -> None:
    node = read(text, NAMES)
    if isinstance(node, Refusal):
        assert 0 <= node.at <= len(text)
        assert node.reason
    else:
        assert read(spell(node), NAMES) == node
