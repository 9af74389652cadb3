"""Files and folders on the disk: opened without following links, read up to a bound."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from grader.errors import SubmissionError
from grader.submission import limits
from grader.submission.names import readable, shown
from grader.submission.places import Listing, Unreadable, too_large

_KINDS = (
    (stat.S_ISLNK, "a symbolic link"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
# What a student's file can cause. Anything else (rights that the grader lacks, no such file any
# more, a failing disk, too many open files) must not cost a student points.
_STUDENTS = frozenset({errno.ELOOP, errno.ENAMETOOLONG, errno.EISDIR, errno.ENXIO})
_MENDS = dict.fromkeys((errno.EACCES, errno.EPERM), "Give the grader the right to read it")


def special(mode: int, name: str) -> str:
    """Say why something of this mode is not read; empty for a file or folder."""
    what = next((what for test, what in _KINDS if test(mode)), "")
    if not what:
        return ""
    return f"{shown(name)} is {what}, which is not read. Hand in the file itself."


def refused(error: OSError, name: str) -> Unreadable:
    """A student's fault made of the system's error; raises SubmissionError if it is none."""
    why = (error.strerror or type(error).__name__).lower()
    if error.errno in _STUDENTS:
        return Unreadable(f"{shown(name)} cannot be read: {why}. Hand it in as an ordinary file.")
    mend = _MENDS.get(error.errno or 0, "It may have changed while it was read")
    raise SubmissionError(
        f"{shown(name)} could not be read: {why}. {mend}, and run the same command again."
    ) from error


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A directory entry that is not a folder; `fault` says why it is not read, if so."""

    path: str
    name: str
    fault: str = ""

    @property
    def key(self) -> str:
        """The name as the system gives it."""
        return os.path.basename(self.path)

    def read(self, limit_bytes: int) -> bytes:
        """The content; raises Unreadable."""
        if self.fault:
            raise Unreadable(self.fault)
        try:
            # Not blocking on a pipe, nor following a link, that took the file's place meanwhile.
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            flags |= getattr(os, "O_BINARY", 0)
            with open(os.open(self.path, flags), "rb") as stream:
                status = os.fstat(stream.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise Unreadable(special(status.st_mode, self.name))
                if status.st_size > limit_bytes:
                    raise too_large(self.name, status.st_size, limit_bytes)
                data = stream.read(limit_bytes + 1)
        except OSError as error:
            raise refused(error, self.name) from None
        if len(data) > limit_bytes:
            raise too_large(self.name, len(data), limit_bytes)
        return data


@dataclass(frozen=True, slots=True)
class DiskFolder:
    """A folder; with `only`, no more of it than the files of these names."""

    disk: Path
    name: str
    only: tuple[str, ...] = ()
    as_names: tuple[str, ...] = ()
    """The names of those, if they are read under others than they have."""
    fault: str = ""

    @property
    def inside(self) -> None:
        """Nowhere in a zip."""
        return

    @property
    def zips(self) -> int:
        """In no zip."""
        return 0

    def listing(self) -> Listing:
        """What it directly holds; raises Unreadable."""
        if self.fault:
            raise Unreadable(self.fault)
        try:
            found = self._members() if self.only else self._scan()
        except OSError as error:
            raise refused(error, readable(os.path.basename(error.filename or self.name))) from None
        found.sort(key=lambda entry: entry.name)
        return Listing(
            tuple(entry for entry in found if isinstance(entry, DiskFile)),
            tuple(entry for entry in found if isinstance(entry, DiskFolder)),
        )

    def _members(self) -> list[DiskFile | DiskFolder]:
        found = [self._entry(key, os.lstat(self.disk / key).st_mode) for key in self.only]
        if not self.as_names:
            return found
        return [replace(f, name=name) for f, name in zip(found, self.as_names, strict=True)]

    def _scan(self) -> list[DiskFile | DiskFolder]:
        with os.scandir(self.disk) as entries:
            modes = [
                (entry.name, entry.stat(follow_symlinks=False).st_mode)
                for entry in islice(entries, limits.FOLDER_ENTRIES + 1)
            ]
        if len(modes) > limits.FOLDER_ENTRIES:
            raise Unreadable(
                f"{shown(self.name)} holds more than {limits.FOLDER_ENTRIES:,} entries."
                " Take out what does not belong to the work."
            )
        return [self._entry(key, mode) for key, mode in modes]

    def _entry(self, key: str, mode: int) -> DiskFile | DiskFolder:
        path, name = os.path.join(self.disk, key), readable(key)
        fault = special(mode, name)
        # A link to a folder stands for a student as much as the folder would, only unread.
        if stat.S_ISDIR(mode) or (stat.S_ISLNK(mode) and os.path.isdir(path)):
            return DiskFolder(Path(path), name, fault=fault)
        return DiskFile(path, name, fault)
