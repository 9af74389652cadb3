"""What lies on the disk for the modules that were preloaded: all of it a child may read, no more.

Landlock and the own root grant these paths, so that a package can load its other modules when
they are first used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import NamespaceLoader
from pathlib import Path
from types import ModuleType

from grader.sandbox import child


class TooWide(Exception):
    """A package's folder holds more than the package: to grant it would show what is not its."""


def paths_of(names: Iterable[str], search: Iterable[str]) -> list[Path]:
    """The folders and files of modules, by their full names, with their shared libraries.

    `search` is what modules are looked for in (`sys.path` before anything was loaded).

    Raises:
        TooWide: if a package's folder also holds one of these, or the grader.
    """
    modules = sorted(set(names) & set(sys.modules))
    found = {path for name in _outermost(modules) for path in _own_paths(sys.modules[name])}
    found = {path for path in found if path.exists()}
    kept_apart = {*(Path(place).resolve() for place in search if place), *_GRADER}
    for path in found:
        real = path.resolve()
        inside = next((place for place in kept_apart if place.is_relative_to(real)), None)
        if inside or any(real.is_relative_to(place) for place in _GRADER):
            raise TooWide(f"its folder {path} holds {inside or path.name} too")
    return sorted(found | {folder for path in found for folder in _libraries_of(path)})


_GRADER = [Path(folder).resolve().parents[1] for folder in child.__path__]


def _outermost(names: Iterable[str]) -> Iterator[str]:
    """The regular packages and modules that lie in no other; of namespace packages, their parts."""
    above: list[str] = []
    # Sorted by parts, a package comes before what lies in it.
    for name in sorted(names, key=lambda name: name.split(".")):
        if any(name.startswith(f"{package}.") for package in above[-1:]):
            continue
        if not _is_namespace(sys.modules[name]):
            above.append(name)
            yield name


def _is_namespace(module: ModuleType) -> bool:
    return isinstance(getattr(getattr(module, "__spec__", None), "loader", None), NamespaceLoader)


def _own_paths(module: ModuleType) -> Iterator[Path]:
    """A package's folders, or the one file of a module; nothing for what was made in memory."""
    folders = getattr(module, "__path__", None)
    file = getattr(module, "__file__", None)
    if folders is not None:
        yield from (Path(folder) for folder in folders)
    elif isinstance(file, str):
        yield Path(file)


def _libraries_of(package: Path) -> Iterator[Path]:
    """The folders in which a wheel brings the shared libraries of a package.

    It is called after the distribution, ``scikit_learn.libs``, whose name need not be the
    package's: then the distribution's list of files tells whose it is (PEP 376, RECORD).
    """
    own = package.parent / f"{package.name}.libs"
    if own.is_dir():
        yield own
        return
    for folder in package.parent.glob("*.libs"):
        distribution = folder.name.removesuffix(".libs")
        records = package.parent.glob(f"{distribution}-*.dist-info/RECORD")
        if any(_lists(record, package.name) for record in records):
            yield folder


def _lists(record: Path, name: str) -> bool:
    try:
        lines = record.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    return any(line.startswith((f"{name}/", f"{name},")) for line in lines)
