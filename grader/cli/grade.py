"""`grader grade`: a whole class."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import click

from grader import report
from grader.cli.console import INTERRUPTED, explaining, say
from grader.cli.options import cores, isolation_options, problem_argument, seed_option, weakest
from grader.cli.packs import find_pack
from grader.cli.progress import Progress
from grader.cli.reports import Reports, remember_pack
from grader.errors import ReportError
from grader.evidence import Tier
from grader.gradebook import Gradebook
from grader.pipeline.many import grade_class
from grader.pipeline.session import Session, open_session
from grader.sandbox.isolation import describe
from grader.submission import Discovery, discover


@click.command()
@problem_argument
@click.argument("submissions", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="Folder for the gradebook and the reports.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    default=None,
    help="Submissions to run at once.  [default: the number of cores]",
)
@click.option("--force", is_flag=True, help="Grade again what is unchanged since the last run.")
@seed_option
@isolation_options(Tier.B)
@explaining
def grade(
    problem: str,
    submissions: tuple[Path, ...],
    output: Path,
    jobs: int | None,
    force: bool,
    seed: int | None,
    min_isolation: str,
    allow_unsafe: bool,
) -> None:
    """Grade SUBMISSIONS to PROBLEM and leave a gradebook and reports.

    PROBLEM is a pack's folder, or its name in ./problems.  SUBMISSIONS are files, folders or zips:
    one student's, or a whole class.

    What is graded stays graded: stop at any time, run the same command again, and it goes on where
    it stopped. Only what changed is graded again; earlier grades are kept in the gradebook.

    \b
    Examples:
      grader grade attention_copying class.zip
      grader grade problems/attention_copying submissions/ -o reports -j 4
      grader grade attention_copying resubmitted/ada -o reports

    Exit status: 0 graded, 1 something is wrong with the pack, the input or this machine,
    2 usage, 130 interrupted.
    """
    jobs = jobs or cores()
    accepted = weakest(min_isolation, allow_unsafe)
    pack = find_pack(problem, Path.cwd())
    with open_session(pack, jobs=jobs, seed=seed, weakest=accepted) as session:
        if session.isolation.tier > Tier.B:
            _warn_of(session)
        found = discover(submissions, session.prepared.problem)
        for warning in found.warnings:
            say(f"note: {warning}", err=True)
        _make_folder(output)
        with Gradebook(output, session.prepared.problem.id) as gradebook:
            _grade_all(session, found, gradebook, output, jobs=jobs, force=force)


def _warn_of(session: Session) -> None:
    missing = ", ".join(session.isolation.missing) or "nothing that was probed"
    say(
        f"WARNING: student code runs at {describe(session.isolation)}. "
        f"Not protected here: {missing}.",
        err=True,
        bold=True,
        fg="red",
    )


def _make_folder(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
        report.remove_leftovers(output)
    except OSError as error:
        raise ReportError(
            f"The output folder {output} cannot be used ({error.strerror}): "
            "choose another with -o, or make it writable"
        ) from None


def _grade_all(
    session: Session,
    found: Discovery,
    gradebook: Gradebook,
    output: Path,
    *,
    jobs: int,
    force: bool,
) -> None:
    started_s = time.monotonic()
    counts: Counter[str] = Counter()
    remember_pack(gradebook, session.prepared.pack)
    reports = Reports(gradebook, output)

    def is_done(submission_id: str, key: str) -> bool:
        return not force and gradebook.has(submission_id, key)

    interrupted = False
    try:
        with Progress(len(found.sources)) as progress:
            for graded in grade_class(
                session.prepared,
                session.grading,
                found.sources,
                session.pool,
                jobs=jobs,
                is_done=is_done,
            ):
                if graded.entry is not None and not gradebook.record(graded.entry):
                    counts["kept"] += 1
                if graded.entry is not None or not reports.are_there(graded.source.id):
                    reports.write_submission(graded.source.id)
                counts["new" if graded.entry else "skipped"] += 1
                progress.advance(graded)
    except KeyboardInterrupt:
        interrupted = True
    reports.write_class()
    if interrupted:
        done = counts["new"] + counts["skipped"]
        say(f"Interrupted: {done} of {len(found.sources)} are graded and kept.", err=True)
        say("Run the same command again to go on.", err=True)
        raise SystemExit(INTERRUPTED)
    _summarise(gradebook, output, counts, time.monotonic() - started_s)


def _summarise(gradebook: Gradebook, output: Path, counts: Counter[str], elapsed_s: float) -> None:
    statuses: Counter[str] = Counter()
    total, maximum = 0.0, 0.0
    for final in gradebook.grades():
        statuses[final.status] += 1
        total += float(final.score)
        maximum = float(final.max_score)
    graded = sum(statuses.values())
    say(f"Graded {counts['new']} in {elapsed_s:.1f} s.")
    if counts["skipped"]:
        say(f"Skipped {counts['skipped']}, unchanged since they were graded (--force regrades).")
    if counts["kept"]:
        say(f"Kept the earlier grade of {counts['kept']} that could not be graded this time.")
    if graded:
        say(f"{graded} in the gradebook; mean score {total / graded:.2f} of {maximum:g}.")
    if statuses["provisional"]:
        say(f"{statuses['provisional']} wait for your review: grader review -o {output}")
    if statuses["ungraded"]:
        say(f"{statuses['ungraded']} could not be graded, through a fault of the grader or the "
            "pack: see index.html.", err=True, bold=True, fg="red")  # fmt: skip
    say(f"Reports: {output / 'index.html'}")
