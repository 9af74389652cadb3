"""The `property` check: what a predicate is given, what its answers mean, what it must not do."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from attempts import LOADED, ask, items, key, property_, raised, returned, run, text

from grader.checks import properties
from grader.evidence import AnswerKey, Ending, Observation, PValue, Returned, Stimulus, call
from grader.result import Outcome
from grader.value import Opaque


@pytest.mark.parametrize("answer", [None, True, np.True_])
def test_none_and_true_hold(answer: Any) -> None:
    result = ask(lambda _: answer, [1.0, 2.0], asks="Sum to 1.", hint="Divide.")
    assert (result.outcome, result.fraction) == (Outcome.PASSED, 1)
    assert [item.kind for item in result.feedback] == ["asked", "summary"]
    assert text(result, "summary") == "This holds in all 2 cases."


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("The weights sum to 2.", "The weights sum to 2."),
        (False, "This does not hold: A title."),
        (np.False_, "This does not hold: A title."),
        ("", "This does not hold: A title."),
    ],
)
def test_a_sentence_or_false_fails_with_the_smallest_case(answer: Any, sentence: str) -> None:
    result = ask(lambda r: answer if r.value > 1 else None, [1.0, 2.0, 3.0], hint="Divide.")
    assert (result.outcome, result.fraction) == (Outcome.FAILED, 0)
    assert text(result, "summary") == "2 of 3 cases are wrong; the smallest: case 1."
    item = items(result, "case")[0]
    assert item.text == sentence
    assert item.case is not None
    assert (item.case.label, item.case.returned) == ("case 1", 2.0)
    assert not item.case.has_expected  # one right answer of many
    assert text(result, "hint") == "Divide."


@pytest.mark.parametrize("answer", [0, 1, 1.0, [], object(), np.array([True, False]), b"no"])
def test_any_other_answer_leaves_the_criterion_ungraded(answer: Any) -> None:
    result = ask(lambda _: answer, [1.0])
    assert (result.outcome, result.fraction) == (Outcome.GRADER_ERROR, 0)
    assert "the check `holds` answered" in text(result, "error")


@pytest.mark.parametrize("over", ["case", "all"])
@pytest.mark.parametrize("error", [ValueError("bad shape"), ZeroDivisionError(), AssertionError()])
def test_a_predicate_that_raises_leaves_the_criterion_ungraded(error: Exception, over: str) -> None:
    def predicate(_: Any) -> None:
        raise error

    result = ask(predicate, [1.0, 2.0], over=over, credit="share")
    assert (result.outcome, result.fraction) == (Outcome.GRADER_ERROR, 0)
    item = items(result, "error")[0]
    assert type(error).__name__ in item.text
    assert "in predicate: raise error" in item.block
    assert "/" not in item.block


def test_a_share_of_the_cases_earns_a_share_of_the_points() -> None:
    result = ask(lambda r: r.value < 2, [0.0, 1.0, 2.0], credit="share")
    assert (result.outcome, result.fraction) == (Outcome.PARTIAL, Fraction(2, 3))


def test_a_call_that_did_not_return_is_not_asked_about() -> None:
    asked: list[Returned] = []
    seen = [1.0, raised("ValueError", "no"), Observation(Ending.TIMEOUT), 4.0]
    result = ask(lambda r: asked.append(r), seen, credit="share")
    assert [r.value for r in asked] == [1.0, 4.0]
    assert (result.outcome, result.fraction) == (Outcome.PARTIAL, Fraction(1, 2))
    assert text(result, "error") == "ValueError: no"


def test_the_predicate_gets_all_that_is_known_of_a_call() -> None:
    got: list[Returned] = []
    seen = returned(2.0, mutated=(1,))
    ask(lambda r: got.append(r), [seen], [3.0], arguments=[(5, 6)])
    assert got == [Returned((5, 6), 2.0, 3.0, (1,), "case 0")]


def test_without_a_reference_nothing_is_expected() -> None:
    assert ask(lambda r: r.expected is None, [1.0]).outcome is Outcome.PASSED


def nested(told: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments a predicate gets for ``attend(peaked_query(K), K)`` and what the child told."""
    K, got = np.eye(2), []
    stimulus = Stimulus("attend", (call("peaked_query", K), K))
    observation = returned(1.0, args=told)
    criterion, answers = property_(function="attend"), AnswerKey((stimulus,), ("q", "K"))
    properties.check(criterion, answers, [observation], run(), (), lambda r: got.append(r.args))
    return tuple(got[0])


def test_nested_results_come_from_the_child_and_all_else_from_the_pack() -> None:
    q, K = nested((np.array([7.0]), np.zeros((9, 9))))
    assert q == 7.0
    assert np.array_equal(K, np.eye(2))
    unknown, _ = nested(())
    assert isinstance(unknown, Stimulus)


def test_the_case_of_a_nested_call_shows_what_was_called_and_with_what() -> None:
    K = np.eye(2)
    inner = call("peaked_query", K.copy(), call("largest", K), 0.5)
    stimulus = Stimulus("attend", (inner, K, K))
    answers = AnswerKey((stimulus,), ("q", "K", "V"))
    for told, names in ((((9.0, K, K)), ["q", "K", "V"]), ((), ["K", "V"])):
        seen = [returned(1.0, args=told)]
        result = properties.check(
            property_(function="attend"), answers, seen, run(), (), lambda _: False
        )
        case = items(result, "case")[0].case
        assert case is not None
        assert case.call == "attend(peaked_query(K, largest(K), 0.5), K, V)"
        assert [name for name, _ in case.arguments] == names


