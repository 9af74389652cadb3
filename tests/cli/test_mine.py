"""`grader mine`: groups of a graded class, what explains them, and misconceptions made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mini_pack import RIGHT, SQUARES, grader, write_class, write_pack

CODES = {
    "ada": RIGHT,
    "ben": "def double(x):\n    return -2 * x\n",
    "cem": "def double(x):\n    y = x + x\n    return 0 - y\n",
    "dora": SQUARES,
    "emil": SQUARES,
    # Wrong alike, in a way that nothing generic explains.
    "finn": "def double(x):\n    return 2 * x + x ** 3 / 7\n",
    "gita": "def double(x):\n    return x * (2 + x * x / 7)\n",
    "hans": "def double(x):\n    raise ValueError\n",
}


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    write_pack(tmp_path / "problems" / "mini")
    write_class(tmp_path / "class", CODES)
    assert grader("grade", "mini", "class", cwd=tmp_path).returncode in (0, 1)
    return tmp_path


def groups(folder: Path, *options: str) -> list[dict[str, Any]]:
    done = grader("mine", "--json", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["groups"]
    return found


def test_students_with_the_same_wrong_results_are_one_group(graded: Path) -> None:
    found = groups(graded)
    assert [(g["students"], g["explanation"]) for g in found] == [
        (["ben", "cem"], "the sign is turned"),
        (["finn", "gita"], None),
    ]
    assert found[0]["criteria"] == ["doubles", "secret"]


def test_what_is_known_is_shown_on_demand(graded: Path) -> None:
    known = [g for g in groups(graded, "--all") if g["known_as"]]
    assert [(g["students"], g["known_as"]) for g in known] == [(["dora", "emil"], ["squares"])]


def test_a_group_is_shown_with_its_smallest_case_and_somebodys_code(graded: Path) -> None:
    said = grader("mine", "reports", cwd=graded).stdout
    assert "1. double, 2 students" in said
    assert "Explained: the sign is turned." in said
    assert "x = 1" in said
    assert "→ -2" in said
    assert "expected 2" in said
    assert "return -2 * x" in said  # the shorter code of the two


@pytest.mark.parametrize(("number", "students"), [(1, ("ben", "cem")), (2, ("finn", "gita"))])
def test_a_named_group_is_told_after_regrading(
    graded: Path, number: int, students: tuple[str, ...]
) -> None:
    done = grader("mine", "--name", f"{number}=odd_one", "--hint", "Look again.", cwd=graded)
    assert done.returncode == 0, done.stderr
    grader("grade", "mini", "class", cwd=graded)
    for student in CODES:
        document = json.loads((graded / "reports" / f"{student}.json").read_text())
        criterion = document["parts"][0]["criteria"][0]
        assert ("odd_one" in criterion["misconceptions"]) == (student in students)
        texts = [item["text"] for item in criterion["feedback"]]
        assert any("Look again." in text for text in texts) == (student in students)
    assert "odd_one" not in json.dumps(groups(graded))  # known now, so not shown again


def test_a_name_that_cannot_be_used_changes_nothing(graded: Path) -> None:
    before = (graded / "problems/mini/problem.toml").read_text()
    for name, code in (("1=squares", 1), ("1=no id", 1), ("9=odd", 2), ("odd", 2)):
        done = grader("mine", "--name", name, cwd=graded)
        assert done.returncode == code
        assert done.stderr
    assert (graded / "problems/mini/problem.toml").read_text() == before


def test_a_pack_that_was_changed_since_must_grade_again(graded: Path) -> None:
    inputs = (graded / "problems/mini/inputs.py").read_text().replace("(1.0, 3.0, 7.0)", "(1.0,)")
    (graded / "problems/mini/inputs.py").write_text(inputs)
    done = grader("mine", cwd=graded)
    assert done.returncode == 1
    assert "grader grade" in done.stderr


def test_a_pack_whose_inputs_were_changed_is_noted(graded: Path) -> None:
    inputs = graded / "problems/mini/inputs.py"
    inputs.write_text(inputs.read_text().replace("3.0", "4.0"))
    done = grader("mine", cwd=graded)
    assert done.returncode == 0
    assert "the pack was changed since" in done.stderr


def test_a_class_without_mistakes_in_common_says_so(tmp_path: Path) -> None:
    write_pack(tmp_path / "problems" / "mini")
    write_class(tmp_path / "class", {"ada": RIGHT})
    grader("grade", "mini", "class", cwd=tmp_path)
    assert "No group of students" in grader("mine", cwd=tmp_path).stdout


def test_no_results_yet(tmp_path: Path) -> None:
    done = grader("mine", "nowhere", cwd=tmp_path)
    assert done.returncode == 1
    assert "grade into it first" in done.stderr


ODD = {
    "large": "import numpy as np\ndef double(x): return np.arange(130_000.0)\n",
    "numbers": "def double(x): return [1] * 60_000\n",
    "words": "def double(x): return '\\x1b[31m\"\"\"\\\\' + '\\ud800' * 9 + '\"' * 60_000\n",
    "quotes": 'def double(x): return \'\\x1b[31m"""\\\\\\ud800\'\n',
    "imaginary": "import numpy as np\ndef double(x): return np.array([1j, x])\n",
    "huge": "def double(x): return 10 ** 3000\n",
    "infinite": "def double(x): return [float('nan'), float('inf'), -0.0, x * 1e-320]\n",
    "tagged": "def double(x): return {'type': 'array', 'dtype': 'object', 'data': [[]]}\n",
    "nested": "def double(x):\n    for _ in range(25): x = [(x,)]\n    return {'a': x}\n",
    "object": (
        "def double(x):\n    class A: pass\n"
        '    A.__qualname__ = \'x\\n]]"""\\\\\'\n    return A()\n'
    ),
}


def test_whatever_was_returned_can_be_kept_grouped_and_written_into_the_pack(
    tmp_path: Path,
) -> None:
    write_pack(tmp_path / "problems" / "mini")
    write_class(tmp_path / "class", ODD)
    grader("grade", "mini", "class", cwd=tmp_path)
    before = [path.read_text() for path in sorted((tmp_path / "reports").glob("*.json"))]
    found = groups(tmp_path, "--least", "1")
    assert {g["students"][0] for g in found} == {*ODD} - {"large", "numbers", "words", "object"}
    assert "\x1b" not in grader("mine", "--least", "1", cwd=tmp_path).stdout
    names = [word for g in found for word in ("--name", f"{g['number']}=found_{g['number']}")]
    assert grader("mine", "--least", "1", *names, cwd=tmp_path).returncode == 0
    grader("grade", "mini", "class", "--force", cwd=tmp_path)
    after = [path.read_text() for path in sorted((tmp_path / "reports").glob("*.json"))]
    scores = [[json.loads(text).get("score") for text in texts] for texts in (before, after)]
    assert len(scores[0]) == len(ODD) + 1  # and results.json
    assert scores[0] == scores[1]
