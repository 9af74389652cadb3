"""docs/write-a-problem.md, followed to the letter: its files, its commands, what it claims."""

from __future__ import annotations

import re
import runpy
import shlex
import subprocess
from pathlib import Path

import pytest
from mini_pack import feedback, grader, outcomes, results

_DOCS = runpy.run_path(str(Path(__file__).parents[1] / "spec" / "test_docs.py"))
PAGE, BLOCKS = _DOCS["PAGE"], _DOCS["BLOCKS"]
CHECK, GRADE = re.findall(r"^\$ (grader .*)$", PAGE, re.M)
OUTPUT = Path(re.findall(r"Open `(.*)/index.html`", PAGE)[0])


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    for name, text in BLOCKS.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def run(line: str, desk: Path) -> subprocess.CompletedProcess[str]:
    return grader(*shlex.split(line)[1:], cwd=desk)


def test_nothing_in_the_starter_is_wrong_only_not_there_yet(desk: Path) -> None:
    checked = run(CHECK, desk)
    assert checked.returncode == 1
    assert checked.stdout.count("[not there yet]") == 5
    for word in ("not right", "error", "✗", "person"):
        assert word not in checked.stdout


def test_the_submissions_come_out_as_it_says(desk: Path) -> None:
    done = run(GRADE, desk)
    assert done.returncode == 0, done.stderr
    assert (desk / OUTPUT / "index.html").is_file()
    graded = results(desk / OUTPUT)
    assert set(graded) == {"right", "divides_by_n_minus_1"}

    right = graded["right"]
    assert (right["score"], right["max_score"], right["status"]) == (5, 5, "graded")
    assert set(outcomes(right).values()) == {"passed"}

    wrong = graded["divides_by_n_minus_1"]
    told = feedback(wrong, ["misconception"]).split("\n\n")
    assert len(told) == 3  # on both sets of samples and on the formula
    assert all(sentence.startswith("Divides by n − 1: ") for sentence in told)
    assert outcomes(wrong)["why_squares"] == "missing"
    page = (desk / OUTPUT / "divides_by_n_minus_1.html").read_text()
    assert "Divides by n − 1" in page


def test_nothing_is_done_twice_until_something_changes(desk: Path) -> None:
    assert "Graded 2 in" in run(GRADE, desk).stdout
    again = run(GRADE, desk).stdout
    assert "Graded 0 in" in again
    assert "Skipped 2, unchanged" in again
    for name in ("problem.toml", "rubric.toml", "checks.py"):
        with open(desk / "problems" / "variance" / name, "a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        assert "Graded 2 in" in run(GRADE, desk).stdout, name
    with open(desk / "submissions" / "variance" / "right" / "variance.py", "a") as file:
        file.write("\n# changed\n")
    assert "Graded 1 in" in run(GRADE, desk).stdout
