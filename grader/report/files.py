"""Files written whole or not at all: beside their place under another name, then moved there."""

from __future__ import annotations

import errno
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from grader.errors import ReportError

_MENDS = {
    errno.ENOSPC: "free some space on that disk and run again",
    errno.EDQUOT: "free some space within your quota and run again",
    errno.EACCES: "give yourself write permission there, or choose another output folder",
    errno.EPERM: "give yourself write permission there, or choose another output folder",
    errno.EROFS: "that disk is read-only: choose another output folder",
    errno.ENOTDIR: "a file stands where the folder should be: choose another output folder",
    errno.EEXIST: "a file stands where the folder should be: choose another output folder",
    errno.ENAMETOOLONG: "give the submission a shorter name",
    errno.EISDIR: "a folder of that name is in the way: move it, or choose another output folder",
}
_SCRATCH = ".grader-tmp"
_ABANDONED_AFTER_S = 600.0
_RESERVED = frozenset({"index", "results"})
"""Stems of the class's own files, which no submission's may replace."""


def file_stem(submission_id: str) -> str:
    """Name a submission's files, without their suffix: its id, kept apart from the class's files.

    Raises:
        ReportError: if the id is no plain file name, and would lead out of the output folder.
    """
    if submission_id in ("", ".", "..") or any(c in submission_id for c in "/\\\0"):
        raise ReportError(
            f"{submission_id!r}: cannot be a file's name, so its report has no place"
            " — rename the submission"
        )
    taken = submission_id.casefold().rstrip("_") in _RESERVED
    return f"{submission_id}_" if taken else submission_id


@contextmanager
def output(path: Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes its place only if the block ends well.

    Raises:
        ReportError: if the folder cannot be made or written to, or the disk is full.
    """
    scratch = path.parent / f".{secrets.token_hex(8)}{_SCRATCH}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(scratch, "x", encoding="utf-8", errors="backslashreplace", newline="") as file:
            yield file
        os.replace(scratch, path)
    except BaseException as error:
        with suppress(OSError):
            scratch.unlink()
        if isinstance(error, OSError):
            raise _explained(path, error) from error
        raise


def _explained(path: Path, error: OSError) -> ReportError:
    mend = _MENDS.get(error.errno or 0, "choose another output folder")
    reason = (error.strerror or str(error)).lower()
    return ReportError(f"{path}: could not be written ({reason}) — {mend}")


def remove_leftovers(folder: Path) -> None:
    """Remove what runs that were killed left half written, and nothing that may yet be finished:
    another run may be writing to the same folder."""
    abandoned_at_s = time.time() - _ABANDONED_AFTER_S
    for scratch in folder.glob(f".*{_SCRATCH}"):
        with suppress(OSError):
            if scratch.stat().st_mtime < abandoned_at_s:
                scratch.unlink()
