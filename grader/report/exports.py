"""The class as data: `results.json`, streamed grade by grade, and `gradebook.csv`."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from fractions import Fraction
from typing import TextIO

from grader.document import to_document
from grader.report.class_summary import ClassSummary, Row
from grader.report.text import points
from grader.result import Grade
from grader.text import visible
from grader.value import Json

SCHEMA = "grader/results/v1"
_COLUMNS = ("submission", "status", "score", "pending", "max_score")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "＝", "＋", "－", "＠")


def to_json(grade: Grade) -> str:
    """Write a grade's document as one line of JSON, in ASCII so that no reader trips over it."""
    return _dump(to_document(grade))


def write_results(grades: Iterable[Grade], file: TextIO) -> ClassSummary:
    """Write each grade as it comes, in one pass, and return the summary of them all."""
    summary = ClassSummary()
    separator = "\n"
    for grade in grades:
        document = to_document(grade)
        if not summary.rows:
            file.write(_opening(document["problem"]))
        file.write(separator + _dump(document))
        separator = ",\n"
        summary.add(grade)
    file.write("\n]}\n" if summary.rows else _opening(None) + "]}\n")
    return summary


def _opening(problem: Json) -> str:
    return f'{{"schema": "{SCHEMA}", "problem": {_dump(problem)}, "submissions": ['


def _dump(value: Json) -> str:
    return json.dumps(value, allow_nan=False)


def write_gradebook(summary: ClassSummary, file: TextIO) -> None:
    """Write one line per submission: final points in all, raw points by part.

    What was not graded is an empty cell, which no spreadsheet takes for a zero.  The header is the
    very first thing in the file, for programs that look columns up by name.
    """
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([*_COLUMNS, *(_heading(part_id) for part_id in summary.parts)])
    for row in summary.rows:
        writer.writerow([_cell(row.submission_id), row.status, *_numbers(row, summary)])


def _numbers(row: Row, summary: ClassSummary) -> list[str]:
    totals = (row.score, row.pending, row.max_score)
    return [_points(value) for value in (*totals, *map(row.earned.get, summary.parts))]


def _points(value: Fraction | None) -> str:
    return "" if value is None else points(value)


def _heading(part_id: str) -> str:
    """A part's column, kept apart from the columns that are always there."""
    return f"part_{part_id}" if part_id in _COLUMNS else part_id


def _cell(text: str) -> str:
    """Text that no spreadsheet runs as a formula."""
    text = visible(text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA_STARTS) else text
