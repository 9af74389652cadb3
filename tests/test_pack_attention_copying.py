"""The founding pack: right answers pass, every known mistake loses points where it is meant to.

Functions are called in this process, without a sandbox: what is tested is the pack's own cases,
tolerances and predicates, through the checks that grade with them.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader import Returned, spec
from grader.checks import matches, properties, symbolic
from grader.checks.attempt import called
from grader.checks.symbolic_judge import FormulaJudge
from grader.checks.together import reconciled
from grader.evidence import Answer, AnswerKey, Ending, Observation, Run
from grader.pipeline.prepare import Prepared, prepare
from grader.pipeline.rehearse import rehearse
from grader.problem import (
    CodeCriterion,
    MatchesCriterion,
    PropertyCriterion,
    SymbolicCriterion,
    WrittenCriterion,
)
from grader.result import CheckResult, Outcome
from grader.value import Opaque

Functions = dict[str, Callable[..., Any]]

FOLDER = Path(__file__).parents[1] / "problems" / "attention_copying"
PACK = spec.load(FOLDER)
PROBLEM = PACK.problem
CODE = [c for _, c in PROBLEM.criteria() if isinstance(c, CodeCriterion)]
RIGHT = {name: PACK.reference[name] for name in PROBLEM.functions}
SEEDS = (PROBLEM.seed, 0)


# --- grading without a sandbox ------------------------------------------------------------------


@cache
def prepared(seed: int) -> Prepared:
    return prepare(PACK, seed)


def key(criterion: CodeCriterion, seed: int = PROBLEM.seed) -> AnswerKey:
    return prepared(seed).keys[criterion.id]


def grade(functions: Functions, criterion: CodeCriterion, seed: int) -> CheckResult:
    answers = key(criterion, seed)
    seen = rehearse(answers.stimuli, functions, FOLDER)
    run = Run(seen, Observation(Ending.RETURNED), dict.fromkeys(functions, "function"))
    earlier = rehearse(answers.earlier.stimuli, functions, FOLDER) if answers.earlier else ()
    known = PROBLEM.misconceptions
    if isinstance(criterion, MatchesCriterion):
        return matches.check(criterion, answers, seen, run, known, earlier)
    predicate = PACK.checks[criterion.check]
    return properties.check(criterion, answers, seen, run, known, predicate, earlier)


def lost(functions: Functions, seed: int = PROBLEM.seed) -> dict[str, CheckResult]:
    """The code criteria that do not pass, of those that call a function unlike the reference."""
    changed = {name for name, function in functions.items() if function is not RIGHT[name]}
    asked = [c for c in CODE if any(changed.intersection(called(s)) for s in key(c, seed).stimuli)]
    results = [grade(functions, criterion, seed) for criterion in asked]
    assert all(r.outcome is not Outcome.GRADER_ERROR for r in results), results
    return {r.criterion_id: r for r in results if r.fraction < 1}


def settled(losses: dict[str, CheckResult]) -> list[CheckResult]:
    """What was lost, each criterion in view of the others."""
    criteria = [criterion for criterion in CODE if criterion.id in losses]
    return reconciled(criteria, [losses[c.id] for c in criteria], PROBLEM.misconceptions)


def told(result: CheckResult) -> str:
    """What the feedback says, as one text."""
    return "\n".join(f"{item.text}" for item in result.feedback)


def first_case(result: CheckResult) -> str:
    """The label of the failing case that is shown."""
    return next(item.case.label for item in result.feedback if item.case is not None)


# --- right answers ------------------------------------------------------------------------------


def logsumexp_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    logits = K @ q
    top = logits.max()
    return np.exp(logits - top - np.log(np.exp(logits - top).sum()))


def looping_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    logits = [sum(float(a) * float(b) for a, b in zip(k, q, strict=True)) for k in K]
    exponentials = [math.exp(x - max(logits)) for x in logits]
    return np.array([e / sum(exponentials) for e in exponentials])


def ratio_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    logits = np.einsum("nd,d->n", K, q)
    return 1 / np.exp(logits[None, :] - logits[:, None]).sum(axis=1)


def single_precision_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    logits = K.astype(np.float32) @ q.astype(np.float32)
    exponentials = np.exp(logits - logits.max())
    return exponentials / exponentials.sum()


def rounded_once_weights(q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """In the precision of the input, then stored as float64."""
    logits = (K * q).sum(axis=1)
    exponentials = np.exp(logits - np.max(logits))
    return np.array([float(e) for e in exponentials / exponentials.sum()])


def attend_by_sum(weights: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    return lambda q, K, V: sum(a * v for a, v in zip(weights(q, K), V, strict=True))


def lead(n: int, eps: float) -> float:
    return math.log((n - 1) * (1 - eps) / eps) if n > 1 else 0.0


def solved_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    wanted = np.zeros(len(K))
    wanted[j] = lead(len(K), eps)
    return K.T @ np.linalg.solve(K @ K.T, wanted)


def pinv_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    return np.linalg.pinv(K)[:, j] * math.log(len(K) / eps)


def gram_schmidt_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    residue = K[j].astype(float)
    basis: list[np.ndarray] = []
    for row in np.delete(K, j, axis=0):
        for unit in basis:
            row = row - (row @ unit) * unit
        basis.append(row / np.linalg.norm(row))
    for unit in basis:
        residue = residue - (residue @ unit) * unit
    return lead(len(K), eps) * residue / (residue @ K[j])


def projected_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    others = np.delete(K, j, axis=0)
    residue = K[j] - np.linalg.pinv(others) @ (others @ K[j]) if len(others) else K[j]
    return (lead(len(K), eps) + 1) * residue / (residue @ residue)


def sharp_query(K: np.ndarray, j: int, eps: float) -> np.ndarray:
    """So long that every other weight underflows to 0: honest, though extravagant."""
    return np.linalg.pinv(K)[:, j] * 5000


def composed(peaked: Callable[..., Any], attend: Callable[..., Any]) -> Callable[..., Any]:
    return lambda K, V, j, eps: attend(peaked(K, j, eps), K, V)


def right_answer(weights: Any, attend: Any, peaked: Any) -> Functions:
    return {
        "attention_weights": weights,
        "attend": attend,
        "peaked_query": peaked,
        "copy_value": composed(peaked, attend),
    }


def average(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.average(V, axis=0, weights=logsumexp_weights(q, K))


def transposed(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return V.T @ logsumexp_weights(q, K)


def broadcast(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return (ratio_weights(q, K)[:, None] * V).sum(axis=0)


def einsum(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.einsum("n,nd->d", rounded_once_weights(q, K), V)


VARIANTS = {
    "logsumexp, np.average, solve": right_answer(logsumexp_weights, average, solved_query),
    "loops, Gram-Schmidt": right_answer(
        looping_weights, attend_by_sum(looping_weights), gram_schmidt_query
    ),
    "ratios, broadcasting, pinv": right_answer(ratio_weights, broadcast, pinv_query),
    "float32 inside, V.T @ weights": right_answer(
        single_precision_weights, transposed, projected_query
    ),
    "a sharp query": right_answer(rounded_once_weights, einsum, sharp_query),
}


@pytest.mark.parametrize("criterion", CODE, ids=lambda c: c.id)
def test_the_reference_passes(criterion: CodeCriterion) -> None:
    assert grade(RIGHT, criterion, PROBLEM.seed).fraction == 1


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_right_answers_pass_everything(variant: str, seed: int) -> None:
    assert {id: told(result) for id, result in lost(VARIANTS[variant], seed).items()} == {}


# --- known mistakes -----------------------------------------------------------------------------


def with_mistake(misconception_id: str, function: str) -> Functions:
    """The work of a student who makes one mistake, in one function, and builds on it in iv."""
    mistake = next(m for m in PROBLEM.misconceptions if m.id == misconception_id)
    functions = RIGHT | {function: PACK.misconceptions[mistake.functions[function]]}
    if function in ("attention_weights", "copy_value"):
        return functions
    copying = composed(functions["peaked_query"], functions["attend"])
    return functions | {"copy_value": copying}


def weights(names: str) -> str:
    return " ".join(f"weights_{name}" for name in names.split())


def attend(names: str) -> str:
    return " ".join(f"attend_{name}" for name in names.split())


ALL_COPY = " own_query copy_close copy_attends copy_any_values copy_shape"
VALUES = "small extreme dtypes larger"
"""The criteria of kind `matches`, in parts i and iii."""

FIRST = "one key (n = 1), one dimension (d = 1)"
ONE_DIMENSION = "one dimension (d = 1)"
SQUARE = "as many keys as dimensions (n = d = 2)"

LOSSES: dict[tuple[str, str], tuple[str, str]] = {
    # mistake, function → the first criterion's shown case, and all the criteria that are lost
    ("scaled", "attention_weights"): (
        SQUARE,
        weights("small dtypes larger dot_products margin"),
    ),
    ("overflow", "attention_weights"): ("dot products 1000, 1001, 1002", weights("extreme")),
    ("minus_min", "attention_weights"): ("dot products -800, 0, 800", weights("extreme")),
    ("minus_half_max", "attention_weights"): ("dot products 0, 5000, 10000", weights("extreme")),
    ("wrong_axis", "attention_weights"): (
        "one key (n = 1)",
        weights(
            f"{VALUES} distribution shift permuted dot_products margin mixture shape inputs_kept"
        ),
    ),
    ("softmax_over_queries", "attention_weights"): (
        ONE_DIMENSION,
        weights(f"{VALUES} distribution margin"),
    ),
    ("not_normalised", "attention_weights"): (
        FIRST,
        weights(f"{VALUES} distribution shift margin"),
    ),
    ("raw_logits", "attention_weights"): (FIRST, weights(f"{VALUES} distribution shift margin")),
    ("l1_logits", "attention_weights"): (
        ONE_DIMENSION,
        weights(f"{VALUES} distribution shift margin"),
    ),
    ("hard_attention", "attention_weights"): (
        ONE_DIMENSION,
        weights(f"{VALUES} permuted margin mixture"),
    ),
    ("cosine", "attention_weights"): (
        ONE_DIMENSION,
        weights(f"{VALUES} shift dot_products margin mixture"),
    ),
    ("integer_result", "attention_weights"): ("integers", weights("dtypes")),
    ("changes_input", "attention_weights"): ("n = d = 2", weights("inputs_kept")),
    ("column_vector", "attention_weights"): (FIRST, weights(f"{VALUES} shape")),
    ("list_result", "attention_weights"): ("n = d = 2", weights("shape")),
    ("scaled", "attend"): (SQUARE, attend("small dtypes larger bound") + " copy_close"),
    ("overflow", "attend"): ("dot products 1000, 1001, 1002", attend("extreme")),
    ("minus_min", "attend"): ("dot products -800, 0, 800", attend("extreme")),
    ("minus_half_max", "attend"): ("dot products 0, 5000, 10000", attend("extreme")),
    ("wrong_axis", "attend"): (
        ONE_DIMENSION,
        attend(f"{VALUES} hull bound shape inputs_kept")
        + " misled own_query copy_close copy_attends copy_shape",
    ),
    ("values_by_column", "attend"): (
        ONE_DIMENSION,
        attend(f"{VALUES} hull bound shape inputs_kept") + " misled" + ALL_COPY,
    ),
    ("softmax_over_queries", "attend"): (
        ONE_DIMENSION,
        attend(f"{VALUES} hull bound") + " misled own_query copy_close",
    ),
    ("not_normalised", "attend"): (
        FIRST,
        attend(f"{VALUES} hull bound") + " misled copy_close",
    ),
    ("raw_logits", "attend"): (FIRST, attend(f"{VALUES} hull bound") + " misled copy_close"),
    ("l1_logits", "attend"): (ONE_DIMENSION, attend(f"{VALUES} hull bound") + " misled"),
    ("hard_attention", "attend"): (ONE_DIMENSION, attend(f"{VALUES} bound") + " misled"),
    ("cosine", "attend"): (ONE_DIMENSION, attend(f"{VALUES} bound") + " copy_close"),
    ("softmax_of_values", "attend"): (
        ONE_DIMENSION,
        attend(f"{VALUES} bound") + " misled own_query copy_close copy_attends copy_any_values",
    ),
    ("integer_result", "attend"): ("integers", attend("dtypes")),
    ("changes_input", "attend"): ("n = 2, d = 2", attend("inputs_kept")),
    ("column_vector", "attend"): (FIRST, attend(f"{VALUES} shape") + " copy_shape"),
    ("list_result", "attend"): ("n = 2, d = 2", attend("shape") + " copy_shape"),
    ("returns_pair", "attend"): (
        FIRST,
        attend(f"{VALUES} hull bound shape") + " misled" + ALL_COPY,
    ),
    ("changes_input", "peaked_query"): ("n = d = 2", "query_inputs_kept"),
    ("column_vector", "peaked_query"): ("n = d = 2", "query_shape" + ALL_COPY),
    ("list_result", "peaked_query"): ("n = d = 2", "query_shape"),
    ("key_as_query", "peaked_query"): (
        "two keys",
        "query_orthonormal query_general query_hard",
    ),
    ("scaled_key", "peaked_query"): (
        "a short key and a long one",
        "query_general query_hard",
    ),
    ("scaled_unit_key", "peaked_query"): (
        "the other key has the larger dot product with k_j",
        "query_general query_hard",
    ),
    ("two_keys_only", "peaked_query"): (
        "three keys: two rivals add up",
        "query_orthonormal query_general query_hard",
    ),
    ("log_of_zero", "peaked_query"): (FIRST, "query_one_key"),
    ("indexes_value", "copy_value"): (
        "two keys along the axes, one of the other values holds nan",
        "copy_attends",
    ),
}
MISTAKES = [(m.id, function) for m in PROBLEM.misconceptions for function in m.functions]


@cache
def lost_by(mistake: str, function: str, seed: int = PROBLEM.seed) -> dict[str, CheckResult]:
    return lost(with_mistake(mistake, function), seed)


@pytest.mark.parametrize(("mistake", "function"), MISTAKES)
def test_a_mistake_loses_what_it_should_and_is_shown_its_own_case(
    mistake: str, function: str
) -> None:
    losses = lost_by(mistake, function)
    case, criteria = LOSSES[mistake, function]
    assert sorted(losses) == sorted(criteria.split())
    assert first_case(losses[criteria.split()[0]]) == case


@pytest.mark.parametrize(("mistake", "function"), MISTAKES)
def test_what_a_mistake_loses_does_not_hang_on_the_seed(mistake: str, function: str) -> None:
    losses = lost_by(mistake, function, seed=0)
    assert sorted(losses) == sorted(LOSSES[mistake, function][1].split())


@pytest.mark.parametrize(("mistake", "function"), MISTAKES)
def test_a_mistake_is_told_apart_from_all_others(mistake: str, function: str) -> None:
    named = [result.misconceptions for result in settled(lost_by(mistake, function))]
    assert (mistake,) in named


def test_nan_throughout_is_taken_for_no_mistake_that_gives_nan_here_and_there() -> None:
    losses = lost(RIGHT | {"attend": lambda q, K, V: V[0] * np.nan})
    fitting = {name for result in losses.values() for name in result.hunches}
    assert fitting >= {"l1_logits", "overflow"}
    assert not any(result.misconceptions for result in settled(losses))


def test_a_mistake_in_the_query_is_carried_forward() -> None:
    part = {c.id for c in next(p for p in PROBLEM.parts if p.id == "iv").criteria}
    for mistake in ("key_as_query", "scaled_key", "two_keys_only", "log_of_zero", "list_result"):
        assert not part & lost_by(mistake, "peaked_query").keys()


# --- error carried forward: attend and copy_value on the student's own weights ------------------

ON_WEIGHTS = "attend_small attend_extreme attend_dtypes attend_larger attend_hull attend_bound"
"""The criteria that an attend without fault may lose by its weights."""


def building_on(weights: Any, average: Any) -> Functions:
    """A student's work: `average(weights, V)` of their own weights, whatever these are."""

    def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        return average(weights(q.copy(), K.copy()), V)

    return right_answer(weights, attend, solved_query)


