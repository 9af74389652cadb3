"""The modules that a problem preloads for student code: those that are not installed here.

Found without importing any, which for some takes seconds.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder

from grader.errors import SpecFault
from grader.fields import MODULE_PATTERN
from grader.spec.outline import Outline
from grader.spec.wording import did_you_mean, nearest, quoted

# What is installed under another name than it is imported by.
_INSTALLED_AS = {
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
_USUAL = (
    *("numpy", "scipy", "torch", "pandas", "matplotlib", "sympy", "networkx", "numba", "jax"),
    *("statsmodels", "tensorflow", "seaborn", "mpmath", "torchvision", "xarray"),
    *_INSTALLED_AS,
)
"""What an author is likely to mean, installed or not."""


def missing_modules(outline: Outline) -> Iterator[SpecFault]:
    """Tell of each module under `preload` that student code could not have here."""
    names = outline.keys.get("preload")
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if isinstance(name, str) and re.fullmatch(MODULE_PATTERN, name):
            fault = _fault(name)
            if fault:
                yield SpecFault(outline.at("preload", f"#{index + 1}"), *fault)


def _fault(name: str) -> tuple[str, str] | None:
    """What is wrong with a module and what to do, if anything is."""
    package, *inner = name.split(".")
    if package == "grader":
        return "the grader itself is not for student code", "take it out"
    if package in sys.stdlib_module_names:
        return None
    spec = _find_package(package)
    if spec is None:
        return f"{quoted(package)} is not installed where the grader runs", _mend(package)
    found = package
    for part in inner:
        folders = list(spec.submodule_search_locations or ())
        spec = PathFinder.find_spec(f"{found}.{part}", folders) if folders else None
        if spec is None:
            known = [module.name for module in pkgutil.iter_modules(folders)]
            near = nearest(part, known)
            mend = f"did you mean {found}.{near}?" if near else f"write {found} alone"
            return f"{found} has no module {quoted(part)}", mend
        found = f"{found}.{part}"
    return None


def _find_package(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):  # one that was made in memory, or is broken
        return None


def _mend(package: str) -> str:
    install = f"pip install {_INSTALLED_AS.get(package, package)}"
    if package in _USUAL:
        return f"install it: {install}"
    # Never the advice to install what may be a typo: names near a known one are a trap.
    return did_you_mean(
        package, _known(package), "correct the name, or install the package that has it"
    )


def _known(package: str) -> Sequence[str]:
    # Short names, like pd, are near to anything.
    installed = importlib.metadata.packages_distributions() if len(package) > 3 else ()
    return [*_USUAL, *installed]
