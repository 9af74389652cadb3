"""Target: the reader of zips.

The input is a zip; a built one has honest and hostile entries, and then some bytes of it changed.
"""

from __future__ import annotations

import io
import ntpath
import posixpath
import stat
import zipfile
from dataclasses import dataclass
from typing import cast

from fuzz.choices import Choices, built
from fuzz.oracle import require, timely
from grader.submission import archive, limits, student
from grader.submission.places import File, Unreadable

_SLOW_S = 2.0
_LIMIT_BYTES = 5_000
_NAMES = (
    "hw.py", "a/hw.py", "a/b/answers.md", "../x.py", "/etc/passwd", "C:/x.py", "C:x.py",
    "a\\..\\b.py", "a/./b.py", "a//b.py", "..", ".", "", "/", "a/", "a/b/", "dup.py", "dup.py",
    "dup", "dup/x.py", "x\0y.py", "é.py", "e\u0301.py", "CON.py", "inner.zip", "a/inner.zip",
    "._hw.py", "a/../../b.py", "__MACOSX/hw.py", "deep/" * 40+"x.py", "\\\\host\\share\\x.py",
    "a/‥/b.py", ".. /x.py",
)  # fmt: skip
_MODES = (
    0, stat.S_IFREG | 0o644, stat.S_IFLNK | 0o777, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK,
    stat.S_IFSOCK, stat.S_IFDIR | 0o755,
)  # fmt: skip
_DATES = ((1980, 1, 1, 0, 0, 0), (2024, 2, 29, 23, 59, 58))
_SPECIAL = (stat.S_ISLNK, stat.S_ISFIFO, stat.S_ISCHR, stat.S_ISBLK, stat.S_ISSOCK)


@dataclass(frozen=True)
class _InMemory:
    """The zip as a file that lies in a zip, which keeps the disk out of it."""

    data: bytes
    name: str = "hw.zip"
    key: str = "hw.zip"

    def read(self, limit_bytes: int) -> bytes:
        require(len(self.data) <= limit_bytes, "asked for less than there is")
        return self.data


def check(data: bytes) -> None:
    """Open one zip and read all of it; nothing leads out of it, and nothing passes its bound."""
    choices = built(data)
    if choices:
        data = _zip(choices)
    try:
        haul = timely(_SLOW_S, lambda: _gathered(data))
    except Unreadable:
        return
    require(len(haul.items) <= limits.STUDENT_FILES + limits.FOLDER_ENTRIES, "too many files")
    for item in haul.items:
        _check_path(item.path)
    declared = timely(_SLOW_S, lambda: sum(_check_file(item.file) for item in haul.items))
    require(declared <= limits.ZIP_TOTAL_BYTES, "more in all than one student's zip may hold")


def _gathered(data: bytes) -> student.Haul:
    folder = archive.open_inner(_InMemory(data), zips=1)
    folder.refuse_bomb()
    return student.gather(folder, "hw.py")


def _check_path(path: tuple[str, ...]) -> None:
    for part in path:
        require(bool(part) and part not in (".", ".."), f"a part {part!r}")
        require(not set(part) & set("/\\\0"), f"a separator in {part!r}")
    whole = "/".join(path)
    require(not posixpath.isabs(whole) and not ntpath.isabs(whole), f"absolute: {whole!r}")
    require(not posixpath.normpath(whole).startswith(".."), f"outside: {whole!r}")


def _check_file(file: File) -> int:
    """Read a file; returns the size that its zip declares for it."""
    member = cast(archive.ZipMember, file)
    try:
        content = member.read(_LIMIT_BYTES)
    except Unreadable:
        return member.info.file_size
    mode = member.info.external_attr >> 16
    require(not any(test(mode) for test in _SPECIAL), "a link or device was read")
    require(len(content) <= _LIMIT_BYTES, "read beyond the limit")
    require(len(content) == member.info.file_size, "another size than it declares")
    return member.info.file_size


def _zip(choices: Choices) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for _ in range(choices.below(6)):
            info = zipfile.ZipInfo(_name(choices), choices.pick(_DATES))
            info.external_attr = choices.pick(_MODES) << 16
            info.compress_type = choices.pick((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
            content = choices.pick((b"", b"x = 1\n", b"\0" * 9_000, b"PK\3\4", b"PK\5\6"))
            made.NameToInfo.clear()  # else it warns of names that stand twice, which we want
            made.writestr(info, content)
    zip_ = bytearray(buffer.getvalue())
    for _ in range(choices.below(4)):
        at = int.from_bytes(choices.take(2).ljust(2, b"\0"), "big") % len(zip_)
        zip_[at] = choices.byte()
    if choices.below(8) == 7:
        del zip_[choices.byte() :]
    return bytes(zip_)


def _name(choices: Choices) -> str:
    name = choices.pick(_NAMES)
    if choices.below(4) == 3:
        name += choices.text(8).encode("utf-8", "replace").decode()
    return name
