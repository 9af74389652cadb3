"""Tells the headings of parts in a written answer: ``## ii``, ``# Part (a) ii.``, ``**iii)**``.

A line is taken for a heading at one of four levels of trust (`Style`); the reader of answers uses
the most certain style that a text has.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from grader.problem import Part

_LINE_CHARACTERS = 300
_LABEL_LINE_CHARACTERS = 40

_PREFIX = (
    r"(?P<prefix>(?:(?:sub-?part|part|question|problem|exercise|answer|section|task|ex|q"
    r"|teil|frage|aufgabe|问题|题|第)s?(?![a-z])[\s.:#]{0,9}(?:(?:to|for)\s{1,9})?){0,3})"
)
_OUTER = r"(?:[(\[]?(?:\d{1,2}[a-z]?|[a-z])(?:[)\].:]{1,3}\s{0,9}|\s{1,9}|\s?-\s?|(?=[(\[]))){0,3}"
_TAIL = r"(?![a-z0-9])(?P<tail>[)\].:]{0,3})(?P<gap>\s*)(?P<rest>.*)"
_ANY_LABEL = re.compile(
    rf"{_PREFIX}{_OUTER}[(\[]?(?P<label>[ivx]{{1,6}}|[a-z]|\d{{1,2}}){_TAIL}", re.DOTALL | re.I
)
_ROMAN = re.compile(r"[ivx]+", re.I)
_SETEXT = re.compile(r"(?:={2,}|-{2,})\Z")
_BULLET = re.compile(r"[>\s]*")


class Style(IntEnum):
    """How sure it is that a line is a heading, surest first."""

    MARKED = 1
    """``## ii``, or underlined."""
    BOLD = 2
    """``**ii.**`` alone on its line."""
    LABEL = 3
    """``(ii)`` or ``Part ii`` alone on its line."""
    INLINE = 4
    """``ii. The weights …``, with the answer behind it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that heads a part, or (`part` None) looks like it but names none of the problem's."""

    style: Style
    part: str | None
    shown: str
    """As the student wrote it."""
    rest: str = ""
    """What follows the label on the same line."""
    level: int = 6
    """1 is topmost."""
    ends_part: bool = False
    """For one that names no part: whether it clearly leaves the part before it."""
    is_near: bool = False
    """For one that names no part: whether it was likely meant to."""


class HeadingReader:
    """Recognises the headings of a problem's parts."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = [(part, re.compile(_pattern(part.id), re.DOTALL | re.I)) for part in parts]
        self._roman = all(_ROMAN.fullmatch(part.id) for part in parts)
        ids = "|".join(re.escape(part.id) for part in parts)
        self._begins = re.compile(rf"[(\[]?(?:{ids})(?![a-z0-9])", re.I)
        # Not in any case: “i – I think” goes on with a word, “i – ii” with another part.
        joints = r"\s*(?:[-–—,/&+]|and\b|to\b|und\b)\s*[(\[]?"
        self._goes_on = re.compile(rf"{joints}(?:{ids})(?![A-Za-z0-9])")

    def read(self, line: str, next_line: str = "") -> Heading | None:
        """Tell whether a line, with the one below it, is a heading of any style."""
        text = line.strip()
        if not text:
            return None
        if len(text) > _LINE_CHARACTERS:
            return self._inline(text[:_LINE_CHARACTERS], text)
        if text.startswith("#"):
            level = len(text) - len(text.lstrip("#"))
            return self._known(Style.MARKED, text.strip("#").strip(), text, level)
        if _SETEXT.match(next_line.strip()) and not next_line.startswith((" ", "\t")):
            level = 1 if next_line.startswith("=") else 2
            if heading := self._known(Style.MARKED, text, text, level):
                return heading
        bare = text.rstrip(" .:)")
        if len(bare) > 4 and bare[:2] in ("**", "__") and bare.endswith(bare[:2]):
            return self._known(Style.BOLD, text, text, 6)
        label = self._named(text)
        if label and not label[1] and len(text) <= _LABEL_LINE_CHARACTERS:
            is_bare = text.casefold() == label[0].casefold()
            return Heading(Style.INLINE if is_bare else Style.LABEL, label[0], text)
        return self._inline(text, text)

    def _known(self, style: Style, content: str, text: str, level: int) -> Heading | None:
        if named := self._named(content):
            return Heading(style, named[0], text, named[1], level)
        plain = _plain(content)
        if self._begins.match(plain):
            return Heading(style, None, text, level=level, is_near=True)
        match = _ANY_LABEL.fullmatch(plain)
        if not match or not _is_label(match, strictly=True):
            return None
        near = self._roman and bool(_ROMAN.fullmatch(match["label"]))
        ends = near or bool(match["prefix"])
        return Heading(style, None, text, match["rest"], level, ends, near)

    def _inline(self, text: str, whole: str) -> Heading | None:
        """A label with the answer behind it; `text` is the beginning of the `whole` line."""
        text = _BULLET.sub("", text, count=1)
        for part, _ in self._parts:
            marks = rf"[(\[*_\s]{{0,4}}(?:part\s{{1,3}})?{re.escape(part.id)}[)\]*_.:\s]{{1,5}}"
            match = re.match(marks, text, re.IGNORECASE)
            if match and re.search(r"[)\].:]|\*\*", match[0]):
                rest = _BULLET.sub("", whole, count=1)[match.end() :]
                return Heading(Style.INLINE, part.id, match[0].strip(), rest)
        return None

    def _named(self, content: str) -> tuple[str, str] | None:
        """The one part whose id the content begins with, and what follows; None if two do."""
        plain = _plain(content)
        found = []
        for part, pattern in self._parts:
            match = pattern.fullmatch(plain)
            if match and not self._goes_on.match(match["rest"]) and _is_label_of(part, match):
                found.append((part.id, match["rest"].strip()))
        return found[0] if len(found) == 1 else None


def _pattern(part_id: str) -> str:
    tokens = re.findall(r"[a-z0-9]+", part_id.casefold())
    label = r"[\s._)(-]{0,3}".join(tokens)
    return rf"{_PREFIX}{_OUTER}[(\[]?(?P<label>{label}){_TAIL}"


def _plain(content: str) -> str:
    """The content of a heading without markup, and with plain characters for fancy ones."""
    text = unicodedata.normalize("NFKC", content)
    return re.sub(r"[*_`$]", "", text).strip()


def _is_label_of(part: Part, match: re.Match[str]) -> bool:
    """Tell whether a label may be this part's, by what follows it."""
    rest = match["rest"]
    if _is_label(match) or rest.casefold().startswith(part.title.casefold()):
        return True
    # “i The distribution”, but neither “I think” nor “i think”.
    return bool(match["gap"]) and match["label"] == part.id != part.id.upper() and rest[0].isupper()


def _is_label(match: re.Match[str], *, strictly: bool = False) -> bool:
    """Tell a label from a sentence that begins like one: “i.e.”, “I think”, “i-th”, “i, ii”.

    `strictly`, no mere word may follow it.
    """
    rest, label = match["rest"], match["label"]
    if not rest:
        return True
    if match["tail"]:
        return bool(match["gap"]) or len(label) > 1 or not match["tail"].endswith(".")
    if rest[0] in "([–—|":
        return True
    if rest[0] in "-−":
        return bool(match["gap"]) or rest[1:2] == " "
    if strictly or not match["gap"] or not rest[0].isalnum():
        return False
    return bool(match["prefix"]) or (len(label) > 1 and bool(_ROMAN.fullmatch(label)))
