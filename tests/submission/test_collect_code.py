"""Which file is the code, what it may import, and code that cannot be read."""

from __future__ import annotations

import os
import re
import socket
import tempfile
from pathlib import Path

import pytest
from collecting import ANSWERS, CODE, PROBLEM, STUB, collect, lay, notebook, only, zipped

from grader.errors import SubmissionError
from grader.evidence import Submission
from grader.submission import discover, read


def student(tmp_path: Path, files: dict[str, bytes]) -> Submission:
    """Hand in a student's folder, in a class, and read it."""
    lay(tmp_path, {"other/attention.py": CODE})
    lay(tmp_path / "jane", files)
    return collect(tmp_path)["jane"]


def test_the_name_asked_for_wins_without_a_warning(tmp_path: Path) -> None:
    submission = student(
        tmp_path, {"attention.py": CODE, "old.py": CODE + b"#", "notes.py": b"x=1"}
    )
    assert submission.chunks[0].name == "attention.py"
    assert submission.modules == {"old": CODE + b"#", "notes": b"x=1"}
    assert submission.warnings == ()


@pytest.mark.parametrize("name", ["solution.py", "Attention final (2).py", "attention.py.txt"])
def test_a_sole_candidate_is_taken_with_a_warning_of_both_names(tmp_path: Path, name: str) -> None:
    submission = student(tmp_path, {name: CODE})
    assert submission.chunks[0].source == CODE
    assert name in submission.warnings[0]
    assert "attention.py" in submission.warnings[0]


def test_the_name_asked_for_in_other_case_is_that_name(tmp_path: Path) -> None:
    submission = student(tmp_path, {"Attention.PY": CODE, "util.py": CODE})
    assert submission.chunks[0].name == "Attention.PY"


def test_of_several_candidates_the_one_that_defines_most_is_taken(tmp_path: Path) -> None:
    half = b"def weights(q, K):\n    return K @ q\n"
    submission = student(tmp_path, {"a.py": half, "b.py": CODE, "c.py": b"x = 1\n"})
    assert submission.chunks[0].name == "b.py"
    assert set(submission.modules) == {"a", "c"}
    assert "b.py was graded as attention.py" in submission.warnings[0]


def test_tests_and_packaging_are_no_candidates(tmp_path: Path) -> None:
    files = {"hw.py": b"from other import *", "test_hw.py": CODE, "setup.py": CODE}
    assert student(tmp_path, files).chunks[0].name == "hw.py"


def test_equal_candidates_are_listed_instead_of_guessed(tmp_path: Path) -> None:
    submission = student(tmp_path, {"a.py": CODE, "b.py": CODE + b"# other\n"})
    assert submission.chunks == ()
    assert "a.py, b.py" in submission.code_problem
    assert "attention.py" in submission.code_problem


def test_copies_of_one_file_are_one_candidate(tmp_path: Path) -> None:
    submission = student(tmp_path, {"hw.py": CODE, "hw copy.py": CODE, "old/hw.py": CODE})
    assert submission.chunks[0].source == CODE


def test_a_notebook_beside_its_export_is_the_original(tmp_path: Path) -> None:
    files = {"hw.py": CODE, "hw.ipynb": notebook(("code", CODE.decode()))}
    assert student(tmp_path, files).notebook


@pytest.mark.parametrize(
    "finished", ["attention_final.py", "attention (1).py", "submission/hw.py", "hw.ipynb"]
)
def test_the_finished_copy_wins_over_the_starter(tmp_path: Path, finished: str) -> None:
    data = notebook(("code", CODE.decode())) if finished.endswith("ipynb") else CODE
    submission = student(tmp_path, {"attention.py": STUB, finished: data})
    assert b"return K @ q" in submission.chunks[0].source
    assert "attention.py is an unfinished starter" in submission.warnings[0]
    assert finished in submission.warnings[0]


def test_a_starter_folder_yields_to_the_work(tmp_path: Path) -> None:
    files = {"starter/attention.py": STUB, "hand-in/attention.py": CODE}
    assert student(tmp_path, files).chunks[0].source == CODE


def test_a_stub_alone_is_handed_on_as_it_is(tmp_path: Path) -> None:
    assert student(tmp_path, {"attention.py": STUB, "util.py": b"x=1"}).chunks[0].source == STUB


