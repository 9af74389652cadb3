"""Files that are missing, unreadable or no TOML, and paths that lead to no pack."""

from __future__ import annotations

from pathlib import Path

import pytest
from sound_pack import PackFolder, assert_in_plain_words

from grader import spec
from grader.errors import SpecError

# What is written, where the fault is, and words of the problem and of the mend.
SYNTAX = {
    "text without quotes": ("title = Spread\n", "line 1, column 9", "not one that TOML", "quotes"),
    "True with a capital": ("a = True\n", "line 1, column 5", "not one that TOML", "lower case"),
    "no value": ("a = 1\nb =\n", "line 2, column 4", "not one that TOML knows", "quotes"),
    "no equals sign": ("weight 2\n", "line 1, column 8", "neither key = value", "mend the line"),
    "a key twice": ("a = 1\na = 2\nb = 3\n", "line 2, column 6", "there already", "once"),
    "a table twice": ("[a]\n[a]\n", "line 2, column 3", "a second time", "[[double brackets]]"),
    "a table and a list": ("[a]\nb = 1\n[[a]]\n", "line 3, column 4", "there already", "[["),
    "a backslash": ('a = "\\alpha"\n', "line 1, column 8", "a backslash", "'single quotes'"),
    "a text over two lines": ('a = "x\ny"\n', "line 1, column 7", "does not end", "three quotes"),
    "an open text": ("a = 'x", "line 1, column 7", "does not end", "close it"),
    "an open long text": ('a = """x\n\n', "line 1, column 9", "does not end", "close it"),
    "an open list": ("a = [1,\n2\n", "line 2, column 2", "the list does not end", "]"),
    "an open bracket": ("[limits\na = 1\n", "line 1, column 8", "do not close", "]"),
    "two on a line": ("a = 1 b = 2\n", "line 1, column 7", "more after the value", "each line"),
    "a table in braces over lines": ("a = { b = 1,\nc = 2 }\n", "line 1", "key cannot", "one line"),
    "a key in letters of its own": ("α = 1\n", "line 1, column 1", "neither key", "mend the line"),
    "a NUL": ("a = \0\n", "line 1, column 5", "not one that TOML knows", "quotes"),
}


@pytest.mark.parametrize("name", SYNTAX)
def test_what_is_no_toml_is_shown_with_its_line(pack: PackFolder, name: str):
    text, where, problem, mend = SYNTAX[name]
    pack.write("problem.toml", text)

    (fault,) = pack.faults()

    assert fault.where.startswith(f"problem.toml {where}")
    assert problem in fault.problem
    assert mend in fault.mend
    assert_in_plain_words(fault)
    line = int(fault.where.split("line ")[1].split(",")[0])
    shown = "".join(c if c.isprintable() else "�" for c in text.split("\n")[line - 1])
    assert f"{line} | {shown}\n" in fault.problem


def test_the_arrow_stands_under_the_mistake(pack: PackFolder):
    pack.write("problem.toml", "# first\n\ttitle = Spread\n")
    (fault,) = pack.faults()
    _, line, arrow, _ = fault.problem.split("\n")
    assert line[arrow.index("^") :] == "Spread"


def test_a_very_long_line_is_cut_around_the_mistake(pack: PackFolder):
    pack.write("problem.toml", f'a = "{"x" * 100_000}" oops "{"y" * 100_000}"\n')
    (fault,) = pack.faults()
    _, line, arrow, _ = fault.problem.split("\n")
    assert line[arrow.index("^") :].startswith("oops")
    assert len(str(fault)) < 700


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'id = "a"\ntitle = "caf\xe9"\n', "is not UTF-8: line 2 holds the byte 0xe9"),
        ('id = "a"'.encode("utf-16"), "is saved as UTF-16"),
        (b"a = " + b"[" * 100_000, "too deeply"),
        (b"a = " + b"{a=" * 100_000, "too deeply"),
        (b"a = 1" + b"0" * 10_000, "too many digits"),
        (b"a = 1e99999999999999999999", "too many digits"),
    ],
)
def test_a_file_that_cannot_be_taken_in(pack: PackFolder, content: bytes, problem: str):
    pack.write("problem.toml", content)
    (fault,) = pack.faults()
    assert fault.where == "problem.toml"
    assert problem in fault.problem
    assert fault.mend


def test_an_empty_file_lacks_everything(pack: PackFolder):
    pack.write("problem.toml", "")
    missing = {fault.where for fault in pack.faults() if fault.problem == "is missing"}
    assert missing == {"id", "title", "version", "parts"}


