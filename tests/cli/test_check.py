"""`grader check` as a student uses it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from mini_pack import RIGHT, SQUARES, command, grader, write_class, write_pack


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A student's folder with the pack in ./problems."""
    write_pack(tmp_path / "problems" / "mini")
    (tmp_path / "work.py").write_text(RIGHT)
    return tmp_path


def test_no_argument_is_needed_where_the_pack_is_plain(home: Path) -> None:
    done = grader("check", cwd=home)
    assert done.returncode == 0, done.stderr
    assert "Doubles numbers" in done.stdout
    assert "Doubles arrays" not in done.stdout
    assert "Not checked here: 1 hidden" in done.stdout


def test_what_is_wrong_is_shown_whole_and_named(home: Path) -> None:
    (home / "work.py").write_text(SQUARES)
    done = grader("check", cwd=home)
    assert done.returncode == 1
    assert "returned = 1" in done.stdout
    assert "expected = 2" in done.stdout
    assert "Twice is not squared." in done.stdout
    assert "4242" not in done.stdout


TWO_FUNCTIONS = """
id = "pair"
title = "Pair"
version = "1"

[files]
code = "work.py"

[[parts]]
id = "a"
title = "Both"
points = 1
"""
CRITERION = """
[[parts.criteria]]
id = "{function}_{inputs}"
title = "{title}"
kind = "matches"
weight = 1
function = "{function}"
inputs = "{inputs}"
asks = "Asked of {function} on {inputs}."
hint = "A hint about the values of {function}."
"""
PAIR = {
    "problem.toml": TWO_FUNCTIONS
    + "".join(
        CRITERION.format(function=function, inputs=inputs, title=f"{function.title()} of {inputs}")
        for function in ("turn", "copy")
        for inputs in ("small", "large")
    ),
    "reference.py": "def turn(K):\n    return K.T.copy()\n\n\ndef copy(K):\n    return K.copy()\n",
    "inputs.py": (
        "import numpy as np\nfrom grader import Case\n\n\n"
        "def small(rng):\n    yield Case(np.array([[1.0, -20.5], [3.0, 4.0]]), label='two rows')\n"
        "\n\ndef large(rng):\n    yield Case(np.ones((3, 2)), label='three rows')\n"
    ),
    "checks.py": "",
    "misconceptions.py": "",
    "starter/work.py": "def turn(K):\n    ...\n\n\ndef copy(K):\n    ...\n",
}


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A student's folder with a pack of two functions and four criteria."""
    write_pack(tmp_path / "problems" / "pair", PAIR)
    return tmp_path


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("print 'hello'\n", "This looks like Python 2"),
        ("import torch\n", "leave the import out"),
        ("\ufeff\0", ""),
    ],
)
def test_what_stops_everything_is_said_once(pair: Path, code: str, reason: str) -> None:
    (pair / "work.py").write_text(code)
    said = grader("check", cwd=pair).stdout
    assert said.count("could not be loaded") == 1
    assert said.count("For the same reason as under “Turn of small”.") == 3
    assert "A hint about the values" not in said
    assert "Begin with “Turn of small”: 4 criteria are lost" in said
    assert said.count(reason) == 1 or not reason
    assert "check -v" not in said
    every = grader("check", "-v", cwd=pair).stdout
    assert every.count("could not be loaded") == 4
    assert "A hint about the values" not in every
    assert "For the same reason" not in every


def test_one_fault_in_one_function_leaves_the_other_its_own(pair: Path) -> None:
    (pair / "work.py").write_text(
        "def turn(K):\n    return K.t\n\ndef copy(K):\n    return 2 * K\n"
    )
    said = grader("check", cwd=pair).stdout
    assert said.count("has no attribute 't'") == 1
    assert said.count("For the same reason as under “Turn of small”.") == 1
    assert said.count("A hint about the values of turn.") == 1
    assert said.count("A hint about the values of copy.") == 2
    assert said.count("returned = ") == said.count("expected = ") == 2
    assert "Begin with" not in said
    assert "`grader check -v` shows" in said
    every = grader("check", "-v", cwd=pair).stdout
    assert every.count("turn(K)\n") == 2


