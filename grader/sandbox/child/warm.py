"""What is loaded before any student code: so that a child need not read it, and starts fast."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grader.sandbox.child import packages

# What nearly every submission uses, and what the child itself needs.
_ALWAYS = (
    "collections copy dataclasses encodings.idna encodings.latin_1 encodings.utf_16 "
    "encodings.utf_8_sig enum functools io itertools json linecache math operator random re string "
    "time traceback types typing warnings numpy.linalg numpy.random"
)
# Where nothing can be read by path, a child has these and no others.
_WITHOUT_FILES = (
    "abc bisect cmath contextlib csv datetime decimal fractions heapq numbers pprint queue "
    "statistics textwrap timeit unicodedata uuid numpy.fft numpy.ma numpy.polynomial numpy.matlib"
)


class NotPreloaded(Exception):
    """A module of the pack's `preload` that cannot be loaded here, or not for forking."""


def warm_up(extra: Sequence[str], *, files: bool) -> list[Path]:
    """Import what is preloaded, and `extra`, and freeze the heap for forking.

    `files` tells whether a child will be able to read modules by itself.  Returns the paths of
    numpy and of every package that `extra` loaded: what a child may read besides the standard
    library.

    Raises:
        NotPreloaded: if one of `extra` cannot be imported, or starts threads.
    """
    search, before = [*sys.path], {*sys.modules}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in [*_ALWAYS.split(), *([] if files else _WITHOUT_FILES.split())]:
            importlib.import_module(name)
        # One product loads the BLAS kernels; one error path loads what formats it.
        square = np.ones((4, 4)) @ np.ones((4, 4))
        np.linalg.solve(square + np.eye(4), np.ones(4))
        np.array2string(square)
        for name in extra:
            _load(name)
    owned = [name for name in sys.modules if name not in before or _is_within(name, extra)]
    try:
        paths = packages.paths_of(["numpy", *_installed(owned)], search)
    except packages.TooWide as error:
        raise NotPreloaded(f"{', '.join(extra)} cannot be preloaded: {error}") from None
    gc.collect()
    gc.freeze()
    gc.disable()
    return paths


def _load(name: str) -> None:
    threads = _count_threads()
    try:
        importlib.import_module(name)
        for package, first_use in _FIRST_USES.items():
            if package in sys.modules and package not in _used:
                _used.add(package)
                first_use(sys.modules[package])
    # A library may do anything when it is imported, even exit; whatever it does, it is told.
    except BaseException as error:  # noqa: BLE001
        said = f"{type(error).__name__}: {error}"[:300]
        if isinstance(error, ModuleNotFoundError):
            said += " (PYTHONPATH and the packages of a single user are not looked at)"
        raise NotPreloaded(f"{name} cannot be preloaded: {said}") from None
    if _count_threads() > threads:
        raise NotPreloaded(
            f"{name} cannot be preloaded: importing it starts threads, "
            "and a process with threads cannot be forked safely"
        )


def _count_threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:  # only Linux tells
        return 1


def _first_use_of_torch(torch: Any) -> None:
    """Have it load its kernels, and keep it to the one thread that a child may have."""
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    weights = torch.ones((4, 4), requires_grad=True)
    # The first optimizer imports packages of others, which a child could not find by itself.
    optimizer = torch.optim.SGD([weights], lr=1.0)
    (weights @ weights).sum().backward()
    optimizer.step()


_FIRST_USES: dict[str, Callable[[Any], None]] = {"torch": _first_use_of_torch}
"""Libraries that need more than to be imported, before anything is forked."""
_used: set[str] = set()


def _is_within(name: str, packages: Sequence[str]) -> bool:
    """Whether a module belongs to one of some packages (it may have been loaded at startup)."""
    return name.partition(".")[0] in {package.partition(".")[0] for package in packages}


def _installed(names: Sequence[str]) -> list[str]:
    """Those of some modules that are neither Python's own nor the grader's."""
    own = {*sys.stdlib_module_names, "grader", "__main__", "__mp_main__"}
    return [name for name in names if name.partition(".")[0] not in own]
