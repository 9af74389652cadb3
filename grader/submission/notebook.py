"""Reads a notebook: its code cells as chunks of plain Python, its markdown cells as one text.

Formats 3 and 4 are read from their JSON, with patience for what is missing, since students' tools
and hands leave notebooks that no schema accepts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.evidence import Chunk
from grader.submission import limits
from grader.submission.magics import plain_python
from grader.submission.names import shown
from grader.submission.places import Unreadable, too_large
from grader.submission.source_text import definitions


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's content, in the order of its cells."""

    chunks: tuple[Chunk, ...]
    markdown: str
    warnings: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """All code, as one text."""
        return "\n".join(chunk.source.decode() for chunk in self.chunks)


@dataclass(frozen=True, slots=True)
class _Cell:
    number: int
    kind: str
    source: str
    grade_id: str
    locked: bool


def read_notebook(data: bytes, name: str, functions: Sequence[str]) -> Notebook:
    """Read a notebook called `name`; raises Unreadable if it is none.

    A cell's number counts all cells from 1, as the student sees them.
    """
    cells, warnings = _deduplicated(list(_cells(_document(data, name))), functions)
    code_size = sum(len(cell.source) for cell in cells if cell.kind == "code")
    if code_size > limits.CODE_BYTES:
        raise too_large(f"the code in {name}", code_size, limits.CODE_BYTES)
    chunks = []
    for cell in cells:
        if cell.kind != "code":
            continue
        source, dropped = plain_python(cell.source)
        if dropped:
            warnings.append(f"{shown(name)} cell {cell.number} is {dropped}: it was not run.")
        if source.strip():
            chunks.append(Chunk(f"{shown(name)} cell {cell.number}", source.encode()))
    markdown = "\n\n".join(_markdown(cell) for cell in cells if cell.kind != "code")
    return Notebook(tuple(chunks), markdown, tuple(warnings))


def _document(data: bytes, name: str) -> Mapping[str, Any]:
    if data.count(b"{") + data.count(b"[") > limits.NOTEBOOK_NODES:
        raise Unreadable(
            f"{shown(name)} has more than {limits.NOTEBOOK_NODES:,} entries."
            " Clear its outputs and hand it in again."
        )
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise Unreadable(
            f"{shown(name)} is not a notebook: it is not valid JSON."
            " Open it in Jupyter, save it and hand it in again."
        ) from None
    if not isinstance(document, dict) or not document.keys() & {"cells", "worksheets"}:
        raise Unreadable(
            f"{shown(name)} is not a notebook: it is JSON without cells."
            " Hand in the .ipynb file that Jupyter saves."
        )
    language = _language(document)
    if language and not language.casefold().startswith(("python", "ipython", "xpython")):
        raise Unreadable(
            f"{shown(name)} is written for {shown(language)}. Hand in a notebook in Python."
        )
    return document


def _language(document: Mapping[str, Any]) -> str:
    metadata = _mapping(document.get("metadata"))
    for key, inner in (("kernelspec", "language"), ("language_info", "name")):
        language = _mapping(metadata.get(key)).get(inner)
        if isinstance(language, str) and language:
            return language
    return ""


def _cells(document: Mapping[str, Any]) -> Iterator[_Cell]:
    found = list(_list(document.get("cells")))
    for worksheet in _list(document.get("worksheets")):
        found += _list(_mapping(worksheet).get("cells"))
    for number, raw in enumerate(found[: limits.NOTEBOOK_CELLS], start=1):
        cell = _mapping(raw)
        kind = cell.get("cell_type")
        if kind not in ("code", "markdown", "heading"):
            continue
        source = _text(cell.get("source")) or _text(cell.get("input"))
        if kind == "heading":
            level = cell.get("level")
            source = "#" * (level if level in (1, 2, 3, 4, 5, 6) else 1) + f" {source}"
        metadata = _mapping(cell.get("metadata"))
        grading = _mapping(metadata.get("nbgrader"))
        grade_id = grading.get("grade_id")
        locked = grading.get("locked") is True or metadata.get("editable") is False
        yield _Cell(number, kind, source, grade_id if isinstance(grade_id, str) else "", locked)


def _deduplicated(cells: list[_Cell], functions: Sequence[str]) -> tuple[list[_Cell], list[str]]:
    """Keep one of the cells that share a grading id, as copying a cell makes them do.

    It is the last that has more than a starter's stub or a blank in it.
    """
    copies: dict[str, list[_Cell]] = {}
    for cell in cells:
        if cell.grade_id:
            copies.setdefault(cell.grade_id, []).append(cell)
    dropped, warnings = set(), []
    for grade_id, same in copies.items():
        if len(same) == 1:
            continue
        kept = next((c for c in reversed(same) if not _is_untouched(c, functions)), same[-1])
        dropped |= {cell.number for cell in same if cell is not kept}
        numbers = ", ".join(str(cell.number) for cell in same[:10])
        warnings.append(
            f"Cells {numbers} carry the same grading id “{shown(grade_id)}”;"
            f" cell {kept.number} was used."
        )
    return [cell for cell in cells if cell.number not in dropped], warnings


def _is_untouched(cell: _Cell, functions: Sequence[str]) -> bool:
    if cell.kind == "code":
        return definitions(cell.source, functions).unfinished
    return not cell.source.strip()


def _markdown(cell: _Cell) -> str:
    """A cell's text; of a locked one only the headings, since the rest is the question."""
    if not cell.locked:
        return cell.source
    lines = (line.strip() for line in cell.source.splitlines())
    return "\n".join(line for line in lines if line.startswith(("#", "**")))


def _text(value: object) -> str:
    """A cell's source, one string or a list of lines, as text that can be encoded."""
    lines = value if isinstance(value, list) else [value]
    text = "".join(line for line in lines if isinstance(line, str))
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return text.encode("utf-8", "replace").decode()


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
