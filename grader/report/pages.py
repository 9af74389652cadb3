"""The Jinja environment that every page is rendered with, compiled once in a process.

Autoescaping is on, an undefined name is an error, and each string is made visible (see `text`)
before it is escaped, so that a template cannot forget to.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from grader.report import text
from grader.report.outcomes import GROUPS, ICONS, STATUSES, icon
from grader.text import visible
from grader.value import cut

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = Path(__file__).parent / "templates"
_LONGEST = 8_000
"""No single string makes a page larger than this, whatever a template allows."""


def render(template: str, names: Mapping[str, Any]) -> str:
    """Render a page.  `names` may hold a student's text as it is; nothing in it is trusted."""
    return _environment().get_template(template).render(names)


@cache
def _environment() -> Environment:
    # Imported here: a command that writes no page does not wait for Jinja.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        rich=text.rich, block=text.block, points=text.points, count=text.count, percent=percent
    )
    environment.globals.update(
        style=_style(), script=_script(), icons=ICONS, icon=icon, groups=GROUPS,
        statuses=STATUSES,
    )  # fmt: skip
    return environment


def _finalize(value: Any) -> Any:
    if type(value) is str:
        return visible(cut(value, _LONGEST))
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(cut(str(value), _LONGEST))
    return value


def percent(share: Fraction | float) -> str:
    """Write a share as a whole percentage that says 0 % or 100 % only where that is exact."""
    rounded = min(max(round(share * 100), 1), 99)
    return f"{0 if share == 0 else 100 if share == 1 else rounded} %"


class Inline:
    """CSS or a script that a page carries, with the hash that lets it past the page's own CSP."""

    def __init__(self, *names: str) -> None:
        body = "".join((_TEMPLATES / name).read_text("utf-8") for name in names)
        self.body = Markup(body)  # noqa: S704 - our own files
        digest = hashlib.sha256(self.body.encode()).digest()
        self.source = f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def _style() -> Inline:
    return Inline("page.css")


@cache
def _script() -> Inline:
    return Inline("class.js")
