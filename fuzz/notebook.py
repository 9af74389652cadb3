"""Target: the reader of notebooks.

The input is the file.  What comes out is compared with the cells as `json` alone reads them.
"""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

from fuzz.choices import Choices, built
from fuzz.oracle import require, timely
from grader.submission import limits, magics, notebook
from grader.submission.places import Unreadable

_SLOW_S = 1.0
_LONGEST_CELL = 4_000
_FRAGMENTS = (
    "x = 1", "\n", "\n", "    ", "%time ", "%%time\n", "%%bash\n", "!rm -rf /", "%run other.py",
    "x = (", ")", "\\\n", "'''", '"""', "'", '"', "#", "? ", "x??", "% 3", "pip install y", "!",
    "%", "def f(q):\n    return q", "r'", "f'{", "}'", "[", "]", "{", "=", "\r\n", "\0", "\f",
    "\x0b", "\u2028", "\ufeff", "é", "\ud800", "x = %timeit 3", "lambda: 0", "y", "a.b", ": ",
    "if x:", ";",
)  # fmt: skip
_KINDS = ("code", "code", "code", "markdown", "heading", "raw", 1, None)


def check(data: bytes) -> None:
    """Read one notebook; its chunks must come from its code cells, and hold no magic."""
    choices = built(data)
    if choices:
        data = json.dumps(_document(choices)).encode()
    try:
        read = timely(_SLOW_S, lambda: notebook.read_notebook(data, "hw.ipynb", ("f", "g")))
    except Unreadable:
        return
    cells = list(map(_source, _code_cells(json.loads(data))))
    lines = {line.strip() for cell in cells for line in cell.split("\n")}
    numbers = [int(chunk.name.rpartition(" ")[2]) for chunk in read.chunks]
    require(numbers == sorted(set(numbers)), "cells out of order or twice")
    for chunk in read.chunks:
        _check_chunk(chunk.source.decode(), lines)
    require(len(read.code) <= limits.CODE_BYTES + len(cells), "more code than the limit")
    for cell in cells:
        _check_plain(cell[:_LONGEST_CELL])


def _check_chunk(source: str, lines: set[str]) -> None:
    require("\0" not in source, "a NUL in code")
    first = next(line for line in source.split("\n") if line.strip())
    require(not first.lstrip(" \t").startswith(("%", "!")), "a cell that begins with a magic")
    for line in source.split("\n"):
        known = line.strip() in lines or line.strip() in ("", "pass")
        timed = any(line.strip() and own.endswith(line.strip()) for own in lines if "%time" in own)
        require(known or timed, f"a line of no cell: {line!r}")


def _check_plain(cell: str) -> None:
    """What is Python as it stands must stay as it is; line numbers stay true in any case."""
    source, dropped = timely(_SLOW_S, lambda: magics.plain_python(cell))
    require(bool(dropped) or source.count("\n") == cell.count("\n"), "lines moved")
    if _is_python(cell):
        require(source == cell, f"Python changed: {cell!r} became {source!r}")


def _is_python(cell: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(cell)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def _code_cells(document: Any) -> list[Any]:
    """Every cell of code of either format, whatever else the document holds."""
    worksheets = document.get("worksheets")
    groups = [document, *(worksheets if isinstance(worksheets, list) else [])]
    cells: list[Any] = []
    for group in groups:
        found = group.get("cells") if isinstance(group, dict) else None
        cells += found if isinstance(found, list) else []
    return [c for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"]


def _source(cell: dict[str, Any]) -> str:
    texts = []
    for key in ("source", "input"):
        value = cell.get(key)
        lines = value if isinstance(value, list) else [value]
        texts.append("".join(line for line in lines if isinstance(line, str)))
    text = (texts[0] or texts[1]).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "replace").decode()


def _document(choices: Choices) -> Any:
    cells = [_cell(choices) for _ in range(choices.below(5))]
    if choices.below(8) == 7:
        return {"worksheets": [{"cells": cells}], "cells": choices.text(2)}
    metadata = {"kernelspec": {"language": choices.pick(("python", "R", 1, ""))}}
    return {"cells": cells, "metadata": metadata if choices.below(3) else choices.text(2)}


def _cell(choices: Choices) -> Any:
    grading = {"grade_id": choices.pick(("a", "b", 1, "")), "locked": choices.below(2) == 1}
    metadata = {"nbgrader": grading} if choices.below(4) == 3 else {}
    source: Any = "".join(_fragment(choices) for _ in range(choices.below(12)))
    if choices.below(4) == 3:
        source = [*source.splitlines(keepends=True), choices.pick((1, None, "x"))]
    key = choices.pick(("source", "source", "input"))
    return {"cell_type": choices.pick(_KINDS), key: source, "metadata": metadata}


def _fragment(choices: Choices) -> str:
    return choices.text(6) if choices.below(6) == 5 else choices.pick(_FRAGMENTS)