@pytest.mark.parametrize(
    "body",
    [
        b"def weights(q,\n    K):  # keys\n    '''Words: here.'''\n    # nothing\n    pass\n",
        b"def weights(q, K): ...\n",
        b"def weights(q: list[int], K) -> dict[str, int]:\n    return None\n",
        b'def weights(q):\n    """\n    return it\n    """\n    raise NotImplementedError("x")\n',
    ],
)
def test_stubs_are_told_from_work_by_their_look(tmp_path: Path, body: bytes) -> None:
    submission = student(tmp_path, {"attention.py": body, "done.py": CODE})
    assert submission.chunks[0].name == "done.py"


@pytest.mark.parametrize(
    "body",
    [
        b"def weights(q, K): return K @ q\n",
        b"weights = lambda q, K: K @ q\n",
        b"from solution import weights\n",
        b"def weights(q, K):\n    '''Words.'''\n    return {1: 2}\n",
        b"print('no function at all')\n",
    ],
)
def test_work_is_never_taken_for_a_stub(tmp_path: Path, body: bytes) -> None:
    submission = student(tmp_path, {"attention.py": body, "done.py": CODE})
    assert submission.chunks[0].name == "attention.py"


def test_encodings_are_the_sandbox_s_to_explain(tmp_path: Path) -> None:
    for data in (
        b"\xef\xbb\xbf" + CODE,
        "# é\n".encode("latin-1") + CODE,
        CODE.replace(b"\n", b"\r"),
    ):
        assert student(tmp_path, {"attention.py": data}).chunks[0].source == data


# --- modules -----------------------------------------------------------------------------------


def test_modules_are_passed_on_whatever_they_shadow(tmp_path: Path) -> None:
    files = {"attention.py": CODE, "numpy.py": b"x=1", "random.py": b"x=2", "no-name.py": b"x=3"}
    assert set(student(tmp_path, files).modules) == {"numpy", "random"}


def test_modules_that_cannot_be_python_are_left_out_with_a_warning(tmp_path: Path) -> None:
    files = {"attention.py": CODE, "bad.py": b"x\0", "big.py": b"#" * 1_000_001}
    submission = student(tmp_path, files)
    assert submission.modules == {}
    assert any("bad.py" in warning for warning in submission.warnings)
    assert any("big.py" in warning and "1 MB" in warning for warning in submission.warnings)


def test_modules_are_limited_in_number(tmp_path: Path) -> None:
    files = {f"m{n}.py": b"x=1" for n in range(60)} | {"attention.py": CODE}
    submission = student(tmp_path, files)
    assert len(submission.modules) == 50
    assert any("50 files" in warning for warning in submission.warnings)


# --- code that cannot be read --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x = 1\n\0\n", "NUL byte, in line 2"),
        (CODE.decode().encode("utf-16"), "UTF-16.*Save it as UTF-8"),
        (CODE.decode().encode("utf-16-le"), "UTF-16-LE"),
        (CODE.decode().encode("utf-32"), "UTF-32"),
        (b"PK\x03\x04....", "a zip or an office document"),
        (b"\x7fELF\x02\x01\0\0", "a compiled program"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"{\\rtf1 x", "rich-text"),
        (b"<!DOCTYPE html>\n<html>", "web page"),
        (notebook(("code", "x=1")), r"Rename it to \.ipynb"),
        (b"#" * 1_000_001, "1 MB"),
    ],
)
def test_what_is_no_python_is_told_with_the_mend(tmp_path: Path, data: bytes, words: str) -> None:
    lay(tmp_path, {"jane/attention.py": data, "jane/answers.md": ANSWERS})
    submission = only(tmp_path / "jane")
    assert submission.chunks == ()
    assert re.search(rf"attention\.py.*{words}", submission.code_problem)
    # The answers beside it are read all the same.
    assert set(submission.answers) == {"i", "ii"}


def test_a_file_of_1_gb_costs_nothing(tmp_path: Path) -> None:
    lay(tmp_path, {"jane/attention.py": b"", "jane/answers.md": b""})
    for name in ("attention.py", "answers.md"):
        os.truncate(tmp_path / "jane" / name, 1_000_000_000)
    submission = only(tmp_path / "jane")
    assert "1,000 MB" in submission.code_problem
    assert "1 MB" in submission.code_problem
    assert "1,000 MB" in submission.answers_problem