def test_a_predicate_cannot_change_what_the_next_student_gets() -> None:
    arguments = [(np.array([3.0, 1.0]), [np.array([1.0])], {"k": np.array([1.0])})]
    expected = np.array([2.0, 1.0])

    def predicate(r: Returned) -> None:
        r.args[0].sort()
        r.args[1][0][:] = 9
        r.args[2]["k"][:] = 9
        r.expected.sort()
        r.value.sort()

    value = np.array([5.0, 4.0])
    assert ask(predicate, [value], [expected], arguments=arguments).outcome is Outcome.PASSED
    assert (arguments[0][0][0], arguments[0][1][0][0], arguments[0][2]["k"][0]) == (3, 1, 1)
    assert (expected[0], value[0]) == (2, 5)


@pytest.mark.parametrize("over", ["case", "all"])
def test_what_cannot_be_looked_at_fails_without_asking(over: str) -> None:
    def predicate(_: Any) -> None:
        raise AssertionError("asked")

    opaque = ask(predicate, [Opaque("mine.Thing")], over=over)
    assert opaque.outcome is Outcome.FAILED
    assert "mine.Thing, which cannot be looked at" in text(opaque, "case")
    nothing = ask(predicate, [None], [np.ones(3)], over=over)
    assert nothing.outcome is Outcome.FAILED
    assert "None where an array of shape (3,) was asked: did you forget" in text(nothing, "case")


def test_none_is_asked_about_where_nothing_else_is_expected() -> None:
    assert ask(lambda r: r.value is None, [None]).outcome is Outcome.PASSED


# --- over all cases together --------------------------------------------------------------------


def test_all_cases_can_be_judged_together() -> None:
    def rising(results: list[Returned]) -> str | None:
        values = [r.value for r in results]
        return None if values == sorted(values) else "It falls."

    holds = ask(rising, [1.0, 2.0, 3.0], over="all")
    assert (holds.outcome, holds.fraction) == (Outcome.PASSED, 1)
    assert text(holds, "summary") == "This holds in all 3 cases, taken together."
    fails = ask(rising, [1.0, 3.0, 2.0], over="all", credit="share", hint="Sort.")
    assert (fails.outcome, fails.fraction) == (Outcome.FAILED, 0)
    assert text(fails, "summary") == "Judged over all 3 cases together: It falls."
    assert [item.kind for item in fails.feedback] == ["summary", "hint"]


def test_together_means_that_every_case_returned() -> None:
    seen = [1.0, Observation(Ending.TIMEOUT)]
    result = ask(lambda _: None, seen, over="all", credit="share")
    assert (result.outcome, result.fraction) == (Outcome.TIMEOUT, 0)
    assert text(result, "summary") == "1 of 2 cases runs out of time: case 1."


# --- no result is no pass -----------------------------------------------------------------------


def test_without_all_results_nothing_is_graded() -> None:
    answers = key([1.0, 2.0])
    broken = AnswerKey(answers.stimuli, ("x",), (LOADED, Observation(Ending.RAISED)))
    for bad, seen in (
        (AnswerKey((), ()), []),
        (answers, [returned(1.0)]),
        (answers, []),
        (broken, [returned(1.0)] * 2),
    ):
        result = properties.check(property_(), bad, seen, run(), (), lambda _: None)
        assert (result.outcome, result.fraction) == (Outcome.GRADER_ERROR, 0)


def test_long_sentences_of_a_predicate_are_cut() -> None:
    result = ask(lambda r: "x" * 100_000, [1.0])
    assert len(items(result, "case")[0].text) < 1000


def test_a_result_that_chance_explains_passes_and_one_that_it_does_not_fails() -> None:
    def predicate(r: Returned) -> PValue:
        return PValue(r.value, "The mean is far from 0.")

    result = ask(predicate, [0.5, 1.0, 1e-3], false_alarm=0.003)
    assert result.outcome is Outcome.PASSED
    result = ask(predicate, [0.5, 1.0, 0.9e-3], false_alarm=0.003)  # 0.003 shared by three cases
    assert result.outcome is Outcome.FAILED
    case = items(result, "case")[0]
    assert case.text.startswith("The mean is far from 0. A right answer is that far off with")
    assert "0.0009" in case.text


def test_one_judgement_of_all_cases_has_the_whole_rate_of_false_alarms() -> None:
    def outcome(p: float) -> Outcome:
        return ask(lambda _: PValue(p), [1.0, 2.0, 3.0], over="all", false_alarm=0.003).outcome

    assert (outcome(0.003), outcome(0.0029)) == (Outcome.PASSED, Outcome.FAILED)


@pytest.mark.parametrize("over", ["case", "all"])
def test_right_answers_fail_no_more_often_than_stated(over: str) -> None:
    # The p-value of a right answer is uniform; independent cases are the worst there is.
    rng = np.random.default_rng(7)
    asked = 2_000
    failed = sum(
        ask(lambda _: PValue(rng.uniform()), [1.0] * 5, over=over, false_alarm=0.01).outcome
        is Outcome.FAILED
        for _ in range(asked)
    )
    assert 5 <= failed <= 38  # 20 expected; four standard deviations


@pytest.mark.parametrize("p", [float("nan"), -0.1, 1.5, "0.5", None])
def test_a_p_value_that_is_none_leaves_the_criterion_ungraded(p: Any) -> None:
    assert ask(lambda _: PValue(p), [1.0], false_alarm=0.01).outcome is Outcome.GRADER_ERROR


def test_a_p_value_without_a_stated_rate_leaves_the_criterion_ungraded() -> None:
    result = ask(lambda _: PValue(0.5), [1.0])
    assert result.outcome is Outcome.GRADER_ERROR
    assert "false_alarm" in text(result, "error")
