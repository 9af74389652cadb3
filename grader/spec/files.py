"""The files of a pack: reading them, and the digest of those that can change a grade."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path, PurePath

from grader.errors import SpecError, SpecFault
from grader.recording import FOLDER

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def python_files(folder: Path) -> list[Path]:
    """The Python files of a pack, by name; those in folders inside it are not among them."""
    return sorted(path for path in folder.glob("*.py") if path.is_file())


def stays_inside(name: str) -> bool:
    """Tell whether a file name that an instructor wrote stays inside the pack's folder."""
    path = PurePath(name)
    return not path.is_absolute() and ".." not in path.parts and "\0" not in name


def one_fault(where: str, problem: str, mend: str) -> SpecError:
    """A file with a single thing wrong with it."""
    return SpecError(where, [SpecFault(where, problem, mend)])


def read_text(file: Path, where: str) -> str:
    """Read a UTF-8 text, with any line ends, with or without a byte order mark.

    Raises:
        SpecError: if the file cannot be read or is not UTF-8, saying in which line.
    """
    content = read_bytes(file, where)
    if content.startswith(_UTF16):
        raise one_fault(where, "is saved as UTF-16", "save it as UTF-8")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise one_fault(
            where,
            f"is not UTF-8: line {line} holds the byte 0x{content[error.start]:02x}",
            "save it as UTF-8 (it may be in Latin-1 or Windows-1252 now)",
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(file: Path, where: str) -> bytes:
    """Read a whole file.

    Raises:
        SpecError: if it is missing, a folder, or may not be read.
    """
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise one_fault(where, "is missing", "add it to the pack's folder") from None
    except IsADirectoryError:
        raise one_fault(where, "is a folder, not a file", "put a file in its place") from None
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise one_fault(where, f"cannot be read ({why})", "look at its name and rights") from None


def digest(folder: Path, rubrics: Iterable[str]) -> str:
    """Hash what can change a grade: problem.toml, the rubrics, and the Python beside them, with
    the tables of recorded results.

    Raises:
        SpecError: if one of them cannot be read.
    """
    names = {"problem.toml", *rubrics, *(path.name for path in python_files(folder))}
    names |= {f"{FOLDER}/{path.name}" for path in (folder / FOLDER).glob("*.json")}
    sha256 = hashlib.sha256()
    for name in sorted(names):
        for piece in (name.encode(), read_bytes(folder / name, name)):
            sha256.update(len(piece).to_bytes(8, "big") + piece)
    return sha256.hexdigest()
