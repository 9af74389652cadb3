"""Entries 27–30, 42 and 58–68: archives, notebooks, formulas, words and names, graded as a class."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
import time
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from grading import criteria, managed, outcomes
from handed_in import (
    CELLS, CONTROLS, FORMULAS, SCRIPTS, SUBMISSIONS, HandedIn, Places, special, zipped,
)  # fmt: skip
from limits import COUNTS, LEAVES, LIMITS, MEETS
from second import obeyed, odd_characters

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="some are Linux's")

TIME_LIMIT_S = 60
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")

Second = dict[str, Any]


@pytest.mark.parametrize("handed_in", [*SUBMISSIONS, *LIMITS], ids=lambda each: each.id)
def test_each_gets_the_grade_that_it_deserves(handed_in: HandedIn, second: Second) -> None:
    if handed_in.id not in second["made"]:
        pytest.skip("only root can make it")
    result = second["results"][handed_in.id]
    seen = outcomes(result)
    for criterion, deserved in handed_in.deserves.items():
        assert seen[criterion] in deserved.split("|"), (criterion, result)
    assert result["status"] != "ungraded"


def test_nothing_is_made_outside_of_the_reports(second: Second) -> None:
    assert second["canaries"] == []
    assert second["new_outside"] == []


def test_no_report_holds_a_line_of_the_reference(second: Second) -> None:
    assert second["leaked"] == []


def test_bombs_cost_little_time(second: Second) -> None:
    assert second["elapsed_s"] < TIME_LIMIT_S


# --- names and ids -----------------------------------------------------------------------------


def test_every_name_has_a_result_of_its_own(second: Second) -> None:
    assert len(second["results"]) == len(second["made"]) + len(second["named"])
    assert second["pages"] == len(second["results"]) + 1
    for id_ in second["results"]:
        assert len(id_.encode()) <= 120
        assert not set(id_) & set('/\\\0<>:"|?*')
        assert not id_.startswith((".", "-", "="))


# --- pages, tables, terminals --------------------------------------------------------------------


def test_pages_show_and_obey_nothing(second: Second) -> None:
    assert second["obeyed"] == {}
    assert second["odd_on_pages"] == {}


def test_a_naive_page_would_obey() -> None:
    fooled = [text for text in SCRIPTS if obeyed(f'<p title="{text}">{text}</p>')]
    assert len(fooled) >= 6
    assert odd_characters("".join(CONTROLS))


def test_no_cell_is_a_formula(second: Second) -> None:
    assert not [cell for cell in second["cells"] if cell.lstrip(" ").startswith(FORMULA_STARTS)]


def test_a_naive_table_would_hold_formulas() -> None:
    table = io.StringIO()
    csv.writer(table).writerow(CELLS)
    (row,) = csv.reader(io.StringIO(table.getvalue()))
    assert sum(cell.lstrip(" ").startswith(FORMULA_STARTS) for cell in row) >= 6


def test_a_terminal_is_told_nothing(second: Second) -> None:
    assert odd_characters(second["printed"]) == ""


# --- what a naive reader would do ------------------------------------------------------------------


def test_a_naive_unpacker_would_write_outside(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    data = zipped([("../outside", b"x"), (special("link", 0o120000), b"/etc/passwd")])
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            if info.external_attr >> 28 == 0o12:
                os.symlink(archive.read(info), tmp_path / "in" / info.filename)
            else:
                (tmp_path / "in" / info.filename).write_bytes(archive.read(info))
    assert (tmp_path / "outside").exists()
    assert (tmp_path / "in" / "link").read_text() == Path("/etc/passwd").read_text()


def test_a_naive_unpacker_would_be_flooded() -> None:
    data = zipped([("zeros", bytes(9_000_000))])
    assert len(zlib.decompress(zlib.compress(bytes(9_000_000)))) > 500 * len(data)


def test_a_naive_reader_would_follow_a_link(tmp_path: Path) -> None:
    places = Places(tmp_path, tmp_path / "reference.py")
    places.reference.write_text("SECRET")
    for each in SUBMISSIONS:
        if each.id in ("58-disk-link-to-reference", "58-disk-link-relative"):
            each.make(tmp_path / each.id, places)
            assert (tmp_path / each.id / "work.py").read_text() == "SECRET"


def test_a_naive_notebook_runner_would_run_commands(tmp_path: Path) -> None:
    (tmp_path / "canaries").mkdir()
    places = Places(tmp_path, tmp_path / "reference.py")
    shell = next(each for each in SUBMISSIONS if each.id == "59-magic-shell")
    shell.make(tmp_path / "shell", places)
    cells = json.loads((tmp_path / "shell" / "work.ipynb").read_text())["cells"]
    for cell in cells:
        if cell["source"].startswith("!"):
            subprocess.run(cell["source"][1:], shell=True, check=True)
    assert places.canary("notebook").exists()


def test_a_naive_reader_of_formulas_would_run_them(tmp_path: Path) -> None:
    sympify = pytest.importorskip("sympy").sympify
    canary = tmp_path / "canary"
    try:
        sympify(FORMULAS[0].replace("CANARY", str(canary)))
    except Exception:
        pass
    assert canary.exists()


def test_a_naive_pattern_would_take_for_ever() -> None:
    pattern = re.compile("(a|aa|a+)+b")
    times_s = []
    for length in (8, 12):
        began_s = time.process_time()
        pattern.match("a" * length)
        times_s.append(time.process_time() - began_s)
    assert times_s[1] > 5 * times_s[0], "four letters more, and many times as long"


# --- what cannot be kept from a student's code: known, and what limits the damage -------------------


def test_a_wrong_answer_changes_nothing_that_the_code_can_see(second: Second) -> None:
    """28: it is asked the same calls whether it is right or wrong, and judged when it is dead."""
    counts = {kind: managed(second["results"][f"28-counts-{kind}"]) for kind in ("right", "wrong")}
    assert counts["right"] == counts["wrong"] == "5"


def test_a_grader_that_stops_early_would_tell() -> None:
    counts = []
    for answer in ("2", "3"):
        names: dict[str, Any] = {}
        exec(COUNTS.replace("ANSWER", answer), names)
        for x in (1.0, 3.0, 7.0):
            if names["double"](x) != 2 * x:
                break
        counts.append(names["managed"]())
    assert counts[0] != counts[1]


def test_what_code_says_of_its_own_changes_is_its_word_only(second: Second) -> None:
    """30: it can hide that it changed an argument, and wins that criterion alone."""
    shown, hidden = (second["results"][f"30-{kind}-changes"] for kind in ("shows", "hides"))
    other = {name: c["outcome"] for name, c in criteria(shown).items() if name != "kept"}
    assert other == {name: c["outcome"] for name, c in criteria(hidden).items() if name != "kept"}
    assert (outcomes(shown)["kept"], outcomes(hidden)["kept"]) == ("failed", "passed")


def test_code_sees_the_inputs_of_public_checks_and_cannot_tell_of_hidden_ones(
    second: Second,
) -> None:
    """The 3.0 of a public array is in its process; the 4242.0 of a hidden one is sealed so far."""
    assert managed(second["results"]["30-sees-inputs"]) == "3.0"


def test_a_submission_meets_nothing_of_another(second: Second) -> None:
    for i in range(4):
        assert managed(second["results"][f"42-meets-{i}"]) == ""


def test_in_one_process_it_would_meet_it(tmp_path: Path) -> None:
    (tmp_path / "both.py").write_text(f"exec({LEAVES!r})\nexec({MEETS!r})\nprint(managed())\n")
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"exec(open({str(tmp_path / 'both.py')!r}).read())"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "left behind" in done.stdout, done.stderr
