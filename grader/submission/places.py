"""Places: files and folders as the rest of the package sees them, on a disk or in a zip alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from grader.submission import limits
from grader.submission.names import is_junk, same_name, shown


class Unreadable(Exception):
    """A student's fault, found while reading: what is wrong and how to mend it.

    Never leaves the package: `read` turns it into a submission's `code_problem`.
    """


class File(Protocol):
    """A file, or something that lies where a file could."""

    @property
    def name(self) -> str:
        """Readable name, NFC."""

    @property
    def key(self) -> str:
        """The name by which its folder finds it again."""

    def read(self, limit_bytes: int) -> bytes:
        """The whole content; raises Unreadable if it is larger than the limit or not a file."""


class Folder(Protocol):
    """A folder on the disk or in a zip."""

    @property
    def name(self) -> str:
        """Readable name, NFC."""

    @property
    def disk(self) -> Path:
        """The folder itself, or the zip on the disk that it lies in."""

    @property
    def inside(self) -> tuple[str, ...] | None:
        """Where it lies in that zip; None on the disk."""

    @property
    def zips(self) -> int:
        """In how many zips it lies."""

    def listing(self) -> Listing:
        """What it directly holds; raises Unreadable."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a folder directly holds, in order of name."""

    files: Sequence[File]
    folders: Sequence[Folder]

    def holds(self, name: str) -> bool:
        """Tell whether a file of this name is there."""
        return any(same_name(file.name, name) for file in self.files)

    def is_of_tools(self, code_name: str) -> bool:
        """Tell a folder that a tool made: a virtual environment, our own reports, a problem pack.

        A pack into which someone wrote their code, of the name `code_name`, is their work.
        """
        if self.holds("pyvenv.cfg") or self.holds("gradebook.sqlite"):
            return True
        return self.holds("problem.toml") and not self.holds(code_name)

    def without_junk(self) -> Listing:
        """Leave out what systems and tools put beside the work."""
        return Listing(
            tuple(file for file in self.files if not is_junk(file.name)),
            tuple(folder for folder in self.folders if not is_junk(folder.name)),
        )


def too_large(name: str, size_bytes: int, limit_bytes: int) -> Unreadable:
    """The refusal of a file beyond its limit."""
    found = f"is {limits.size(size_bytes)} large"
    return Unreadable(
        f"{shown(name)} {found}; the limit is {limits.size(limit_bytes)}."
        " Hand in only what was asked for, without data or printed output in it."
    )
