"""Properties of judging: any rewriting of a right formula passes, no change of one ever does."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.checks.symbolic_form import proves_equal
from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.symbolic_parse import read
from grader.checks.symbolic_tree import Call, Node, Number, Product, Sum, Variable, spell
from grader.checks.symbolic_verdict import MAX_LENGTH, Finding
from grader.problem import Domain

N = Domain(type="integer", min=2, max=50)
FOUNDING = {
    "log((n-1)*(1-eps)/eps)": {"n": N, "eps": Domain(min=0, max=1, aliases=("ε",))},
    "1/(1+(n-1)*exp(-m))": {"m": Domain(min=-20, max=20), "n": N},
}
NAMES = {name: name for name in ("n", "m")} | {"epsilon": "eps"}

quick = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def judge() -> Iterator[FormulaJudge]:
    with FormulaJudge() as judge:
        yield judge


def tree(formula: str) -> Node:
    node = read(formula, NAMES)
    assert isinstance(node, Call | Product), formula
    return node


def negative(node: Node) -> Node:
    return Sum(((-1, node),))


FACTORS = st.sampled_from(
    [Number(Fraction(3)), Number(Fraction(1, 4)), Variable("n"), Call("exp", (Variable("n"),))]
)


def rewritten(draw: st.DrawFn, node: Node) -> Node:
    """The same function on the founding domains, written otherwise, here and below."""
    match node:
        case Sum(terms):
            below = [(sign, rewritten(draw, term)) for sign, term in terms]
            node = Sum(tuple(draw(st.permutations(below))))
        case Product(factors):
            below = [(power, rewritten(draw, factor)) for power, factor in factors]
            node = Product(tuple(draw(st.permutations(below))))
        case Call("log", (Product(factors),)) if draw(st.booleans()):
            node = Sum(tuple((power, rewritten(draw, Call("log", (f,)))) for power, f in factors))
        case Call(function, (argument,)):
            node = Call(function, (rewritten(draw, argument),))
    choices = [node, node, *dressed(node, draw(FACTORS))]
    return draw(st.sampled_from(choices))


def dressed(node: Node, factor: Node) -> Iterator[Node]:
    """Ways to write one node that change only its outside."""
    yield Product(((1, factor), (1, node), (-1, factor)))
    yield Sum(((1, factor), (1, node), (-1, factor)))
    yield negative(negative(node))
    match node:
        case Product(factors):
            yield Product(((-1, Product(tuple((-power, f) for power, f in factors))),))
            yield from spread(factors)
        case Call("log", (argument,)):
            yield negative(Call("log", (Product(((-1, argument),)),)))
        case Call("exp", (argument,)):
            yield Product(((-1, Call("exp", (negative(argument),))),))


def spread(factors: tuple[tuple[int, Node], ...]) -> Iterator[Node]:
    """A product with one of its sums multiplied out."""
    for index, (power, factor) in enumerate(factors):
        if power > 0 and isinstance(factor, Sum):
            rest = (*factors[:index], *factors[index + 1 :])
            yield Sum(tuple((sign, Product(((1, term), *rest))) for sign, term in factor.terms))


@st.composite
def rewritings(draw: st.DrawFn, node: Node) -> str:
    text = spell(rewritten(draw, node))
    assume(len(text) <= MAX_LENGTH)
    return text


def changes(node: Node) -> Iterator[Node]:
    """Every tree that differs in one constant, one sign, or one * that is a /."""
    match node:
        case Number(value):
            for other in (value + 1, value * 2, value + Fraction(1, 1000), Fraction(0)):
                yield Number(other)
        case Sum(pairs) | Product(pairs):
            for index, (sign, inner) in enumerate(pairs):
                if inner != Number(Fraction(1)) or isinstance(node, Sum):
                    yield type(node)((*pairs[:index], (-sign, inner), *pairs[index + 1 :]))
                for changed in changes(inner):
                    yield type(node)((*pairs[:index], (sign, changed), *pairs[index + 1 :]))
        case Call(function, (argument,)):
            yield Sum(((-1, node),))
            for changed in changes(argument):
                yield Call(function, (changed,))


@pytest.mark.parametrize("reference", FOUNDING)
@quick
@given(data=st.data())
def test_any_rewriting_is_accepted(
    judge: FormulaJudge, reference: str, data: st.DataObject
) -> None:
    formula = data.draw(rewritings(tree(reference)))
    verdict = judge.judge(reference, FOUNDING[reference], formula, seed=3)
    assert verdict.equal, (formula, verdict)


@pytest.mark.parametrize("reference", FOUNDING)
@quick
@given(data=st.data())
def test_no_change_of_a_constant_or_sign_is_accepted(
    judge: FormulaJudge, reference: str, data: st.DataObject
) -> None:
    changed = data.draw(st.sampled_from(list(changes(tree(reference)))))
    formula = data.draw(st.just(spell(changed)) | rewritings(changed))
    verdict = judge.judge(reference, FOUNDING[reference], formula, seed=3)
    assert verdict.finding is Finding.REFUTED, (formula, verdict)


SMALL = st.recursive(
    st.sampled_from([Variable("n"), Variable("eps"), Number(Fraction(1)), Number(Fraction(2))]),
    lambda below: st.one_of(
        st.lists(st.tuples(st.sampled_from([1, -1]), below), min_size=2, max_size=3).map(
            lambda terms: Sum(tuple(terms))
        ),
        st.lists(st.tuples(st.sampled_from([1, -1]), below), min_size=2, max_size=3).map(
            lambda factors: Product(tuple(factors))
        ),
        st.builds(Call, st.sampled_from(["exp", "log", "sqrt"]), st.tuples(below)),
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(first=SMALL, second=SMALL, data=st.data())
def test_the_quick_proof_never_proves_what_values_refute(
    first: Node, second: Node, data: st.DataObject
) -> None:
    from grader.checks.symbolic_compare import Sampled, compare
    from grader.checks.symbolic_points import Range, points

    other = data.draw(
        st.sampled_from([second, Sum(((1, first), (1, second), (-1, second)))])
        | st.sampled_from(list(changes(first)) or [second])
    )
    where = points(
        [Range("n", True, Fraction(2), Fraction(9)), Range("eps", False, Fraction(0), Fraction(1))],
        "0",
    )
    verdict = compare(Sampled(first, where), Sampled(other, where))
    if verdict.finding is Finding.REFUTED and not verdict.reason:
        assert not proves_equal(first, other), (spell(first), spell(other))


@quick
@given(st.text(max_size=80) | st.text(alphabet="nmeε()[]{}+-*/^.,0129\\ lxpogqrt", max_size=80))
def test_any_text_gets_a_verdict(judge: FormulaJudge, text: str) -> None:
    reference = "log((n-1)*(1-eps)/eps)"
    verdict = judge.judge(reference, FOUNDING[reference], text, seed=3)
    assert verdict.finding is not Finding.BROKEN
    if verdict.finding is Finding.UNREADABLE:
        assert verdict.position is not None
        assert 0 <= verdict.position <= len(text)
