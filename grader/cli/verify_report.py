"""A verification in the terminal: each aspect with its findings, then one verdict."""

from __future__ import annotations

import json
from collections import Counter

from grader.cli.console import paragraph, say
from grader.verification import Aspect, Finding, Kill, Level, Verification
from grader.verify.document import to_document

_COLOURS = {Level.ERROR: "red", Level.WARNING: "yellow", Level.NOTE: None}
_INDENT = "      "


def as_json(found: Verification) -> str:
    """The document that `--json` prints."""
    return json.dumps(to_document(found), indent=2, allow_nan=False)


def print_verification(found: Verification, *, verbose: bool) -> None:
    """Print every aspect, its errors and warnings (and its notes if so asked), and the verdict."""
    for aspect in found.aspects:
        _print_aspect(aspect, verbose=verbose)
        if verbose and aspect.name == "misconceptions":
            for kill in found.misconceptions:
                say(paragraph(_kill(kill), _INDENT))
    say()
    _print_verdict(found)


def _print_aspect(aspect: Aspect, *, verbose: bool) -> None:
    mark, colour = ("✓", "green") if aspect.sound else ("✗", "red")
    if aspect.skipped:
        mark, colour = "–", "yellow"
    say(f"{mark} {aspect.title}", bold=True, fg=colour)
    say(paragraph(f"Not asked: {aspect.skipped}." if aspect.skipped else aspect.summary, "  "))
    for finding in aspect.findings:
        if verbose or finding.level is not Level.NOTE:
            _print_finding(finding)
    notes = sum(finding.level is Level.NOTE for finding in aspect.findings)
    if notes and not verbose:
        say(f"  {notes} note{'s' * (notes != 1)}: see them with -v.")


def _print_finding(finding: Finding) -> None:
    say(f"  {finding.level}: {finding.about}", fg=_COLOURS[finding.level], bold=True)
    say(paragraph(finding.text, _INDENT))
    for line in finding.block.splitlines():
        say(f"{_INDENT}│ {line}")
    if finding.mend:
        say(paragraph(f"→ {finding.mend}", _INDENT))


def _kill(kill: Kill) -> str:
    named = f"named by {', '.join(kill.recognised)}" if kill.recognised else "named by none"
    others = [id_ for id_ in kill.lost if id_ not in kill.recognised]
    return f"{kill.wrong}: {named}" + (f"; also loses {', '.join(others)}" if others else "")


def _print_verdict(found: Verification) -> None:
    levels = Counter(finding.level for finding in found.findings)
    took = f" ({found.took_s:.0f} s)"
    if not found.sound:
        counts = [
            f"{levels[level]} {level}{'s' * (levels[level] != 1)}"
            for level in (Level.ERROR, Level.WARNING)
            if levels[level]
        ]
        say(f"NOT SOUND: {' and '.join(counts)}{took}.", bold=True, fg="red")
    elif found.quick:
        say(f"Nothing wrong at a quick look{took}.", bold=True, fg="green")
    else:
        say(f"SOUND{took}.", bold=True, fg="green")
    for sentence in _left_open(found):
        say(paragraph(sentence, ""))


def _left_open(found: Verification) -> list[str]:
    said = []
    skipped = [aspect.title for aspect in found.aspects if aspect.skipped]
    if skipped:
        said.append(f"Not asked, so nothing is known of it: {'; '.join(skipped)}.")
    if found.quick and len(found.aspects) > 1:
        said.append(
            "--quick tries a fixed sample of the mutants and samples, under few seeds. Run it "
            "without --quick before a class sees the pack."
        )
    return said
