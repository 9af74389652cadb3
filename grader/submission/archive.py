"""Zips as folders: checked as a whole when opened, decompressed file by file up to a bound.

Nothing is ever extracted to the disk, so a hostile name has nowhere to go; it is refused anyway,
because the other readers of the same zip do extract it.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import IO, cast

from grader.submission import limits
from grader.submission.disk import DiskFile, refused, special
from grader.submission.names import Kind, kind_of, readable, shown
from grader.submission.places import File, Listing, Unreadable, too_large

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    struct.error,
    ValueError,
    IndexError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
)
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_ENCRYPTED, _UTF8 = 0x1, 0x800
_PIECE_BYTES = 1_000_000


class _MemoryBytes(io.BytesIO):
    """A zip in memory; refuses, like `_DiskBytes`, to read an endless table of contents."""

    def read(self, count: int | None = -1, /) -> bytes:
        if count is not None and count > limits.ZIP_DIRECTORY_BYTES:
            raise Unreadable(_too_many("this zip"))
        return super().read(count)


class _DiskBytes:
    """A file opened anew for every read: no handle to leak, and none for forked processes to share.

    Refuses to read more at once than a table of contents may have.
    """

    def __init__(self, path: str, size: int) -> None:
        self._path, self._size, self._at = path, size, 0

    def read(self, count: int = -1) -> bytes:
        count = self._size - self._at if count < 0 else count
        if count > limits.ZIP_DIRECTORY_BYTES:
            raise Unreadable(_too_many("this zip"))
        with open(self._path, "rb") as stream:
            stream.seek(self._at)
            data = stream.read(count)
        self._at += len(data)
        return data

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        if base + offset < 0:
            raise ValueError("negative seek")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True


@dataclass(slots=True)
class _Node:
    """A folder of a zip's table of contents."""

    files: dict[str, ZipMember] = field(default_factory=dict)
    folders: dict[str, _Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A file in a zip; `fault` says why it is not read, if so."""

    zip: zipfile.ZipFile
    info: zipfile.ZipInfo
    name: str
    fault: str = ""

    @property
    def key(self) -> str:
        """The readable name, by which the table of contents is sorted."""
        return self.name

    def read(self, limit_bytes: int) -> bytes:
        """The content; raises Unreadable."""
        if self.fault:
            raise Unreadable(self.fault)
        if self.info.file_size > limit_bytes:
            raise too_large(self.name, self.info.file_size, limit_bytes)
        pieces = bytearray()
        try:
            with self.zip.open(self.info) as stream:
                while len(pieces) <= limit_bytes and (piece := stream.read(_PIECE_BYTES)):
                    pieces += piece
        except _BROKEN:
            raise Unreadable(_broken(self.name)) from None
        except OSError as error:
            raise refused(error, self.name) from None
        if len(pieces) > limit_bytes:
            raise too_large(self.name, len(pieces), limit_bytes)
        if len(pieces) != self.info.file_size:  # the library only minds where there is too much
            raise Unreadable(_broken(self.name))
        return bytes(pieces)


@dataclass(frozen=True, slots=True)
class ZipFolder:
    """A folder in a zip; with `only`, no more of it than the files of these names."""

    node: _Node
    name: str
    disk: Path
    inside: tuple[str, ...]
    zips: int
    only: tuple[str, ...] = ()
    as_names: tuple[str, ...] = ()
    """The names of those, if they are read under others than they have."""

    def listing(self) -> Listing:
        """What it directly holds."""
        if self.only:
            names = zip(self.only, self.as_names or self.only, strict=True)
            there = self.node.files
            return Listing([replace(there[k], name=name) for k, name in names if k in there], ())
        files = [self.node.files[name] for name in sorted(self.node.files)]
        folders = [self.folder(name) for name in sorted(self.node.folders)]
        return Listing(files, folders)

    def folder(self, name: str) -> ZipFolder:
        """The folder of this name in it; raises Unreadable if there is none."""
        if name not in self.node.folders:
            raise Unreadable(f"{shown(name)} is no longer in {shown(self.disk.name)}.")
        inside = (*self.inside, name)
        return ZipFolder(self.node.folders[name], name, self.disk, inside, self.zips)

    def refuse_bomb(self) -> None:
        """Raise Unreadable if one student's zip would be far too large, by what it declares."""
        infos = list(_infos(self.node))
        total = sum(info.file_size for info in infos)
        packed = max(sum(info.compress_size for info in infos), 1)
        if total > limits.ZIP_TOTAL_BYTES:
            raise too_large(f"{self.name}, unpacked,", total, limits.ZIP_TOTAL_BYTES)
        if total > limits.ZIP_RATIO_FROM_BYTES and total > packed * limits.ZIP_RATIO:
            raise Unreadable(
                f"{shown(self.name)} unpacks to {total // packed:,} times its size; the limit is"
                f" {limits.ZIP_RATIO} times. Make the zip anew from the files that were asked for."
            )


def open_zip(path: Path) -> ZipFolder:
    """Open a zip on the disk; raises Unreadable if it is broken, encrypted or unsafe."""
    name = readable(path.name)
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable(special(status.st_mode, name) or f"{shown(name)} is not a file.")
        node = _index(str(path), name, status.st_size, status.st_mtime_ns)
    except OSError as error:
        raise refused(error, name) from None
    return ZipFolder(node, name, path, (), zips=1)


def open_inner(file: File, zips: int) -> ZipFolder:
    """Open a zip that lies in a folder which itself lies in `zips` zips; raises Unreadable."""
    if zips >= limits.ZIP_NESTING:
        raise Unreadable(
            f"{shown(file.name)} lies in a zip that lies in a zip, which is not read."
            " Make one zip of the files themselves."
        )
    if isinstance(file, DiskFile):
        if file.fault:
            raise Unreadable(file.fault)
        return open_zip(Path(file.path))
    node = _contents(_MemoryBytes(file.read(limits.INNER_ZIP_BYTES)), file.name)
    return ZipFolder(node, file.name, Path(file.name), (), zips=zips + 1)


@lru_cache(maxsize=2)
def _index(path: str, name: str, size: int, mtime_ns: int) -> _Node:  # noqa: ARG001 (cache key)
    """A zip's contents, kept so that a class in one zip is not parsed anew for every student."""
    return _contents(cast(IO[bytes], _DiskBytes(path, size)), name)


def _contents(stream: IO[bytes], name: str) -> _Node:
    try:
        archive = zipfile.ZipFile(stream)
    except _BROKEN as error:
        if isinstance(error.__context__, OSError):  # the library takes that for a broken zip
            raise error.__context__ from None
        raise Unreadable(_broken(name)) from None
    infos = archive.infolist()
    if len(infos) > limits.ZIP_ENTRIES:
        raise Unreadable(_too_many(name))
    if any(info.flag_bits & _ENCRYPTED for info in infos):
        raise Unreadable(
            f"{shown(name)} is encrypted. Make the zip anew without a password, or unpack it."
        )
    root = _Node()
    for info in infos:
        _add(root, archive, info, _parts(info, name))
    return root


def _add(
    root: _Node, archive: zipfile.ZipFile, info: zipfile.ZipInfo, parts: tuple[str, ...]
) -> None:
    is_folder = info.orig_filename.endswith(("/", "\\"))
    node = root
    for part in parts if is_folder else parts[:-1]:
        node = node.folders.setdefault(part, _Node())
    if is_folder or not parts:
        return
    name = parts[-1]
    fault = _fault(info, name)
    if name in node.files:
        fault = f"{shown(name)} stands twice in the zip. Make the zip anew, with one of them."
    node.files[name] = ZipMember(archive, info, name, fault)


def _fault(info: zipfile.ZipInfo, name: str) -> str:
    if fault := special(info.external_attr >> 16, name):
        return fault
    if info.compress_type not in _METHODS:
        return f"{shown(name)} is compressed in a rare way. Make the zip anew with any usual tool."
    return ""


def _parts(info: zipfile.ZipInfo, archive_name: str) -> tuple[str, ...]:
    """An entry's folders and name; raises Unreadable where they would lead out of the zip."""
    raw = info.orig_filename
    if not info.flag_bits & _UTF8:
        # Many tools write UTF-8 without saying so; what cannot be UTF-8 stays as it was decoded.
        try:
            raw = raw.encode("cp437").decode("utf-8")
        except UnicodeError:
            raw = info.orig_filename
    raw = raw.replace("\\", "/")
    parts = tuple(readable(part) for part in raw.split("/") if part not in ("", "."))
    fault = ""
    if raw.startswith("/") or ".." in parts or raw[1:3] == ":/":
        fault = "would be unpacked outside of the folder it is unpacked in"
    elif "\0" in raw:
        fault = "has a NUL character in its name"
    elif len(parts) > limits.ZIP_ENTRY_DEPTH:
        fault = f"lies more than {limits.ZIP_ENTRY_DEPTH} folders deep"
    if fault:
        raise Unreadable(
            f"{shown(archive_name)} is not safe to open: its entry “{shown(raw)}” {fault}."
            " Make the zip anew from the folder that holds the work."
        )
    return parts


def _infos(node: _Node) -> Iterable[zipfile.ZipInfo]:
    for member in node.files.values():
        yield member.info
    for folder in node.folders.values():
        yield from _infos(folder)


def _broken(name: str) -> str:
    if kind_of(name) is Kind.ZIP:
        return (
            f"{shown(name)} is not a zip that can be opened: it is damaged, cut off, or another"
            " format under that name. Make it anew or send it again."
        )
    return f"{shown(name)} is damaged inside its zip. Make the zip anew and send it again."


def _too_many(name: str) -> str:
    return (
        f"{shown(name)} has too long a table of contents; the limit is {limits.ZIP_ENTRIES:,}"
        f" entries or {limits.size(limits.ZIP_DIRECTORY_BYTES)}."
        " Unpack it and take out what does not belong to the work."
    )
