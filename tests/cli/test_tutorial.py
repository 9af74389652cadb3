"""docs/write-a-problem.md, followed to the letter: its files, its commands, what they print."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from mini_pack import feedback, grader, outcomes, results
from tutorial_page import PAGE, Command, File, steps, write, write_all

from grader import Returned, spec

EXIT = {"NOT SOUND": 1, "0 of 4 public criteria": 1}
"""What the page shows → the exit status that goes with it; else it is 0."""
SECONDS = re.compile(r"\b\d+(\.\d)? s\b")
GRADE, REGRADE = [
    step.line for step in steps() if isinstance(step, Command) and "grader grade" in step.line
]


@dataclass(frozen=True)
class Done:
    """A command of the page, as it went."""

    command: Command
    printed: str
    status: int


@dataclass(frozen=True)
class Followed:
    """The page, followed to its end."""

    desk: Path
    done: list[Done]

    def output(self, line: str) -> str:
        return next(each.printed for each in self.done if each.command.line == line)


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Followed:
    desk, done = tmp_path_factory.mktemp("desk"), []
    for step in steps():
        if isinstance(step, File):
            write(step, desk)
        elif "--watch" not in step.line:  # it does not end by itself
            ran = grader(*shlex.split(step.line)[1:], cwd=desk, columns=80)
            done.append(Done(step, ran.stdout, ran.returncode))
    return Followed(desk, done)


def test_every_command_prints_what_the_page_shows(followed: Followed) -> None:
    assert len(followed.done) == 9
    for each in followed.done:
        shown = SECONDS.sub("0 s", each.command.shown).rstrip("\n")
        pattern = ".*".join(map(re.escape, re.split(r"^…\n?", shown, flags=re.M)))
        assert re.fullmatch(pattern, SECONDS.sub("0 s", each.printed).rstrip(), re.S), each.printed
        expected = next((code for words, code in EXIT.items() if words in each.command.shown), 0)
        assert each.status == expected, each.printed


def test_it_begins_unsound_and_ends_sound(followed: Followed) -> None:
    verdicts = [each.printed for each in followed.done if " verify " in each.command.line]
    assert [("NOT SOUND" in v, "\nSOUND" in v) for v in verdicts] == [
        (True, False), (True, False), (False, True),
    ]  # fmt: skip


def test_the_page_lists_the_files_that_it_has_written(tmp_path: Path) -> None:
    write_all(tmp_path)
    tree = PAGE.split("```text\n")[1].split("```")[0]
    listed = re.findall(r"[\w.]+\.(?:toml|md|py)", tree)
    written = [path.name for path in (tmp_path / "problems").rglob("*") if path.is_file()]
    assert sorted(listed) == sorted(written)


def test_nothing_in_the_starter_is_wrong_only_not_there_yet(followed: Followed) -> None:
    checked = followed.output("grader check problems/variance problems/variance/starter")
    assert checked.count("[not there yet]") == 4
    for word in ("not right", "error", "✗", "person"):
        assert word not in checked


def test_the_class_is_told_what_the_page_says(followed: Followed) -> None:
    graded = results(followed.desk / "reports" / "variance")
    assert set(graded) == {"ada", "eva", "finn"}
    assert (graded["ada"]["score"], graded["ada"]["status"]) == (5, "graded")
    assert outcomes(graded["eva"])["why_squares"] == "needs_review"
    for name in ("eva", "finn"):  # graded again, with what `grader mine` found
        assert "Its root is the standard deviation." in feedback(graded[name], ["misconception"])


def test_what_mine_wrote_leaves_the_pack_sound(followed: Followed) -> None:
    done = grader("verify", "problems/variance", "--quick", cwd=followed.desk)
    assert done.returncode == 0, done.stdout


def test_nothing_is_done_twice_until_something_changes(followed: Followed) -> None:
    desk = followed.desk

    def printed() -> str:
        return grader(*shlex.split(GRADE)[1:], cwd=desk).stdout

    assert GRADE == REGRADE
    assert "Skipped 3, unchanged" in printed()
    for name in ("problem.toml", "rubric.toml", "checks.py"):
        with open(desk / "problems" / "variance" / name, "a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        assert "Graded 3 in" in printed(), name
    with open(desk / "class" / "ada" / "variance.py", "a", encoding="utf-8") as file:
        file.write("\n# changed\n")
    assert "Graded 1 in" in printed()


@pytest.mark.parametrize("value", [None, "3", [1, 2], np.zeros(3), np.zeros((2, 2)), {}, object()])
def test_its_predicate_takes_whatever_a_student_returns(tmp_path: Path, value: object) -> None:
    write_all(tmp_path)
    check = spec.load(tmp_path / "problems" / "variance").checks["leaves_x_alone"]
    assert isinstance(check(Returned((np.zeros(2),), value)), str)
    assert check(Returned((np.zeros(2),), 1.5)) is None
