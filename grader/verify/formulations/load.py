"""A pack's reference loaded anew in a dialect: its arithmetic handed over, its numpy replaced.

The modules live outside `sys.modules`; the pack as it was loaded stays as it is.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.pipeline.variants import bound
from grader.problem import Pack
from grader.verify.formulations.arithmetic import Arithmetic
from grader.verify.formulations.syntax import ARITHMETIC, compiled

Functions = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Dialect:
    """How a rewritten module works things out."""

    name: str
    arithmetic: Arithmetic
    modules: Mapping[str, Any] = field(default_factory=dict)
    """What stands in for modules like ``numpy``."""
    builtins: Mapping[str, Any] = field(default_factory=dict)


def load(pack: Pack, dialect: Dialect) -> Functions:
    """The functions of the pack's reference.py in a dialect, with the pack's variant if it has one.

    Whatever the pack's own code raises while it loads comes out of this.
    """
    module = _Loader(pack.folder, dialect).load("reference")
    found = {name: vars(module)[name] for name in pack.reference if name in vars(module)}
    if not pack.variant:
        return found
    return {name: bound(function, pack.variant) for name, function in found.items()}


class _Loader:
    """Loads the pack's modules that the reference needs, each once, and all in the same dialect."""

    def __init__(self, folder: Path, dialect: Dialect) -> None:
        self._folder = folder
        self._dialect = dialect
        self._loaded: dict[str, ModuleType] = {}
        self._builtins = {
            **vars(builtins),
            **dialect.builtins,
            ARITHMETIC: dialect.arithmetic,
            "__import__": self._import,
        }

    def load(self, name: str) -> ModuleType:
        if name in self._loaded:
            return self._loaded[name]
        file = self._folder / f"{name}.py"
        code = compiled(file)
        module = ModuleType(f"grader formulation {name}")
        vars(module).update(__builtins__=self._builtins, __file__=str(file))
        self._loaded[name] = module
        # Dataclasses look their module up by its name while they are made.
        sys.modules[module.__name__] = module
        try:
            exec(code, vars(module))  # noqa: S102 - the pack's own code is trusted
        finally:
            del sys.modules[module.__name__]
        return module

    def _import(
        self,
        name: str,
        globals_: Mapping[str, Any] | None = None,
        locals_: Mapping[str, Any] | None = None,
        wanted: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        root, *inner = name.split(".")
        if level == 0 and root in self._dialect.modules:
            found = self._dialect.modules[root]
            for step in inner if wanted else ():
                found = getattr(found, step)
            return found
        if level == 0 and not inner and (self._folder / f"{name}.py").is_file():
            return self.load(name)
        return builtins.__import__(name, globals_, locals_, wanted or (), level)
