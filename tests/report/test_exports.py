"""The files of a report as data: their schema, their streaming, and how they are put in place."""

from __future__ import annotations

import csv
import errno
import gc
import json
import os
import resource
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
import sample_grades as sample
from hypothesis import given
from hypothesis import strategies as st

import grader
from grader.document import from_document, to_document
from grader.errors import ReportError
from grader.report import file_stem, remove_leftovers, write_class, write_submission
from grader.report.files import output
from grader.result import Grade

SCHEMA = json.loads((Path(grader.__file__).parent / "result.schema.json").read_text("utf-8"))


def closed(schema):
    """The same schema, with every field that it does not describe forbidden."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    if inner.get("type") == "object" and "if" not in inner:
        inner.setdefault("additionalProperties", False)
    return inner


VALIDATOR = jsonschema.Draft202012Validator(closed(SCHEMA))


def load(path: Path):
    return json.loads(path.read_text("utf-8"))


def gradebook(grades, folder) -> list[list[str]]:
    path = write_class(grades, folder)[2]
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


# --- JSON ---------------------------------------------------------------------------------------


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("make", sample.ALL)
def test_a_students_file_is_the_document_of_what_they_may_see(make, tmp_path):
    grade = make()
    page, data = write_submission(grade, tmp_path, statement=sample.STATEMENT)
    assert (page.name, data.name) == (f"{grade.submission_id}.html", f"{grade.submission_id}.json")
    document = load(data)
    VALIDATOR.validate(document)
    assert document == to_document(grade.for_student())
    assert to_document(from_document(document)) == document


def test_results_json_holds_every_document_whole(tmp_path):
    grades = [make() for make in sample.ALL]
    document = load(write_class(iter(grades), tmp_path)[1])
    VALIDATOR.validate(document)
    assert document["schema"] == "grader/results/v1"
    assert document["problem"] == {
        "id": "attention_copying",
        "title": "Copying in attention",
        "version": "1.0",
    }
    assert document["submissions"] == [to_document(grade) for grade in grades]


def test_results_json_of_nobody(tmp_path):
    document = load(write_class([], tmp_path)[1])
    VALIDATOR.validate(document)
    assert document == {"schema": "grader/results/v1", "problem": None, "submissions": []}


@pytest.mark.parametrize(
    "change",
    [{"status": "done"}, {"score": "3"}, {"score": -1}, {"parts": []}, {"schema": "other/v1"},
     {"exact": {"score": "0.5", "max_score": "4"}}, {"isolation": {"tier": "Z"}}],
)  # fmt: skip
def test_the_schema_refuses_what_is_no_result(change):
    document = json.loads(json.dumps(to_document(sample.mixed())))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(document | change)


def test_a_class_is_never_in_memory_at_once(tmp_path):
    alive = []

    def grades():
        for grade in sample.a_class(12):
            yield grade
            del grade
            alive.append(sum(isinstance(thing, Grade) for thing in gc.get_objects()))

    list(sample.a_class(1))
    before = sum(isinstance(thing, Grade) for thing in gc.get_objects())
    write_class(grades(), tmp_path)
    assert max(alive) - before <= 2


# --- CSV ----------------------------------------------------------------------------------------


def test_the_gradebook_has_final_points_and_raw_points_by_part(tmp_path):
    head, *rows = gradebook([sample.perfect(), sample.mixed(), sample.under_review()], tmp_path)
    assert head == ["submission", "status", "score", "pending", "max_score", "i", "ii", "iii", "iv"]
    assert rows == [
        ["perfect", "graded", "4", "0", "4", "1", "2", "1", "1"],
        ["anna-k", "graded", "2.5", "0", "4", "0.5", "1.375", "0.5", "0.75"],
        ["review", "provisional", "3.2", "0.8", "4", "0.5", "2", "1", "0.5"],
    ]


def test_what_was_not_graded_is_an_empty_cell_and_no_zero(tmp_path):
    _, ungraded, faulty = gradebook([sample.ungraded(), sample.faulty()], tmp_path)
    assert ungraded == ["ungraded", "ungraded", "", "0.4", "4", "1", "", "1", "1"]
    assert faulty == ["faulty", "ungraded", "", "4", "4", "", "", "", ""]


def test_scores_are_rounded_once_to_four_decimals(tmp_path):
    third = sample.result(sample.Outcome.PARTIAL, fraction=Fraction(1, 3))
    _, row = gradebook([sample.attention("s", weights=third)], tmp_path)
    exact = sample.attention("s", weights=third).score
    assert exact == Fraction(172, 45)
    assert row[2] == "3.8222"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", " =", "＝", "\r="])
def test_an_id_never_becomes_a_spreadsheets_formula(start, tmp_path):
    _, row = gradebook([sample.attention(f"{start}cmd|'calc'!A0")], tmp_path)
    assert row[0].startswith(("'", "␍"))


def test_ids_with_commas_quotes_and_lines_stay_one_cell(tmp_path):
    ids = ['a,b"c', "two\nlines", "naïve 漢字"]
    rows = gradebook([sample.attention(name) for name in ids], tmp_path)
    assert [row[0] for row in rows[1:]] == ids


def test_a_part_named_like_a_column_gets_its_own(tmp_path):
    grade = sample.perfect()
    parts = (replace(grade.parts[0], id="score"), *grade.parts[1:])
    head, _ = gradebook([replace(grade, parts=parts)], tmp_path)
    assert head[5] == "part_score"
    assert len(head) == len(set(head))


# --- files --------------------------------------------------------------------------------------


def test_files_replace_older_ones_and_leave_nothing_else(tmp_path):
    for _ in range(2):
        write_submission(sample.perfect(), tmp_path / "new" / "folder")
        write_class([sample.perfect()], tmp_path / "new" / "folder")
    names = sorted(path.name for path in (tmp_path / "new" / "folder").iterdir())
    assert names == ["gradebook.csv", "index.html", "perfect.html", "perfect.json", "results.json"]


@pytest.mark.parametrize("failure", [KeyboardInterrupt, ValueError, OSError])
def test_a_file_is_written_whole_or_not_at_all(failure, tmp_path):
    path = tmp_path / "results.json"
    path.write_text("old")

    def grades():
        yield sample.perfect()
        raise failure

    with pytest.raises(ReportError if failure is OSError else failure):
        write_class(grades(), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]
    assert path.read_text() == "old"


def test_a_disk_that_takes_no_more_is_explained_and_the_old_file_stays(tmp_path):
    path = tmp_path / "results.json"
    path.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        with pytest.raises(
            ReportError, match=r"results\.json: could not be written \(file too large\)"
        ):
            write_class(sample.a_class(30), tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]
    assert path.read_text() == "old"


@pytest.mark.parametrize(
    ("number", "mend"),
    [
        (errno.ENOSPC, "free some space"),
        (errno.EACCES, "write permission"),
        (errno.EROFS, "read-only"),
    ],
)
def test_each_failure_names_the_file_and_the_mend(number, mend, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ReportError, match=f"perfect.html: could not be written .*{mend}"):
        write_submission(sample.perfect(), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_file_where_the_folder_should_be_is_explained(tmp_path):
    (tmp_path / "reports").write_text("")
    for folder in (tmp_path / "reports", tmp_path / "reports" / "inner"):
        with pytest.raises(ReportError, match="a file stands where the folder should be"):
            write_class([], folder)


def test_a_folder_where_the_file_should_be_and_a_name_too_long_are_explained(tmp_path):
    (tmp_path / "perfect.html").mkdir()
    with pytest.raises(ReportError, match="a folder of that name is in the way"):
        write_submission(sample.perfect(), tmp_path)
    with pytest.raises(ReportError, match="shorter name"):
        write_submission(sample.attention("x" * 300), tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["perfect.html"]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "a\\b", "/etc/x", "a\0b"])
def test_an_id_that_would_lead_elsewhere_is_refused(name, tmp_path):
    with pytest.raises(ReportError, match="rename the submission"):
        write_submission(sample.attention(name), tmp_path / "reports")
    assert not list(tmp_path.iterdir())


@given(st.sampled_from(["index", "results", "Index", "INDEX_", "results__", "gradebook", "anna"]))
def test_no_submission_takes_the_place_of_the_classs_own_files(name):
    assert file_stem(name).casefold() not in ("index", "results")


@given(st.lists(st.text("inderx_", min_size=1), unique=True))
def test_different_ids_have_different_files(names):
    assert len({file_stem(name) for name in names}) == len(names)


def test_programs_find_the_columns_by_name(tmp_path):
    path = write_class([sample.attention("Zoë")], tmp_path)[2]
    text = path.read_text("utf-8")
    assert text.startswith("submission,status,score,pending,max_score,")
    assert "Zoë" in text


def test_what_a_killed_run_left_half_written_is_removed_and_no_other_runs_file(tmp_path):
    with output(tmp_path / "student.html") as file:
        file.write("whole")
        (scratch,) = tmp_path.iterdir()
        abandoned = tmp_path / f".0123456789abcdef{scratch.suffix}"
        abandoned.write_text("half")
        os.utime(abandoned, (0, 0))
        remove_leftovers(tmp_path)
        assert [*tmp_path.iterdir()] == [scratch]
    assert [p.name for p in tmp_path.iterdir()] == ["student.html"]


def test_a_name_that_is_no_utf8_still_gets_its_report(tmp_path):
    grade = sample.attention("na\udcefve")
    write_submission(grade, tmp_path)
    write_class([grade], tmp_path)
    assert (tmp_path / "na\udcefve.html").exists()
    assert "na%EFve.html" in (tmp_path / "index.html").read_text("utf-8")
