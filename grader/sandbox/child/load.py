"""Loading a student's source, in the child: compile from bytes, execute, say what it defined.

Runs after confinement.  Everything here describes what happened in plain data; the trusted side
makes sentences of it.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Report = dict[str, Any]
"""An exception in plain data: type, message, trace of [file, line, function]."""

_MAX_MESSAGE = 2000
_MAX_TRACE = 20
_MAX_NAMES = 200
_MODULE_NAME = "submission"


@dataclass
class Loaded:
    """The student's namespace and how each chunk went."""

    namespace: dict[str, Any]
    files: frozenset[str]
    failures: list[tuple[str, Report]] = field(default_factory=list)


class _StudentModules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Serves the further files of a submission from memory, after everything installed.

    It comes last on the meta path, so a student's `random.py` or `numpy.py` never stands in for
    the real one.
    """

    def __init__(self, sources: Mapping[str, bytes]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname in self.sources:
            return importlib.machinery.ModuleSpec(fullname, self, origin=f"{fullname}.py")
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        exec(_compile(self.sources[name], f"{name}.py"), module.__dict__)  # noqa: S102


def _compile(source: bytes, filename: str) -> types.CodeType:
    # From bytes, so that a BOM and a coding line mean what Python says they mean.
    return compile(source, filename, "exec", dont_inherit=True)


def load(
    chunks: Sequence[tuple[str, bytes]],
    modules: Mapping[str, bytes],
    *,
    go_on: bool,
    available: Sequence[str],
) -> Loaded:
    """Execute the chunks in one namespace; `go_on` runs those behind a failed one too.

    `available` names what may be imported besides the standard library, for the message about
    anything else.
    """
    module = types.ModuleType(_MODULE_NAME)
    module.__file__ = chunks[0][0] if chunks else ""
    sys.modules[_MODULE_NAME] = module
    sys.meta_path += [_StudentModules(modules), _RefusedImports(available)]
    files = frozenset([name for name, _ in chunks] + [f"{name}.py" for name in modules])
    loaded = Loaded(module.__dict__, files)
    for name, source in chunks:
        try:
            exec(_compile(source, name), loaded.namespace)  # noqa: S102 - the sandbox's purpose
        except BaseException as error:  # noqa: BLE001 - whatever student code raises is a value
            loaded.failures.append((name, describe(error, files)))
            if not go_on:
                break
    return loaded


def describe(error: BaseException, files: frozenset[str]) -> Report:
    """Put an exception into plain data; only the student's own lines are kept of its trace."""
    trace = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if code.co_filename in files:
            trace.append([code.co_filename, step.tb_lineno, code.co_name])
        step = step.tb_next
    if isinstance(error, SyntaxError) and error.filename in files:
        trace.append([error.filename, error.lineno or 0, ""])
    if len(trace) > _MAX_TRACE:
        trace = trace[: _MAX_TRACE // 2] + trace[-_MAX_TRACE // 2 :]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else _full_name(kind)
    memory = isinstance(error, MemoryError)
    return {"type": name[:120], "message": _message(error), "trace": trace, "memory": memory}


def _full_name(kind: type) -> str:
    return (
        kind.__qualname__
        if kind.__module__ == _MODULE_NAME
        else f"{kind.__module__}.{kind.__qualname__}"
    )


def _message(error: BaseException) -> str:
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:  # noqa: BLE001 - a student's __str__ may raise anything
        text = "(its message could not be read)"
    return str(text)[:_MAX_MESSAGE]


def defined(namespace: Mapping[str, Any]) -> dict[str, str]:
    """The public names a submission defines itself, with what kind of thing each is."""
    found = {}
    for name, value in namespace.items():
        if name.startswith("_") or isinstance(value, types.ModuleType):
            continue
        if getattr(value, "__module__", _MODULE_NAME) not in (_MODULE_NAME, None):
            continue  # imported from elsewhere
        kind = "function" if inspect.isroutine(value) else type(value).__name__
        found[name[:64]] = "class" if isinstance(value, type) else kind[:64]
        if len(found) >= _MAX_NAMES:
            break
    return found


def _empty() -> None: ...


def _only_documented() -> None:
    """Nothing else."""


_STUBS = {_empty.__code__.co_code: 0, _only_documented.__code__.co_code: 1}
"""The code of an empty body → which of its constants it returns."""


def is_stub(function: Any) -> bool:
    """Tell whether a function's body is only `pass`, `...`, `return None` or a docstring."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return False
    position = _STUBS.get(code.co_code)
    return position is not None and code.co_consts[position] is None


class _RefusedImports(importlib.abc.MetaPathFinder):
    """Last of all finders: says what may be imported instead of a bare "No module named"."""

    def __init__(self, available: Sequence[str]) -> None:
        self.available = available

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package = fullname.partition(".")[0]
        if not _library_is_readable():
            only = _enumerated([*self.available, "the most usual part of the standard library"])
            here = f"here you may import only what was loaded beforehand: {only}"
        elif path is None and package == fullname:
            here = f"here you may import {_enumerated(['the standard library', *self.available])}"
        else:
            return None  # a module of a package that is there: Python's own message is right
        if package in _COMMON:
            here += f"; only the author of the problem can add {package}"
        raise ModuleNotFoundError(f"No module named {fullname!r}: {here}", name=fullname)


_COMMON = frozenset(
    "PIL bs4 cupy cv2 cvxpy jax keras matplotlib mpmath networkx numba pandas plotly polars "
    "requests scipy seaborn sklearn skimage statsmodels sympy tensorflow torch torchvision tqdm "
    "transformers xarray".split()
)
"""What students are likely to know from elsewhere, and to miss."""


def _library_is_readable() -> bool:
    try:
        with open(importlib.abc.__file__, "rb"):
            return True
    except OSError:
        return False


def _enumerated(words: Sequence[str]) -> str:
    *head, last = words
    return f"{', '.join(head)} and {last}" if head else last
