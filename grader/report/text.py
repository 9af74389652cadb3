"""Text as a report may show it: control characters made visible, long text cut, points rounded.

The one place between what a student wrote and a template; every string passes `visible` on its
way into a page (see `pages`), and `rich` lets formulas and code through as markup.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from markupsafe import Markup, escape

from grader.report import latex
from grader.text import visible
from grader.value import cut

_RICH = re.compile(r"`(?P<code>[^`\n]{1,400})`|\$(?! )(?P<latex>[^$\n]{1,400}?)(?<! )\$(?!\d)")
_DECIMALS = 4


def block(text: str, *, lines: int = 120, characters: int = 6000) -> str:
    """Cut preformatted text in the middle, by lines and then by characters, saying how much."""
    text = text.rstrip("\n")
    total = text.count("\n") + 1
    if total > lines:
        head, tail = lines * 2 // 3, lines // 3
        kept = text.split("\n", head)[:head], text.rsplit("\n", tail)[-tail:]
        text = "\n".join([*kept[0], f"… ({total - head - tail} lines left out) …", *kept[1]])
    return cut(text, characters)


def rich(text: str, *, limit: int = 2000) -> Markup:
    """Escape a sentence, rendering `` `code` `` and ``$LaTeX$`` in it; other markup stays text."""
    return _rich(cut(text, limit))


@lru_cache(maxsize=512)
def _rich(text: str) -> Markup:
    """Titles, questions and hints come again in every report of a class, so they are kept."""
    if "`" not in text and "$" not in text:
        return escape(visible(text))
    parts: list[Markup] = []
    position = 0
    for match in _RICH.finditer(text):
        parts.append(escape(visible(text[position : match.start()])))
        parts.append(_inline(match))
        position = match.end()
    parts.append(escape(visible(text[position:])))
    return Markup("").join(parts)


def _inline(match: re.Match[str]) -> Markup:
    if match["code"] is not None:
        return Markup("<code>") + visible(match["code"]) + Markup("</code>")
    math_element = latex.to_mathml(match["latex"])
    return escape(visible(match.group())) if math_element is None else math_element


def points(value: Fraction) -> str:
    """Write points in decimal: exact where four decimals hold it, else rounded once, half up."""
    # Whole numbers throughout, as arithmetic on fractions is slow and a page has many points.
    top, bottom = value.numerator, value.denominator
    if bottom == 1:
        return str(top)
    scaled = (2 * top * 10**_DECIMALS + bottom) // (2 * bottom)
    whole, rest = divmod(scaled, 10**_DECIMALS)
    return f"{whole}.{rest:0{_DECIMALS}d}".rstrip("0").rstrip(".")


def count(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: ``1 point``, ``2 points``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