def test_what_is_no_toml_does_not_hide_what_is_no_python(pack: PackFolder):
    pack.write("problem.toml", "a = \n")
    pack.write("checks.py", "def f(:\n")
    assert [fault.where for fault in pack.faults()] == [
        "problem.toml line 1, column 5",
        "checks.py line 1",
    ]


@pytest.mark.parametrize("name", ["rubric.toml", "statement.md"])
@pytest.mark.parametrize(
    ("content", "problem"), [(b"\xff", "is not UTF-8: line 1"), (b"\xff\xfea\0", "UTF-16")]
)
def test_other_texts_must_be_utf_8_as_well(pack: PackFolder, name, content, problem):
    pack.write(name, content)
    (fault,) = pack.faults()
    assert fault.where == name
    assert problem in fault.problem


def test_a_rubric_that_is_no_toml(pack: PackFolder):
    pack.write("rubric.toml", "[[concepts]\n")
    (fault,) = pack.faults()
    assert fault.where == "rubric.toml line 1, column 11"
    assert "1 | [[concepts]" in fault.problem


@pytest.mark.parametrize("name", ["problem.toml", "rubric.toml", "statement.md"])
def test_a_folder_in_place_of_a_file(pack: PackFolder, name):
    (pack.path / name).unlink()
    (pack.path / name).mkdir()
    (fault,) = pack.faults()
    assert (fault.where, fault.problem) == (name, "is a folder, not a file")


def test_a_file_without_permission(pack: PackFolder, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (fault,) = [fault for fault in pack.faults() if fault.where == "problem.toml"]
    assert fault.problem == "cannot be read (Permission denied)"


# --- paths -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _away_from_this_repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def told(path: Path) -> str:
    with pytest.raises(SpecError) as caught:
        spec.load(path)
    (fault,) = caught.value.faults
    assert fault.where == str(path)
    return f"{fault.problem} — {fault.mend}"


def test_no_such_folder_names_the_packs_nearby(pack: PackFolder):
    PackFolder(pack.path.parent / "other")
    said = told(pack.path.parent / "nothing-like-it")
    assert said.startswith("there is no such file or folder")
    assert str(pack.path) in said
    assert str(pack.path.parent / "other") in said


def test_a_mistyped_folder_is_recognised(pack: PackFolder):
    assert told(pack.path.parent / "spraed").endswith(f"did you mean {pack.path}?")


def test_the_folder_of_packs_names_them(tmp_path):
    # Two folders deep, so that no other test's folder is near.
    pack = PackFolder(tmp_path / "courses" / "spread")
    assert told(pack.path.parent) == f"this folder has no problem.toml — packs nearby: {pack.path}"


def test_packs_in_problems_are_found(pack: PackFolder, monkeypatch, tmp_path):
    PackFolder(tmp_path / "problems" / "mine")
    monkeypatch.chdir(tmp_path)
    assert "problems/mine" in told(Path("elsewhere/mine"))


@pytest.mark.parametrize("name", ["ana.py", "ana.ipynb", "all.ZIP", "ana/spread.py"])
def test_a_folder_of_submissions_is_recognised(tmp_path, name):
    file = tmp_path / "submissions" / name
    file.parent.mkdir(parents=True)
    file.write_text("")
    said = told(tmp_path / "submissions")
    assert "looks like a folder of submissions" in said
    assert "name the pack first, then the submissions" in said


def test_an_empty_folder(tmp_path):
    (tmp_path / "empty").mkdir()
    assert told(tmp_path / "empty") == (
        "this folder has no problem.toml — a pack is a folder with a problem.toml"
    )


@pytest.mark.parametrize("name", ["Problems.toml", "problem.tml", "problem", "problem.toml.txt"])
def test_a_misnamed_problem_file(tmp_path, name):
    (tmp_path / name).write_text("")
    (tmp_path / "rubric.toml").write_text("")
    assert told(tmp_path).endswith(f"is it {name}? Then rename that")


def test_no_other_file_is_taken_for_the_problem(tmp_path):
    for name in ("rubric.toml", "problems.py", "statement.md"):
        (tmp_path / name).write_text("")
    assert "rename" not in told(tmp_path)


@pytest.mark.parametrize("name", ["reference.py", "starter"])
def test_something_inside_a_pack_names_the_pack(pack: PackFolder, name):
    assert told(pack.path / name).endswith(f"name {pack.path} instead")
