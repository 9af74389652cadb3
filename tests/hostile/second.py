"""The second class: what is handed in other than as code, graded through the command line."""

from __future__ import annotations

import csv
import secrets
import shutil
import tempfile
import time
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from grading import grader, results
from handed_in import NAMES, RIGHT_CODE, SUBMISSIONS, Places
from limits import LIMITS
from pack import write_pack

ELEMENTS = frozenset("script iframe object embed svg img base link meta hostile form".split())


class Page(HTMLParser):
    """Finds what of a page a browser would run or fetch that holds a word of an attack."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self._word = word
        self._inside: list[str] = []
        self.obeyed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside.append(tag)
        for name, value in attrs:
            runs = name.startswith("on") or name in ("src", "srcdoc", "style", "action")
            # A link to a student's page holds the name of the student.
            leads_away = name == "href" and ":" in (value or "")
            if self._word in (value or "") and (runs or leads_away):
                self.obeyed.append(f"<{tag} {name}={value!r}>")
        if tag == self._word:
            self.obeyed.append(f"<{tag}>")

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._inside and self._inside[-1] in ("script", "style") and self._word in data:
            self.obeyed.append(data[:80])


def obeyed(page: str, word: str = "hostile") -> list[str]:
    """What a browser would obey of an attack."""
    parser = Page(word)
    parser.feed(page)
    parser.close()
    return parser.obeyed


def odd_characters(text: str) -> str:
    """What of a text a terminal would obey."""
    harmless = "\n\t"
    return "".join(
        c for c in text
        if c not in harmless and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u2028\u200b\ufeff")
    )  # fmt: skip


def grade_second_class() -> dict[str, Any]:
    """Grade everything once; everything that the tests look at, as plain data."""
    root = Path(tempfile.mkdtemp(prefix="hostile-"))
    root.chmod(0o755)
    try:
        return _graded(root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _graded(root: Path) -> dict[str, Any]:
    secret = f"SECRET-{secrets.token_hex(12)}"
    places = Places(root, write_pack(root / "pack", secret, answers=True) / "reference.py")
    (root / "canaries").mkdir()
    handed_in = root / "class" / "students"
    handed_in.mkdir(parents=True)
    made = []
    for submission in (*SUBMISSIONS, *LIMITS):
        try:
            submission.make(handed_in / submission.id, places)
        except PermissionError:
            if not submission.only_root:
                raise
            shutil.rmtree(handed_in / submission.id)
            continue
        made.append(submission.id)
    named = _make_named(handed_in)
    before = _tree(root)
    output = root / "reports"
    began_s = time.monotonic()
    done = grader("grade", places.reference.parent, handed_in, "-o", output, "-j", "2")
    elapsed_s = time.monotonic() - began_s
    assert done.returncode == 0, done.stdout + done.stderr
    pages = sorted(output.rglob("*.html"))
    with open(output / "gradebook.csv", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    texts = [path.read_text() for path in pages]
    return {
        "results": results(output),
        "secret": secret,
        "made": made,
        "named": named,
        "elapsed_s": elapsed_s,
        "printed": done.stdout + done.stderr,
        "pages": len(pages),
        "obeyed": {path.name: found for path, text in zip(pages, texts, strict=True)
                   if (found := obeyed(text))},
        "odd_on_pages": {path.name: ascii(found) for path, text in zip(pages, texts, strict=True)
                         if (found := odd_characters(text))},
        "leaked": [p.name for p in output.rglob("*") if p.is_file() and secret.encode() in p.read_bytes()],
        "cells": cells,
        "new_outside": sorted(_tree(root) - before - {str(output)}
                              - {str(p) for p in output.rglob("*")}),
        "canaries": [p.name for p in (root / "canaries").iterdir()],
    }  # fmt: skip


def _make_named(handed_in: Path) -> list[str]:
    """Folders with names; those that this disk can hold."""
    made = []
    for name in NAMES:
        folder = handed_in / name
        try:
            folder.mkdir()
        except OSError:
            continue
        (folder / "work.py").write_bytes(RIGHT_CODE)
        made.append(name)
    return made


def _tree(root: Path) -> set[str]:
    return {str(path) for path in root.rglob("*")}
