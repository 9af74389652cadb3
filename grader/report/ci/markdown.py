"""The grade as GitHub Markdown: a step's summary, or the text of a release.

Whatever is not ours stands as character references, which Markdown takes for letters and never for
structure, or between ``<pre>`` tags, escaped for HTML.
"""

from __future__ import annotations

import html
import re

from grader.report.ci.plain import Share, detail, headline, one_line, shares, standing
from grader.report.outcomes import OUTCOMES
from grader.report.text import points
from grader.result import Grade, Outcome
from grader.text import visible

MOST_BYTES = 900_000
"""GitHub takes 1 MiB a step; what other commands of the step wrote needs room too."""
_SIGNS = {
    "passed": "✅",
    "partial": "🟡",
    "failed": "❌",
    "missing": "➖",
    "open": "🕓",
    "ungraded": "⚠️",
}
_CODE = re.compile(r"`([^`]+)`")
_STRUCTURAL = re.compile(r"[!-/:-@\[-`{-~]")
_WORD_JOINER = "&#8288;"
"""Keeps ``@name`` from becoming a mention of somebody and an address from becoming a link."""


def summary(grade: Grade) -> str:
    """Write the grade: the score, a table of the criteria, and the feedback of each, folded."""
    shown, rows = grade.for_student(), shares(grade)
    pieces = [
        f"## {inline(shown.problem_title)}: {headline(shown)}\n",
        "".join(f"- {inline(sentence)}\n" for sentence in standing(shown)),
        "".join(f"- Note: {inline(warning)}\n" for warning in shown.warnings),
        _table(rows),
        *(_folded(share) for share in rows if share.outcome is not Outcome.PASSED),
        _origin(shown),
    ]
    return _within(MOST_BYTES, [piece for piece in pieces if piece])


def inline(text: str, limit: int = 300) -> str:
    """Text within a line or a cell, all of it letters; only `` `code` `` is set as code."""
    pieces = _CODE.split(one_line(text, limit))
    return "".join(
        f"<code>{_letters(piece)}</code>" if index % 2 else _letters(piece)
        for index, piece in enumerate(pieces)
    )


def _letters(text: str) -> str:
    return _STRUCTURAL.sub(_reference, text)


def _reference(match: re.Match[str]) -> str:
    joiner = _WORD_JOINER if match.group() == "@" else ""
    return f"&#{ord(match.group())};{joiner}"


def _table(rows: list[Share]) -> str:
    lines = ["| Part | Criterion | Outcome | Points |", "| :-- | :-- | :-- | --: |"]
    for share in rows:
        sign = _SIGNS[OUTCOMES[share.outcome].group]
        hidden = " 🔒 hidden" if share.hidden else ""
        lines.append(
            f"| {inline(share.part.id)} | {inline(share.criterion.title)}{hidden}"
            f" | {sign} {share.word} | {points(share.earned)} / {points(share.most)} |"
        )
    return "\n".join(lines) + "\n"


def _folded(share: Share) -> str:
    said = html.escape(visible(detail(share.criterion)))
    title = f"{inline(share.name)} — {share.word}"
    return f"<details><summary>{title}</summary>\n\n<pre>{said}</pre>\n\n</details>\n"


def _origin(grade: Grade) -> str:
    tier = f"isolation tier {grade.isolation.tier}" if grade.isolation else "no code was run"
    version = inline(grade.environment.get("grader", ""))
    return f"Graded by grader {version}, {tier}, seed {grade.seed}.\n"


def _within(most_bytes: int, pieces: list[str]) -> str:
    """Join pieces with blank lines, leaving out what is beyond a size and saying so."""
    kept, left = [], most_bytes
    for index, piece in enumerate(pieces):
        left -= len(piece.encode()) + 1
        if left < 0:
            kept.append(f"… {len(pieces) - index} more sections did not fit in here.\n")
            break
        kept.append(piece)
    return "\n".join(kept)
