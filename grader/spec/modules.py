"""A pack's Python files, each loaded as a module of its own that no other pack can see.

While they load they may import each other by plain name; afterwards `sys.modules` and `sys.path`
are as they were, and nothing was written into the pack.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from grader.errors import SpecFault
from grader.spec.files import python_files
from grader.spec.module_faults import explained, late_imports, shadowing

MODULES = ("reference", "inputs", "checks", "misconceptions")
"""The files whose functions a problem names."""

_LOCK = threading.Lock()


@dataclass(frozen=True)
class Modules:
    """What came of loading; a file with a fault is present, but not loaded."""

    loaded: Mapping[str, ModuleType]
    present: frozenset[str]
    faults: tuple[SpecFault, ...]

    def callables(self, name: str) -> dict[str, Callable[..., Any]]:
        """The public functions and classes of a module; none if it is not loaded."""
        module = self.loaded.get(name)
        return {
            key: value
            for key, value in (vars(module) if module else {}).items()
            if callable(value) and not key.startswith("_")
        }


def load_modules(folder: Path) -> Modules:
    """Load `reference.py`, `inputs.py`, `checks.py` and `misconceptions.py`, those that exist."""
    files = python_files(folder)
    names = frozenset(file.stem for file in files)
    hiding = shadowing(files)
    loaded, faults = ({}, hiding) if hiding else _load(folder, names)
    faults = [*faults, *late_imports(files)]
    return Modules(loaded, names, tuple(dict.fromkeys(faults)))


def _load(folder: Path, names: frozenset[str]) -> tuple[dict[str, ModuleType], list[SpecFault]]:
    loaded, faults = {}, []
    with _importable(folder, names):
        for name in (name for name in MODULES if name in names):
            try:
                loaded[name] = importlib.import_module(name)
            # An instructor's file may do anything when it runs, even exit; whatever it does is a
            # fault of the pack, to be told with all the others.
            except (Exception, SystemExit) as error:  # noqa: BLE001
                faults.append(explained(name, error, folder, names))
    return loaded, faults


class _FreshLoader(SourceFileLoader):
    """Compiles the source each time: it neither trusts nor leaves a `__pycache__`."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class _PackFinder(MetaPathFinder):
    """Finds a pack's files before anything else that goes by their names."""

    def __init__(self, folder: Path, names: frozenset[str]) -> None:
        self.folder = folder
        self.names = names

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in self.names:
            file = str(self.folder / f"{fullname}.py")
            return spec_from_file_location(fullname, file, loader=_FreshLoader(fullname, file))
        if fullname in MODULES:  # never a file of that name from somewhere else
            raise ModuleNotFoundError(f"the pack has no {fullname}.py", name=fullname)
        return None


@contextmanager
def _importable(folder: Path, names: frozenset[str]) -> Iterator[None]:
    finder = _PackFinder(folder, names)
    ours = names | set(MODULES)
    with _LOCK:
        hidden = {name: sys.modules.pop(name) for name in ours if name in sys.modules}
        path = [*sys.path]
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)
            sys.path[:] = path
            for name in ours:
                sys.modules.pop(name, None)
            sys.modules.update(hidden)
