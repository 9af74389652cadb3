"""`grader doctor`: what this machine protects you from, as probes saw it."""

from __future__ import annotations

import json
import shutil
import textwrap

import click

from grader.cli.console import paragraph, say
from grader.evidence import Isolation, Protection, Tier
from grader.pipeline.grading import environment
from grader.sandbox.isolation import HOW_TRIED, TIER_NAMES, describe
from grader.sandbox.server import Sandbox

_MEANINGS = {
    Tier.A: "Student code cannot read, write, connect or start anything, nor see that it is there.",
    Tier.B: "Student code cannot read, write, connect or start anything.",
    Tier.C: "As tier B, but without Landlock: only what is loaded beforehand can be imported.",
    Tier.D: "Only time and memory are limited for sure: where a protection is missing, "
    "student code can do what you can.",
    Tier.E: "Only a clock: student code can do whatever you can.",
}
_ENOUGH = "`grader grade` and `grader ci` run here; `--min-isolation A` insists on more."
_ALL = "`grader grade` and `grader ci` run here."
_TOO_LITTLE = "`grader grade` and `grader ci` refuse to run here unless you say\n"
_ACCEPT = {
    Tier.C: "`--min-isolation C`.",
    Tier.D: "`--min-isolation D`, which is for code that you would run yourself.",
    Tier.E: "`--allow-unsafe`, which is for code that you would run yourself.",
}
_WIDEST = 92


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(as_json: bool) -> None:
    """Show what isolation this machine gives to student code, and how to get more.

    Each protection is tried: a sandboxed process attempts what it must not be able to do.  What is
    shown is what was seen, not what was asked for.

    Exit status: 0 at tier B or better, 1 below.
    """
    with Sandbox() as sandbox:
        isolation = sandbox.isolation
    if as_json:
        _print_json(isolation)
    else:
        _print_table(isolation)
    if isolation.tier > Tier.B:
        raise SystemExit(1)


def _print_json(isolation: Isolation) -> None:
    protections = [
        {
            "name": p.name,
            "tried": HOW_TRIED[p.name] if isolation.tier < Tier.E else "",
            "held": p.held,
            "seen": p.seen,
            "remedy": p.remedy,
        }
        for p in isolation.protections
    ]
    document = {
        "tier": str(isolation.tier),
        "name": TIER_NAMES[isolation.tier],
        "meaning": _MEANINGS[isolation.tier],
        "protections": protections,
        "environment": environment(),
    }
    say(json.dumps(document, indent=2))


def _print_table(isolation: Isolation) -> None:
    say(f"Isolation: {describe(isolation)}", bold=True)
    say(paragraph(_MEANINGS[isolation.tier], ""))
    say(paragraph(_allows(isolation.tier), ""))
    tried = isolation.tier < Tier.E
    say("\nWhat a sandboxed process tried, and what came of it:\n" if tried else "")
    for protection in isolation.protections:
        say(_line(protection, tried=tried), fg="green" if protection.held else "red")
    for remedy, names in _remedies(isolation).items():
        say()
        say(paragraph(f"Missing: {', '.join(names)}.", ""))
        say(paragraph(f"To get it: {remedy}.", "  "))
    say()
    say("  ".join(f"{name} {version}" for name, version in environment().items()))


def _allows(tier: Tier) -> str:
    if tier <= Tier.B:
        return _ALL if tier is Tier.A else _ENOUGH
    return _TOO_LITTLE + _ACCEPT[tier]


def _line(protection: Protection, *, tried: bool) -> str:
    name_width = max(map(len, HOW_TRIED))
    head = f"  {'✓' if protection.held else '✗'} {protection.name:<{name_width}}  "
    width = max(min(_WIDEST, shutil.get_terminal_size().columns), len(head) + 20)
    # The kernel's own words are for programs: JSON has them.
    seen = protection.seen.partition(" (")[0]
    text = f"{HOW_TRIED[protection.name]}: {seen}" if tried else seen
    return textwrap.fill(text, width, initial_indent=head, subsequent_indent=" " * len(head))


def _remedies(isolation: Isolation) -> dict[str, list[str]]:
    """Remedy → the protections that it would bring, those of fewest first."""
    found: dict[str, list[str]] = {}
    for protection in isolation.protections:
        if protection.remedy:
            found.setdefault(protection.remedy, []).append(protection.name)
    return dict(sorted(found.items(), key=lambda each: len(each[1])))
