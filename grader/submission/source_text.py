"""A cheap look at source text: what it defines and whether it is Python at all, never running it.

Line by line and linear in time; Python's own parser is kept away from untrusted text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_LINE_CHARACTERS = 1_000
_DEF = re.compile(r"(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(")
_ASSIGNED = re.compile(r"(\w+)[ \t]*(?::[^=]{0,200})?=(?!=)")
_IMPORTED = re.compile(r"from[ \t]+[\w.]+[ \t]+import[ \t]")
_STUB_LINE = re.compile(
    r"(?:pass|\.\.\.|return(?:[ \t]+None)?|raise[ \t]+NotImplementedError\b.*);?"
)
_STRING_LINE = re.compile(r"""[rRbBuU]{0,2}(['"]).*\1""")

_FORMATS = (
    (b"PK\x03\x04", "a zip or an office document", "Hand in the .py file itself."),
    (b"%PDF", "a PDF", "Hand in the .py file itself."),
    (b"\x7fELF", "a compiled program", "Hand in the source."),
    (b"MZ", "a compiled program", "Hand in the source."),
    (b"\x89PNG", "a picture", "Hand in the .py file itself, not a picture of it."),
    (b"\xff\xd8\xff", "a picture", "Hand in the .py file itself, not a picture of it."),
    (b"\x1f\x8b", "a gzip archive", "Hand in the .py file itself."),
    (b"{\\rtf", "a rich-text document", "Save it as plain text."),
    (b"<!DOCTYPE", "a web page", "Download the raw file, not the page that shows it."),
    (b"<!doctype", "a web page", "Download the raw file, not the page that shows it."),
    (b"<html", "a web page", "Download the raw file, not the page that shows it."),
)


@dataclass(frozen=True, slots=True)
class Definitions:
    """Which of the asked-for names a source defines, and for which there is more than a stub."""

    defined: frozenset[str]
    finished: frozenset[str]
    blank: bool
    """Whether there is nothing but comments and blank lines."""

    @property
    def unfinished(self) -> bool:
        """Whether it is a starter that nobody has worked on."""
        return self.blank or bool(self.defined and not self.finished)


def not_python(data: bytes) -> str:
    """Say why bytes cannot be Python source, with the mend; empty if they may be."""
    start = data.lstrip()[:200]
    for magic, what, mend in _FORMATS:
        if start.startswith(magic) and (magic != b"MZ" or b"\0" in data):
            return f"is {what} under the name of a .py file. {mend}"
    if start.startswith(b"{") and b'"cells"' in data and b'"nbformat"' in data:
        return "is a notebook under the name of a .py file. Rename it to .ipynb."
    if encoding := utf16_of(data):
        return f"is encoded as {encoding}, which Python does not read. Save it as UTF-8."
    if b"\0" in data:
        line = data[: data.index(b"\0")].count(b"\n") + 1
        return (
            f"is not Python text: it has a NUL byte, in line {line}."
            " Save it anew as plain text in UTF-8."
        )
    return ""


def utf16_of(data: bytes) -> str:
    """Name the wide encoding that bytes are in, by their mark or by where their NUL bytes stand."""
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return "UTF-32"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "UTF-16"
    sample = data[:2_000]
    half = len(sample) // 2
    if half >= 2 and not len(data) % 2:
        for offset, encoding in ((1, "UTF-16-LE"), (0, "UTF-16-BE")):
            # Every second byte of mostly Latin text is NUL, and the others are not.
            nuls, others = sample[offset::2].count(0), sample[1 - offset :: 2].count(0)
            if nuls > 0.7 * half and not others:
                return encoding
    return ""


def definitions(text: str, names: Sequence[str]) -> Definitions:
    """Look which of the names a source defines at its top level."""
    wanted = frozenset(names)
    defined, finished = set(), set()
    blank = True
    for first, body in _blocks(text.splitlines()):
        blank = blank and not first.lstrip("\ufeff").split("#")[0].strip()
        if match := _DEF.match(first):
            if match[1] in wanted:
                defined.add(match[1])
                finished.discard(match[1])
                if not _is_stub(first, body):
                    finished.add(match[1])
        elif (match := _ASSIGNED.match(first)) and match[1] in wanted:
            defined.add(match[1])
            finished.add(match[1])
        elif _IMPORTED.match(first):
            brought = wanted & set(re.findall(r"\w+", first))
            defined |= brought
            finished |= brought
    return Definitions(frozenset(defined), frozenset(finished), blank)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Each line at the margin with the lines that belong to it."""
    first, body = "", []
    for line in lines:
        line = line[:_LINE_CHARACTERS]
        if line[:1] in ("", " ", "\t", "#", ")"):
            body.append(line)
            continue
        yield first, body
        first, body = line, []
    yield first, body


def _is_stub(first: str, body: list[str]) -> bool:
    head, _, tail = first.rpartition(":")
    tail = tail.split("#")[0].strip()
    if ")" in head and tail and "(" not in tail.partition(")")[0]:
        return bool(_STUB_LINE.fullmatch(tail))
    return all(map(_STUB_LINE.fullmatch, _statements(_after_signature(first, body))))


def _after_signature(first: str, body: list[str]) -> list[str]:
    for index, line in enumerate([first, *body]):
        if line.split("#")[0].rstrip().endswith(":"):
            return body[index:]
    return body


def _statements(lines: list[str]) -> Iterator[str]:
    """The lines that do something: no blank ones, comments or strings."""
    quote = ""
    for line in map(str.strip, lines):
        if quote:
            quote = "" if quote in line else quote
            continue
        opened = next((q for q in ('"""', "'''") if line.lstrip("rRuU").startswith(q)), "")
        if opened:
            quote = opened if line.count(opened) == 1 else ""
        elif line and not line.startswith("#") and not _STRING_LINE.fullmatch(line):
            yield line.split(" #")[0].rstrip()
