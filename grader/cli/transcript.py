"""A grade in the terminal: what was asked, how it came out, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import click

from grader.cli.console import counted, paragraph, quotation, say
from grader.report.faults import repeated
from grader.report.values import side_by_side, snippet
from grader.result import Counterexample, CriterionGrade, Feedback, FeedbackKind, Grade, Outcome
from grader.text import visible
from grader.variant import values_of

_MARKS = {
    Outcome.PASSED: ("✓", "green", "passed"),
    Outcome.PARTIAL: ("◐", "yellow", "partly right"),
    Outcome.FAILED: ("✗", "red", "not right yet"),
    Outcome.ERROR: ("✗", "red", "stopped by an error"),
    Outcome.TIMEOUT: ("✗", "red", "took too long"),
    Outcome.MEMORY_LIMIT: ("✗", "red", "used too much memory"),
    Outcome.OUTPUT_LIMIT: ("✗", "red", "printed too much"),
    Outcome.MISSING: ("–", "yellow", "not there yet"),
    Outcome.NEEDS_REVIEW: ("?", "cyan", "a person will read this"),
    Outcome.GRADER_ERROR: ("!", "magenta", "could not be checked, not your fault"),
}
_ALL = frozenset(get_args(FeedbackKind))
_NOTES = frozenset({"carried", "constraint", "hint"})
_MOST_LINES = 40
_INDENT = " " * 6
_CODE = " " * 8


def print_grade(grade: Grade, *, verbose: bool) -> None:
    """Print every part; unless `verbose`, what passed is one line each, and a fault that fails
    several criteria is explained under the first.
    """
    say(paragraph(f"{grade.problem_title} — {grade.submission_id}", ""), bold=True)
    if grade.variant:
        say(paragraph(f"Variant: {values_of(grade.variant)}", ""))
    for warning in grade.warnings:
        say(paragraph(f"note: {warning}", ""))
    known = {} if verbose else repeated(grade)
    for part in grade.parts:
        say()
        say(f"Part {part.id}: {part.title} ({counted(part.points, 'point')})", bold=True)
        for criterion in part.criteria:
            _print_outcome(criterion)
            if criterion.id in known:
                _print_again(criterion, known[criterion.id])
            else:
                _print_feedback_of(criterion, verbose=verbose)


def _print_outcome(criterion: CriterionGrade) -> None:
    outcome = criterion.result.outcome
    mark, colour, words = _MARKS[outcome]
    ending = "" if outcome is Outcome.PASSED else f"  [{words}]"
    click.secho(f"  {mark} {visible(criterion.title)}{ending}", fg=colour)


def _print_again(criterion: CriterionGrade, first: CriterionGrade) -> None:
    """A criterion that fails for a reason that is given already."""
    items = criterion.result.feedback
    if any(item.case is not None for item in items):
        _print_all([item for item in items if item.kind == "summary"])
    what = "The same mix-up" if criterion.result.misconceptions else "For the same reason"
    say(paragraph(f"{what} as under “{first.title}”.", _INDENT))


def _print_feedback_of(criterion: CriterionGrade, *, verbose: bool) -> None:
    passed = criterion.result.outcome is Outcome.PASSED
    # A note on work that passed, such as a warning about length, is still worth its line.
    kinds = _NOTES if passed and not verbose else _ALL
    _print_all([item for item in criterion.result.feedback if item.kind in kinds])


def _print_all(items: Sequence[Feedback]) -> None:
    for item in items:
        if item.text:
            say(paragraph(item.text, _INDENT))
        for line in quotation(item.block, item.kind, f"{_CODE}│ ")[:_MOST_LINES]:
            say(line)
        if item.case is not None:
            _print_case(item.case)


def _print_case(case: Counterexample) -> None:
    """The failing call as code to paste, then what came of it."""
    returned, expected = side_by_side(case.returned, case.expected)
    for line in snippet(case).split("\n"):
        say(_CODE + line)
    if case.has_returned:
        _print_value("returned", returned)
    if case.has_expected:
        _print_value("expected", expected)


def _print_value(name: str, code: str) -> None:
    start = f"{_CODE}  {name} = "
    say(start + code.replace("\n", "\n" + " " * len(start)))