def test_a_case_is_code_to_paste_with_its_rows_aligned(pair: Path) -> None:
    (pair / "work.py").write_text(
        "def turn(K):\n    return K\n\ndef copy(K):\n    return K.copy()\n"
    )
    lines = grader("check", cwd=pair).stdout.splitlines()
    start = lines.index("        K = np.array([[1.0, -20.5],")
    assert lines[start + 1 : start + 7] == [
        "                      [3.0,   4.0]])",
        "        turn(K)",
        "          returned = np.array([[1.0, -20.5],",
        "                               [3.0,   4.0]])",
        "          expected = np.array([[  1.0, 3.0],",
        "                               [-20.5, 4.0]])",
    ]


def test_prose_keeps_to_the_width_of_the_terminal(pair: Path) -> None:
    (pair / "work.py").write_text("import torch\n")
    done = grader("check", cwd=pair, columns=60)
    assert max(map(len, done.stdout.splitlines())) <= 60


@pytest.mark.parametrize(
    "arguments",
    [("work.py",), ("problems/mini",), ("mini",), ("mini", "work.py"), ("mini", "."), (".",)],
)
def test_ways_to_say_it(home: Path, arguments: tuple[str, ...]) -> None:
    assert grader("check", *arguments, cwd=home).returncode == 0


def test_from_a_folder_below(home: Path) -> None:
    below = home / "deep" / "down"
    below.mkdir(parents=True)
    (below / "work.py").write_text(RIGHT)
    assert grader("check", cwd=below).returncode == 0


def test_no_pack_and_too_many_packs(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    lost = grader("check", cwd=elsewhere)
    assert lost.returncode == 1
    assert "problem.toml" in lost.stderr
    write_pack(home / "problems" / "other")
    torn = grader("check", cwd=home)
    assert torn.returncode == 1
    assert "mini, other" in torn.stderr


def test_a_class_is_not_one_submission(home: Path) -> None:
    write_class(home / "class", {"ada": RIGHT, "bob": RIGHT})
    refused = grader("check", "mini", "class", cwd=home)
    assert refused.returncode == 1
    assert "grader grade" in refused.stderr


def test_a_terminal_is_not_obeyed(home: Path) -> None:
    (home / "work.py").write_text("raise ValueError('\\x1b]0;owned\\x07\\x1b[2J\\u202e')\n")
    done = grader("check", cwd=home)
    assert done.returncode == 1
    assert "\x1b]0" not in done.stdout
    assert "\u202e" not in done.stdout


def test_the_starter_is_not_attempted(home: Path) -> None:
    (home / "work.py").unlink()
    made = grader("new", "starter", "mini", ".", cwd=home)
    assert made.returncode == 0, made.stderr
    assert "def double" in (home / "work.py").read_text()
    done = grader("check", cwd=home)
    assert done.returncode == 1
    assert "not attempted" in done.stdout
    assert "statement.md" in made.stdout
    again = grader("new", "starter", "mini", ".", cwd=home)
    assert again.returncode == 1
    assert "work.py" in again.stderr


def test_a_fault_of_the_packs_is_not_the_students(home: Path) -> None:
    problem = (home / "problems" / "mini" / "problem.toml").read_text()
    changes = {
        "problem.toml": problem.replace('visibility = "hidden"', 'visibility = "public"'),
        "checks.py": "def is_double(call):\n    raise KeyError('oops')\n",
    }
    write_pack(home / "problems" / "mini", changes)
    done = grader("check", cwd=home)
    assert done.returncode == 1
    assert "through no fault of yours" in done.stderr


def test_a_students_modules_are_not_the_graders(home: Path) -> None:
    for name in ("numpy", "click", "json", "random", "sitecustomize"):
        (home / f"{name}.py").write_text("raise SystemExit('hijacked')\n")
    done = subprocess.run(
        command("check", "mini", "work.py"), cwd=home, capture_output=True, text=True, check=False
    )
    assert "hijacked" not in done.stdout + done.stderr
    assert done.returncode == 0, done.stderr
