"""Discovery: lists whose submissions were handed over, each under an id of its own.

The first half of collecting; `reading` then reads them one at a time.
"""

from __future__ import annotations

import stat
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grader.errors import SubmissionError
from grader.problem import Problem
from grader.submission.archive import ZipFolder, open_zip
from grader.submission.disk import DiskFile, DiskFolder
from grader.submission.found import Found
from grader.submission.layout import arrange
from grader.submission.names import (
    Kind,
    folded,
    kind_of,
    readable,
    safe_id,
    shown,
    stem_of,
)
from grader.submission.places import Unreadable

_COLLISIONS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Source:
    """Where one submission lies: enough to read it, and small.

    `id` is unique in its discovery and safe as a file name; `origin` is for people.
    """

    id: str
    origin: str
    disk: Path
    """The folder, or the zip that it lies in."""
    inside: tuple[str, ...] | None = None
    """The folder in that zip; None if `disk` is the folder."""
    members: tuple[str, ...] = ()
    """The files of that folder that are meant; all if empty."""
    as_names: tuple[str, ...] = ()
    """Under which names those are read, where a learning management system changed them."""
    fault: str = ""
    """Why it cannot be read, where that is known already."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The submissions of a run, in order of id, and what was skipped or guessed."""

    sources: tuple[Source, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """A submission with the names it may go by, from the plainest to the longest."""

    source: Source
    names: tuple[str, ...]


def discover(paths: Sequence[Path], problem: Problem) -> Discovery:
    """List the submissions in files, folders and zips, by the rules of `layout`.

    Raises SubmissionError if a path does not exist or holds nothing to grade, if the only path is a
    zip that cannot be opened, or if two submissions would get one id.
    """
    if not paths:
        raise SubmissionError("No submissions were named. Name a file, a folder or a zip.")
    # By place, so that what is named twice (a class and a student in it) is listed once.
    named: dict[tuple[object, ...], _Named] = {}
    warnings: list[str] = []
    for path in paths:
        entries, notes = _of_path(Path(path), problem, alone=len(paths) == 1)
        for entry in entries:
            source = entry.source
            named.setdefault((source.disk, source.inside, source.members), entry)
        warnings += notes
    return Discovery(_with_ids(list(named.values())), tuple(dict.fromkeys(warnings)))


def _of_path(path: Path, problem: Problem, *, alone: bool) -> tuple[list[_Named], list[str]]:
    whole = _resolved(path)
    if whole.is_dir():
        root: DiskFolder | ZipFolder = DiskFolder(whole, readable(whole.name))
    elif kind_of(whole.name) is Kind.ZIP:
        try:
            root = open_zip(whole)
        except Unreadable as fault:
            if alone:
                raise SubmissionError(f"{shown(str(path))}: {fault}") from None
            return [_named(path, whole, replace(_single(whole), fault=str(fault)))], []
    else:
        return _of_file(path, whole, problem)
    try:
        layout = arrange(root, problem)
        if alone and len(layout.found) == 1 and isinstance(root, ZipFolder):
            root.refuse_bomb()
    except (SubmissionError, Unreadable) as fault:
        raise SubmissionError(f"{shown(str(path))}: {fault}") from None
    return [_named(path, whole, found) for found in layout.found], layout.warnings


def _resolved(path: Path) -> Path:
    """The file or folder an instructor named, links followed; raises SubmissionError."""
    try:
        whole = path.resolve(strict=True)
        mode = whole.stat().st_mode
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SubmissionError(
            f"{shown(str(path))}: {why}. Name the file, folder or zip that holds the submissions."
        ) from None
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        raise SubmissionError(
            f"{shown(str(path))} is neither a file nor a folder. Name one of these, or a zip."
        )
    return whole


def _of_file(path: Path, whole: Path, problem: Problem) -> tuple[list[_Named], list[str]]:
    files = problem.files
    exact = folded(whole.name) in (folded(files.code), folded(files.answers))
    if not exact and kind_of(whole.name) not in (Kind.CODE, Kind.NOTEBOOK, Kind.TEXT):
        raise SubmissionError(
            f"{shown(str(path))} is not a kind of file that can be graded."
            " Name a .py or .ipynb file, a zip, or a folder that holds them."
        )
    beside = whole.with_name(files.answers)
    warnings = []
    if beside != whole and kind_of(whole.name) is Kind.CODE and beside.is_file():
        warnings.append(
            f"Only {shown(whole.name)} was named, so {files.answers} beside it is not graded."
            " Name the folder to have both graded."
        )
    return [_named(path, whole, _single(whole))], warnings


def _single(whole: Path) -> Found:
    folder = DiskFolder(whole.parent, readable(whole.parent.name))
    return Found((), folder, (DiskFile(str(whole), readable(whole.name)),))


def _named(path: Path, whole: Path, found: Found) -> _Named:
    folder = found.folder
    below: tuple[str, ...] = ()
    if folder.disk.is_relative_to(whole):
        below = (*folder.disk.relative_to(whole).parts, *(folder.inside or ()))
        below += tuple(file.name for file in found.members[:1])
    origin = "/".join([shown(str(path), at_most=1000), *map(shown, below)])
    members = tuple(file.key for file in found.members)
    root = readable(whole.name) if whole.is_dir() else stem_of(readable(whole.name))
    root, outer = root or "submission", readable(whole.parent.name)
    names = (
        found.names[-1] if found.names else root,
        "-".join(found.names or (root,)),
        "-".join((root, *found.names)),
        "-".join((outer, root, *found.names)),
    )
    source = Source("", origin, folder.disk, folder.inside, members, found.as_names, found.fault)
    return _Named(source, names)


def _with_ids(named: list[_Named]) -> tuple[Source, ...]:
    """Give each its plain name, or as much of its path as tells it from its namesakes."""
    lengths = [0] * len(named)
    while True:
        ids = [safe_id(entry.names[length]) for entry, length in zip(named, lengths, strict=True)]
        counts = Counter(map(folded, ids))
        clashing = [index for index, id_ in enumerate(ids) if counts[folded(id_)] > 1]
        longer = [index for index in clashing if lengths[index] + 1 < len(named[index].names)]
        if not longer:
            break
        for index in longer:
            lengths[index] += 1
    if clashing:
        _refuse_collisions([(ids[index], named[index].source.origin) for index in clashing])
    sources = [replace(entry.source, id=id_) for entry, id_ in zip(named, ids, strict=True)]
    return tuple(sorted(sources, key=lambda source: folded(source.id)))


def _refuse_collisions(clashing: list[tuple[str, str]]) -> None:
    origins: dict[str, list[str]] = {}
    for id_, origin in clashing:
        origins.setdefault(folded(id_), []).append(origin)
    lines = [f"  - {' and '.join(those)}" for those in origins.values()][:_COLLISIONS_SHOWN]
    raise SubmissionError(
        "Some submissions would get the same id, and one result would overwrite the other"
        " (ids differ by more than case, accents' encoding and special characters):\n"
        + "\n".join(lines)
        + "\nRename one of each, or put what is one student's into one folder."
    )
