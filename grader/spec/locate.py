"""From what an instructor typed to the pack's problem.toml, or to what they may have meant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from grader.errors import SpecError, SpecFault
from grader.spec.wording import listed, nearest

FILE = "problem.toml"
_HANDED_IN = (".py", ".ipynb", ".zip")
_MOST_LOOKED_AT = 500
_MOST_NAMED = 8


def locate(path: Path) -> Path:
    """Find problem.toml in a pack's folder, or accept the file itself.

    Raises:
        SpecError: if there is none, saying what is there instead and where packs are.
    """
    try:
        if path.is_file() and path.name == FILE:
            return path
        if (path / FILE).exists():
            return path / FILE
        problem, mend = _missing(path)
    except (OSError, ValueError) as error:  # no folder may be called so, or be looked into
        problem, mend = f"cannot be opened ({error})", "name the folder that holds problem.toml"
    raise SpecError(str(path), [SpecFault(str(path), problem, mend)])


def _missing(path: Path) -> tuple[str, str]:
    nearby = [*islice(_packs_near(path), _MOST_NAMED)]
    packs = f"packs nearby: {listed(nearby)}" if nearby else f"a pack is a folder with a {FILE}"
    if not path.exists():
        names = {Path(pack).name: pack for pack in nearby}
        near = nearest(path.name, [*names])
        return "there is no such file or folder", f"did you mean {names[near]}?" if near else packs
    if path.is_file():
        beside = (path.parent / FILE).is_file()
        return f"this file is not a {FILE}", f"name {path.parent} instead" if beside else packs
    entries = [*islice(path.iterdir(), _MOST_LOOKED_AT)]
    # By their stems, for every name that ends in .toml looks like problem.toml.
    stems = {entry.stem: entry.name for entry in entries if _may_be_toml(entry)}
    misnamed = stems.get(nearest(Path(FILE).stem, [*stems]) or "")
    if misnamed:
        return f"this folder has no {FILE}", f"is it {misnamed}? Then rename that"
    if (path.parent / FILE).is_file():
        return f"this folder is a part of the pack {path.parent}", f"name {path.parent} instead"
    holds_packs = any((entry / FILE).is_file() for entry in entries)
    if not holds_packs and any(_is_handed_in(entry) for entry in entries):
        return (
            f"this folder has no {FILE}; it looks like a folder of submissions",
            f"name the pack first, then the submissions; {packs}",
        )
    return f"this folder has no {FILE}", packs


def _may_be_toml(entry: Path) -> bool:
    return entry.suffix.lower() in (".toml", ".tml", ".tom", ".txt", "") and entry.is_file()


def _is_handed_in(entry: Path) -> bool:
    if entry.is_dir():
        inside = islice(entry.iterdir(), _MOST_LOOKED_AT)
        return any(file.suffix.lower() in _HANDED_IN for file in inside)
    return entry.suffix.lower() in _HANDED_IN


def _packs_near(path: Path) -> Iterator[str]:
    """Folders with a problem.toml: in this one, beside it, and where packs are usually kept."""
    seen = {path.resolve()}
    for folder in (
        path,
        path / "problems",
        path.parent,
        path.parent / "problems",
        Path("problems"),
    ):
        if folder.is_dir():
            for file in sorted(folder.glob(f"*/{FILE}")):
                if file.resolve() not in seen:
                    seen.add(file.resolve())
                    yield str(file.parent)
