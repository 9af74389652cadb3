"""`grader attack`: the catalogue of attacks, tried on this installation and on one's own pack."""

from __future__ import annotations

import contextlib
import difflib
import fnmatch
import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader.attack.catalogue import ATTACKS
from grader.attack.entries import Kind, entry_of
from grader.attack.findings import Finding, Verdict, find
from grader.attack.model import Attack
from grader.attack.search import Searched
from grader.attack.trial import may_be_proved, try_all
from grader.cli.attack_report import (
    as_json,
    print_known_limits,
    print_legend,
    print_list,
    print_search,
    print_table,
)
from grader.cli.console import counted, say
from grader.cli.options import cores
from grader.cli.packs import find_pack
from grader.errors import SandboxError
from grader.evidence import Isolation
from grader.sandbox.isolation import describe

_JOBS_PER_CORE = 2
"""Many attacks only sleep until their time is up."""


@click.command()
@click.argument("problem", type=click.Path(), required=False)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([str(kind) for kind in Kind]),
    help="Only attacks of this kind; may be given several times.",
)
@click.option(
    "--only",
    "names",
    multiple=True,
    metavar="NAME",
    help="Only attacks of this name or entry, like read-open, 'read-*' or 32.",
)
@click.option("--list", "listed", is_flag=True, help="List the attacks and run none.")
@click.option(
    "--prove",
    is_flag=True,
    help="Run each attack WITHOUT the sandbox too, to show that it would succeed. See above.",
)
@click.option("--json", "as_document", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Attacks to run at once.  [default: twice the number of cores]",
)
def attack(
    problem: str | None,
    kinds: tuple[str, ...],
    names: tuple[str, ...],
    listed: bool,
    prove: bool,
    as_document: bool,
    jobs: int | None,
) -> None:
    """Try every known attack on this installation, and on PROBLEM.

    Each attack is handed in as a submission and graded in the sandbox, as `grader grade` would.  It
    goes for canaries that are set up for it and thrown away: files, sockets, processes, a secret,
    a score.  With PROBLEM, a pack's folder or its name in ./problems, attacks are submissions to
    that pack: they go for its own files, and none may earn more than the same answers earn without
    the attack.  Without it, a small pack that comes with the grader is used.

    The table tells who saw what.  Whether an attack held is decided by what the grader saw from
    outside: its canaries, the reply, how the process ended, the score.  "Its own word" is the error
    number that the attack met inside, and tells which protection it ran into.

    Without --prove nothing runs outside of the sandbox.  That each attack succeeds where there is
    none was shown by the project's tests.  Below tier C (see `grader doctor`) the sandbox only
    limits: attacks that it does not promise to stop are then skipped, for they would act on this
    machine.

    --prove runs the attacks on this machine with YOUR rights and no sandbox.  They are written to
    hit nothing but the canaries, in a folder that is removed, but they do read /etc/passwd, start
    processes and ask the kernel for what only root may do.  Use a machine that you can do without.
    Attacks of exhaustion are not proved unless you name them: --prove --kind exhaustion.

    \b
    Examples:
      grader attack
      grader attack attention_copying
      grader attack --kind reading --only 'read-*'
      grader attack --list

    Exit status: 0 all held; 1 something got through, or could not be graded; 2 usage.
    """
    chosen = _chosen([Kind(kind) for kind in kinds], names)
    if listed:
        print_list(chosen)
        return
    if sys.platform != "linux":
        raise SandboxError("The attacks are Linux's, as the sandbox is: run them there.")
    pack = None if problem is None else find_pack(problem, Path.cwd())
    proved = [a for a in chosen if prove and may_be_proved(a, [Kind(kind) for kind in kinds])]
    with _Progress() as progress:
        trials = try_all(
            chosen,
            pack,
            jobs=min(jobs or _JOBS_PER_CORE * cores(), len(chosen)),
            prove=proved,
            search=pack is not None and not names and (not kinds or Kind.READING in kinds),
            begin=progress.begin,
            advance=progress.advance,
        )
    findings = find(trials)
    if as_document:
        say(as_json(findings, trials, pack))
    else:
        print_table(findings)
        if trials.searched:
            print_search(trials.searched)
        print_legend()
        print_known_limits()
        _conclude(findings, trials.isolation)
        _alarm(findings, trials.searched)
    if not _is_well(findings, trials.searched):
        raise SystemExit(1)


