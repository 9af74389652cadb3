"""`grader grade`: a whole class."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import click

from grader import report
from grader.cli.console import INTERRUPTED, points, say
from grader.cli.options import cores, isolation_options, problem_argument, seed_option, weakest
from grader.cli.packs import find_pack
from grader.cli.progress import Progress
from grader.cli.reports import Reports, remember_pack
from grader.errors import GraderError, ReportError
from grader.evidence import Tier
from grader.gradebook import Gradebook
from grader.pipeline.many import Graded, grade_class
from grader.pipeline.session import Session, open_session
from grader.report.class_summary import fault_of
from grader.result import Grade
from grader.sandbox.isolation import describe
from grader.submission import Discovery, discover

_IDS_SHOWN = 5


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
    one student's, or a whole class, as Canvas, Moodle, Blackboard, Gradescope or GitHub Classroom
    give it.

    What is graded stays graded: stop at any time, run the same command again, and it goes on where
    it stopped. Only what changed is graded again; earlier grades are kept in the gradebook.

    \b
    Examples:
      grader grade attention_copying class.zip
      grader grade problems/attention_copying submissions/ -o reports -j 4
      grader grade attention_copying resubmitted/ada -o reports

    Exit status: 0 graded; 1 the pack, the input or this machine is at fault, or something could
    not be graded; 2 usage; 130 interrupted.
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


@dataclass
class _Done:
    """What came of a run so far."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: dict[str, list[str]] = field(default_factory=dict)
    """What was at fault where something could not be graded → the submissions."""
    unreported: dict[str, str] = field(default_factory=dict)
    """Submissions whose grade is recorded but whose report could not be made → why."""
    interrupted: bool = False

    def add(self, graded: Graded, *, recorded: bool) -> None:
        """Count one submission."""
        self.counts["new" if graded.entry else "skipped"] += 1
        self.counts["kept"] += not recorded
        if graded.entry is not None and (fault := fault_of(graded.entry.grade)):
            self.faults.setdefault(fault, []).append(graded.source.id)


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
    remember_pack(gradebook, session.variants.pack)
    reports = Reports(gradebook, output)
    done = _work_through(session, found, gradebook, reports, jobs=jobs, force=force)
    tally = _Tally()
    reports.write_class(tally.add)
    if done.interrupted:
        count = done.counts["new"] + done.counts["skipped"]
        say(f"Interrupted: {count} of {len(found.sources)} are graded and kept.", err=True)
        say("Run the same command again to go on.", err=True)
        raise SystemExit(INTERRUPTED)
    _summarise(tally, output, done.counts, time.monotonic() - started_s)
    for submission_id, why in done.unreported.items():
        say(f"{submission_id}: its grade is recorded, but it has no report: {why}", err=True)
    if done.faults:
        _tell(done.faults)
    if done.faults or done.unreported:
        raise SystemExit(1)


def _work_through(
    session: Session,
    found: Discovery,
    gradebook: Gradebook,
    reports: Reports,
    *,
    jobs: int,
    force: bool,
) -> _Done:
    """Grade, record and report each submission; an interruption ends it early."""
    done = _Done()
    grading = grade_class(
        session.variants,
        found.sources,
        session.pool,
        jobs=jobs,
        is_done=lambda submission_id, key: not force and gradebook.has(submission_id, key),
    )
    try:
        # Closed at once where recording fails: threads at work must end before their sandboxes do.
        with closing(grading), Progress([source.id for source in found.sources]) as progress:
            for graded in grading:
                recorded = graded.entry is None or gradebook.record(graded.entry)
                if graded.entry is not None or not reports.are_there(graded.source.id):
                    _report(reports, graded.source.id, done)
                done.add(graded, recorded=recorded)
                progress.advance(graded)
    except KeyboardInterrupt:
        done.interrupted = True
    return done


def _report(reports: Reports, submission_id: str, done: _Done) -> None:
    try:
        reports.write_submission(submission_id)
    except GraderError:
        raise  # a full disk, a folder without rights: no other report could be written either
    except Exception as error:  # noqa: BLE001 - a fault of ours costs this report, not the class
        done.unreported[submission_id] = f"{type(error).__name__}: {error}"


class _Tally:
    """Statuses and scores over the whole gradebook."""

    def __init__(self) -> None:
        self.statuses: Counter[str] = Counter()
        self.total = Fraction(0)
        self.maximum = Fraction(0)

    def add(self, grade: Grade) -> None:
        """Count one grade."""
        self.statuses[grade.status] += 1
        self.maximum = grade.max_score
        if grade.status != "ungraded":
            self.total += grade.score


def _summarise(tally: _Tally, output: Path, counts: Counter[str], elapsed_s: float) -> None:
    statuses = tally.statuses
    scored = statuses.total() - statuses["ungraded"]
    say(f"Graded {counts['new']} in {elapsed_s:.1f} s.")
    if counts["skipped"]:
        say(f"Skipped {counts['skipped']}, unchanged since they were graded (--force regrades).")
    if counts["kept"]:
        say(f"Kept the earlier grade of {counts['kept']} that could not be graded this time.")
    if scored:
        so_far = " so far" if statuses["provisional"] else ""
        mean = f"{float(tally.total / scored):.2f} of {points(tally.maximum)}"
        others = statuses.total() - counts["new"] - counts["skipped"]
        earlier = f", {others} of them from earlier runs" if others > 0 else ""
        say(f"{statuses.total()} in the gradebook{earlier}; mean score{so_far} {mean}.")
    if statuses["provisional"]:
        wait = "waits" if statuses["provisional"] == 1 else "wait"
        say(f"{statuses['provisional']} {wait} for your review: grader review -o {output}")
    say(f"Reports: {output / 'index.html'}")


def _tell(faults: Mapping[str, Sequence[str]]) -> None:
    count = sum(len(ids) for ids in faults.values())
    say(
        f"{count} could not be graded in full, through no fault of the students'. What is open is "
        "neither lost nor won: mend the cause and run the same command again.",
        err=True,
        bold=True,
        fg="red",
    )
    for fault, ids in faults.items():
        some = ", ".join(ids[:_IDS_SHOWN]) + (", …" if len(ids) > _IDS_SHOWN else "")
        say(f"  - {fault} [{some}]", err=True)
