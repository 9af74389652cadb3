"""One student's files: gathered from their folder and the few folders or zips inside of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.submission import limits
from grader.submission.archive import ZipFolder, open_inner
from grader.submission.names import Kind, kind_of, listed, shown
from grader.submission.places import File, Folder, Unreadable


@dataclass(frozen=True, slots=True)
class Item:
    """A file of a student's; `path` leads to it from their folder."""

    path: tuple[str, ...]
    file: File
    kind: Kind

    @property
    def folder(self) -> tuple[str, ...]:
        """The path of the folder that it lies in."""
        return self.path[:-1]

    @property
    def shown(self) -> str:
        """The path, for a message."""
        return "/".join(map(shown, self.path))


@dataclass(slots=True)
class Haul:
    """All that one student handed in, unread, the topmost first."""

    code_name: str
    items: list[Item] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Why something in it could not be opened."""
    warnings: list[str] = field(default_factory=list)

    def of(self, *kinds: Kind) -> list[Item]:
        """The files of some kinds."""
        return [item for item in self.items if item.kind in kinds]


def gather(folder: Folder, code_name: str) -> Haul:
    """List a student's files; raises Unreadable if their folder cannot be listed.

    `code_name` is the name that the code should have.

    Zips inside are opened only where no code lies beside them.
    """
    haul = Haul(code_name)
    own_zips = folder.zips
    if isinstance(folder, ZipFolder) and not folder.inside and not folder.only:
        folder.refuse_bomb()
    elif own_zips:
        own_zips -= 1  # the class came in that one, whoever zipped it
    _walk(haul, folder, ())
    if haul.of(Kind.CODE, Kind.NOTEBOOK):
        if zips := haul.of(Kind.ZIP):
            names = listed([item.shown for item in zips])
            haul.warnings.append(f"Not opened, as there is code beside it: {names}.")
    else:
        _open(haul, haul.items, own_zips)
    return haul


def _open(haul: Haul, items: list[Item], zips: int) -> None:
    """Add what is in zips that lie in `zips` zips, and in zips in them if that is no code."""
    for item in [item for item in items if item.kind is Kind.ZIP]:
        known = len(haul.items)
        try:
            inner = open_inner(item.file, zips)
            inner.refuse_bomb()
            _walk(haul, inner, item.path)
        except Unreadable as fault:
            haul.faults.append(str(fault))
            continue
        found = haul.items[known:]
        if not any(new.kind in (Kind.CODE, Kind.NOTEBOOK) for new in found):
            _open(haul, found, inner.zips)


def _walk(haul: Haul, top: Folder, path: tuple[str, ...]) -> None:
    """Add the files of a folder and of those inside, level by level."""
    level = [(path, top)]
    for _ in range(limits.STUDENT_DEPTH + 1):
        below = []
        for where, folder in level:
            try:
                listing = folder.listing().without_junk()
            except Unreadable as fault:
                if folder is top:
                    raise
                haul.faults.append(str(fault))
                continue
            if folder is not top and listing.is_of_tools(haul.code_name):
                continue
            haul.items += [Item((*where, f.name), f, kind_of(f.name)) for f in listing.files]
            below += [((*where, sub.name), sub) for sub in listing.folders]
            if len(haul.items) > limits.STUDENT_FILES or len(below) > limits.STUDENT_FILES:
                haul.faults.append(_too_many())
                return
        level = below


def _too_many() -> str:
    return (
        f"There are more than {limits.STUDENT_FILES:,} files or folders; the rest was not looked"
        " at. Hand in only what was asked for."
    )


def beside(items: list[Item], chosen: Item) -> Iterator[Item]:
    """The other files in the folder of the chosen one."""
    return (item for item in items if item.folder == chosen.folder and item is not chosen)
