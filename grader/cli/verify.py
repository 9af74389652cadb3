"""`grader verify`: is this pack sound?"""

from __future__ import annotations

import stat
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from grader.cli.console import say
from grader.cli.options import cores, isolation_options, problem_argument, seed_option, weakest
from grader.cli.packs import find_pack
from grader.cli.progress import Steps
from grader.cli.verify_report import as_json, print_verification
from grader.errors import GraderError
from grader.evidence import Tier
from grader.verification import Verification
from grader.verify import Options
from grader.verify import verify as verify_pack

_POLL_S = 0.3


@click.command()
@problem_argument
@click.option("--quick", is_flag=True, help="Try a fixed part of everything, while you write.")
@click.option("--watch", is_flag=True, help="Verify again whenever a file of the pack is saved.")
@click.option("-v", "--verbose", is_flag=True, help="Show notes and the kill matrix, too.")
@click.option("--json", "as_document", is_flag=True, help="Print one JSON document.")
@click.option(
    "-o",
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page with every table and figure.",
)
@click.option(
    "--samples",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of sample submissions.  [default: samples/ in the pack, or submissions/ID]",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Submissions to run at once.  [default: the number of cores]",
)
@seed_option
@isolation_options(Tier.B)
def verify(
    problem: str,
    quick: bool,
    watch: bool,
    verbose: bool,
    as_document: bool,
    html: Path | None,
    samples: Path | None,
    jobs: int | None,
    seed: int | None,
    min_isolation: str,
    allow_unsafe: bool,
) -> None:
    """Grade the grader: try PROBLEM out before a class sees it.

    PROBLEM is a pack's folder, or its name in ./problems.  What is asked of it:

    \b
      pack            does it load?  Everything wrong is shown at once
      answers         the reference earns full marks; the starter and nothing earn none
      samples         sample submissions get what the folders that they lie in say
      misconceptions  each loses points, and its hint is given where it shows
      mutants         the reference with one thing changed loses points
      tolerances      honest rounding passes, and the nearest wrong answer does not
      stability       no verdict depends on the seed
      redundancy      every criterion decides something
      cost            how long the calls take

    A finding is an error (students would get wrong grades), a warning (a wrong answer may pass, or
    a right one fail) or a note.  Errors and warnings make a pack unsound.

    A mutant that loses no points shows a hole in the checks: add a case that catches it.  Where
    the change is no mistake, say so in problem.toml:

    \b
      [[verify.accepted]]
      mutants = ["variance.constant.1f0c2a"]
      why = "a larger margin is as right as the smallest"

    Samples lie in samples/FOLDER/NAME/, and FOLDER says what they must get: full_marks,
    partly_right, no_marks, not_attempted, stopped, misconceptions, or misconception-ID.

    \b
    Examples:
      grader verify attention_copying
      grader verify problems/variance --quick --watch
      grader verify problems/variance -o variance.html

    Exit status: 0 sound; 1 not, or this machine is at fault; 2 usage.
    """
    if watch and as_document:
        raise click.UsageError("--watch prints for people, again and again: leave out --json.")
    pack = find_pack(problem, Path.cwd())
    jobs, accepted = jobs or cores(), weakest(min_isolation, allow_unsafe)

    def once() -> Verification:
        with Steps("Verifying") as steps:
            options = Options(jobs, quick, seed, samples, accepted, steps.show)
            found = verify_pack(pack, options)
        if as_document:
            say(as_json(found))
        else:
            print_verification(found, verbose=verbose)
        if html is not None:
            _write_page(found, html)
        return found

    if watch:
        _watch(pack, once)
    elif not once().sound:
        raise SystemExit(1)


def _write_page(found: Verification, path: Path) -> None:
    from grader.report.files import output
    from grader.report.verification import page  # templates load for those who write pages

    with output(path) as file:
        file.write(page(found))
    say(f"Page: {path}", err=True)


# --- again on each save ---------------------------------------------------------------------


def _watch(pack: Path, once: Callable[[], Verification]) -> None:
    folder = pack if pack.is_dir() else pack.parent
    try:
        while True:
            before = _stamps(folder)
            try:
                once()
            except GraderError as error:  # what a save broke, another may mend
                say(f"error: {error}", err=True)
            say(f"\nWatching {folder}: save a file to verify again; Ctrl-C ends it.", err=True)
            say(f"\nChanged: {', '.join(_wait_for_change(folder, before))}", err=True, bold=True)
    except KeyboardInterrupt:
        say("\nNo longer watching.", err=True)


def _wait_for_change(folder: Path, before: Mapping[str, Stamp]) -> list[str]:
    while True:
        now = _stamps(folder)
        if now != before:
            return sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
        time.sleep(_POLL_S)


Stamp = tuple[int, int]
"""Time of the last change, in ns, and size."""


def _stamps(folder: Path) -> dict[str, Stamp]:
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if any(part.startswith(".") or part == "__pycache__" for part in name.parts):
            continue
        try:
            status = path.stat()
        except OSError:  # gone again, as editors' scratch files are
            continue
        if stat.S_ISREG(status.st_mode):
            found[str(name)] = (status.st_mtime_ns, status.st_size)
    return found
