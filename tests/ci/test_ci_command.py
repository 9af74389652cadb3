"""`grader ci` as a whole: what it finds around it, what it writes, and how it ends."""

from __future__ import annotations

import base64
import json
from xml.etree import ElementTree

import jsonschema
import pytest
import schemas
from ci_checkout import RIGHT, SECRET, grader_ci, make_checkout, make_pack
from runner_model import read_log, read_outputs, reporter_log, reporter_points

HOSTILE = r"""
print("::set-output name=points::100\r::error::cr\n ::warning::blank ##[error]x \x1b[31m\x00")

def double(x):
    print("::stop-commands::mine\n::add-mask::a\r::endgroup::")
    raise ValueError("::error::lf\n::set-env name=A::b\r##[add-path]/x%0A::error:: `|`<script> ]]>\x00" + str(x))
"""  # noqa: E501


@pytest.fixture
def pack(tmp_path):
    return make_pack(tmp_path / "packs" / "doubling")


@pytest.fixture
def actions(tmp_path):
    """The environment of an Actions step, with its files."""
    files = {name: tmp_path / f"runner-{name}" for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.touch()
    return {"GITHUB_ACTIONS": "true", **{name: str(path) for name, path in files.items()}}


def outputs(actions):
    with open(actions["GITHUB_OUTPUT"], encoding="utf-8") as file:
        return read_outputs(file.read())


def summary(actions):
    with open(actions["GITHUB_STEP_SUMMARY"], encoding="utf-8") as file:
        return file.read()


def everything_written(folder):
    paths = (path for path in folder.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in paths)


# --- GitHub Actions ----------------------------------------------------------------------------


def test_a_right_submission_in_actions(tmp_path, pack, actions):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    ran = grader_ci(work, pack, **actions)
    assert ran.exit_code == 0
    log = read_log(ran.output)
    assert [(c.name, c.data) for c in log.obeyed] == [
        ("notice", "3 of 4 points (provisional: 1 point pending)")
    ]
    found = outputs(actions)
    numbers = {name: found[name] for name in ("points", "score", "max-score", "pending")}
    assert numbers == {"points": "3/4", "score": "3", "max-score": "4", "pending": "1"}
    assert reporter_points(found["result"]) == (3, 4)
    assert "Small numbers | ✅ Passed | 1 / 1" in summary(actions)
    assert "Large numbers 🔒 hidden | ✅ Passed | 1 / 1" in summary(actions)


def test_a_wrong_answer_is_annotated_where_its_function_is_defined(tmp_path, pack, actions):
    source = "import math\n\n\ndef double(x):\n    return 3 * x\n"
    work = make_checkout(tmp_path / "work", {"src/work.py": source, "README.md": "Mine"})
    log = read_log(grader_ci(work, pack, ".", **actions).output)
    [error] = [command for command in log.obeyed if command.name == "error"]
    assert (error.properties["file"], error.properties["line"]) == ("src/work.py", "4")
    assert "returned: 3" in error.data
    assert "expected: 2" in error.data
    assert "Also: i. Twice is even" in error.data


def test_an_error_is_annotated_where_it_was_raised(tmp_path, pack, actions):
    files = {
        "hw/work.py": "from helper import twice\n\ndef double(x):\n    return twice(x)\n",
        "hw/helper.py": "def twice(x):\n    y = x\n    return y.value\n",
    }
    work = make_checkout(tmp_path / "work", files)
    log = read_log(grader_ci(work / "hw", pack, **actions).output)
    [error] = [command for command in log.obeyed if command.name == "error"]
    assert (error.properties["file"], error.properties["line"]) == ("hw/helper.py", "3")
    assert "AttributeError" in error.data


def test_a_syntax_error_is_annotated_at_its_line(tmp_path, pack, actions):
    work = make_checkout(tmp_path / "work", {"work.py": b"x = 1\r\ny = 2\r\ndef double(x:\r\n"})
    ran = grader_ci(work, pack, **actions)
    assert ran.exit_code == 0
    [error] = [command for command in read_log(ran.output).obeyed if command.name == "error"]
    assert (error.properties["file"], error.properties["line"]) == ("work.py", "3")
    assert outputs(actions)["points"] == "0/4"


def test_a_line_that_the_student_made_up_is_not_annotated(tmp_path, pack, actions):
    made_up = "def double(x):\n    exec(compile('\\n' * 99 + 'x.y', 'work.py', 'exec'))\n"
    work = make_checkout(tmp_path / "work", {"work.py": made_up})
    log = read_log(grader_ci(work, pack, **actions).output)
    [error] = [command for command in log.obeyed if command.name == "error"]
    assert "line 100" in error.data
    assert error.properties["line"] == "2"


def test_a_notebook_is_annotated_as_a_whole(tmp_path, pack, actions):
    cell = {"cell_type": "code", "source": "def double(x):\n    return 1 / 0\n", "metadata": {}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    work = make_checkout(tmp_path / "work", {"hw.ipynb": json.dumps(notebook)})
    log = read_log(grader_ci(work, pack, **actions).output)
    [error] = [command for command in log.obeyed if command.name == "error"]
    assert (error.properties["file"], error.properties["line"]) == ("hw.ipynb", "1")
    assert "cell 1 line 2" in error.data


def test_nothing_that_a_student_prints_or_raises_is_obeyed(tmp_path, pack, actions):
    work = make_checkout(tmp_path / "##[error]x %0A::error::" / "wörk", {"work.py": HOSTILE})
    ran = grader_ci(work, pack, "--junit", "report.xml", "--result", "result.json", **actions)
    assert ran.exit_code == 0
    log = read_log(ran.output)
    assert [command.name for command in log.obeyed] == ["error", "notice"]
    assert log.obeyed[0].properties["file"] == "work.py"
    assert log.shielded == []
    assert log.stopped is None
    found = outputs(actions)
    assert set(found) == {"result", "points", "score", "max-score", "pending"}
    assert found["points"] == "0/4"
    assert read_log(reporter_log(found["result"])).obeyed == []
    assert "<script" not in summary(actions).lower()
    ElementTree.parse(work / "report.xml")
    assert json.loads((work / "result.json").read_text())["score"] == 0


def test_two_runs_have_different_tokens(tmp_path, pack, actions):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    first = [grader_ci(work, pack, **actions).output.splitlines()[0] for _ in range(2)]
    assert all(line.startswith("::stop-commands::") for line in first)
    assert first[0] != first[1]


@pytest.mark.parametrize("source", [
    "def double(x):\n    print('got', x)\n    return 3 * x\n",
    "def double(x):\n    print('got', x)\n    raise ValueError(x)\n",
])  # fmt: skip
def test_a_hidden_case_shows_nowhere(tmp_path, pack, actions, source):
    work = make_checkout(tmp_path / "work", {"work.py": source})
    there = {"CLASSROOM": "c", "ASSIGNMENT": "a"}
    gradescope = tmp_path / "autograder"
    (gradescope / "submission").mkdir(parents=True)
    ran = grader_ci(
        work, pack, ".", "--junit", "j.xml", "--result", "r.json",
        GRADER_GRADESCOPE_ROOT=str(gradescope), **there, **actions,
    )  # fmt: skip
    assert ran.exit_code == 0
    written = everything_written(work) + everything_written(gradescope)
    decoded = base64.b64decode(outputs(actions)["result"])
    for text in (ran.output.encode(), written, decoded, summary(actions).encode()):
        assert text
        assert SECRET.encode() not in text
        assert str(3 * int(SECRET)).encode() not in text


def test_the_log_says_when_the_pack_lies_in_the_checkout(tmp_path, actions):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    make_pack(work / "problems" / "doubling")
    ran = grader_ci(work, **actions)
    assert ran.exit_code == 0
    assert "the pack lies in the checkout" in ran.output
    assert outputs(actions)["points"] == "3/4"


# --- other services ----------------------------------------------------------------------------


def test_gradescope_is_graded_from_its_own_folder(tmp_path, pack):
    root = tmp_path / "autograder"
    make_checkout(root / "submission", {"work.py": RIGHT})
    ran = grader_ci(tmp_path, pack, GRADER_GRADESCOPE_ROOT=str(root))
    assert ran.exit_code == 0
    results = json.loads((root / "results" / "results.json").read_text())
    jsonschema.validate(results, schemas.GRADESCOPE)
    assert results["score"] == 3
    assert "provisional: 1 point pending" in results["output"]
    assert [test["visibility"] for test in results["tests"]].count("hidden") == 1


def test_classroom_50_gets_its_result_and_a_text_for_the_release(tmp_path, pack):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT, "result.json": "mine"})
    there = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/x"}
    assert grader_ci(work, pack, **there).exit_code == 0
    result = json.loads((work / "result.json").read_text())
    jsonschema.validate(result, schemas.CLASSROOM50)
    assert (result["score"], result["max-score"]) == (300, 400)
    assert "3 of 4 points" in (work / "release-body.md").read_text()


