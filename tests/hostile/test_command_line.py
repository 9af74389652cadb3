"""Entries 63–67 at the command line itself: standing in a student's folder, in a student's
repository on a CI service, and with names that collide."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from grading import grader, results
from handed_in import CONTROLS, RIGHT_CODE, WRONG_CODE
from pack import PROBLEM, write_pack
from second import odd_characters

SHADOWS = (
    "numpy.py", "random.py", "json.py", "os.py", "typing.py", "__future__.py", "click.py", "sympy.py", "pydantic.py",
    "site.py", "sitecustomize.py", "usercustomize.py", "conftest.py", "setup.py",
    "encodings/__init__.py", "numpy/__init__.py", "evil.pth", "test_work.py",
    "reference.py", "checks.py", "inputs.py",
)  # fmt: skip
"""Names of files in a student's folder that something might import by mistake."""
OWN_NAMES = ("grader.py", "grader/__init__.py")
"""Of these `python -m grader` takes the one for the grader, before a line of ours runs: Python looks
in the current folder first.  The installed command does not."""
COMMANDS = (
    "::set-output name=points::4/4", "::set-env name=PATH::/x", "::add-path::/x",
    "::add-mask::points", "::error file=x::forged", "::stop-commands::guess", "::guess::",
    "::save-state name=x::y", "##[error]forged", "##[set-output name=points;]4/4",
    "  ::notice title=Score::4 of 4", "x\r::error::forged", "\x1b[0m::debug::x", "::endgroup::",
)  # fmt: skip
"""Lines that a CI service's runner would obey."""
_OBEYED = re.compile(r"\s*::(?P<name>[a-z-]+)(?: (?P<rest>.*?))?::|.*##\[", re.S)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_pack(tmp_path / "pack", "SECRET-x")


def shadow(folder: Path, canary: Path, names: Sequence[str]) -> None:
    """Fill a folder with modules that leave a mark when anything but the sandbox loads them."""
    line = f"import os; open({str(canary)!r}, 'a').write(__name__ + ' ' + (__file__ or ''))\n"
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(line)


