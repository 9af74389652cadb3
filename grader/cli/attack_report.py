"""What `grader attack` found, as a table for people and as JSON for programs."""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.table import Table

from grader.attack.entries import ENTRIES, KNOWN_LIMITS, TITLES, Kind, entry_of
from grader.attack.findings import Finding, Verdict
from grader.attack.model import Attack
from grader.attack.search import Searched
from grader.attack.trial import Trials
from grader.cli.console import paragraph, say
from grader.pipeline.grading import environment

SCHEMA = "grader/attack/v1"
_NARROWEST, _WIDEST = 80, 132
_BLOCKED_BY, _SAID = 19, 19
_MARKS = {
    Verdict.HELD: ("✓", "green"),
    Verdict.THROUGH: ("✗", "bold red"),
    Verdict.NOT_PROMISED: ("–", "yellow"),
    Verdict.UNGRADED: ("!", "red"),
    Verdict.SKIPPED: ("·", "dim"),
}


def print_list(attacks: Sequence[Attack]) -> None:
    """Every attack by kind and entry, with what it tries."""
    for kind in Kind:
        of_kind = [attack for attack in attacks if entry_of(attack).kind is kind]
        if of_kind:
            say(f"{TITLES[kind]} ({kind}, {len(of_kind)})", bold=True)
        for number, entry in ENTRIES.items():
            names = [attack.name for attack in of_kind if attack.entry == number]
            if names:
                say(f"  {number:02} {entry.tries}")
                say(paragraph(", ".join(names), "       "))


def print_table(findings: Sequence[Finding]) -> None:
    """The table: attack, blocked by, seen how, and the attack's own word."""
    width = min(max(shutil.get_terminal_size((_WIDEST, 0)).columns, _NARROWEST), _WIDEST)
    console = Console(width=width, highlight=False, markup=False, file=sys.stdout)
    for kind in Kind:
        of_kind = [f for f in findings if entry_of(f.attack).kind is kind]
        if of_kind:
            counts = Counter(f.verdict for f in of_kind)
            said = ", ".join(
                f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]
            )
            say()
            say(f"{TITLES[kind]}: {said}", bold=True)
            _print_kind(console, of_kind)


def _print_kind(console: Console, findings: Sequence[Finding]) -> None:
    by_entry = sorted(findings, key=lambda f: f.attack.entry)
    for number, of_entry in groupby(by_entry, key=lambda f: f.attack.entry):
        say(f"  {number:02} {ENTRIES[number].tries}", fg="cyan")
        table = _table(console.width, headed=number == by_entry[0].attack.entry)
        for alike in _alike(of_entry):
            _add(table, alike)
        console.print(table)


def _table(width: int, *, headed: bool) -> Table:
    rest = width - _BLOCKED_BY - _SAID - 12
    table = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", show_header=headed
    )
    table.add_column("", width=1)
    table.add_column("attack", width=rest // 2)
    table.add_column("blocked by", width=_BLOCKED_BY)
    table.add_column("seen from outside", width=rest - rest // 2)
    table.add_column("its own word", width=_SAID)
    return table


def _alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Those that came out the same share a row; what got through comes first."""
    rows: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        key = (finding.verdict, finding.blocked_by, finding.seen, finding.said)
        rows.setdefault(key, []).append(finding)
    return sorted(rows.values(), key=lambda row: row[0].verdict is not Verdict.THROUGH)


def _add(table: Table, alike: Sequence[Finding]) -> None:
    first = alike[0]
    mark, style = _MARKS[first.verdict]
    by = first.blocked_by if first.verdict is Verdict.HELD else first.verdict.upper()
    names = ", ".join(finding.attack.name for finding in alike)
    row_style = style if first.verdict is Verdict.THROUGH else ""
    table.add_row(mark, names, by, "; ".join(first.seen), first.said, style=row_style)


def print_known_limits() -> None:
    """What no sandbox can keep from code that runs in it."""
    say()
    say("What cannot be blocked, by design, and what limits the damage:", bold=True)
    for ability, limit in KNOWN_LIMITS:
        say(paragraph(f"A submission can {ability}. But: {limit}.", "  "))


def print_search(searched: Searched) -> None:
    """What the search of a sandboxed process's memory found."""
    say()
    say("Search of a process's own memory for what is secret of the pack:", bold=True)
    looked_for = f"{searched.numbers} expected numbers and {searched.lines} lines of its files"
    found = "FOUND: " + ", ".join(searched.found) if searched.found else "none was found"
    say(
        paragraph(
            f"{looked_for} were looked for in {searched.read_bytes / 1e6:.0f} MB: {found}.", "  "
        ),
        fg="red" if searched.found else None,
    )
    if searched.inputs:
        say(
            f"  Of {searched.inputs} numbers of the inputs, which are there, "
            f"{searched.inputs_found} were found."
        )


def print_legend() -> None:
    """How to read the table."""
    say()
    say(
        paragraph(
            "Blocked by: told by the limit that stopped an attack, or by the error number that it "
            "met. Landlock answers EACCES, as the rights of a file do; seccomp EPERM, ENOSYS and "
            "EAGAIN; in namespaces the name is not there (ENOENT). Whether it held is decided by "
            "what was seen from outside.",
            "",
        )
    )


def as_json(findings: Sequence[Finding], trials: Trials, pack: Path | None) -> str:
    """The findings whole, one object an attack."""
    document = {
        "schema": SCHEMA,
        "tier": str(trials.isolation.tier),
        "pack": None if pack is None else str(pack),
        "environment": environment(),
        "counts": {str(v): sum(f.verdict is v for f in findings) for v in Verdict},
        "attacks": [_object(finding) for finding in findings],
        "memory_search": None if trials.searched is None else asdict(trials.searched),
        "known_limits": [{"can": can, "limited_by": limit} for can, limit in KNOWN_LIMITS],
    }
    return json.dumps(document, indent=2, ensure_ascii=False)


def _object(finding: Finding) -> dict[str, object]:
    entry = entry_of(finding.attack)
    return {
        "id": finding.attack.id,
        "kind": str(entry.kind),
        "tries": entry.tries,
        "verdict": str(finding.verdict),
        "blocked_by": finding.blocked_by,
        "seen": list(finding.seen),
        "said": finding.said,
        "succeeds_unsandboxed": finding.proved,
    }