def weighted(weights: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.asarray(weights) @ V


def criteria(*ids: str) -> list[CodeCriterion]:
    return [criterion for criterion in CODE if criterion.id in ids]


def won(functions: Functions, criterion: CodeCriterion, seed: int = PROBLEM.seed) -> str:
    result = grade(functions, criterion, seed)
    assert result.outcome is not Outcome.GRADER_ERROR, told(result)
    return "carried" if result.carried else str(result.outcome)


LEFT = {
    # misconception in the weights → what a right attend and copy_value built on it still lose
    "scaled": "",
    "cosine": "attend_extreme",  # a key of length 0 has no direction, and gives nan
    "raw_logits": "misled copy_close",  # one logit that is not 0, or none: no average to be seen
    "l1_logits": "misled",
    "not_normalised": "attend_extreme misled",  # inf is nothing to build on
    "overflow": "attend_extreme",  # neither is nan
    "minus_min": "attend_extreme",
    "minus_half_max": "attend_extreme",
    # a sum, and a value picked out: no averages either
    "softmax_over_queries": f"{ON_WEIGHTS} misled own_query copy_close",
    "hard_attention": ON_WEIGHTS.replace("attend_hull ", "") + " misled",
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mistake", LEFT)
def test_what_is_right_on_wrong_weights_costs_part_i_alone(mistake: str, seed: int) -> None:
    misconception = next(m for m in PROBLEM.misconceptions if m.id == mistake)
    wrong = PACK.misconceptions[misconception.functions["attention_weights"]]
    losses = lost(building_on(wrong, weighted), seed)
    assert {id for id in losses if id[:7] != "weights"} == set(LEFT[mistake].split())
    assert any(id.startswith("weights") for id in losses)


@pytest.mark.parametrize("mistake", ["scaled", "cosine", "raw_logits", "l1_logits"])
@pytest.mark.parametrize(
    "average",
    [
        lambda a, V: V.mean(axis=0),
        lambda a, V: V[int(np.argmax(a))],
        lambda a, V: V[0] * 0,
        lambda a, V: a[:-1] @ V[:-1],  # forgets the last value
        lambda a, V: 2 * (a @ V),
        lambda a, V: (a @ V)[::-1],
        lambda a, V: a @ V + 1e-3,
        lambda a, V: np.full(V.shape[1], np.nan),
        lambda a, V: (a @ V)[:, None],
        lambda a, V: np.round(a, 2) @ V,
    ],
    ids="mean pick zeros forgets doubles reverses shifts nan column rounds".split(),
)
@pytest.mark.parametrize("scale", [1, 1e-30])
def test_what_is_wrong_on_wrong_weights_is_not_carried(
    mistake: str, average: Any, scale: float
) -> None:
    misconception = next(m for m in PROBLEM.misconceptions if m.id == mistake)
    wrong = PACK.misconceptions[misconception.functions["attention_weights"]]
    functions = building_on(lambda q, K: scale * wrong(q, K), average)
    for criterion in criteria("attend_small", "attend_larger", "attend_dtypes"):
        assert won(functions, criterion) == "failed"


@pytest.mark.parametrize(
    "weights",
    [
        lambda q, K: np.zeros(len(K)),
        lambda q, K: np.ones(len(K)),
        lambda q, K: np.full(len(K), 1 / len(K)),
        lambda q, K: np.eye(len(K))[0],
        lambda q, K: np.full(len(K), np.nan),
        lambda q, K: np.full(len(K), np.inf),
        lambda q, K: np.eye(len(K))[0] + 1e-6,  # as good as one value
        lambda q, K: 1 + 1e-6 * np.arange(len(K)),  # as good as a sum
        lambda q, K: np.arange(1.0, len(K) + 1),  # the same whatever q and K
        lambda q, K: np.arange(float(len(K)), 0, -1),
        lambda q, K: [int(x * 2.0**80) for x in K @ q + 1],  # no array holds them
        lambda q, K: (K @ q)[:, None],
        lambda q, K: np.append(K @ q, 1.0),
        lambda q, K: 0.5,
        lambda q, K: None,
        lambda q, K: "weights",
        lambda q, K: (K @ q) * 1j,
        lambda q, K: 1 / 0,
    ],
    ids=(
        "zeros ones uniform first nan inf nearly_first nearly_ones rising falling huge column "
        "long number none text complex raises"
    ).split(),
)
def test_weights_that_make_an_average_trivial_carry_nothing(weights: Any) -> None:
    def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> Any:
        return np.ravel(np.asarray(weights(q, K), float)) @ V

    functions = right_answer(weights, attend, solved_query)
    for criterion in criteria("attend_small", "misled", "own_query", "copy_close"):
        assert won(functions, criterion) != "carried"


@pytest.mark.parametrize(
    "weights",
    [
        lambda n: np.linspace(1, 2, n),
        lambda n: 2 * np.eye(n)[0] + np.eye(n)[-1],
        lambda n: np.sin(1 + np.arange(n)) + n,
    ],
    ids=["from 1 to 2", "both ends", "any that n tells"],
)
def test_weights_that_the_number_of_keys_tells_carry_nothing_where_it_comes_twice(
    weights: Any,
) -> None:
    functions = building_on(lambda q, K: weights(len(K)), weighted)
    for criterion in criteria(
        "attend_small", "attend_extreme", "attend_dtypes", "attend_larger", "attend_bound"
    ):
        assert won(functions, criterion) == "failed"


def test_weights_that_only_seem_wrong_where_they_are_asked_for_gain_nothing_by_it() -> None:
    asked = 0

    def counting(q: np.ndarray, K: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += 1
        return RIGHT["attention_weights"](q, K) ** asked

    functions = building_on(counting, weighted)
    assert won(functions, criteria("attend_small")[0]) == "failed"


def test_an_earlier_function_that_is_not_there_carries_nothing() -> None:
    functions = building_on(PACK.misconceptions["scaled_weights"], weighted)
    del functions["attention_weights"]
    key_ = key(criteria("attend_small")[0])
    seen = rehearse(key_.stimuli, functions, FOLDER)
    gone = tuple(Observation(Ending.MISSING) for _ in seen)
    run = Run(seen, Observation(Ending.RETURNED), {"attend": "function"})
    criterion = criteria("attend_small")[0]
    assert isinstance(criterion, MatchesCriterion)
    for earlier in (gone, (), gone[:1]):
        result = matches.check(criterion, key_, seen, run, PROBLEM.misconceptions, earlier)
        assert (result.outcome, result.carried) == (Outcome.FAILED, False)


def test_a_carried_part_names_no_misconception_and_says_why_it_counts() -> None:
    functions = building_on(PACK.misconceptions["scaled_weights"], weighted)
    results = [grade(functions, criterion, PROBLEM.seed) for criterion in CODE]
    for criterion, result in zip(
        CODE, reconciled(CODE, results, PROBLEM.misconceptions), strict=True
    ):
        if result.carried:
            assert result.fraction == 1
            assert not result.misconceptions
            assert "given your own `attention_weights`" in told(result)
            assert "is judged in part" in told(result)
        assert result.carried == (criterion.id in (
            "attend_small attend_dtypes attend_larger attend_bound copy_close"
        ).split())  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    weights=st.lists(st.floats(-10, 10), min_size=4, max_size=4),
    output=st.lists(st.floats(-100, 100), min_size=2, max_size=2),
    honest=st.booleans(),
)
def test_no_more_is_won_than_the_reference_gives_unless_it_is_the_own_average(
    weights: list[float], output: list[float], honest: bool
) -> None:
    criterion = criteria("attend_small")[0]

    def own(q: np.ndarray, K: np.ndarray) -> np.ndarray:
        return np.array(weights)[: len(K)] * (1 + K @ q)

    def attend(q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
        return own(q, K) @ V if honest else np.resize(output, V.shape[1])

    result = grade(right_answer(own, attend, solved_query), criterion, PROBLEM.seed)
    assert honest or result.fraction == 0
    if result.fraction:
        assert result.carried
        assert PACK.checks["are_usable_weights"](
            [Returned(s.args[:2], own(*s.args[:2])) for s in key(criterion).stimuli]
        ) is None  # fmt: skip


# --- formulas -----------------------------------------------------------------------------------

SYMBOLIC = {c.id: c for _, c in PROBLEM.criteria() if isinstance(c, SymbolicCriterion)}


def value(formula: str, **variables: float) -> float:
    return float(eval(formula, {"log": math.log, "exp": math.exp}, variables))


@pytest.mark.parametrize("n", [2, 3, 17, 50])
@pytest.mark.parametrize("eps", [0.9, 0.3, 1e-3, 1e-9])
def test_the_formulas_say_what_attention_does(n: int, eps: float) -> None:
    margin = value(SYMBOLIC["margin"].formula, n=n, eps=eps)
    logits = np.zeros((n, 1))
    logits[0] = margin
    weight = RIGHT["attention_weights"](np.ones(1), logits)[0]
    assert math.isclose(weight, 1 - eps, rel_tol=1e-12)
    share = value(SYMBOLIC["winner_share"].formula, n=n, m=margin)
    assert math.isclose(weight, share, rel_tol=1e-12)


@pytest.mark.parametrize("criterion", SYMBOLIC)
def test_wrong_formulas_differ_from_the_right_one_and_from_each_other(criterion: str) -> None:
    wrong = [m.formulas[criterion] for m in PROBLEM.misconceptions if criterion in m.formulas]
    formulas = [SYMBOLIC[criterion].formula, *wrong]
    values = [value(formula, n=5, eps=0.3, m=1.7) for formula in formulas]
    assert len(wrong) >= 3
    assert len({round(v, 6) for v in values}) == len(values)


def test_formulas_are_judged_and_their_mistakes_recognised() -> None:
    with FormulaJudge() as judge:
        for part, criterion in PROBLEM.criteria():
            if not isinstance(criterion, SymbolicCriterion):
                continue
            wrong = {
                m.formulas[criterion.id]: (m.id,)
                for m in PROBLEM.misconceptions
                if criterion.id in m.formulas
            }
            for formula, named in {criterion.formula: (), **wrong}.items():
                answer = Answer("", {criterion.symbol: formula})
                result = symbolic.check(
                    criterion, part.id, answer, judge, PROBLEM.misconceptions, PROBLEM.seed
                )
                assert result.misconceptions == named
                assert (result.fraction == 1) is (not named)


# --- the predicates, at their limits ------------------------------------------------------------

NO_NUMBERS: list[Any] = [
    None, Opaque("builtins.generator"), "0.5, 0.5", True, 10**400, {}, [], [[1.0], [2.0, 3.0]],
    [None, 1.0], (1.0, "a"), [10**400, 1], np.array([]), np.zeros((0, 2)), np.zeros((3, 1, 4)),
    np.array([True, False]), np.array([1j, 0]), np.zeros(1000),
]  # fmt: skip
NOT_FINITE: list[Any] = [
    math.nan, [math.nan, 1.0], np.array([np.inf, 0.0]), np.full(2, np.nan, np.float16),
    np.array([[np.nan]]), np.full((1, 2), -np.inf), np.full(3, np.nan),
]  # fmt: skip

PROPERTIES = [c for c in CODE if isinstance(c, PropertyCriterion)]
JUDGE_VALUES = [c for c in PROPERTIES if c.check != "leaves_inputs_alone"]
JUDGE_NUMBERS = [
    c for c in JUDGE_VALUES if not c.check.startswith("is_array") and c.id != "copy_attends"
]


def answers_to(nonsense: Any, criterion: PropertyCriterion) -> list[object]:
    """What the predicate says when every call returned the same nonsense."""
    predicate = PACK.checks[criterion.check]
    results = [Returned(right.args, nonsense) for right in key(criterion).expected]
    if criterion.over == "all":
        return [predicate(results)]
    return [predicate(result) for result in results]


@pytest.mark.parametrize("criterion", JUDGE_VALUES, ids=lambda c: c.id)
def test_no_predicate_accepts_or_breaks_on_what_is_no_row_of_numbers(
    criterion: PropertyCriterion,
) -> None:
    for nonsense in NO_NUMBERS:
        for answer in answers_to(nonsense, criterion):
            assert isinstance(answer, str)
            assert len(answer) > 20


@pytest.mark.parametrize("criterion", JUDGE_NUMBERS, ids=lambda c: c.id)
def test_no_predicate_accepts_nan_or_inf(criterion: PropertyCriterion) -> None:
    for nonsense in NOT_FINITE:
        assert all(isinstance(answer, str) for answer in answers_to(nonsense, criterion))


@pytest.mark.parametrize("id", ["query_orthonormal", "query_general", "query_hard"])
@pytest.mark.parametrize(("excess", "passes"), [(1e-6, True), (1e-3, False)])
def test_a_query_must_keep_its_promise_up_to_rounding(id: str, excess: float, passes: bool) -> None:
    def almost(K: np.ndarray, j: int, eps: float) -> np.ndarray:
        return np.asarray(RIGHT["peaked_query"](K, j, eps * (1 + excess)))

    criterion = next(c for c in CODE if c.id == id)
    assert (grade(RIGHT | {"peaked_query": almost}, criterion, 0).fraction == 1) is passes


def test_a_query_beyond_all_floats_is_no_answer() -> None:
    functions = RIGHT | {"peaked_query": lambda K, j, _: K[j] * 1.7e308}
    criterion = next(c for c in CODE if c.id == "query_general")
    result = grade(functions, criterion, 0)
    assert result.outcome is Outcome.FAILED
    assert "not finite" in told(result)


@pytest.mark.parametrize(
    ("copy_wrongly", "loses"),
    [
        (lambda K, V, j, eps: np.full(V.shape[1], np.nan), "copy_attends"),
        (lambda K, V, j, eps: V[j] + 1e-3, "copy_attends"),
        (lambda K, V, j, eps: V[V.sum(axis=1).argmax()], "copy_close"),
        (lambda K, V, j, eps: V[j] + (V - V[j]).std(axis=0) * eps / 9, "copy_any_values"),
    ],
    ids=["nan throughout", "nearly indexed", "the largest value", "weights from the values"],
)
def test_copies_not_made_by_attention_lose_points(
    copy_wrongly: Callable[..., Any], loses: str
) -> None:
    assert loses in lost(RIGHT | {"copy_value": copy_wrongly})


def test_indexing_is_seen_even_beside_a_query_so_sharp_that_the_copy_is_exact() -> None:
    functions = VARIANTS["a sharp query"] | {"copy_value": PACK.misconceptions["indexed_copy"]}
    assert list(lost(functions)) == ["copy_attends"]


# --- the files ----------------------------------------------------------------------------------


def test_code_and_formulas_weigh_as_much_as_words_in_every_part() -> None:
    for part in PROBLEM.parts:
        words = sum(c.weight for c in part.criteria if isinstance(c, WrittenCriterion))
        assert 2 * words == part.weight


def test_five_raw_points_are_scaled_to_four() -> None:
    assert [part.points for part in PROBLEM.parts] == [1, 2, 1, 1]
    assert (PROBLEM.raw_points, PROBLEM.max_score) == (Fraction(5), Fraction(4))
    assert PROBLEM.points_policy == "scale"


def test_limits_of_length_are_those_of_the_statement() -> None:
    limits = [c.max_sentences for _, c in PROBLEM.criteria() if isinstance(c, WrittenCriterion)]
    assert limits == [None, 1, None, 2]


def test_every_part_has_public_checks_and_hidden_ones() -> None:
    for part in PROBLEM.parts:
        assert {c.visibility for c in part.criteria} == {"public", "hidden"}


@pytest.mark.parametrize("criterion", CODE, ids=lambda c: c.id)
def test_cases_are_labelled_and_begin_with_the_smallest(criterion: CodeCriterion) -> None:
    stimuli = key(criterion).stimuli
    assert all(stimulus.label for stimulus in stimuli)
    sizes = [sum(np.size(arg) for arg in stimulus.args) for stimulus in stimuli]
    assert sizes[0] == min(sizes)


def test_the_seed_alone_decides_the_inputs() -> None:
    once, again, other = prepared(0), prepare(PACK, 0), prepared(PROBLEM.seed)
    assert once.batch.encoded == again.batch.encoded != other.batch.encoded


def test_a_submission_costs_few_calls() -> None:
    assert sum(len(key(criterion).stimuli) for criterion in CODE) <= 150


@pytest.mark.parametrize("seed", SEEDS)
def test_no_keys_are_so_nearly_dependent_that_a_sound_solver_fails(seed: int) -> None:
    for criterion in CODE:
        if criterion.function == "peaked_query":
            for stimulus in key(criterion, seed).stimuli:
                assert np.linalg.cond(stimulus.args[0]) < 2100


def test_the_starter_has_every_function_with_the_parameters_of_the_reference() -> None:
    namespace: dict[str, Any] = {}
    exec((FOLDER / "starter" / PROBLEM.files.code).read_text("utf-8"), namespace)
    for name, right in RIGHT.items():
        stub = namespace[name]
        assert list(inspect.signature(stub).parameters) == list(inspect.signature(right).parameters)
        assert "shape" in stub.__doc__
        with pytest.raises(NotImplementedError):
            stub(*(None for _ in inspect.signature(stub).parameters))


def test_statement_and_starter_name_all_that_is_asked() -> None:
    answers = (FOLDER / "starter" / PROBLEM.files.answers).read_text("utf-8")
    for part in PROBLEM.parts:
        assert f"## {part.id}\n" in answers
        assert f"## {part.id} ({part.points} point" in PACK.statement
        for symbol in PROBLEM.symbols(part.id):
            assert f"`{symbol} = …`" in PACK.statement
            assert f"begins with: {symbol} =" in answers
    for name, right in RIGHT.items():
        assert f"`{name}({', '.join(inspect.signature(right).parameters)})`" in PACK.statement
