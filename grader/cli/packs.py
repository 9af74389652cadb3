"""Finding the pack that a command means, from what was typed or from where one stands."""

from __future__ import annotations

from pathlib import Path

from grader.errors import GraderError

PACK_FILE = "problem.toml"


def is_pack(path: Path) -> bool:
    """Whether a path is a pack's folder, or its problem.toml."""
    return path.name == PACK_FILE if path.is_file() else (path / PACK_FILE).is_file()


def find_pack(argument: str | None, near: Path) -> Path:
    """The folder of the pack that is meant.

    `argument` is a path, or the name of a pack in a `problems` folder here or further up; without
    it the only pack that is near is meant: this folder or one above it, or the only one in such a
    `problems` folder.

    Raises:
        GraderError: if there is none, or more than one.
    """
    if argument is not None:
        return _named(argument, near)
    for folder in (near, *near.parents):
        if is_pack(folder):
            return folder
        found = _packs_in(folder / "problems")
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(path.name for path in found)
            raise GraderError(
                f"There are several problems in {folder / 'problems'}: {names}. "
                "Name the one you mean."
            )
    raise GraderError(
        f"No problem pack was found: neither {near} nor a folder above it holds a {PACK_FILE} "
        "or a problems folder. Give its path as PROBLEM."
    )


def find_work(
    problem: str | None, submission: Path | None, near: Path, handed_in: Path
) -> tuple[Path, Path]:
    """The pack and the work that a command means; `handed_in` is the work where none is named.

    One argument alone may be either: a pack is recognised by its problem.toml.

    Raises:
        GraderError: if no pack is found, or more than one.
    """
    if problem is not None and submission is None:
        path = Path(problem)
        if path.exists() and not is_pack(path):
            return find_pack(None, near), path
    return find_pack(problem, near), submission or handed_in


def _named(argument: str, near: Path) -> Path:
    path = Path(argument)
    if path.exists():
        return path
    nearby = _packs_in(near)
    for folder in (near, *near.parents):
        if is_pack(folder / "problems" / argument):
            return folder / "problems" / argument
        nearby += _packs_in(folder / "problems")
    known = f" The packs near here: {', '.join(map(str, nearby))}." if nearby else ""
    raise GraderError(f"There is no problem pack at {argument}.{known}")


def _packs_in(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if is_pack(path))
