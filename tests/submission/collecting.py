"""A small problem, and makers of the submissions that the tests of this folder hand over."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grader.evidence import Submission
from grader.problem import Problem
from grader.submission import discover, read

CODE = b"def weights(q, K):\n    return K @ q\n\n\ndef attend(q, K, V):\n    return V.T @ (K @ q)\n"
STUB = b'def weights(q, K):\n    """Shape (n,)."""\n    raise NotImplementedError\n'
ANSWERS = b"## i\nThey sum to one.\n\n## ii\nm = log((n-1)*(1-eps)/eps)\nThe key wins.\n"


def _property(id_: str, function: str) -> dict[str, Any]:
    return {
        "id": id_, "title": id_, "kind": "property", "weight": 1,
        "function": function, "inputs": "anything", "check": "holds",
    }  # fmt: skip


def _symbolic(symbol: str) -> dict[str, Any]:
    variables = {"n": {"type": "integer", "min": 2, "max": 9}, "eps": {"min": 0, "max": 1}}
    return {
        "id": f"formula-{symbol.replace('_', '-')}", "title": "formula", "kind": "symbolic",
        "weight": 1, "symbol": symbol, "formula": "n", "variables": variables,
    }  # fmt: skip


PROBLEM = Problem.model_validate(
    {
        "id": "copying",
        "title": "Copying",
        "version": "1",
        "parts": [
            {"id": "i", "title": "A distribution", "points": 1,
             "criteria": [_property("one", "weights")]},
            {"id": "ii", "title": "The margin", "points": 2, "criteria": [_symbolic("m")]},
            {"id": "iii", "title": "The output", "points": 1,
             "criteria": [_property("two", "attend"), _symbolic("alpha_j")]},
            {"id": "iv", "title": "Intuition", "points": 1,
             "criteria": [{"id": "look", "title": "look", "kind": "manual", "weight": 1}]},
        ],
    }
)  # fmt: skip


def lay(root: Path, files: Mapping[str, bytes]) -> Path:
    """Write files under a folder; a name that ends in / is an empty folder."""
    root.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return root


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files, in memory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def notebook(*cells: tuple[str, str], **top: Any) -> bytes:
    """A notebook of format 4 with cells (type, source)."""
    made = [
        {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        for kind, source in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": made, **top}).encode()


def ids(*paths: Path) -> list[str]:
    """The ids of what is discovered."""
    return [source.id for source in discover(paths, PROBLEM).sources]


def collect(*paths: Path) -> dict[str, Submission]:
    """Discover and read everything."""
    found = discover(paths, PROBLEM).sources
    return {source.id: read(source, PROBLEM) for source in found}


def only(*paths: Path) -> Submission:
    """The only submission there is."""
    (submission,) = collect(*paths).values()
    return submission
