"""README.md: what it has its reader type works, and what it names is there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader.cli import main

HOME = Path(__file__).parents[1]
TEXT = (HOME / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```console\n(.*?)^```$", TEXT, re.M | re.S)
LINES = (shlex.split(line, comments=True) for block in BLOCKS for line in block.splitlines())
COMMANDS = [words for words in LINES if words]
GRADER = [words[1] for words in COMMANDS if words[0] == "grader"]
GRADER += re.findall(r"`grader ([a-z]\w*)[^`]*`", TEXT)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the commands read, with the class of one that they name."""
    folder = tmp_path_factory.mktemp("readme")
    pack = folder / "problems" / "attention_copying"
    shutil.copytree(HOME / "problems" / "attention_copying", pack)
    shutil.make_archive(str(folder / "class"), "zip", pack / "starter")
    return folder


def run(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=cwd, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def shown(start: str) -> list[str]:
    """The command that is shown and begins like this."""
    (words,) = (words for words in COMMANDS if shlex.join(words).startswith(start))
    return words


def test_a_student_starts_and_checks(home: Path) -> None:
    started = run(shown("grader new starter"), home)
    assert started.returncode == 0, started.stderr
    checked = run(shown("grader check"), home)
    assert checked.returncode == 1, checked.stderr
    assert "0 of " in checked.stdout
    assert "not attempted" in checked.stdout
    without_arguments = run(["grader", "check"], home / "my_work")
    assert without_arguments.stdout == checked.stdout


def test_an_instructor_grades_and_finds_the_files_of_the_table(home: Path) -> None:
    graded = run(shown("grader grade"), home)
    assert graded.returncode == 0, graded.stderr
    cells = re.findall(r"^\| (`.*?`) \|", TEXT, re.M)
    names = [name for cell in cells for name in re.findall(r"`(.*?)`", cell)]
    assert len(names) == 6
    for name in names:
        assert (home / "reports" / name.replace("<id>", "class")).is_file(), name


def test_an_instructor_starts_a_problem_of_their_own(home: Path) -> None:
    made = run(shown("grader new problem"), home)
    assert made.returncode == 0, made.stderr
    verified = run(shown("grader verify"), home)
    assert verified.returncode == 0, verified.stdout
    assert "\nSOUND" in verified.stdout


def test_an_instructor_mines_the_results(home: Path) -> None:
    assert run(shown("grader grade"), home).returncode == 0
    mined = run(shown("grader mine"), home)
    assert mined.returncode == 0, mined.stderr
    assert "No group of students" in mined.stdout  # of the one student, who has not begun


def test_an_instructor_tries_the_sandbox(home: Path) -> None:
    tried = run([*shown("grader attack"), "--only", "read-open"], home)
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_the_shipped_problems_are_those_that_it_lists() -> None:
    listed = re.findall(r"^\| \[(\w+)\]\(problems/\1\)", TEXT, re.M)
    assert sorted(listed) == sorted(p.parent.name for p in HOME.glob("problems/*/problem.toml"))


def test_the_machine_is_shown(home: Path) -> None:
    assert "Isolation: tier " in run(["grader", "doctor"], home).stdout


def test_every_command_and_option_it_names_is_explained() -> None:
    helps = {"": CliRunner().invoke(main, ["--help"]).stdout}
    for name in set(GRADER):
        assert re.search(rf"^  {name} ", helps[""], re.M), name
        helps[name] = CliRunner().invoke(main, [name, "--help"]).stdout
    for option in set(re.findall(r"(?<=`)--[a-z-]+", TEXT)):
        assert any(option in text for text in helps.values()), option


def test_every_make_target_it_names_is_there() -> None:
    targets = re.findall(r"^(\w+):", (HOME / "Makefile").read_text(), re.M)
    named = {words[1] for words in COMMANDS if words[0] == "make"}
    assert "demo" in named
    assert named <= {*targets}


def test_every_file_it_links_to_is_there() -> None:
    linked = set(re.findall(r"\]\((?!https?:)([^)#]+)", TEXT))
    inside = set(re.findall(r"`((?:problems|docs|grader|submissions|tests)/[^`*<>]+)`", TEXT))
    assert linked
    for name in linked | inside:
        assert (HOME / name).exists(), name
