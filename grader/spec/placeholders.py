"""The ``{{NAME}}`` in a pack's texts: each must be a parameter of ``[variants]``, and stand where a
student's own values can go."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.errors import SpecFault
from grader.problem import Problem
from grader.spec.files import stays_inside
from grader.spec.outline import Entry, Outline
from grader.spec.wording import did_you_mean, listed, quoted
from grader.variant import placeholders

_FILLED = ("asks", "hint", "formula")
_LARGEST_STUB = 1 << 20


def wrong_placeholders(outline: Outline, statement: str, folder: Path) -> Iterator[SpecFault]:
    """Tell of names that are no parameters, and of placeholders that would stay as they are.

    Without ``[variants]`` two braces are nothing special, as LaTeX may have them.
    """
    known = [*outline.table("variants").keys]
    if not known:
        return
    texts = [
        (outline.text("statement", Problem.model_fields["statement"].default), statement),
        *_starter_texts(outline, folder),
        *(found for entry in _entries(outline) for found in _texts(entry)),
    ]
    for where, text in texts:
        for name in placeholders(text):
            if name not in known:
                otherwise = f"the parameters of [variants] are {listed(known)}"
                yield SpecFault(
                    where,
                    f"{quoted('{{' + name + '}}')} is no parameter of [variants]",
                    did_you_mean(name, known, otherwise),
                )
    for entry in (outline, *outline.parts, *_entries(outline)):
        if placeholders(entry.text("title")):
            yield SpecFault(
                entry.at("title"),
                "a title is the same for everybody, as it stands in the class's reports",
                "say it in asks, hint or the statement",
            )


def _entries(outline: Outline) -> list[Entry]:
    return [*outline.criteria, *outline.misconceptions]


def _texts(entry: Entry) -> Iterator[tuple[str, str]]:
    yield from ((entry.at(key), entry.text(key)) for key in _FILLED)
    formulas = entry.table("formulas")
    yield from ((formulas.at(key), text) for key, text in formulas.texts())


def _starter_texts(outline: Outline, folder: Path) -> Iterator[tuple[str, str]]:
    """The starter's files that are text, by their names in the pack."""
    name = outline.text("starter", Problem.model_fields["starter"].default)
    if not stays_inside(name):
        return
    for path in sorted((folder / name).rglob("*")):
        try:
            if path.is_file() and path.stat().st_size <= _LARGEST_STUB:
                yield str(path.relative_to(folder)), path.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue  # what is no text has no placeholders
