"""The words, icons and colour groups of outcomes and statuses, the same on every page."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from grader.result import CheckResult, Outcome


@dataclass(frozen=True, slots=True)
class Look:
    """How something is shown: a word, and the colour and icon of its group."""

    word: str
    group: str
    pill: Markup
    """Icon and word together, ready for a page."""


def icon(name: str) -> Markup:
    """Draw an icon by its name in `ICONS`; it says nothing that the word beside it does not."""
    return Markup('<svg class="icon" aria-hidden="true"><use href="#i-{}"/></svg>').format(name)


def _look(word: str, group: str) -> Look:
    pill = Markup('<span class="outcome {}">{}{}</span>').format(group, icon(group), word)
    return Look(word, group, pill)


OUTCOMES: dict[Outcome, Look] = {
    Outcome.PASSED: _look("Passed", "passed"),
    Outcome.PARTIAL: _look("Partly right", "partial"),
    Outcome.FAILED: _look("Not right yet", "failed"),
    Outcome.ERROR: _look("Stopped by an error", "failed"),
    Outcome.TIMEOUT: _look("Took too long", "failed"),
    Outcome.MEMORY_LIMIT: _look("Used too much memory", "failed"),
    Outcome.OUTPUT_LIMIT: _look("Printed too much", "failed"),
    Outcome.MISSING: _look("Not there yet", "missing"),
    Outcome.NEEDS_REVIEW: _look("Waits for review", "open"),
    Outcome.GRADER_ERROR: _look("Not graded: our fault", "ungraded"),
}

_CARRIED = _look("Passed, error carried forward", "passed")


def look(result: CheckResult) -> Look:
    """How a criterion's result is shown."""
    is_carried = result.carried and result.outcome is Outcome.PASSED
    return _CARRIED if is_carried else OUTCOMES[result.outcome]


GROUPS: dict[str, str] = {
    "passed": "passed",
    "partial": "partly right",
    "failed": "not right",
    "missing": "not there",
    "open": "waits for review",
    "ungraded": "not graded",
}
"""Groups of outcomes, best first, in the words of a table's heading."""

STATUSES: dict[str, Look] = {
    "graded": _look("Final", "passed"),
    "provisional": _look("Provisional", "open"),
    "ungraded": _look("Not graded", "ungraded"),
}

ICONS: dict[str, str] = {
    "passed": "M3 8.5 6.5 12 13 4.5",
    "partial": "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
    "failed": "M4 4l8 8M12 4l-8 8",
    "missing": "M3.5 8h9",
    "open": "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11M8 5v3l2 1.5",
    "ungraded": "M8 2 14.5 13.5h-13zM8 6.5v3M8 11.3v.4",
    "hint": "M6 13.5h4M6.2 11.3C6.2 9.5 4.5 8.6 4.5 6.2a3.5 3.5 0 0 1 7 0c0 2.4-1.7 3.3-1.7 5.1z",
    "person": "M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8M3 13.8c.4-5 9.6-5 10 0",
    "hidden": "M2 8c3-5 9-5 12 0-3 5-9 5-12 0M3 13 13 3",
}
"""Outlines in a 16 × 16 box; colour is never the only sign."""
