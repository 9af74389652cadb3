"""Reads a written text: what stands under each part's heading, as words and as formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from grader.evidence import Answer
from grader.problem import Problem
from grader.submission import limits
from grader.submission.formulas import FormulaReader
from grader.submission.headings import Heading, HeadingReader, Style
from grader.submission.names import listed, shown

_FENCE = re.compile(r"[>\s]{0,9}(```+|~~~+)[^`]*\Z")
_EMPTY_BLOCK = re.compile(r"(?m)^[ \t]*(```|~~~|\$\$)[^\n`$~]*\n\s*\1[ \t]*$")
_BLANK_LINES = re.compile(r"\n{3,}")
# What notebooks' and our own templates invite an answer with is no answer.
_INVITATION = re.compile(
    r"(?im)^[ \t]*(?:[*_>#]{1,3}[ \t]*)?(?:type |write )?your (?:answer|formula)(?: goes)?"
    r"(?: here)?(?:,? ?replacing this text)?[.…:]{0,3}[*_]{0,3}[ \t]*$"
)
_POINTS = re.compile(r"\([^()]*(?:points?|pts?|marks?)\)", re.I)
_ANSWER_WORDS = 5
"""From so many words on, what stands in a heading above an empty answer may be the answer."""


@dataclass(frozen=True, slots=True)
class Written:
    """The written answers of one text; `problem` says why there are none, if there should be."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    problem: str = ""


@dataclass(slots=True)
class _Section:
    heading: Heading
    lines: list[str] = field(default_factory=list)
    commented: bool = False


def read_answers(text: str, name: str, problem: Problem) -> Written:
    """Read the answers in a text called `name`; never fails, whatever the text."""
    return _Reader(name, problem).read(text)


