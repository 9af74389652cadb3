"""Whose is what: one student or a class, and under which id."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest
from collecting import ANSWERS, CODE, PROBLEM, collect, ids, lay, notebook, only, zipped

from grader.errors import SubmissionError
from grader.submission import discover, limits, read


def test_a_python_file_is_a_submission(tmp_path: Path) -> None:
    lay(tmp_path, {"jane.py": CODE})
    submission = only(tmp_path / "jane.py")
    assert submission.id == "jane"
    assert [chunk.source for chunk in submission.chunks] == [CODE]
    assert submission.origin.endswith("jane.py")


def test_naming_a_file_warns_of_answers_left_beside_it(tmp_path: Path) -> None:
    lay(tmp_path, {"attention.py": CODE, "answers.md": ANSWERS})
    found = discover([tmp_path / "attention.py"], PROBLEM)
    assert "answers.md beside it is not graded" in found.warnings[0]
    assert read(found.sources[0], PROBLEM).answers == {}


@pytest.mark.parametrize("wrappers", ["", "hw/", "hw/src/"])
def test_a_folder_is_one_student_with_up_to_two_wrappers(tmp_path: Path, wrappers: str) -> None:
    files = {"attention.py": CODE, "answers.md": ANSWERS, "extra.py": b"x = 1\n"}
    lay(tmp_path / "jane", {wrappers + name: data for name, data in files.items()})
    submission = only(tmp_path / "jane")
    assert submission.id == "jane"
    assert submission.chunks[0].source == CODE
    assert submission.modules == {"extra": b"x = 1\n"}
    assert set(submission.answers) == {"i", "ii"}


def test_wrappers_may_be_a_class_of_one_and_that_is_said(tmp_path: Path) -> None:
    lay(tmp_path / "class", {"jane/attention.py": CODE})
    found = discover([tmp_path / "class"], PROBLEM)
    assert [source.id for source in found.sources] == ["class"]
    assert "jane is the only student yet" in found.warnings[0]


def test_a_folder_of_folders_is_a_class(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "ann/attention.py": CODE,
            "ben/hw1/attention.py": CODE,
            "cem/solution.py": CODE,
            "dan/hw.ipynb": notebook(("code", CODE.decode())),
            "eve/hw.zip": zipped({"hw/attention.py": CODE}),
            "fay/": b"",
            "gus/notes.pdf": b"%PDF",
        },
    )
    work = collect(tmp_path)
    assert list(work) == ["ann", "ben", "cem", "dan", "eve", "fay", "gus"]
    assert all(work[name].chunks for name in ("ann", "ben", "cem", "dan", "eve"))
    assert not work["fay"].chunks
    assert not work["fay"].code_problem
    assert "notes.pdf" in work["gus"].code_problem
    assert "notes.pdf" in work["gus"].answers_problem


def test_an_empty_folder_in_a_class_is_told(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/attention.py": CODE, "fay/": b""})
    assert any("fay is empty" in note for note in discover([tmp_path], PROBLEM).warnings)


def test_a_folder_of_files_is_a_class_with_answers_in_pairs(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "ann.py": CODE,
            "ann.md": ANSWERS,
            "ben.ipynb": notebook(("code", CODE.decode())),
            "cem.zip": zipped({"attention.py": CODE}),
            "dan.md": ANSWERS,
            "README.md": b"# Read me",
        },
    )
    work = collect(tmp_path)
    assert list(work) == ["ann", "ben", "cem", "dan"]
    assert set(work["ann"].answers) == {"i", "ii"}
    assert work["ann"].warnings == ()
    assert work["ben"].notebook
    assert work["cem"].chunks
    # Where answers come in pairs with code, a lone text is a student who wrote no code.
    assert (work["dan"].chunks, set(work["dan"].answers)) == ((), {"i", "ii"})


def test_files_beside_a_class_that_are_no_code_are_told(tmp_path: Path) -> None:
    lay(tmp_path, {"ann.py": CODE, "ben.py": CODE, "cem.md": ANSWERS, "dan.docx": b"PK"})
    found = discover([tmp_path], PROBLEM)
    assert [source.id for source in found.sources] == ["ann", "ben"]
    assert "cem.md, dan.docx" in found.warnings[0]


def test_files_that_import_each_other_are_one_student(tmp_path: Path) -> None:
    lay(tmp_path / "jane", {"main.py": b"from util import scale\n" + CODE, "util.py": b"scale = 1"})
    submission = only(tmp_path / "jane")
    assert submission.id == "jane"
    assert submission.modules == {"util": b"scale = 1"}


def test_a_class_that_looks_like_one_student_is_doubted_aloud(tmp_path: Path) -> None:
    lay(tmp_path, {"main.py": CODE, "unused.py": b"x = 1"})
    found = discover([tmp_path], PROBLEM)
    assert len(found.sources) == 2
    assert "name the one to grade attention.py" in found.warnings[0]


@pytest.mark.parametrize("root", ["submissions", "submissions/copying"])
def test_groups_of_students(tmp_path: Path, root: str) -> None:
    lay(
        tmp_path / "submissions" / "copying",
        {
            "full/ann/attention.py": CODE,
            "full/ben/hw.ipynb": notebook(("code", CODE.decode())),
            "zero/cem/attention.py": b"",
            "zero/nothing/": b"",
            "zero/ann/attention.py": CODE,
            "README.md": b"# Samples",
        },
    )
    assert ids(tmp_path / root) == ["ben", "cem", "full-ann", "nothing", "zero-ann"]


def test_a_group_with_one_student_each_in_the_samples_layout(tmp_path: Path) -> None:
    lay(tmp_path / "copying", {"full/ann/attention.py": CODE, "zero/ben/attention.py": CODE})
    assert ids(tmp_path / "copying") == ["ann", "ben"]


def test_lone_folders_in_each_of_a_class_keep_both_names(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/hw1/attention.py": CODE, "ben/homework/attention.py": CODE})
    assert ids(tmp_path) == ["ann-hw1", "ben-homework"]


def test_a_student_beside_students_may_have_wrappers_and_copies(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "ann/attention.py": CODE,
            "ben/one/two/attention.py": CODE,
            "cem/v1/attention.py": CODE,
            "cem/v2/attention.py": CODE + b"# changed",
        },
    )
    found = discover([tmp_path], PROBLEM)
    assert [source.id for source in found.sources] == ["ann", "ben", "cem"]
    assert any("cem holds several folders with work" in note for note in found.warnings)
    problem = read(found.sources[2], PROBLEM).code_problem
    assert "v1/attention.py, v2/attention.py" in problem


def test_loose_files_beside_folders_of_a_class_are_students(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/attention.py": CODE, "ben/hw.py": CODE, "cem.py": CODE, "cem.md": ANSWERS})
    work = collect(tmp_path)
    assert list(work) == ["ann", "ben", "cem"]
    assert work["cem"].answers


def test_groups_may_hold_files_and_folders(tmp_path: Path) -> None:
    files = {"full/ann/attention.py": CODE, "full/ben/attention.py": CODE, "full/cem.py": CODE}
    lay(tmp_path, files | {"zero/dan/attention.py": CODE, "zero/eve/attention.py": CODE})
    assert ids(tmp_path) == ["ann", "ben", "cem", "dan", "eve"]


def test_students_may_hand_in_texts_alone(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/words.md": ANSWERS, "ben/words.md": ANSWERS})
    assert [set(submission.answers) for submission in collect(tmp_path).values()] == [
        {"i", "ii"}
    ] * 2


def test_one_student_deep_inside_is_named_after_the_innermost_folder(tmp_path: Path) -> None:
    lay(tmp_path, {"submissions/copying/full/ann/attention.py": CODE})
    assert ids(tmp_path / "submissions") == ["ann"]
    lay(tmp_path, {"a/b/c/d/attention.py": CODE})
    assert ids(tmp_path / "a") == ["d"]


def test_code_under_many_wrappers_is_still_found(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/attention.py": CODE, "ben/1/2/3/4/5/attention.py": CODE})
    assert collect(tmp_path)["ben"].chunks


def test_a_student_with_endless_files_costs_little_and_is_told(tmp_path: Path) -> None:
    data = zipped({f"data/{n}.csv": b"" for n in range(2_100)} | {"z/z/attention.py": CODE})
    lay(tmp_path, {"ann.py": CODE, "ben.zip": data})
    assert "2,000 files" in collect(tmp_path)["ben"].code_problem


def test_an_endless_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FOLDER_ENTRIES", 20)
    lay(tmp_path, {"ann/attention.py": CODE, "ben/attention.py": CODE})
    lay(tmp_path / "ben", {f"{n}.csv": b"" for n in range(30)})
    assert "more than 20 entries" in collect(tmp_path)["ben"].code_problem


def test_a_class_with_a_stray_submission_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, {"attention.py": CODE, "ann/attention.py": CODE, "ben/attention.py": CODE})
    with pytest.raises(SubmissionError, match=r"ann, ben.*move attention\.py"):
        discover([tmp_path], PROBLEM)


def test_what_tools_leave_behind_is_ignored(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "ann/attention.py": CODE,
            "ann/._attention.py": b"\0\5",
            "ann/.ipynb_checkpoints/attention-checkpoint.py": b"old",
            "ann/__pycache__/attention.cpython-311.pyc": b"\0",
            "ann/env/pyvenv.cfg": b"",
            "ann/env/lib/attention.py": b"old",
            "ann/.git/attention.py": b"old",
            "__MACOSX/ann/._attention.py": b"\0\5",
            ".DS_Store": b"\0",
            "ben/attention.py": CODE,
            "pack/problem.toml": b"",
            "pack/reference.py": CODE,
            "reports/gradebook.sqlite": b"",
            "reports/ann.html": b"",
            ".venv/attention.py": b"old",
        },
    )
    work = collect(tmp_path)
    assert list(work) == ["ann", "ben"]
    assert work["ann"].chunks[0].source == CODE
    assert work["ann"].modules == {}


def test_a_pack_is_no_submission_unless_the_code_lies_in_it(tmp_path: Path) -> None:
    lay(tmp_path / "pack", {"problem.toml": b"", "reference.py": CODE})
    with pytest.raises(SubmissionError, match="is a problem pack"):
        discover([tmp_path / "pack"], PROBLEM)
    lay(tmp_path / "pack", {"attention.py": CODE})
    assert only(tmp_path / "pack").chunks[0].source == CODE


# --- several inputs and the whole input's faults -----------------------------------------------


def test_several_inputs_make_one_class(tmp_path: Path) -> None:
    lay(tmp_path, {"s1/ann/attention.py": CODE, "s2/ann/attention.py": CODE, "ben.py": CODE})
    paths = [tmp_path / "s1" / "ann", tmp_path / "s2" / "ann", tmp_path / "ben.py"]
    assert ids(*paths) == ["ben", "s1-ann", "s2-ann"]


def test_what_is_named_twice_is_listed_once(tmp_path: Path) -> None:
    lay(tmp_path, {"ann/attention.py": CODE, "ben/attention.py": CODE})
    assert ids(tmp_path, tmp_path / "ann", tmp_path / "ben" / ".") == ["ann", "ben"]


@pytest.mark.parametrize(
    "files",
    [
        {"Ann/attention.py": CODE, "ann/attention.py": CODE},
        {"ann.py": CODE, "ann.ipynb": notebook(), "ben.py": CODE},
        {"ann.py": CODE, "ann/attention.py": CODE, "b/attention.py": CODE},
        {"a:b/attention.py": CODE, "a?b/attention.py": CODE},
        {
            unicodedata.normalize("NFC", "josé") + ".py": CODE,
            unicodedata.normalize("NFD", "josé") + ".py": CODE,
        },
    ],
)
def test_a_collision_of_ids_is_refused_with_both_origins(
    tmp_path: Path, files: dict[str, bytes]
) -> None:
    lay(tmp_path, files)
    if len(os.listdir(tmp_path)) < 2:
        pytest.skip("this file system holds only one of the two names")
    with pytest.raises(SubmissionError) as refusal:
        discover([tmp_path], PROBLEM)
    names = [unicodedata.normalize("NFC", name.split("/")[0]) for name in files][:2]
    assert all(name in str(refusal.value) for name in names)
    assert "Rename" in str(refusal.value)


@pytest.mark.parametrize("files", [{}, {"a/": b"", "b/": b""}, {"notes.csv": b"1"}])
def test_an_input_with_nothing_in_it_is_refused(tmp_path: Path, files: dict[str, bytes]) -> None:
    lay(tmp_path / "class", files)
    with pytest.raises(SubmissionError, match=r"class holds nothing to grade.*attention\.py"):
        discover([tmp_path / "class"], PROBLEM)


def test_a_missing_path_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SubmissionError, match="nowhere"):
        discover([tmp_path / "nowhere"], PROBLEM)
    with pytest.raises(SubmissionError, match="null"):
        discover([Path("a\0b")], PROBLEM)
    with pytest.raises(SubmissionError, match="No submissions"):
        discover([], PROBLEM)


def test_a_file_that_is_no_submission_is_refused_by_name(tmp_path: Path) -> None:
    lay(tmp_path, {"grades.csv": b"a,b"})
    with pytest.raises(SubmissionError, match=r"grades\.csv"):
        discover([tmp_path / "grades.csv"], PROBLEM)
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(SubmissionError, match=r"pipe\.py"):
        discover([tmp_path / "pipe.py"], PROBLEM)


def test_a_submission_gone_since_discovery_is_not_the_students_fault(tmp_path: Path) -> None:
    lay(tmp_path, {"ann.py": CODE, "ben.py": CODE})
    source = discover([tmp_path], PROBLEM).sources[0]
    (tmp_path / "ann.py").unlink()
    with pytest.raises(SubmissionError, match=r"ann\.py.*run the same command again"):
        read(source, PROBLEM)


def test_a_source_is_small_and_independent_of_what_it_names(tmp_path: Path) -> None:
    lay(tmp_path, {f"s{n}/attention.py": CODE + b"#" * 10_000 for n in range(30)})
    sources = discover([tmp_path], PROBLEM).sources
    assert max(len(repr(source)) for source in sources) < 1_000 + 2 * len(str(tmp_path))
