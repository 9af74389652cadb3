"""Formulas as MathML: drawn with the meaning they had, never more than MathML, never an error."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import html_page
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader.report import formula, latex

HOSTILE = [
    r"\text{<script>alert(1)</script>}", r"\href{javascript:alert(1)}{x}",
    r"\style{color:red}{x}", r"\class{a}{b}", r"\includegraphics{x}",
    "{" * 900, r"\frac{" * 200, r"\left(" * 300, "x" * 5000,
    r"\begin{x}\end{x}", r"\def\a{\a\a}\a", "\x00", "\ud800", r"\mathbb{<}",
]  # fmt: skip


def words(markup: str) -> str:
    return "".join(ET.fromstring(markup).itertext())


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r"\alpha_j \ge 1-\varepsilon", "αj≥1−ε"),
        (r"k_j^\top q \gg k_i^{\top} q", "kj⊤q≫ki⊤q"),
        (r"\operatorname{softmax}(Kq) \in \mathbb{R}^n", "softmax(Kq)∈ℝn"),
        (r"\left\| c - v_j \right\|", "‖c−vj‖"),
        (r"\begin{pmatrix}a & b \\ c & d\end{pmatrix}", "(abcd)"),
        (r"x'", "x′"),
    ],
)
def test_latex_is_drawn(source, shown):
    assert words(latex.to_mathml(source)) == shown


def test_latex_structure():
    root = ET.fromstring(latex.to_mathml(r"\frac{\exp(k_i^\top q)}{\sum_{j=1}^{n} e^{x}}"))
    numerator, denominator = root.find(".//mfrac")
    assert "".join(numerator.itertext()) == "exp(ki⊤q)"
    assert denominator.find("msubsup") is not None
    block = ET.fromstring(latex.to_mathml(r"\sum_{j=1}^{n} x", block=True))
    assert block.attrib["display"] == "block"
    assert block.find(".//munderover") is not None


@pytest.mark.parametrize("source", HOSTILE)
def test_latex_that_is_not_understood_is_refused_or_escaped(source):
    drawn = latex.to_mathml(source)
    if drawn is not None:
        root = ET.fromstring(drawn)
        assert {e.tag for e in root.iter()} <= html_page.ELEMENTS
        assert {a for e in root.iter() for a in e.attrib} <= {"alttext", "display", "width"}


@pytest.mark.parametrize(
    "source", ["", " ", "x^2^3", "x_", "}", "\\", "a & b", r"\frac{1}", r"\nope"]
)
def test_what_is_not_latex_is_left_alone(source):
    assert latex.to_mathml(source) is None


@settings(deadline=None)
@given(
    st.text(st.sampled_from(r"\{}^_&<>'\"ab1+-=() ") | st.characters(codec="utf-8"), max_size=80)
)
def test_no_text_breaks_either_converter(text):
    for convert in (latex.to_mathml, formula.to_mathml):
        drawn = convert(text)
        if drawn is not None and text.isprintable():
            assert {e.tag for e in ET.fromstring(drawn).iter()} <= html_page.ELEMENTS


# --- plain formulas ---------------------------------------------------------------------------


def test_the_exercises_own_formulas():
    assert (
        words(formula.to_mathml("m = log((n-1)*(1-eps)/eps)")) == "m=log\u2061((n−1)\u2062(1−ε)ε)"
    )
    assert words(formula.to_mathml("alpha_j = 1/(1 + (n-1)*exp(-m))")) == "αj=11+(n−1)\u2062e−m"


@pytest.mark.parametrize(
    "source",
    ["", "2n", "0x10", "1or 2", "f()", "a.b", "x if y else z", "__import__('os')", "a = b = c",
     "lambda: 1", "True", "'x'", "1e999", "2(n-1)", "(" * 300, "-" * 490 + "x", "1,2", "[1]",
     "a b"],
)  # fmt: skip
def test_what_is_not_a_formula_is_left_as_it_was_typed(source):
    assert formula.to_mathml(source) is None


def trees(depth: int = 4) -> st.SearchStrategy[str]:
    leaf = st.sampled_from(["x", "y", "2", "3", "0.5"])
    if not depth:
        return leaf
    inner = trees(depth - 1)
    return st.one_of(
        leaf,
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        st.tuples(inner, st.sampled_from("23")).map(lambda t: f"({t[0]})^{t[1]}"),
        inner.map(lambda t: f"-({t})"),
        st.tuples(st.sampled_from(["exp", "log", "sqrt", "abs"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
    )


def read_back(element: ET.Element) -> str:
    """Turn a drawing into Python again, by what its layout means."""
    inner = [read_back(child) for child in element]
    match element.tag:
        case "mfrac":
            return f"(({inner[0]})/({inner[1]}))"
        case "msup":
            return f"(({inner[0]})**({inner[1]}))"
        case "msqrt":
            return f"sqrt({''.join(inner)})"
        case "mrow" | "math":
            if [child.text for child in element if child.tag == "mo"] == ["|", "|"]:
                return f"abs({inner[1]})"
            return "".join(inner)
    names = {"−": "-", "\u2062": "*", "⋅": "*", "\u2061": "", "e": "E"}
    return names.get(element.text or "", element.text or "")


@settings(deadline=None, max_examples=150)
@given(trees())
def test_a_drawing_means_what_the_formula_meant(source):
    known = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "abs": abs, "E": math.e}
    try:
        values = known | {"x": 0.7, "y": 1.9}
        wanted = eval(source.replace("^", "**"), values)
    except (ArithmeticError, ValueError):
        assume(False)
    assume(isinstance(wanted, float | int) and math.isfinite(wanted))
    drawn = formula.to_mathml(source)
    assert drawn is not None
    assert eval(read_back(ET.fromstring(drawn)), values) == pytest.approx(
        wanted, rel=1e-6, abs=1e-9
    )