def _chosen(kinds: Sequence[Kind], names: Sequence[str]) -> list[Attack]:
    of_kind = [a for a in ATTACKS if not kinds or entry_of(a).kind in kinds]
    for name in names:
        if not any(_is_named(a, name) for a in ATTACKS):
            known = [spelling for a in ATTACKS for spelling in (a.name, a.id)]
            near = difflib.get_close_matches(name, known, 1)
            meant = f" Did you mean {near[0]}?" if near else " See grader attack --list."
            raise click.UsageError(f"There is no attack {name}.{meant}")
    chosen = [a for a in of_kind if not names or any(_is_named(a, name) for name in names)]
    if not chosen:
        raise click.UsageError("No attack is of that kind and of that name.")
    return chosen


def _is_named(attack: Attack, name: str) -> bool:
    return any(fnmatch.fnmatchcase(each, name) for each in (attack.name, attack.id, attack.id[:2]))


class _Progress:
    """A bar of how many are done; a context manager."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._bar: Any = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def begin(self, attacks: Sequence[Attack], isolation: Isolation) -> None:
        """Say what will be tried, and where."""
        say(f"{counted(Fraction(len(attacks)), 'attack')} at {describe(isolation)}.", err=True)
        bar: Any = click.progressbar(
            length=len(attacks),
            label="Attacking" if sys.stderr.isatty() else None,
            file=sys.stderr,
            item_show_func=lambda attack: attack.id if attack else "",
        )
        self._bar = self._stack.enter_context(bar)

    def advance(self, attack: Attack) -> None:
        """Count one more."""
        self._bar.update(1, attack)


def _is_well(findings: Sequence[Finding], searched: Searched | None) -> bool:
    bad = (Verdict.THROUGH, Verdict.UNGRADED)
    return not any(f.verdict in bad for f in findings) and (searched is None or searched.holds)


def _through(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.verdict is Verdict.THROUGH]


def _conclude(findings: Sequence[Finding], isolation: Isolation) -> None:
    count = Counter(finding.verdict for finding in findings)
    say()
    tried = len(findings) - count[Verdict.SKIPPED]
    say(f"{tried} tried at {describe(isolation)}: {count[Verdict.HELD]} held.", bold=True)
    if count[Verdict.NOT_PROMISED]:
        say(f"{count[Verdict.NOT_PROMISED]} got through, which this tier does not promise to stop.")
    if count[Verdict.SKIPPED]:
        say(
            f"{count[Verdict.SKIPPED]} not run: tier {isolation.tier} does not promise to stop "
            "them, and they would act on this machine. `grader doctor` says how to get more."
        )
    if count[Verdict.UNGRADED]:
        say(
            f"{count[Verdict.UNGRADED]} could not be graded, through a fault of the grader or of a "
            "machine that is too busy: run them again.",
            fg="red",
        )
    _say_proof(findings)


def _say_proof(findings: Sequence[Finding]) -> None:
    tried = [finding for finding in findings if finding.proved is not None]
    if not tried:
        say("That each would succeed without the sandbox is not shown here: --prove shows it.")
        return
    failed = [finding.attack.id for finding in tried if not finding.proved]
    say(f"{len(tried) - len(failed)} were seen to succeed without the sandbox.")
    if failed:
        say(
            f"{len(failed)} did not succeed without it either, so that nothing is shown of them "
            f"on this machine, or for this user: {', '.join(failed)}"
        )


def _alarm(findings: Sequence[Finding], searched: Searched | None) -> None:
    """Say what got through, if anything, and what to do."""
    holes = [f"{f.attack.id}: {'; '.join(f.seen)}" for f in _through(findings)]
    if searched and searched.found:
        holes.append("a process that runs a student's code holds secrets of the pack")
    if searched and not searched.shows_something:
        holes.append("the search of memory found nothing, not even what is there")
    if not holes:
        return
    say()
    say(
        f"GOT THROUGH: {len(holes)}. Do not grade strangers' code on this machine, or with this "
        "pack, until it is mended:",
        bold=True,
        fg="red",
    )
    for hole in holes:
        say(f"  - {hole}", fg="red")
    say(
        "If the score is what it got: mend the check that gave the points (`grader verify` helps). "
        "Otherwise update the kernel, grade in a virtual machine or a container, and tell the "
        "maintainers in private, with the output of `grader attack --json`: docs/security.md."
    )
