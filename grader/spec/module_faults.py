"""What can be wrong with a pack's Python files, said with the file, the line and the mend."""

from __future__ import annotations

import ast
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.errors import SpecFault
from grader.spec.wording import did_you_mean, listed

_NEEDED = sys.stdlib_module_names | {"grader", "numpy", "scipy", "sympy", "mpmath"}

# Whether there is anything to look for, far faster than parsing every file to see.
_INNER_IMPORT = re.compile(rb"(?:^[ \t]+|[:;][ \t]*)(?:from|import)\b", re.MULTILINE)


def shadowing(files: Sequence[Path]) -> list[SpecFault]:
    """Files that would stand in for a module of Python's, or of the grader's own."""
    return [
        SpecFault(
            file.name,
            f"hides the module {file.stem}, which Python or the grader needs itself",
            "give the file another name",
        )
        for file in files
        if file.stem in _NEEDED
    ]


def late_imports(files: Sequence[Path]) -> Iterator[SpecFault]:
    """Imports of the pack's own files inside a function, which would run after loading and fail."""
    names = {file.stem for file in files}
    for file in files:
        try:
            source = file.read_bytes()
            tree = ast.parse(source) if _INNER_IMPORT.search(source) else ast.Module([], [])
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            continue  # told when the file is loaded
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _imports_in(node, file.name, names)


def _imports_in(function: ast.AST, file: str, names: set[str]) -> Iterator[SpecFault]:
    for node in ast.walk(function):
        if isinstance(node, ast.Import):
            imported = {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            imported = {node.module or ""}
        else:
            continue
        for name in sorted(imported & names):
            yield SpecFault(
                f"{file} line {node.lineno}",
                f"imports {name} inside a function, where it is no longer found",
                "import it at the top of the file",
            )


def explained(name: str, error: BaseException, folder: Path, present: frozenset[str]) -> SpecFault:
    """Say what a module's loading raised; `present` are the names of the pack's files.

    To be called while the pack's modules can still be imported.
    """
    file, line, text = _place(name, error, folder)
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    said = " ".join(said.replace(f"{folder}/", "").split())[:300]
    problem = f"{type(error).__name__}: {said}" if said else type(error).__name__
    if not isinstance(error, SyntaxError):
        problem += ", when the file is loaded"
    if text.strip():
        problem += f"\n      {line} | {text.strip()[:100]}\n   "
    return SpecFault(f"{file} line {line}" if line else file, problem, _mend(error, present))


def _place(name: str, error: BaseException, folder: Path) -> tuple[str, int, str]:
    """The file of the pack, the line and its text where loading went wrong."""
    if isinstance(error, SyntaxError) and error.filename:
        written = Path(error.filename)
        if written.parent == folder:
            return written.name, error.lineno or 0, error.text or ""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).parent == folder]
    if own:
        return Path(own[-1].filename).name, own[-1].lineno or 0, own[-1].line or ""
    return f"{name}.py", 0, ""


def _mend(error: BaseException, present: frozenset[str]) -> str:
    if isinstance(error, SyntaxError):
        return "mend this line, or the one before it"
    if isinstance(error, SystemExit):
        return "take out the call that exits: the file is loaded, not run as a program"
    if isinstance(error, ImportError) and error.name:
        return _import_mend(error, error.name, present)
    return "mend this line; loading the file should do no more than define its functions"


def _import_mend(error: ImportError, module: str, present: frozenset[str]) -> str:
    missing = re.match(r"cannot import name '(\w+)'", str(error))
    if missing and module in present:
        known = [name for name in vars(sys.modules.get(module, ast)) if name[:1] != "_"]
        return did_you_mean(missing[1], known, f"{module}.py defines {listed(sorted(known))}")
    files = listed(f"{name}.py" for name in sorted(present))
    otherwise = f"install {module} where the grader runs; the pack's own files are {files}"
    if str(error) == f"the pack has no {module}.py":
        otherwise = f"add {module}.py to the pack's folder, which has {files}"
    return did_you_mean(module, sorted(present), otherwise)