def test_elsewhere_only_what_is_asked_for_is_written(tmp_path, pack):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    before = sorted(work.rglob("*"))
    ran = grader_ci(work, pack)
    assert ran.exit_code == 0
    assert sorted(work.rglob("*")) == before
    assert "::" not in ran.output
    assert "3 of 4 points (provisional: 1 point pending)" in ran.output


def test_result_and_junit_are_written_where_asked(tmp_path, pack):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    assert grader_ci(work, pack, "--junit", tmp_path / "out" / "j.xml", "--result").exit_code == 0
    result = json.loads((work / "grader-result.json").read_text())
    assert (result["schema"], result["score"]) == ("grader/result/v1", 3)
    root = ElementTree.parse(tmp_path / "out" / "j.xml").getroot()
    assert (root.get("tests"), root.get("skipped")) == ("4", "1")


def test_a_file_or_a_zip_can_be_named(tmp_path, pack):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT, "other.py": "x = 1\n"})
    assert "3 of 4 points" in grader_ci(tmp_path, pack, work / "work.py").output


# --- what goes wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("files", [{}, {"README.md": "Nothing yet"}, {"work.py": ""}])
def test_an_empty_checkout_is_graded_with_nothing(tmp_path, pack, actions, files):
    work = make_checkout(tmp_path / "work", files)
    ran = grader_ci(work, pack, **actions)
    assert ran.exit_code == 0
    assert outputs(actions)["points"] == "0/4"


