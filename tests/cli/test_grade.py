"""`grader grade` as an instructor uses it: results, resuming, stopping, and bad input."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from mini_pack import (
    PROBLEM,
    RIGHT,
    SQUARES,
    command,
    feedback,
    grader,
    outcomes,
    results,
    write_class,
    write_pack,
)

from grader.evidence import Submission
from grader.pipeline.grading import Grading, Perform
from grader.report import student
from grader.result import Grade


def _symbolic(formula: str, wrong: str = "x") -> str:
    """The problem with a formula in part b, and one more known mistake in it."""
    variables = "variables.x = { min = 0, max = 1 }"
    asked = f'kind = "symbolic"\nsymbol = "d"\nformula = "{formula}"\n{variables}'
    return PROBLEM.replace('kind = "manual"', asked) + f'formulas = {{ why = "{wrong}" }}\n'


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_pack(tmp_path / "pack")


def test_a_class_is_graded_recorded_and_reported(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES, "cy": "import os, x"})
    done = grader("grade", pack, folder, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "Graded 3" in done.stdout
    graded = results(tmp_path / "out")
    assert graded["ada"]["score"] == 2
    assert graded["ada"]["pending"] == 1
    assert graded["ada"]["status"] == "provisional"
    assert outcomes(graded["bob"]) == {"doubles": "failed", "secret": "failed",
                                       "why": "needs_review"}  # fmt: skip
    assert outcomes(graded["cy"])["doubles"] == "error"
    assert "No module named 'x'" in feedback(graded["cy"])
    for name in ("ada.html", "ada.json", "index.html", "gradebook.csv", "gradebook.sqlite"):
        assert (tmp_path / "out" / name).stat().st_size > 0
    assert (tmp_path / "out" / "gradebook.csv").read_text().splitlines()[1] == (
        "ada,provisional,2,1,3,2,0"
    )


def test_hidden_detail_never_reaches_the_students_files(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    assert grader("grade", pack, folder, "-o", tmp_path / "out").returncode == 0
    for name in ("bob.html", "bob.json"):
        assert "4242" not in (tmp_path / "out" / name).read_text()
    assert "4242" in (tmp_path / "out" / "results.json").read_text()


def test_a_second_run_skips_what_is_unchanged(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    assert grader(*arguments).returncode == 0
    again = grader(*arguments)
    assert "Graded 0" in again.stdout
    assert "Skipped 2, unchanged" in again.stdout
    (folder / "bob" / "work.py").write_text(RIGHT)
    third = grader(*arguments)
    assert "Graded 1" in third.stdout
    assert results(tmp_path / "out")["bob"]["score"] == 2
    assert "Graded 2" in grader(*arguments, "--force").stdout


def test_what_only_earlier_runs_graded_is_counted_apart(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    assert "2 in the gradebook; mean" in grader(*arguments).stdout
    (folder / "bob").rename(folder / "bo")
    assert "3 in the gradebook, 1 of them from earlier runs; mean" in grader(*arguments).stdout


def test_a_lost_report_is_written_again_without_grading(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    grader(*arguments)
    (tmp_path / "out" / "ada.html").unlink()
    assert "Graded 0" in grader(*arguments).stdout
    assert (tmp_path / "out" / "ada.html").exists()


def test_a_changed_pack_grades_again_and_keeps_the_old_grade(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    grader(*arguments)
    write_pack(pack, {"reference.py": "def double(x):\n    return x**2\n",
                      "checks.py": "def is_double(call):\n    return True\n"})  # fmt: skip
    assert "Graded 2" in grader(*arguments).stdout
    assert results(tmp_path / "out")["bob"]["score"] == 2
    with sqlite3.connect(tmp_path / "out" / "gradebook.sqlite") as db:
        assert db.execute("SELECT count(*), sum(current) FROM grades").fetchone() == (4, 2)


def _slow_class(tmp_path: Path, count: int) -> Path:
    slow = "import time\ntime.sleep(0.15)\n" + RIGHT
    return write_class(tmp_path / "class", {f"s{i:02}": slow for i in range(count)})


def _wait_for_grades(output: Path, count: int) -> None:
    _wait_for(lambda: len(list(output.glob("s*.html"))) >= count)


def _wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never came so far")


def test_killed_at_any_instant_it_goes_on(pack: Path, tmp_path: Path) -> None:
    folder, output = _slow_class(tmp_path, 12), tmp_path / "out"
    arguments = ("grade", pack, folder, "-o", output, "-j", "1")
    for wanted in (2, 5):
        process = subprocess.Popen(
            command(*arguments), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _wait_for_grades(output, wanted)
        process.kill()
        process.wait()
        with sqlite3.connect(output / "gradebook.sqlite") as db:
            kept = db.execute("SELECT count(*) FROM grades WHERE current").fetchone()[0]
        assert kept >= wanted
    last = grader(*arguments)
    assert last.returncode == 0
    skipped = int(last.stdout.split("Skipped ")[1].split(",")[0])
    assert skipped >= 5
    assert len(results(output)) == 12


def test_interrupting_keeps_what_is_done_and_says_how_to_go_on(pack: Path, tmp_path: Path) -> None:
    folder, output = _slow_class(tmp_path, 30), tmp_path / "out"
    process = subprocess.Popen(
        command("grade", pack, folder, "-o", output, "-j", "1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    _wait_for_grades(output, 2)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert "Run the same command again" in said
    assert "Traceback" not in said
    assert len(results(output)) >= 2


def test_interrupting_before_anything_is_graded(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    waits = f"import pathlib, time\npathlib.Path({str(begun)!r}).touch()\ntime.sleep(60)\n"
    pack = write_pack(tmp_path / "pack", {"reference.py": waits})
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    process = subprocess.Popen(
        command("grade", pack, folder, "-o", tmp_path / "out"), stderr=subprocess.PIPE, text=True
    )
    _wait_for(begun.exists)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Interrupted" in said
    assert "Traceback" not in said


def test_no_process_is_left_behind_by_a_kill(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"hangs": "while True: pass", "ada": RIGHT})
    process = subprocess.Popen(
        command("grade", pack, folder, "-o", tmp_path / "out"),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _wait_for(lambda: len(_descendants(process.pid)) >= 3)
    children = _descendants(process.pid)
    process.kill()
    process.wait()
    _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children))


def _descendants(pid: int) -> list[int]:
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    found = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[1:]


def test_anothers_gradebook_is_not_touched(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    grader("grade", pack, folder, "-o", tmp_path / "out")
    other = write_pack(tmp_path / "other", {"problem.toml": PROBLEM.replace('"mini"', '"other"')})
    refused = grader("grade", other, folder, "-o", tmp_path / "out")
    assert refused.returncode == 1
    assert "'mini'" in refused.stderr
    assert "another output folder" in refused.stderr


def test_an_output_folder_that_cannot_be_one(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    (tmp_path / "file").write_text("x")
    refused = grader("grade", pack, folder, "-o", tmp_path / "file" / "below")
    assert refused.returncode == 1
    assert "choose another with -o" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_damaged_gradebook(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "gradebook.sqlite").write_bytes(b"this is no database" * 100)
    refused = grader("grade", pack, folder, "-o", tmp_path / "out")
    assert refused.returncode == 1
    assert "damaged" in refused.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_loses_nothing(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {f"s{i:02}": SQUARES for i in range(40)})
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", disk]).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        failed = grader("grade", pack, folder, "-o", disk / "out", "-j", "1")
        assert failed.returncode == 1, failed.stdout
        assert "Traceback" not in failed.stderr
        assert "disk" in failed.stderr or "space" in failed.stderr
        leftovers = [p.name for p in (disk / "out").iterdir() if p.name.startswith(".")]
        assert not leftovers
        for page in (disk / "out").glob("s*.html"):
            assert page.read_text().rstrip().endswith("</html>"), "whole or not at all"
        subprocess.run(["mount", "-o", "remount,size=60m", disk], check=True)
        resumed = grader("grade", pack, folder, "-o", disk / "out")
        assert resumed.returncode == 0, resumed.stderr
        assert "Skipped" in resumed.stdout
        assert len(results(disk / "out")) == 40
    finally:
        subprocess.run(["umount", disk], check=False)


@pytest.mark.parametrize("ends", ["raise KeyError('oops')", "raise SystemExit('oops')"])
def test_a_check_that_raises_leaves_its_criterion_ungraded(tmp_path: Path, ends: str) -> None:
    pack = write_pack(tmp_path / "pack", {"checks.py": f"def is_double(call):\n    {ends}\n"})
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    done = grader("grade", pack, folder, "-o", tmp_path / "out")
    assert done.returncode == 1
    for document in results(tmp_path / "out").values():
        assert outcomes(document)["secret"] == "grader_error"
        assert document["status"] == "ungraded"
        assert document["pending"] >= 1
    assert "2 could not be graded" in done.stderr
    for word in ("is_double", "oops", "checks.py line 2", "[ada, bob]"):
        assert word in done.stderr
        assert word in (tmp_path / "out" / "index.html").read_text() or word.startswith("[")
        assert word not in (tmp_path / "out" / "ada.html").read_text()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reference.py": "def double(x):\n    raise ValueError('bad')\n"},
         ["doubles", "ValueError: bad", "mend the reference"]),
        ({"checks.py": "def is_double(call):\n    return 'always wrong'\n"},
         ["secret", "does not pass is_double", "always wrong"]),
        ({"inputs.py": "def numbers(rng):\n    return []\n\n\ndef arrays(rng):\n    yield 5\n"},
         ["numbers", "gives no case", "arrays", "yields an int"]),
        ({"inputs.py": "from grader import Case\n\n\ndef numbers(rng):\n    yield Case(1.0)\n\n\n"
          "def arrays(rng):\n    yield\n"},
         ["arrays", "yields None"]),
        ({"inputs.py": "def numbers(rng):\n    return 1 / 0\n\n\ndef arrays(rng):\n    yield 5\n"},
         ["numbers", "ZeroDivisionError", "inputs.py line 2"]),
        ({"inputs.py": "def numbers(rng):\n    exit()\n\n\ndef arrays(rng):\n    yield 5\n"},
         ["numbers", "SystemExit", "inputs.py line 2"]),
        ({"inputs.py": "import itertools\nfrom grader import Case\n\n\n"
          "def numbers(rng):\n    yield from map(Case, itertools.count())\n\n\narrays = numbers\n"},
         ["numbers", "more than 10,000 cases"]),
        ({"reference.py": "def double(x):\n    exit()\n"},
         ["doubles", "SystemExit", "reference.py line 2"]),
        ({"reference.py": "def double(x):\n    return {x}\n"},
         ["doubles", "returned what is no plain data (set)"]),
        ({"problem.toml": _symbolic("2*(x")}, ["parts.b.criteria.why.formula", "never closed"]),
        ({"problem.toml": _symbolic("2*z")}, ["parts.b.criteria.why.formula", "`z` is not a name"]),
        ({"problem.toml": _symbolic("ln(-x)")}, ["parts.b.criteria.why.formula", "0 of"]),
        ({"problem.toml": _symbolic("2*x", "x + x")},
         ["misconceptions.squares.formulas.why", "is right"]),
        ({"problem.toml": _symbolic("2*x", "x +")},
         ["misconceptions.squares.formulas.why", "cannot be read"]),
        ({"problem.toml": PROBLEM.replace("weight = 1", "wieght = 1", 1)},
         ["wieght", "weight"]),
        ({"problem.toml": PROBLEM.replace("points = 2", "points = 'many'")}, ["parts.a", "points"]),
        ({"problem.toml": PROBLEM.replace('"double"', '"duoble"', 1)}, ["duoble", "double"]),
        ({"problem.toml": "points = 9\n" + PROBLEM}, ["9", "3", "points_policy"]),
        ({"problem.toml": PROBLEM.replace('"why"', '"doubles"')}, ["doubles"]),
        ({"problem.toml": PROBLEM.replace("weight = 1", "weight = 0", 1)}, ["weight"]),
    ],
)  # fmt: skip
def test_a_broken_pack_is_explained_before_anything_runs(
    tmp_path: Path, changes: dict[str, str], words: list[str]
) -> None:
    pack = write_pack(tmp_path / "pack", changes)
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    refused = grader("grade", pack, folder, "-o", tmp_path / "out")
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    for word in (*words, str(pack)):
        assert word in refused.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("what", ["nothing", "empty", "broken.zip"])
def test_submissions_that_are_none(pack: Path, tmp_path: Path, what: str) -> None:
    path = tmp_path / what
    if what == "empty":
        path.mkdir()
    elif what == "broken.zip":
        path.write_bytes(b"PK\x03\x04 not really")
    refused = grader("grade", pack, path, "-o", tmp_path / "out")
    assert refused.returncode == 1
    assert what in refused.stderr
    assert "Traceback" not in refused.stderr


def test_wrong_words_on_the_command_line(pack: Path, tmp_path: Path) -> None:
    assert grader("grade", pack).returncode == 2
    assert grader("grade", pack, tmp_path, "-j", "0").returncode == 2
    unknown = grader("grade", "no_such_pack", tmp_path)
    assert unknown.returncode == 1
    assert "no_such_pack" in unknown.stderr
    assert grader("grad").returncode == 2


def test_help_teaches() -> None:
    top = grader("--help").stdout
    for name in ("grade", "check", "review", "new", "ci", "doctor"):
        assert name in top
        page = grader(name, "--help").stdout
        assert "Example" in page or name in ("doctor", "new")


def test_the_seed_is_recorded_and_the_same_gives_the_same(pack: Path, tmp_path: Path) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    documents = []
    for name in ("one", "two"):
        grader("grade", pack, folder, "-o", tmp_path / name, "--seed", "5")
        documents.append(json.loads((tmp_path / name / "bob.json").read_text()))
    assert documents[0] == documents[1]
    assert documents[0]["seed"] == 5


def test_many_at_once_give_what_one_at_a_time_gives(pack: Path, tmp_path: Path) -> None:
    codes = {f"s{i}": (RIGHT, SQUARES, "x", "def double(x): 1/0")[i % 4] for i in range(12)}
    folder = write_class(tmp_path / "class", codes)
    for jobs in ("1", "4"):
        grader("grade", pack, folder, "-o", tmp_path / jobs, "-j", jobs)
    assert results(tmp_path / "1") == results(tmp_path / "4")


def test_an_unforeseen_fault_of_ours_costs_one_grade_and_not_the_class(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT, "cy": RIGHT})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    whole = Grading.grade

    def fails_for_bob(self: Grading, submission: Submission, perform: Perform) -> Grade:
        if submission.id == "bob":
            raise OverflowError("unforeseen")
        return whole(self, submission, perform)

    with monkeypatch.context() as patch:
        patch.setattr(Grading, "grade", fails_for_bob)
        done = grader(*arguments)
    assert done.returncode == 1
    assert "OverflowError: unforeseen" in done.stderr
    graded = results(tmp_path / "out")
    assert (graded["bob"]["status"], graded["bob"]["score"], graded["bob"]["pending"]) == (
        "ungraded", 0, 3,
    )  # fmt: skip
    assert [graded[name]["score"] for name in ("ada", "cy")] == [2, 2]
    again = grader(*arguments)
    assert again.returncode == 0, again.stderr
    assert "Graded 1" in again.stdout
    assert results(tmp_path / "out")["bob"]["score"] == 2


def test_a_report_that_cannot_be_made_costs_no_grade(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT})
    arguments = ("grade", pack, folder, "-o", tmp_path / "out")
    page = student.page

    def fails_for_bob(grade: Grade, **more: str) -> str:
        if grade.submission_id == "bob":
            raise ZeroDivisionError
        return page(grade, **more)

    with monkeypatch.context() as patch:
        patch.setattr(student, "page", fails_for_bob)
        done = grader(*arguments)
    assert done.returncode == 1
    assert "bob: its grade is recorded, but it has no report" in done.stderr
    assert results(tmp_path / "out")["bob"]["score"] == 2
    assert not (tmp_path / "out" / "bob.html").exists()
    assert grader(*arguments).returncode == 0
    assert (tmp_path / "out" / "bob.html").exists()


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("reference.py", "def double(x):\n    while True:\n        x = x\n", "reference.py raised"),
        (
            "reference.py",
            "def double(x):\n    while True:\n        try:\n            x += 1\n"
            "        except TimeoutError:\n            raise\n",
            "(reference.py line",
        ),
        ("inputs.py", "def numbers(rng):\n    while True:\n        pass\n    yield\n\n\n"
                      "def arrays(rng):\n    yield\n", "numbers in inputs.py raised"),
    ],
    ids=["reference", "reference that catches", "inputs"],
)  # fmt: skip
def test_a_pack_whose_own_code_never_ends_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, told: str
) -> None:
    monkeypatch.setattr("grader.pipeline.patience.CALL_TIME_LIMIT_S", 0.2)
    write_pack(tmp_path / "mini", {file: text})
    write_class(tmp_path / "class", {"ada": RIGHT})
    done = grader("grade", "mini", "class", cwd=tmp_path)
    assert done.returncode == 1
    said = " ".join(done.stderr.split())
    assert told in said
    assert "did not end within 0.2 s" in said