def test_links_pipes_and_sockets_are_not_opened(tmp_path: Path) -> None:
    secret = lay(tmp_path / "outside", {"attention.py": CODE}) / "attention.py"
    root = lay(
        tmp_path / "class", {"ann/attention.py": CODE, "link/": b"", "pipe/": b"", "sock/": b""}
    )
    (root / "link" / "attention.py").symlink_to(secret)
    (root / "folder-link").symlink_to(secret.parent)
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe" / "attention.py")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(root / "sock")
        server.bind("attention.py")
        os.chdir(here)
    work = collect(root)
    assert "symbolic link" in work["link"].code_problem
    assert "symbolic link" in work["folder-link"].code_problem
    assert "named pipe" in work["pipe"].code_problem
    assert "socket" in work["sock"].code_problem
    assert all(not work[name].chunks for name in work if name != "ann")


def test_a_device_is_not_read(tmp_path: Path) -> None:
    lay(tmp_path, {"jane/answers.md": ANSWERS})
    try:
        os.mknod(tmp_path / "jane" / "attention.py", 0o20666, os.makedev(1, 5))
    except OSError:
        pytest.skip("only a privileged user can make a device")
    assert "a device" in only(tmp_path / "jane").code_problem


def test_what_the_grader_may_not_read_costs_no_points() -> None:
    """Rights are the machine's: a grader that lacks them has not seen the work."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lay(
            root,
            {"ann/attention.py": CODE, "file/attention.py": CODE, "folder/attention.py": CODE,
             "zip/work.zip": zipped({"attention.py": CODE}), "text/answers.md": b"## i\nwords"},
        )  # fmt: skip
        root.chmod(0o755)
        closed = ("file/attention.py", "folder", "zip/work.zip", "text/answers.md")
        for name in closed:
            (root / name).chmod(0)
        user = os.geteuid()
        if user == 0:
            os.seteuid(65534)
        try:
            found = {source.id: source for source in discover([root], PROBLEM).sources}
            assert read(found.pop("ann"), PROBLEM).chunks
            assert len(found) == len(closed)
            for source in found.values():
                with pytest.raises(SubmissionError, match=r"permission denied\. Give the grader"):
                    read(source, PROBLEM)
        finally:
            os.seteuid(user)
            (root / "folder").chmod(0o700)


@pytest.mark.parametrize("name", ["hw.rar", "hw.tar.gz", "hw.7z"])
def test_other_archives_are_told(tmp_path: Path, name: str) -> None:
    submission = student(tmp_path, {name: b"Rar!"})
    assert name in submission.code_problem
    assert name in submission.answers_problem


def test_a_zip_beside_code_is_not_opened_but_told(tmp_path: Path) -> None:
    submission = student(tmp_path, {"attention.py": CODE, "all.zip": zipped({"a.py": CODE})})
    assert submission.chunks[0].source == CODE
    assert any("all.zip" in warning for warning in submission.warnings)


# --- the digest ----------------------------------------------------------------------------------


def test_the_digest_depends_on_content_alone(tmp_path: Path) -> None:
    files = {"attention.py": CODE, "answers.md": ANSWERS, "util.py": b"x=1"}
    lay(tmp_path / "a" / "jane", files)
    lay(tmp_path / "b" / "hw" / "src", files)
    lay(tmp_path / "c", {"joe.zip": zipped({f"hw/{name}": data for name, data in files.items()})})
    os.utime(tmp_path / "a" / "jane" / "attention.py", (0, 0))
    places = [tmp_path / "a" / "jane", tmp_path / "b", tmp_path / "c" / "joe.zip"]
    assert len({only(place).digest for place in places}) == 1


def test_the_digest_changes_with_all_that_may_change_a_grade(tmp_path: Path) -> None:
    base = {"attention.py": CODE, "answers.md": ANSWERS, "util.py": b"x=1"}
    changed = [
        base,
        base | {"attention.py": CODE + b"\n"},
        base | {"answers.md": ANSWERS.replace(b"one", b"two")},
        base | {"answers.md": ANSWERS.replace(b"eps)\n", b"eps)+1\n")},
        base | {"answers.md": ANSWERS.replace(b"## i\n", b"## iii\n")},
        base | {"util.py": b"x=2"},
        base | {"utils.py": b"x=1"},
        base | {"attention.py": b"\0"},
        {"answers.md": ANSWERS},
        {"attention.ipynb": notebook(("code", CODE.decode()))},
    ]
    places = [lay(tmp_path / str(n), files) for n, files in enumerate(changed)]
    assert len({only(place).digest for place in places}) == len(changed)
