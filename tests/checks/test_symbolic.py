"""The symbolic check: outcomes, points, and what students are told."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction

import pytest

from grader.checks.symbolic import check
from grader.checks.symbolic_judge import FormulaJudge
from grader.evidence import Answer
from grader.problem import Domain, Misconception, SymbolicCriterion
from grader.result import CheckResult, CriterionGrade, Grade, Outcome, PartGrade

N = Domain(type="integer", min=2, max=50)
MARGIN = SymbolicCriterion(
    id="margin",
    title="The margin",
    weight=1,
    kind="symbolic",
    symbol="m",
    formula="log((n-1)*(1-eps)/eps)",
    variables={"n": N, "eps": Domain(min=0, max=1, aliases=("ε", "epsilon"))},
    asks="Give the smallest margin.",
    hint="Let the others tie.",
)
MISTAKES = (
    Misconception(
        id="counts_itself",
        title="Counts key j among its rivals",
        hint="There are only n − 1 others.",
        formulas={"margin": "log(n*(1-eps)/eps)", "share": "1/(1+n*exp(-m))"},
    ),
    Misconception(id="of_code", title="Of code", hint="Only code.", functions={"f": "g"}),
    Misconception(id="odd", title="Odd", hint="Odd.", formulas={"margin": "((", "share": "m"}),
)


@pytest.fixture(scope="module")
def judge() -> Iterator[FormulaJudge]:
    with FormulaJudge() as judge:
        yield judge


def checked(
    judge: FormulaJudge, formula: str | None, criterion: SymbolicCriterion = MARGIN
) -> CheckResult:
    answer = Answer("In words.", {} if formula is None else {criterion.symbol: formula})
    return check(criterion, "ii", answer, judge, MISTAKES, seed=7)


def told(result: CheckResult) -> str:
    return "\n".join(f"{item.text}\n{item.block}" for item in result.feedback)


def as_seen_by_student(criterion: SymbolicCriterion, result: CheckResult) -> CheckResult:
    graded = CriterionGrade(
        criterion.id, criterion.title, "symbolic", criterion.visibility, criterion.reveal, 1, result
    )
    parts = (PartGrade("ii", "", Fraction(1), (graded,)),)
    grade = Grade("s", "p", "P", "1", parts, Fraction(1), "sum").for_student()
    return grade.parts[0].criteria[0].result


@pytest.mark.parametrize(
    "formula", ["log((n-1)*(1-eps)/eps)", "ln(n-1) + ln((1-ε)/ε)", r"\ln\frac{(n-1)(1-ε)}{ε}"]
)
def test_a_right_formula_passes_and_is_read_back(judge: FormulaJudge, formula: str) -> None:
    result = checked(judge, formula)
    assert (result.outcome, result.fraction) == (Outcome.PASSED, 1)
    assert [item.kind for item in result.feedback] == ["asked", "summary", "formula"]
    assert "proved equal" in result.feedback[1].text
    assert result.feedback[2].block.startswith("m = log(")


def test_agreement_without_proof_passes_and_says_so(judge: FormulaJudge) -> None:
    result = checked(judge, "log((n-1)*(1-eps)/eps) + 0*9**9**9")
    assert (result.outcome, result.fraction) == (Outcome.PASSED, 1)
    assert "points to 50 digits" in result.feedback[1].text


def test_a_wrong_formula_is_shown_where_and_by_how_much(judge: FormulaJudge) -> None:
    result = checked(judge, "ln(n/eps)")
    assert (result.outcome, result.fraction) == (Outcome.FAILED, 0)
    assert [item.kind for item in result.feedback] == [
        "asked", "summary", "formula", "formula", "hint",
    ]  # fmt: skip
    assert result.feedback[2].block == "m = log(n/eps)"
    assert result.feedback[3].text == (
        "At n = 4, eps = 0.1 your formula gives 3.68888…, the right one gives 3.29584…"
    )
    assert result.misconceptions == ()


def test_a_formula_without_a_value_is_told_why(judge: FormulaJudge) -> None:
    result = checked(judge, "log((n-1)*(1-eps)/eps) * (n-2)/(n-2)")
    assert result.outcome is Outcome.FAILED
    text = "At n = 2, eps = 0.1 your formula has no value, because it divides by zero; the right"
    assert text in told(result)


@pytest.mark.parametrize("formula", ["ln(n(1-ε)/ε)", "ln n + ln(1-ε) - ln ε"])
def test_a_known_mistake_is_named_however_it_is_written(judge: FormulaJudge, formula: str) -> None:
    result = checked(judge, formula)
    assert result.misconceptions == ("counts_itself",)
    (named,) = [item for item in result.feedback if item.kind == "misconception"]
    assert named.text == "Counts key j among its rivals: There are only n − 1 others."


@pytest.mark.parametrize("formula", ["ln(n/eps", "log((n-1)*(1-eps)/eps)", None])
def test_no_mistake_is_named_unless_the_formula_is_refuted(
    judge: FormulaJudge, formula: str | None
) -> None:
    assert checked(judge, formula).misconceptions == ()


def test_the_packs_formula_is_never_told(judge: FormulaJudge) -> None:
    for formula in (None, "", "n", "ln(n/eps)", "ln((", "nn", "exp(exp(exp(exp(exp(n)))))"):
        squeezed = told(checked(judge, formula)).replace(" ", "")
        assert "(n-1)" not in squeezed
        assert "1-eps" not in squeezed


@pytest.mark.parametrize(
    "answer",
    [
        None,
        Answer("words"),
        Answer("", {"m": "  "}),
        Answer("", {"k": "n"}),
        Answer("", {"m": "`…`"}),
    ],
)
def test_no_formula_is_missing_and_the_line_to_write_is_shown(
    judge: FormulaJudge, answer: Answer | None
) -> None:
    result = check(MARGIN, "ii", answer, judge, MISTAKES, seed=7)
    assert (result.outcome, result.fraction) == (Outcome.MISSING, 0)
    assert "`m = …`" in told(result)
    assert "`## ii`" in told(result)
    assert result.feedback[-1].kind == "hint"


def test_an_unreadable_formula_is_reviewed_not_failed(judge: FormulaJudge) -> None:
    result = checked(judge, "ln((n-1)(1-eps)/eps")
    assert (result.outcome, result.fraction) == (Outcome.NEEDS_REVIEW, 0)
    assert result.suggested_fraction is None, "it may be right, in a spelling of its own"
    assert result.feedback[1].block == "ln((n-1)(1-eps)/eps\n  ^"
    assert "never closed" in result.feedback[1].text
    assert "m = 3*n/(eps + 2) - ln(n)" in told(result)


def test_an_unknown_name_is_met_with_the_known_ones(judge: FormulaJudge) -> None:
    result = checked(judge, "ln((k-1)/epz)")
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert "`k` is not a name" in told(result)
    assert "n, eps (or ε, epsilon); exp, ln" in told(result)
    assert "Did you mean `eps`?" in told(checked(judge, "ln((n-1)/epz)"))


@pytest.mark.parametrize("position", [0, 40, 250, 480])
def test_the_mark_stands_under_the_place_in_a_long_formula(
    judge: FormulaJudge, position: int
) -> None:
    formula = "+".join(["n"] * 245)
    result = checked(judge, formula[:position] + "@" + formula[position:])
    line, mark = result.feedback[1].block.split("\n")
    assert line[mark.index("^")] == "@"
    assert len(line) < 80


@pytest.mark.parametrize("formula", ["\x1b[2Jn", "n\n\r\x00\u202e", "@" + "\ud800", "n" * 10**6])
def test_quoting_shows_no_control_characters(judge: FormulaJudge, formula: str) -> None:
    result = checked(judge, formula)
    assert result.outcome is Outcome.NEEDS_REVIEW
    assert all(c.isprintable() or c == "\n" for c in told(result))
    assert len(told(result)) < 2000


def test_an_undecided_formula_is_reviewed_without_a_suggestion(judge: FormulaJudge) -> None:
    result = checked(judge, "exp(exp(exp(exp(exp(n)))))")
    assert (result.outcome, result.fraction) == (Outcome.NEEDS_REVIEW, 0)
    assert result.suggested_fraction is None
    assert "could not be decided" in told(result)
    assert "exp(exp(exp(exp(exp(n)))))" in told(result)


@pytest.mark.parametrize("formula", ["n", "ln((n-1)*(1-eps)/eps)", "(("])
@pytest.mark.parametrize("reference", ["log((n-1", "log(-n)", "k"])
def test_a_broken_pack_is_a_grader_error(judge: FormulaJudge, formula: str, reference: str) -> None:
    broken = MARGIN.model_copy(update={"formula": reference})
    result = checked(judge, formula, broken)
    assert (result.outcome, result.fraction) == (Outcome.GRADER_ERROR, 0)
    assert "no fault of yours" in told(result)


def test_a_worker_that_does_not_start_is_a_grader_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with FormulaJudge() as judge:
        assert checked(judge, "n").outcome is Outcome.GRADER_ERROR


@pytest.mark.parametrize(
    "formula", ["ln(n(1-ε)/ε)", "ln((", "ln((n-1)(1-eps)/eps)", "exp(exp(exp(n)))^n^n"]
)
@pytest.mark.parametrize("reveal", ["outcome", "hint"])
def test_a_hidden_criterion_tells_no_point_and_no_reading(
    judge: FormulaJudge, formula: str, reveal: str
) -> None:
    hidden = MARGIN.model_copy(update={"visibility": "hidden", "reveal": reveal})
    result = checked(judge, formula, hidden)
    seen = as_seen_by_student(hidden, result)
    assert seen.outcome is result.outcome
    assert {item.kind for item in seen.feedback} <= {
        "asked",
        "hint",
        "misconception",
        "not_checked",
    }
    assert "3." not in told(seen)
    assert ("counts_itself" in seen.misconceptions) == (reveal == "hint" and "n(1-ε)" in formula)


def test_says_what_was_asked_where_the_pack_does_not(judge: FormulaJudge) -> None:
    plain = MARGIN.model_copy(update={"asks": "", "hint": ""})
    result = checked(judge, None, plain)
    assert result.feedback[0].text == "Give m as a formula in n, eps."
    assert [item.kind for item in result.feedback] == ["asked", "summary"]


def test_a_constant_needs_no_variables(judge: FormulaJudge) -> None:
    constant = MARGIN.model_copy(update={"formula": "log(2)", "variables": {}, "asks": ""})
    assert checked(judge, "ln 2", constant).outcome is Outcome.PASSED
    wrong = checked(judge, "ln 3", constant)
    assert "Your formula gives 1.09861…, the right one gives 0.693147…" in told(wrong)
    assert "n, eps" not in told(checked(judge, "ln n", constant))
