"""Judging formulas: right ones in any writing, wrong ones never, and nothing that hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

import pytest

from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.symbolic_verdict import MAX_LENGTH, Finding
from grader.problem import Domain

MARGIN = "log((n-1)*(1-eps)/eps)"
SHARE = "1/(1+(n-1)*exp(-m))"
N = Domain(type="integer", min=2, max=50)
OF_MARGIN = {"n": N, "eps": Domain(min=0, max=1, aliases=("ε", "epsilon"))}
OF_SHARE = {"m": Domain(min=-20, max=20), "n": N}
SEED = 1729


@pytest.fixture(scope="module")
def judge() -> Iterator[FormulaJudge]:
    with FormulaJudge() as judge:
        judge.warm_up()
        yield judge


# --- right and wrong -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        MARGIN,
        "ln(n-1) + ln((1-eps)/eps)",
        "ln((n-1)/eps*(1-eps))",
        "-log(eps/((1-eps)(n-1)))",
        "ln(n−1) + ln(1−ε) − ln ε",
        "log(n - n*eps - 1 + eps) - log(eps)",
        "log(1/eps - 1) + log(n-1)",
        "0.5*ln((n-1)²*(1-ε)²/ε²)",
        "ln(2n-2) - ln(2ε) + ln(1-ε)",
        "-ln(1/(n-1)) - ln(ε/(1-ε))",
        r"\ln\frac{(n-1)(1-\epsilon)}{\epsilon}",
    ],
)
def test_proves_every_way_to_write_the_margin(judge: FormulaJudge, formula: str) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, formula, SEED)
    assert verdict.finding is Finding.PROVED, verdict
    assert verdict.points > 30


@pytest.mark.parametrize(
    "formula",
    [
        SHARE,
        "exp(m)/(exp(m)+n-1)",
        "1/(1+(n-1)e^{-m})",
        "1 - (n-1)/(n-1+e^m)",
        "e**m/(e**m+(n-1))",
        "(1+(n-1)/e^m)^(-1)",
        "1/(1+exp(ln(n-1)-m))",
        "exp(m - ln(e^m + n - 1))",
        "n*e^m/(n*e^m + n^2 - n)",
        r"\frac{e^{m}}{e^{m}+(n-1)}",
    ],
)
def test_proves_every_way_to_write_the_share(judge: FormulaJudge, formula: str) -> None:
    verdict = judge.judge(SHARE, OF_SHARE, formula, SEED)
    assert verdict.finding is Finding.PROVED, verdict


@pytest.mark.parametrize(
    ("reference", "variables", "formula"),
    [
        (MARGIN, OF_MARGIN, "ln(n/eps)"),
        (MARGIN, OF_MARGIN, "ln((1-eps)/eps)"),
        (MARGIN, OF_MARGIN, "ln((n-1)/eps)"),
        (MARGIN, OF_MARGIN, "ln(n*(1-eps)/eps)"),
        (MARGIN, OF_MARGIN, "-ln((n-1)(1-eps)/eps)"),
        (MARGIN, OF_MARGIN, "abs(ln((n-1)(1-eps)/eps))"),  # differs where it is negative
        (MARGIN, OF_MARGIN, "max(0, ln((n-1)(1-eps)/eps))"),
        (MARGIN, OF_MARGIN, "ln((n-1)(1-eps)/eps) + 1e-40"),
        (MARGIN, OF_MARGIN, "ln((n-1)(1-eps)/eps)/2.302585092994046"),
        (MARGIN, OF_MARGIN, "9**9**9"),
        (SHARE, OF_SHARE, "1/(1+exp(-m))"),
        (SHARE, OF_SHARE, "1/(1+n*exp(-m))"),
        (SHARE, OF_SHARE, "1/(1+(n-1)*exp(m))"),
        (SHARE, OF_SHARE, "1/(1+(n-1)*2.718281828^(-m))"),
        (SHARE, OF_SHARE, "1"),
        ("n/3", {"n": N}, "0.333333*n"),
        ("n/3", {"n": N}, "0.3333333333333333333333333333333333*n"),
        ("n", {"n": N}, "n + (n-2)*(n-50)*0 + min(n-2, 1)"),  # right only at the least n
        ("n", {"n": N}, "min(n, 49)"),  # wrong only at the largest n
        ("x", {"x": Domain(min=0, max=1)}, "max(x, 0.0000001)"),  # wrong only near a bound
        ("x", {"x": Domain(min=0, max=1)}, "min(x, 0.9999999)"),
        ("x", {"x": Domain(min=-1, max=1)}, "abs(x)"),
        ("2^0.5", {}, "1.41421356237309504880168872420969807857"),
    ],
)
def test_refutes_what_differs_anywhere(
    judge: FormulaJudge, reference: str, variables: Mapping[str, Domain], formula: str
) -> None:
    verdict = judge.judge(reference, variables, formula, SEED)
    assert verdict.finding is Finding.REFUTED, verdict
    assert [name for name, _ in verdict.at] == list(variables)
    assert verdict.given != verdict.expected


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        ("log((n-1)*(1-eps)/eps)*(n-2)/(n-2)", "divides by zero"),
        ("log((n-1)*(1-eps)/eps) + 0*log(n-2)", "logarithm of zero"),
        ("log(eps-1) + log(1-n) - log(eps)", "logarithm of a negative number"),
        ("sqrt(1-n)", "square root of a negative number"),
        ("(1-n)^0.5", "fractional power of a negative number"),
        ("0^(1-n)", "divides by zero"),
    ],
)
def test_refutes_what_is_undefined_where_the_right_one_is_not(
    judge: FormulaJudge, formula: str, reason: str
) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, formula, SEED)
    assert verdict.finding is Finding.REFUTED
    if "n-2" in formula:
        assert verdict.at[0] == ("n", "2")
    assert reason in verdict.reason
    assert verdict.given == ""
    assert verdict.expected


def test_shows_a_small_point_and_both_values(judge: FormulaJudge) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, "ln(n/eps)", SEED)
    assert verdict.at == (("n", "4"), ("eps", "0.1"))
    assert (verdict.given, verdict.expected) == ("3.68888…", "3.29584…")
    assert verdict.reading == "log(n/eps)"


def test_shows_enough_digits_to_see_a_small_difference(judge: FormulaJudge) -> None:
    verdict = judge.judge("n/4", {"n": N}, "n/4 + 1e-30", SEED)
    assert verdict.expected == "1"
    assert verdict.given == "1.000000000000000000000000000001"


def test_cancellation_costs_no_digits(judge: FormulaJudge) -> None:
    near = "(exp(m) + 1e30) - 1e30"
    assert judge.judge("exp(m)", {"m": OF_SHARE["m"]}, near, SEED).finding is Finding.PROVED
    x = {"x": Domain(min=0, max=1)}
    lost = "(1 - sqrt(1 - 1e-36*x))*(1 + sqrt(1 - 1e-36*x))*1e36"
    assert judge.judge("x", x, lost, SEED).equal
    assert judge.judge("x", x, lost + "+ 1e-30", SEED).finding is Finding.REFUTED


def test_a_value_on_the_edge_of_being_defined_is_not_called_undefined(judge: FormulaJudge) -> None:
    edge = "n + sqrt(log(2) + log(3) - log(6))"  # the root of an exact zero, written otherwise
    assert judge.judge("n", {"n": N}, edge, SEED).finding is Finding.UNDECIDED


def test_sympy_proves_what_simple_algebra_does_not(judge: FormulaJudge) -> None:
    halves = "exp(m/2)/(exp(m/2) + (n-1)*exp(-m/2))"
    assert judge.judge(SHARE, OF_SHARE, halves, SEED).finding is Finding.PROVED
    # True for positive arguments only, which these domains make sure of.
    roots = "2*ln(sqrt(n-1)*sqrt(1-eps)/sqrt(eps))"
    assert judge.judge(MARGIN, OF_MARGIN, roots, SEED).finding is Finding.PROVED


def test_equal_but_unproved_agrees(judge: FormulaJudge) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, MARGIN + " + 0*9**9**9", SEED)
    assert verdict.finding is Finding.AGREES
    assert verdict.points > 30


@pytest.mark.parametrize("formula", ["exp(exp(exp(exp(exp(n)))))", "9**9**9**9", "n^n^n^n^n^n"])
def test_what_no_machine_can_evaluate_is_undecided(judge: FormulaJudge, formula: str) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, formula, SEED)
    assert verdict.finding is Finding.UNDECIDED
    assert "0 of" in verdict.reason


def test_unreadable_says_where(judge: FormulaJudge) -> None:
    verdict = judge.judge(MARGIN, OF_MARGIN, "ln((n-1)*(1-epz)/eps)", SEED)
    assert verdict.finding is Finding.UNREADABLE
    assert (verdict.position, verdict.unknown, verdict.meant) == (12, "epz", "eps")


def test_constant_formulas_have_one_point(judge: FormulaJudge) -> None:
    verdict = judge.judge("log(2)", {}, "ln 6 - ln 3", SEED)
    assert (verdict.finding, verdict.points) == (Finding.PROVED, 1)


# --- what the pack gets wrong --------------------------------------------------------------


@pytest.mark.parametrize(
    ("reference", "variables", "reason"),
    [
        ("log((n-1", {"n": N}, "not readable at character 5"),
        ("log(k)", {"n": N}, "`k` is not a name"),
        ("log(1-n)", {"n": N}, "a value at only 0 of"),
        ("exp(exp(exp(exp(exp(n)))))", {"n": N}, "a value at only 0 of"),
        ("x", {"x": Domain(min=1, max=1)}, "domain of x"),
        ("x", {"x": Domain(min=2, max=1)}, "domain of x"),
        ("x", {"x": Domain(type="integer", min=0.25, max=0.75)}, "domain of x"),
    ],
)
@pytest.mark.parametrize("formula", ["n", "x", "((", "9**9**9"])
def test_a_fault_of_the_pack_is_never_blamed_on_the_student(
    judge: FormulaJudge, reference: str, variables: Mapping[str, Domain], reason: str, formula: str
) -> None:
    verdict = judge.judge(reference, variables, formula, SEED)
    assert verdict.finding is Finding.BROKEN
    assert reason in verdict.reason
    assert reference not in verdict.reason or len(reference) == 1


def test_a_pack_can_check_its_own_formulas(judge: FormulaJudge) -> None:
    assert judge.judge(MARGIN, OF_MARGIN, MARGIN, SEED).finding is Finding.PROVED
    assert judge.judge(MARGIN, OF_MARGIN, "log(n/eps)", SEED).finding is Finding.REFUTED


def test_points_outside_a_references_domain_do_not_count(judge: FormulaJudge) -> None:
    some_negative = {"x": Domain(min=-1, max=9)}
    assert judge.judge("log(x)", some_negative, "2*log(sqrt(x))", SEED).equal
    assert judge.judge("log(x)", some_negative, "log(x+1)", SEED).finding is Finding.REFUTED


# --- hostile formulas ----------------------------------------------------------------------

HOSTILE = [
    "9**9**9**9**9",
    "(" * 240 + "n" + ")" * 240,
    "(" * 100_000,
    "-" * 499 + "1",
    "2^" * 240 + "2",
    "*".join(["(n+eps+1)^99"] * 38),
    "+".join(["(n*eps)^n^n"] * 40),
    "log(" * 100 + "n" + ")" * 100,
    "((((n+eps)^64)^64)^64)^64",
    "((((n+eps)^-99)^-99)^99)^99 - 9^9^9 + 9^9^9",
    "exp(1e15)*exp(1e15) - exp(1e15)*exp(1e15)",
    "factorial(10**9)",
    "__import__('os').system('kill 0')",
    "open('/etc/passwd').read()",
    "n\x00\ud800",
    '", "formula": "n',
    "1e99999999999",
    "9" * 499,
    "\\" * 200,
]


def test_hostile_formulas_cost_little_and_leave_the_judge_whole(judge: FormulaJudge) -> None:
    began = time.monotonic()
    for formula in HOSTILE:
        assert not judge.judge(MARGIN, OF_MARGIN, formula, SEED).equal
    assert judge.judge(MARGIN, OF_MARGIN, MARGIN, SEED).equal
    assert time.monotonic() - began < 60


def test_a_text_too_long_to_read_never_reaches_the_worker() -> None:
    with FormulaJudge() as judge:
        verdict = judge.judge(MARGIN, OF_MARGIN, "n" * 10_000_000, SEED)
        assert verdict.finding is Finding.UNREADABLE
        assert str(MAX_LENGTH) in verdict.reason
