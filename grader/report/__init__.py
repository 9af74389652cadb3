"""The report step: a `Grade` as HTML and JSON for its student, a class as HTML, JSON and CSV.

Hidden detail is removed from a grade before any template sees it, whatever a student wrote is
escaped, and every file is written whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from grader.report.files import file_stem, output, remove_leftovers
from grader.result import Grade

__all__ = ["file_stem", "remove_leftovers", "write_class", "write_submission"]


def write_submission(grade: Grade, folder: Path, *, statement: str = "") -> tuple[Path, Path]:
    """Write a student's ``<id>.html`` and ``<id>.json``; return their paths.

    `statement` is the problem's Markdown, shown folded in the page.

    Raises:
        ReportError: if a file cannot be written; it names the file and the mend.
    """
    from grader.report import exports, student  # templates load for those who write pages

    shown = grade.for_student()
    stem = folder / file_stem(grade.submission_id)
    page, data = stem.with_name(f"{stem.name}.html"), stem.with_name(f"{stem.name}.json")
    with output(page) as file:
        file.write(student.page(shown, statement=statement))
    with output(data) as file:
        file.write(exports.to_json(shown) + "\n")
    return page, data


def write_class(
    grades: Iterable[Grade], folder: Path, *, misconceptions: Mapping[str, str] | None = None
) -> tuple[Path, Path, Path]:
    """Write ``index.html``, ``results.json`` and ``gradebook.csv`` in one pass over the grades.

    The files are the instructor's and carry everything.  `misconceptions` gives the titles by id.

    Raises:
        ReportError: if a file cannot be written; it names the file and the mend.
    """
    from grader.report import class_page, exports

    index, results, gradebook = (
        folder / name for name in ("index.html", "results.json", "gradebook.csv")
    )
    with output(results) as file:
        summary = exports.write_results(grades, file)
    with output(gradebook) as file:
        exports.write_gradebook(summary, file)
    with output(index) as file:
        file.write(class_page.page(summary, misconceptions or {}))
    return index, results, gradebook
