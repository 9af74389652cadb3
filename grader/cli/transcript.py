"""A grade in the terminal: what was asked, how it came out, and what to do about it."""

from __future__ import annotations

import click

from grader.cli.console import counted, paragraph, quotation, say
from grader.result import Counterexample, CriterionGrade, Feedback, Grade, Outcome
from grader.text import visible
from grader.value import show

_MARKS = {
    Outcome.PASSED: ("✓", "green", "passed"),
    Outcome.PARTIAL: ("◐", "yellow", "partly right"),
    Outcome.FAILED: ("✗", "red", "not right yet"),
    Outcome.ERROR: ("✗", "red", "stopped by an error"),
    Outcome.TIMEOUT: ("✗", "red", "took too long"),
    Outcome.MEMORY_LIMIT: ("✗", "red", "used too much memory"),
    Outcome.OUTPUT_LIMIT: ("✗", "red", "printed too much"),
    Outcome.MISSING: ("–", "yellow", "not attempted"),
    Outcome.NEEDS_REVIEW: ("?", "cyan", "a person will read this"),
    Outcome.GRADER_ERROR: ("!", "magenta", "could not be checked, not your fault"),
}
_MOST_LINES = 40
_QUIET = frozenset({Outcome.PASSED})


def print_grade(grade: Grade, *, verbose: bool) -> None:
    """Print every part; what passed is one line each unless `verbose`."""
    say(f"{grade.problem_title} — {grade.submission_id}", bold=True)
    for warning in grade.warnings:
        say(f"note: {warning}")
    for part in grade.parts:
        say()
        say(f"Part {part.id}: {part.title} ({counted(part.points, 'point')})", bold=True)
        for criterion in part.criteria:
            _print_criterion(criterion, verbose=verbose)


def _print_criterion(criterion: CriterionGrade, *, verbose: bool) -> None:
    result = criterion.result
    mark, colour, words = _MARKS[result.outcome]
    said = f"  {mark} {visible(criterion.title)}"
    click.secho(said, fg=colour, nl=False)
    click.secho("" if result.outcome in _QUIET else f"  [{words}]", fg=colour)
    if result.outcome in _QUIET and not verbose:
        # A note on work that passed, such as a warning about length, is still worth its line.
        for item in result.feedback:
            if item.kind == "constraint":
                _print_feedback(item)
        return
    for item in result.feedback:
        _print_feedback(item)


def _print_feedback(item: Feedback) -> None:
    say(paragraph(item.text, "      "))
    for line in quotation(item.block, item.kind, "        │ ")[:_MOST_LINES]:
        say(line)
    if item.case is not None:
        _print_case(item.case)


def _print_case(case: Counterexample) -> None:
    say(f"        {case.call}" + (f"   ({case.label})" if case.label else ""))
    rows = [*case.arguments]
    if case.has_returned:
        rows.append(("returned", case.returned))
    if case.has_expected:
        rows.append(("expected", case.expected))
    width = max((len(name) for name, _ in rows), default=0)
    for name, value in rows:
        text = show(value).replace("\n", "\n" + " " * (width + 11))
        say(f"        {name:>{width}} = {text}")
