"""JUnit XML, which most CI services read: a suite for each part, a case for each criterion."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from xml.etree import ElementTree

from grader.report.ci.plain import Place, Share, detail, headline, one_line, shares
from grader.report.text import points
from grader.result import Grade, Outcome

_KINDS = {
    Outcome.PARTIAL: "failure",
    Outcome.FAILED: "failure",
    Outcome.MISSING: "failure",
    Outcome.ERROR: "error",
    Outcome.TIMEOUT: "error",
    Outcome.MEMORY_LIMIT: "error",
    Outcome.OUTPUT_LIMIT: "error",
    Outcome.GRADER_ERROR: "error",
    Outcome.NEEDS_REVIEW: "skipped",
}
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 has no place for, not even escaped."""

Element = ElementTree.Element


def document(grade: Grade, places: Mapping[str, Place], *, elapsed_s: float, when: datetime) -> str:
    """Write the grade as JUnit XML; points are properties, of cases and of the whole."""
    shown = grade.for_student()
    rows = shares(grade)
    root = Element("testsuites", _counts(shown.problem_title, rows, elapsed_s))
    for part_id, group in groupby(rows, key=lambda share: share.part.id):
        of_part = list(group)
        name = f"{part_id}. {of_part[0].part.title}"
        suite = ElementTree.SubElement(root, "testsuite", _counts(name, of_part, 0.0))
        suite.set("timestamp", f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")
        suite.set("hostname", "grader")
        _properties(suite, _totals(shown))
        for share in of_part:
            _case(suite, shown.problem_id, share, places.get(share.criterion.id))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _counts(name: str, rows: Sequence[Share], elapsed_s: float) -> dict[str, str]:
    kinds = [_KINDS.get(share.outcome) for share in rows]
    return {
        "name": _text(one_line(name)),
        "tests": str(len(rows)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{elapsed_s:.3f}",
    }


def _totals(grade: Grade) -> dict[str, str]:
    return {
        "score": points(grade.score),
        "max-score": points(grade.max_score),
        "pending": points(grade.pending),
        "status": grade.status,
        "summary": headline(grade),
    }


def _case(suite: Element, problem_id: str, share: Share, place: Place | None) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        {
            "name": _text(one_line(share.criterion.title)),
            "classname": f"{problem_id}.{share.part.id}.{share.criterion.id}",
            "time": "0",
        },
    )
    if place is not None and not share.hidden:
        case.set("file", _text(place.file))
        case.set("line", str(place.line))
    said = {"points": points(share.earned), "max-points": points(share.most)}
    _properties(case, {**said, "outcome": str(share.outcome), "visibility": _visibility(share)})
    kind = _KINDS.get(share.outcome)
    if kind is not None:
        told = {"message": share.word, "type": str(share.outcome)}
        ElementTree.SubElement(case, kind, told).text = _text(detail(share.criterion))


def _visibility(share: Share) -> str:
    return "hidden" if share.hidden else "public"


def _properties(parent: Element, values: Mapping[str, str]) -> None:
    properties = ElementTree.SubElement(parent, "properties")
    for name, value in values.items():
        ElementTree.SubElement(properties, "property", {"name": name, "value": _text(value)})


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