@pytest.mark.parametrize("as_module", [True, False], ids=["python -m grader", "grader"])
def test_a_students_folder_is_no_place_to_import_from(
    tmp_path: Path, pack: Path, as_module: bool
) -> None:
    """63 and 66: who checks their work stands in a folder of student files, at a terminal."""
    folder, canary = tmp_path / "work", tmp_path / "canary"
    folder.mkdir()
    shadow(folder, canary, SHADOWS if as_module else (*SHADOWS, *OWN_NAMES))
    said = "".join(CONTROLS)
    (folder / "work.py").write_text(
        f"import random, json, numpy\nprint({said!r})\n"
        f"def double(x): raise ValueError({said!r})\ndef half(x): return x / 2\n"
        f"def managed(): return ''\n"
    )
    module, script = [sys.executable, "-m", "grader"], [str(Path(sys.executable).parent / "grader")]
    if not as_module and not Path(script[0]).exists():
        pytest.skip("the command is not installed beside this Python")
    command = [*(module if as_module else script), "check", str(pack), "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    assert not canary.exists(), canary.read_text()
    text = done.stdout.decode() + done.stderr.decode()
    assert odd_characters(text) == ""
    assert "1 of 3 public criteria passed" in text, text


def test_without_care_they_would_be_imported(tmp_path: Path) -> None:
    folder, canary = tmp_path / "work", tmp_path / "canary"
    folder.mkdir()
    shadow(folder, canary, SHADOWS)
    command = [sys.executable, "-c", "import numpy"]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    assert canary.exists()


# --- a repository on a CI service -------------------------------------------------------------------


def obeyed(log: str) -> list[str]:
    """The commands in a log that a runner obeys; CR ends a line as LF does."""
    found, stopped = [], ""
    for line in re.split("\r\n|\r|\n", log):
        match = _OBEYED.match(line)
        if stopped:
            stopped = "" if line.strip() == f"::{stopped}::" else stopped
        elif line.strip().startswith("::stop-commands::"):
            stopped = line.strip().removeprefix("::stop-commands::")
        elif match:
            found.append(line)
    return found


def repository(folder: Path) -> None:
    """A student's repository that would rather grade itself."""
    said = "\n".join(COMMANDS)
    code = (
        f"import sys\nprint({said!r})\nprint({said!r}, file=sys.stderr)\n"
        f"def double(x):\n    print({said!r})\n    raise ValueError({said!r})\n"
        f"def half(x): return {said!r}\ndef managed(): return {said!r}\n"
    )
    files = {
        "work.py": code,
        ".github/workflows/classroom.yml": "on: push\njobs: {}\n",
        "tests/test_work.py": "def test(): pass\n",
        "conftest.py": "raise SystemExit(0)\n",
        "pytest.ini": "[pytest]\naddopts = --co\n",
        "grader-result.json": '{"score": 10}',
        "result.json": '{"score": 10}',
        "pyproject.toml": "[tool.pytest]\n",
        "pack/problem.toml": PROBLEM,
        "problems/hostile/problem.toml": PROBLEM,
        "problems/hostile/reference.py": "def double(x): return 0\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_a_repository_does_not_grade_itself(tmp_path: Path, pack: Path) -> None:
    """64 and 65: its own pack, tests and results count for nothing, and no line is a command."""
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    repository(checkout)
    output = tmp_path / "github-output"
    environment = {
        **os.environ, "GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }  # fmt: skip
    done = grader(
        "ci", pack, ".", "--result", tmp_path / "result.json", cwd=checkout, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert results_of(tmp_path / "result.json")["score"] == 0
    ours = obeyed(done.stdout + "\n" + done.stderr)
    assert all(re.match(r"::(error|warning|notice) (file=|title=)", line) for line in ours), ours
    assert not any("forged" in line.split("::")[1] for line in ours)
    named = dict(re.findall(r"^([\w-]+)<<(\S+)$", output.read_text(), re.M))
    assert set(named) == {"result", "points", "score", "max-score", "pending"}
    assert "\n0/10\n" in output.read_text()


def test_a_naive_log_would_be_obeyed() -> None:
    assert len(obeyed("\n".join(COMMANDS))) >= 5


def results_of(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text())
    return document


# --- ids ----------------------------------------------------------------------------------------------

REFUSED = (
    ("Case", "case"), ("e\u0301mil", "\u00e9mil"), ("a:b", "a?b"), ("c\x01d", "c\x02d"),
    ("dot", "dot."), ("in\u200bvis", "in\u200cvis"), ("stra\u00dfe", "strasse"),
)  # fmt: skip
"""Pairs of names that become one id, or one file on some disk."""
TOLD_APART = (
    ("space", " space "), ("n" * 200 + "x", "n" * 200 + "y"), ("=one", "+one"), ("index", "_index"),
)  # fmt: skip
"""Pairs that do not, once they are named with what they lie in."""


def _class(folder: Path, pairs: Sequence[tuple[str, str]]) -> Path:
    for pair in pairs:
        for name, code in zip(pair, (RIGHT_CODE, WRONG_CODE), strict=True):
            (folder / name).mkdir(parents=True)
            (folder / name / "work.py").write_bytes(code)
    return folder


def test_submissions_that_would_be_one_are_refused_by_name(tmp_path: Path, pack: Path) -> None:
    handed_in = _class(tmp_path / "class", (*REFUSED, *TOLD_APART))
    refused = grader("grade", pack, handed_in, "-o", tmp_path / "out")
    assert refused.returncode == 1
    assert not (tmp_path / "out").exists()
    assert len(re.findall(r"^  - .* and ", refused.stderr, re.M)) == len(REFUSED)


def test_no_result_takes_the_place_of_another(tmp_path: Path, pack: Path) -> None:
    done = grader("grade", pack, _class(tmp_path / "class", TOLD_APART), "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    scores = [each["score"] for each in results(tmp_path / "out").values()]
    assert scores.count(max(scores)) == scores.count(min(scores)) == len(TOLD_APART)
    assert min(scores) < max(scores)