class _Reader:
    def __init__(self, name: str, problem: Problem) -> None:
        self._name = shown(name)
        self._problem = problem
        self._headings = HeadingReader(problem.parts)
        self._warnings: list[str] = []

    def read(self, text: str) -> Written:
        text, comments = _without_comments(text)
        lines = text.split("\n")
        if len(lines) > limits.ANSWERS_LINES:
            self._warn(f"has more than {limits.ANSWERS_LINES:,} lines; the rest was not read.")
            del lines[limits.ANSWERS_LINES :]
        headings = self._chosen(_all_headings(self._headings, lines))
        if not headings:
            return self._without_headings(text)
        sections = self._sections(lines, headings)
        answers: dict[str, Answer] = {}
        for part in self._problem.parts:
            own = [section for section in sections if section.heading.part == part.id]
            if own:
                answers[part.id] = self._answer(part.id, own)
        blank = [part_id for part_id, answer in answers.items() if not answer.text]
        if blank and any(len(comment.split()) > _ANSWER_WORDS for comment in comments):
            self._warn(
                f"has nothing but a comment under {listed(blank)}, or nothing at all: what stands"
                " inside <!-- and --> is not read."
            )
        return Written(answers, tuple(self._warnings))

    def _warn(self, what: str) -> None:
        self._warnings.append(f"{self._name} {what}")

    def _without_headings(self, text: str) -> Written:
        if not _INVITATION.sub("", text).strip():
            return Written()
        wanted = ", ".join(f"“## {part.id}”" for part in self._problem.parts)
        fault = (
            f"{self._name} has no heading of a part, so no written answer could be read from it."
            f" Put {wanted} on lines of their own, each above its answer."
        )
        return Written({}, (fault,), fault)

    def _chosen(self, found: Mapping[int, Heading]) -> dict[int, Heading]:
        """Keep the headings of the surest style that the text has."""
        marked = {h.part for h in found.values() if h.part and h.style is Style.MARKED}
        chosen = {
            number: heading
            for number, heading in found.items()
            if heading.style is Style.MARKED
            or (heading.style is Style.BOLD and heading.part not in marked)
        }
        if any(heading.part for heading in chosen.values()):
            return chosen
        for style in (Style.LABEL, Style.INLINE):
            chosen = {number: h for number, h in found.items() if h.style is style}
            if chosen and (style is Style.LABEL or self._in_order(chosen.values())):
                labels = listed([heading.shown for heading in chosen.values()])
                self._warn(f"has no marked headings; these were taken for them: {labels}.")
                return chosen
        return {}

    def _in_order(self, headings: Iterable[Heading]) -> bool:
        """Whether each part is headed once, in the problem's order, and so no mere list item."""
        order = [part.id for part in self._problem.parts]
        numbers = [order.index(heading.part) for heading in headings if heading.part]
        return all(a < b for a, b in pairwise(numbers))

    def _sections(self, lines: Sequence[str], headings: Mapping[int, Heading]) -> list[_Section]:
        sections: list[_Section] = []
        current: _Section | None = None
        for number, line in enumerate(lines):
            heading = headings.get(number)
            if heading and heading.part:
                current = _Section(heading)
                sections.append(current)
                if heading.style is Style.INLINE:
                    current.lines.append(heading.rest)
            elif heading and current and heading.level <= current.heading.level:
                if heading.ends_part:
                    current = None
                    self._warn_unknown(heading, "what stands under it was not read")
                else:
                    current.lines.append(line)
                    self._warn_unknown(heading, f"it was read as text of {current.heading.part}")
            elif heading and heading.is_near and current is None:
                self._warn_unknown(heading, "what stands under it was not read")
            elif current and not (number - 1 in headings and _is_underline(line)):
                current.lines.append(line)
        return sections

    def _warn_unknown(self, heading: Heading, what: str) -> None:
        ids = ", ".join(part.id for part in self._problem.parts)
        self._warn(
            f"has a heading “{shown(heading.shown)}” that is no part of this problem"
            f" (its parts are {ids}); {what}."
        )

    def _answer(self, part_id: str, sections: Sequence[_Section]) -> Answer:
        if len(sections) > 1:
            self._warn(f"has {len(sections)} headings of part {part_id}; they were read as one.")
        reader = FormulaReader(next(p for p in self._problem.parts if p.id == part_id))
        text_lines: list[str] = []
        formulas: dict[str, list[str]] = {}
        for line in (line for section in sections for line in (*section.lines, "")):
            if found := reader.line(line):
                formulas.setdefault(found[0], []).append(found[1])
            else:
                text_lines.append(line)
        text = _tidy("\n".join(text_lines))
        self._add_from_text(part_id, reader, text, formulas)
        return Answer(text or self._from_heading(part_id, sections), self._settled(formulas))

    def _add_from_text(
        self, part_id: str, reader: FormulaReader, text: str, formulas: dict[str, list[str]]
    ) -> None:
        """Take a formula from within a sentence where no line of its own gives it."""
        given = {symbol for symbol, those in formulas.items() if any(those)}
        for symbol, formula in reader.inline(text):
            if symbol not in given:
                formulas.setdefault(symbol, []).append(formula)
        for symbol in formulas.keys() - given:
            if any(formulas[symbol]):
                self._warn(f"has no line “{symbol} = …” in {part_id}; one in the text was taken.")
        for symbol in sorted(
            reader.bounds(text) - {s for s, those in formulas.items() if any(those)}
        ):
            self._warn(
                f"gives {symbol} in {part_id} by an inequality, which is not read as its formula."
                f" Write “{symbol} = …” on a line of its own."
            )

    def _settled(self, formulas: Mapping[str, list[str]]) -> dict[str, str]:
        settled = {}
        for symbol, given in formulas.items():
            different = list(dict.fromkeys(filter(None, given)))
            if len(different) > 1:
                self._warn(f"gives {symbol} {len(different)} different formulas; the last counts.")
            if different:
                settled[symbol] = next(filter(None, reversed(given)))
        return settled

    def _from_heading(self, part_id: str, sections: Sequence[_Section]) -> str:
        """An answer that someone wrote into the heading itself."""
        title = next(part.title for part in self._problem.parts if part.id == part_id)
        for section in sections:
            rest = _POINTS.sub("", section.heading.rest).strip(" \t.:—–-")
            is_question = rest.endswith("?") or rest.casefold() == title.casefold()
            if section.heading.style is Style.INLINE or is_question:
                continue
            if len(rest.split()) >= _ANSWER_WORDS:
                self._warn(f"has the answer to {part_id} in its heading; it was read from there.")
                return rest
        return ""


def _all_headings(reader: HeadingReader, lines: Sequence[str]) -> dict[int, Heading]:
    """Every line that may be a heading, by its number; none inside of a block of code."""
    found = {}
    closings = _fences(lines)
    fence_end = -1
    for number, line in enumerate(lines):
        heading = reader.read(line, lines[number + 1] if number + 1 < len(lines) else "")
        if number <= fence_end:
            # Only a plain “## ii” ends a block that someone forgot to close; “# i” may be Python.
            if not (heading and heading.part and line.startswith("##") and not heading.rest):
                continue
            fence_end = -1
        fence_end = max(fence_end, closings.get(number, -1))
        if heading:
            found[number] = heading
    return found


def _fences(lines: Sequence[str]) -> dict[int, int]:
    """Line where a block of code opens → line where it closes; one that never does is no block."""
    closings: dict[int, int] = {}
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        match = _FENCE.match(line[:200])
        if not match:
            continue
        if opened is None:
            opened = (number, match[1])
        elif match[1].startswith(opened[1]):
            closings[opened[0]] = number
            opened = None
    return closings


def _is_underline(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) > 1 and set(stripped) in ({"="}, {"-"})


def _without_comments(text: str) -> tuple[str, list[str]]:
    """Take out HTML comments, and return them too; one that is never closed stays."""
    kept, comments = [], []
    at = 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        comments.append(text[start + 4 : end])
        at = end + 3
    kept.append(text[at:])
    return "".join(kept), comments


def _tidy(text: str) -> str:
    text = _EMPTY_BLOCK.sub("", _INVITATION.sub("", text))
    return _BLANK_LINES.sub("\n\n", text).strip()
