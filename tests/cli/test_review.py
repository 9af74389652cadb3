"""`grader review`: decisions are recorded, followed by the reports, and outlive regrading."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from mini_pack import (
    PROBLEM,
    RIGHT,
    SQUARES,
    grader,
    outcomes,
    results,
    write_class,
    write_pack,
)

from grader import spec
from grader.evidence import Answer, Submission
from grader.pipeline.many import review_bases

SYMBOLIC = PROBLEM.replace(
    'kind = "manual"',
    'kind = "symbolic"\nsymbol = "d"\nformula = "2*x"\nvariables.x = { min = 0, max = 1 }',
)


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    write_pack(tmp_path / "pack")
    write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES, "eve": RIGHT})
    for name, answer in (("ada", "It adds x."), ("bob", "x times x"), ("eve", "It adds x.")):
        (tmp_path / "class" / name / "answers.md").write_text(f"## b\n\n{answer}\n")
    assert grader("grade", "pack", "class", "-o", "out", cwd=tmp_path).returncode == 0
    return tmp_path


def review(folder: Path, *arguments: str, typed: str = "", expect: int = 0) -> str:
    done = grader("review", "-o", "out", "--who", "Jo", *arguments, cwd=folder, typed=typed)
    assert done.returncode == expect, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_walking_through(graded: Path) -> None:
    said = review(graded, typed="0.5\nNearly.\nn\ns\nq\n")
    assert "ada" in said
    assert "│ It adds x." in said
    assert "1 decided, 2 left" in said
    ada = results(graded / "out")["ada"]
    assert outcomes(ada)["why"] == "partial"
    assert (ada["score"], ada["pending"], ada["status"]) == (2.5, 0, "graded")
    assert "Nearly." in (graded / "out" / "ada.html").read_text()
    assert json.loads((graded / "out" / "ada.json").read_text())["score"] == 2.5
    with sqlite3.connect(graded / "out" / "gradebook.sqlite") as db:
        ((who, when),) = db.execute("SELECT who, decided_at FROM reviews").fetchall()
    assert who == "Jo"
    assert when.endswith("+00:00")


def test_each_decision_is_kept_at_once(graded: Path) -> None:
    review(graded, typed="f\n\nn\n")  # the input ends before the second
    assert outcomes(results(graded / "out")["ada"])["why"] == "passed"
    assert outcomes(results(graded / "out")["bob"])["why"] == "needs_review"


def test_decisions_outlive_regrading_and_can_be_taken_back(graded: Path) -> None:
    review(graded, typed="f\n\nn\nq\n")
    grader("grade", "pack", "class", "-o", "out", "--force", cwd=graded)
    assert outcomes(results(graded / "out")["ada"])["why"] == "passed"
    assert "Taken back: ada, why" in review(graded, "--undo")
    assert outcomes(results(graded / "out")["ada"])["why"] == "needs_review"
    assert "no decision" in review(graded, "--undo")


def test_deciding_without_questions(graded: Path) -> None:
    said = review(
        graded, "--submission", "bob", "--criterion", "doubles", "--points", "1/2",
        "--comment", "half for the idea",
    )  # fmt: skip
    assert "Score now 0.5 of 3" in said
    assert outcomes(results(graded / "out")["bob"])["doubles"] == "partial"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--submission", "bob", "--criterion", "why", "--points", "7"], "between 0 and 1"),
        (["--submission", "bob", "--criterion", "why", "--points", "-1"], "not a number"),
        (["--submission", "bob", "--criterion", "why", "--points", "x"], "not a number"),
        (["--submission", "bob", "--criterion", "why", "--points", "1/0"], "not a number"),
        (["--submission", "bob", "--criterion", "nope", "--points", "1"], "doubles, secret, why"),
        (["--submission", "mia", "--criterion", "why", "--points", "1"], "no submission 'mia'"),
    ],
)
def test_wrong_decisions_are_explained(graded: Path, arguments: list[str], words: str) -> None:
    assert words in review(graded, *arguments, expect=1)


def test_a_wrong_answer_to_the_question_asks_again(graded: Path) -> None:
    said = review(graded, "--submission", "ada", typed="9\nfoo\n\n1\n\n")
    assert "between 0 and 1" in said
    assert outcomes(results(graded / "out")["ada"])["why"] == "passed"


def test_the_very_same_answer_is_decided_once(graded: Path) -> None:
    said = review(graded, typed="f\n\ny\nq\n")
    assert "1 more has the very same answer" in said
    assert "2 decided, 1 left" in said
    assert outcomes(results(graded / "out")["eve"])["why"] == "passed"


def test_listing_decides_nothing(graded: Path) -> None:
    assert "3 pending." in review(graded, "--list")
    assert "1 pending." in review(graded, "--list", "--submission", "bob")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--part", "z"], "no part 'z'. There are: a, b"),
        (["--list", "--criterion", "wy"], "no criterion 'wy'. Did you mean why?"),
        (["--undo", "--submission", "boob"], "no submission 'boob'. Did you mean bob?"),
    ],
)
def test_a_name_that_is_none_is_not_nothing_to_do(
    graded: Path, arguments: list[str], words: str
) -> None:
    assert words in review(graded, *arguments, expect=1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--undo", "--list"],
        ["--undo", "--points", "1"],
        ["--comment", "well done"],
        ["--undo", "--part", "b"],
        ["--points", "1"],
    ],
)
def test_options_that_contradict_each_other_are_usage(graded: Path, arguments: list[str]) -> None:
    assert "Usage:" in review(graded, *arguments, expect=2)


def test_undo_takes_back_what_is_named(graded: Path) -> None:
    for name in ("ada", "bob"):
        review(graded, "--submission", name, "--criterion", "why", "--points", "1")
    assert "Taken back: ada, why" in review(graded, "--undo", "--submission", "ada")
    assert "no decision" in review(graded, "--undo", "--submission", "ada")
    assert outcomes(results(graded / "out")["bob"])["why"] == "passed"


def test_a_decision_is_kept_when_the_question_after_it_is_not_answered(graded: Path) -> None:
    said = review(graded, typed="f\n\n")  # the input ends at “1 more has the very same answer”
    assert "1 decided, 2 left" in said
    assert outcomes(results(graded / "out")["ada"])["why"] == "passed"
    assert outcomes(results(graded / "out")["eve"])["why"] == "needs_review"


def test_long_answers_are_wrapped_behind_their_bar(graded: Path) -> None:
    words = " ".join(f"word{i}" for i in range(60))
    (graded / "class" / "bob" / "answers.md").write_text(f"## b\n\n{words}\n")
    grader("grade", "pack", "class", "-o", "out", cwd=graded)
    lines = review(graded, "--submission", "bob", typed="q\n").splitlines()
    quoted = [line for line in lines if line.startswith("    │ ")]
    assert " ".join(line.removeprefix("    │ ") for line in quoted) == words
    assert all(len(line) <= 92 for line in quoted)


def test_who_reviews_an_unreadable_formula_sees_the_right_one(tmp_path: Path) -> None:
    write_pack(tmp_path / "pack", {"problem.toml": SYMBOLIC})
    write_class(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT})
    (tmp_path / "class" / "ada" / "answers.md").write_text("## b\n\nd = twice(x)\n")
    assert grader("grade", "pack", "class", "-o", "out", cwd=tmp_path).returncode == 0
    said = review(tmp_path, typed="\nq\n")
    assert "twice" in said
    assert "│ d = 2*x" in said
    assert "no suggestion to accept" in said
    for page in ("ada.html", "ada.json"):
        assert "2*x" not in (tmp_path / "out" / page).read_text()


def test_what_a_decision_is_about(tmp_path: Path) -> None:
    """A formula's is the formula; one on what could not be read is about the files themselves."""
    problem = spec.load(write_pack(tmp_path / "pack", {"problem.toml": SYMBOLIC})).problem

    def basis(digest: str, formula: str = "", unread: str = "") -> str:
        answers = {"b": Answer("", {"d": formula})} if formula else {}
        handed_in = Submission("ada", "ada", (), {}, answers, digest, answers_problem=unread)
        return review_bases(problem, handed_in)["why"]

    assert basis("one", "twice(x)") == basis("new code", "twice(x)")
    assert basis("one", "twice(x)") != basis("one", "thrice(x)")
    assert basis("one", unread="is encrypted") != basis("two", unread="is encrypted")
    assert basis("one", unread="is encrypted") != basis("one")


def test_no_gradebook_here(tmp_path: Path) -> None:
    done = grader("review", "-o", tmp_path)
    assert done.returncode == 1
    assert "grade into it first" in done.stderr
