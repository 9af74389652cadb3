"""docs/write-a-problem.md as steps to follow, in the order of the page: files and commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "write-a-problem.md").read_text(encoding="utf-8")
_BLOCK = re.compile(
    r"(?:^\*\*`(?P<name>[^`\n]+)`\*\*(?P<added>, at the end)?\n\n)?"
    r"^```(?P<language>\w+)\n(?P<text>.*?)^```$",
    re.M | re.S,
)


@dataclass(frozen=True)
class File:
    """A file to write, or lines to add at its end."""

    name: str
    text: str
    added: bool


@dataclass(frozen=True)
class Command:
    """A command to type, and what the page shows of its output."""

    line: str
    shown: str


def steps() -> Iterator[File | Command]:
    """What the page has its reader do."""
    for block in _BLOCK.finditer(PAGE):
        if block["name"]:
            yield File(block["name"], block["text"], bool(block["added"]))
        elif block["language"] == "console":
            for each in block["text"].split("$ ")[1:]:
                line, _, shown = each.partition("\n")
                yield Command(line, shown)


def write(file: File, folder: Path) -> None:
    """Write one file of the page, or add to it."""
    path = folder / file.name
    assert path.is_file() == file.added, f"{file.name}: written twice, or added to nothing"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        if file.added:
            stream.write("\n\n" if path.suffix == ".py" else "\n")
        stream.write(file.text)


def write_all(folder: Path) -> None:
    """Write all files as they are at the end of the page."""
    for step in steps():
        if isinstance(step, File):
            write(step, folder)
