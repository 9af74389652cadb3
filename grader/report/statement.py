"""A problem's statement, Markdown with ``$formulas$``, as HTML for a report.

Written by the instructor, yet raw HTML in it stays text and pictures are left out: a report
fetches nothing.
"""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from grader.report import latex
from grader.text import visible


@lru_cache(maxsize=8)
def to_html(statement: str) -> Markup:
    """Render a statement, its headings two levels down so that a page keeps its one h1."""
    # Imported here: only a report that shows a statement pays for the parser.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    markdown.use(dollarmath_plugin, allow_labels=False, double_inline=True, renderer=_formula)
    markdown.core.ruler.push("lower_headings", _lower_headings)
    return Markup(markdown.render(visible(statement)))  # noqa: S704 - escaped by the renderer


def _formula(source: str, options: MutableMapping[str, Any]) -> str:
    drawn = latex.to_mathml(source.strip(), block=bool(options["display_mode"]))
    return drawn or Markup("<code>{}</code>").format(escape(source))


def _lower_headings(state: Any) -> None:
    tokens: Sequence[Any] = state.tokens
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 2, 6)}"
