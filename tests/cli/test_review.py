"""`grader review`: decisions are recorded, followed by the reports, and outlive regrading."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from mini_pack import RIGHT, SQUARES, grader, outcomes, results, write_class, write_pack


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
        (["--points", "1"], "--submission"),
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
    assert "1 more have the very same answer" in said
    assert "2 decided, 1 left" in said
    assert outcomes(results(graded / "out")["eve"])["why"] == "passed"


def test_listing_decides_nothing(graded: Path) -> None:
    assert "3 pending." in review(graded, "--list")
    assert "1 pending." in review(graded, "--list", "--submission", "bob")


def test_no_gradebook_here(tmp_path: Path) -> None:
    done = grader("review", "-o", tmp_path)
    assert done.returncode == 1
    assert "grade into it first" in done.stderr
