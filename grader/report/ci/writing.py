"""Writing what CI reads: whole files of our own, and additions to files that the runner keeps."""

from __future__ import annotations

from pathlib import Path

from grader.errors import ReportError
from grader.report.files import output


def write(path: Path, text: str) -> None:
    """Write a file, whole or not at all.

    Raises:
        ReportError: if it cannot be written.
    """
    with output(path) as file:
        file.write(text)


def append(path: Path, text: str) -> None:
    """Add to a file such as ``$GITHUB_OUTPUT``, which others write to as well.

    Raises:
        ReportError: if it cannot be written.
    """
    try:
        with open(path, "a", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ReportError(f"{path}: could not be added to ({reason})") from error
