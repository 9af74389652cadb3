"""The gradebook: what was graded stays, whatever comes after."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from grader.errors import GradebookError
from grader.gradebook import Entry, Gradebook, decision
from grader.result import CheckResult, CriterionGrade, Grade, Outcome, PartGrade


def entry(
    submission: str = "ada",
    outcome: Outcome = Outcome.PASSED,
    *,
    key: str = "k1",
    content: str = "c1",
    basis: str = "b1",
) -> Entry:
    share = Fraction(1) if outcome is Outcome.PASSED else Fraction(0)
    result = CheckResult("x", outcome, share)
    part = PartGrade(
        "i", "t", Fraction(2), (CriterionGrade("x", "t", "k", "public", "hint", 1, result),)
    )
    grade = Grade(submission, "p", "t", "1", (part,), Fraction(2), "sum")
    return Entry(grade, key, content, {"x": basis})


def test_a_sound_grade_is_not_displaced_by_our_own_failure(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        assert book.record(entry())
        assert not book.record(entry(outcome=Outcome.GRADER_ERROR))
        assert book.grade("ada").score == 2
        assert book.record(entry(outcome=Outcome.GRADER_ERROR, content="c2"))
        assert book.grade("ada").status == "ungraded"


def test_ungraded_is_never_skipped(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry(outcome=Outcome.GRADER_ERROR))
        assert not book.has("ada", "k1")
        book.record(entry())
        assert book.has("ada", "k1")
        assert not book.has("ada", "k2")


def test_a_decision_holds_while_its_basis_does(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry(outcome=Outcome.NEEDS_REVIEW))
        (pending,) = book.pending()
        book.decide(decision(pending, Fraction(1, 2), "Jo", "half"))
        assert book.grade("ada").score == 1
        assert not list(book.pending())
        book.record(entry(outcome=Outcome.NEEDS_REVIEW, key="k2", content="c2"))
        assert book.grade("ada").score == 1, "new code, same answer"
        book.record(entry(outcome=Outcome.NEEDS_REVIEW, basis="b2"))
        assert book.grade("ada").pending == 2, "another answer"
        book.record(entry(outcome=Outcome.NEEDS_REVIEW))
        assert book.grade("ada").score == 1, "the old answer again"


def test_the_latest_decision_counts_and_earlier_ones_stay(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry(outcome=Outcome.NEEDS_REVIEW))
        (pending,) = book.pending()
        for share in (0, 1):
            book.decide(decision(pending, Fraction(share), "Jo"))
        assert book.grade("ada").score == 2
        assert book.undo_decision() is not None
        assert book.grade("ada").score == 0


def test_what_is_recorded_is_there_for_the_next_process(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry())
        with Gradebook(tmp_path) as other:
            assert [grade.submission_id for grade in other.grades()] == ["ada"]


def test_a_failing_write_leaves_nothing_half_done(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry())
        db = sqlite3.connect(book.path)
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON grades"
            " BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
        db.commit()
        db.close()
        with pytest.raises(GradebookError, match="free space"):
            book.record(entry(key="k2"))
        assert book.grade("ada").score == 2
        assert book.has("ada", "k1")


def test_unknown_things(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry(outcome=Outcome.NEEDS_REVIEW))
        (pending,) = book.pending()
        with pytest.raises(GradebookError):
            book.decide(replace(decision(pending, Fraction(1), "Jo"), criterion_id="nope"))
        with pytest.raises(KeyError):
            book.grade("eve")
    with pytest.raises(GradebookError, match="'p'"):
        Gradebook(tmp_path, "q")


def test_a_decision_on_an_answer_that_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        book.record(entry(outcome=Outcome.NEEDS_REVIEW))
        (shown,) = book.pending()
        book.record(entry(outcome=Outcome.NEEDS_REVIEW, content="c2", basis="b2"))
        with pytest.raises(GradebookError, match="another one by now"):
            book.decide(decision(shown, Fraction(1), "Jo"))
        assert book.grade("ada").pending == 2


def test_taking_back_what_was_decided_on_one_submission(tmp_path: Path) -> None:
    with Gradebook(tmp_path, "p") as book:
        for name in ("ada", "bob"):
            book.record(entry(name, Outcome.NEEDS_REVIEW))
            book.decide(decision(book.criterion(name, "x"), Fraction(1), "Jo"))
        taken = book.undo_decision("ada")
        assert taken is not None
        assert taken.submission_id == "ada"
        assert book.undo_decision("ada") is None
        assert book.undo_decision("", "x") is not None
        assert book.undo_decision() is None