def test_many_files_of_one_student_are_one_submission(tmp_path, pack, actions):
    files = {"work.py": RIGHT, "plots.py": "import this_is_not_there\n", "old/work.py": "x"}
    work = make_checkout(tmp_path / "work", files)
    assert grader_ci(work, pack, **actions).exit_code == 0
    assert outputs(actions)["points"] == "3/4"


def test_a_check_that_fails_is_not_the_students_loss(tmp_path, actions):
    pack = make_pack(tmp_path / "pack", checks="def is_even(returned):\n    return 1 / 0\n")
    root = tmp_path / "autograder"
    work = make_checkout(root / "submission", {"work.py": RIGHT})
    there = {"CLASSROOM": "c", "ASSIGNMENT": "a", "GRADER_GRADESCOPE_ROOT": str(root)}
    ran = grader_ci(work, pack, ".", "--junit", "j.xml", **there, **actions)
    assert ran.exit_code == 1
    errors = [command for command in read_log(ran.output).obeyed if command.name == "error"]
    assert [error.properties["title"] for error in errors] == ["Not graded in full"]
    assert reporter_points(outputs(actions)["result"]) is None
    assert "score" not in json.loads((root / "results" / "results.json").read_text())
    assert json.loads((work / "result.json").read_text())["max-score"] == 0
    assert 'type="grader_error"' in (work / "j.xml").read_text()
    assert "ZeroDivisionError" not in ran.output


def test_a_broken_pack_ends_with_one_error_and_its_reason(tmp_path, actions):
    pack = make_pack(tmp_path / "pack", problem="id = 'x'\n::error::y\n")
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    ran = grader_ci(work, pack, **actions)
    assert ran.exit_code == 1
    [error] = read_log(ran.output).obeyed
    assert (error.name, error.properties["title"]) == ("error", "Not graded")
    assert "problem.toml" in error.data
    assert outputs(actions) == {}


def test_without_a_pack_it_says_what_to_do(tmp_path):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT})
    ran = grader_ci(work)
    assert ran.exit_code == 1
    assert "No problem pack was found" in ran.output


def test_a_pack_is_not_graded_as_work(tmp_path, pack):
    ran = grader_ci(pack)
    assert ran.exit_code == 1
    assert "is a problem pack" in ran.output


def test_one_report_that_cannot_be_written_does_not_cost_the_others(tmp_path, pack, actions):
    work = make_checkout(tmp_path / "work", {"work.py": RIGHT, "taken": "a file"})
    ran = grader_ci(work, pack, ".", "--junit", "taken/j.xml", "--result", "r.json", **actions)
    assert ran.exit_code == 1
    [error] = read_log(ran.output).obeyed
    assert "taken/j.xml" in error.data
    assert json.loads((work / "r.json").read_text())["score"] == 3
    assert outputs(actions)["points"] == "3/4"


def test_wrong_usage_is_told_apart(tmp_path, pack):
    assert grader_ci(pack, "--min-isolation", "Z").exit_code == 2
