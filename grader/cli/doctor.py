"""`grader doctor`: what this machine protects you from, as probes saw it."""

from __future__ import annotations

import json

import click

from grader.cli.console import say
from grader.evidence import Isolation, Tier
from grader.pipeline.grading import environment
from grader.sandbox.isolation import describe
from grader.sandbox.server import Sandbox

_MEANINGS = {
    Tier.A: "Student code cannot read, write, connect or start anything, nor see that it is there.",
    Tier.B: "Student code cannot read, write, connect or start anything.",
    Tier.C: "As tier B, but without Landlock: only what is loaded beforehand can be imported.",
    Tier.D: "Only time and memory are limited: student code can read and change your files.",
    Tier.E: "Only a clock: student code can do whatever you can.",
}


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
    held = [
        {"name": p.name, "held": p.held, "seen": p.seen, "remedy": p.remedy}
        for p in isolation.protections
    ]
    document = {"tier": str(isolation.tier), "protections": held, "environment": environment()}
    say(json.dumps(document, indent=2))


def _print_table(isolation: Isolation) -> None:
    say(f"Isolation: {describe(isolation)}", bold=True)
    say(_MEANINGS[isolation.tier])
    say()
    width = max(len(p.name) for p in isolation.protections)
    for protection in isolation.protections:
        mark, colour = ("✓", "green") if protection.held else ("✗", "red")
        say(f"  {mark} {protection.name:<{width}}  {protection.seen}", fg=colour)
        if protection.remedy:
            say(f"      to get it: {protection.remedy}")
    say()
    say("  ".join(f"{name} {version}" for name, version in environment().items()))
