"""`grader ci`: one submission, graded for whatever continuous integration it finds around it."""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import click

from grader.cli.checkout import places
from grader.cli.console import say
from grader.cli.options import isolation_options, weakest
from grader.cli.packs import find_work, is_pack
from grader.errors import GraderError, ReportError, SubmissionError
from grader.evidence import Run, Submission, Tier
from grader.pipeline.session import open_session
from grader.pipeline.variants import whose
from grader.problem import Problem
from grader.report.ci import actions, classroom, classroom50, gradescope, junit, markdown
from grader.report.ci.plain import Place, transcript
from grader.report.ci.writing import append, write
from grader.report.exports import to_json
from grader.result import Grade
from grader.sandbox.batch import Batch
from grader.sandbox.isolation import describe
from grader.submission import Source, discover, read
from grader.submission.names import safe_id


@dataclass(frozen=True, slots=True)
class _Graded:
    """One submission graded, and what the reports say beside its grade."""

    grade: Grade
    places: Mapping[str, Place]
    elapsed_s: float
    notes: tuple[str, ...]


@click.command()
@click.argument("problem", required=False, type=click.Path())
@click.argument("submission", required=False, type=click.Path(path_type=Path))
@click.option(
    "--junit",
    "junit_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write JUnit XML to FILE.",
)
@click.option(
    "--result",
    "result_file",
    metavar="[FILE]",
    is_flag=False,
    flag_value="grader-result.json",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the result as JSON to FILE, or to grader-result.json.",
)
@click.option(
    "--student",
    metavar="ID",
    help="Whose variant it is, where the problem has variants: else a line of the code says.",
)
@isolation_options(Tier.B)
def ci(
    problem: str | None,
    submission: Path | None,
    junit_file: Path | None,
    result_file: Path | None,
    student: str | None,
    min_isolation: str,
    allow_unsafe: bool,
) -> None:
    """Grade a checkout and write what the CI service around it reads.

    SUBMISSION is the student's folder or file; without it the folder you are in, or on Gradescope
    the one that was handed in.  PROBLEM is the pack, and may be left out where there is only one
    near.  What is written depends on what is found:

    \b
      GitHub Actions     a step summary, annotations, and step outputs: result (for
                         the Classroom reporter), points, score, max-score, pending
      Classroom 50       result.json and release-body.md in this folder
      Gradescope         results/results.json

    What a student can read holds no detail of hidden criteria, and no student's text can pass for a
    command to the runner.  Keep the pack out of the checkout: whoever can push there can read and
    change what lies in it.

    \b
    Examples:
      grader ci
      grader ci ../pack/problems/attention_copying . --junit report.xml
      grader ci /autograder/source/pack

    Where the problem differs from student to student, say with --student whose checkout it is: a
    line that the student can change must not choose an easier variant.

    Exit status: 0 graded, whatever the score; 1 the pack, the input or this machine is at fault, or
    something could not be graded; 2 usage.
    """
    accepted = weakest(min_isolation, allow_unsafe)
    grade_it = partial(_grade, problem, submission, student, accepted)
    write_all = partial(_write_all, junit_file=junit_file, result_file=result_file)
    in_actions = os.environ.get("GITHUB_ACTIONS") == "true"
    done = (_shielded if in_actions else _plainly)(grade_it, write_all)
    if done.grade.status == "ungraded":
        raise SystemExit(1)


# --- printing ------------------------------------------------------------------------------------


def _plainly(grade_it: Callable[[], _Graded], write_all: Callable[[_Graded], None]) -> _Graded:
    done = grade_it()
    for line in _lines(done):
        say(line)
    write_all(done)
    return done


def _shielded(grade_it: Callable[[], _Graded], write_all: Callable[[_Graded], None]) -> _Graded:
    """Print under a shield from the first line on, and let only our own commands out of it.

    If something unforeseen is raised the shield stays up, over its traceback too.
    """
    begin, end = actions.shield(secrets.token_hex(16))
    click.echo(begin)
    fault = None
    try:
        done = grade_it()
        for line in actions.log(_lines(done)):
            click.echo(line)
        write_all(done)
    except GraderError as error:
        fault = error
    click.echo(end)
    if fault is not None:
        click.echo(actions.command(actions.Annotation("error", "Not graded", str(fault))))
        raise SystemExit(1)
    for annotation in actions.to_annotate(done.grade, done.places):
        click.echo(actions.command(annotation))
    return done


def _lines(done: _Graded) -> list[str]:
    return [*(f"note: {note}" for note in done.notes), *transcript(done.grade)]


# --- grading -------------------------------------------------------------------------------------


def _grade(
    problem: str | None, submission: Path | None, student: str | None, accepted: Tier
) -> _Graded:
    started_s = time.monotonic()
    here, root = Path.cwd(), _gradescope_root()
    handed_in = root / "submission" if gradescope.is_there(root) else here
    pack, work = find_work(problem, submission, here, handed_in)
    runs: list[Run] = []
    with open_session(pack, weakest=accepted) as session:

        def perform(own: Submission, batch: Batch) -> Run:
            runs.append(session.pool.perform(own, batch))
            return runs[-1]

        notes = list(_in_checkout(pack, work))
        if session.isolation.tier > Tier.B:
            notes.append(f"WARNING: student code runs at {describe(session.isolation)}")
        own = _read(work, session.prepared.problem)
        varied = session.variants.pack.problem
        if varied.variants and student is None:
            notes.append("whose variant this is says the code alone; --student ID settles it")
        ready = session.variants.ready(whose(varied, own, student))
        grade = ready.grading.grade(own, perform)
        found = places(grade, runs[0], own, ready.prepared, work) if runs else {}
    return _Graded(grade, found, time.monotonic() - started_s, tuple(notes))


def _in_checkout(pack: Path, work: Path) -> Iterator[str]:
    if pack.resolve().is_relative_to(work.resolve()):
        yield "the pack lies in the checkout that is graded: whoever can push there can change it"


def _read(work: Path, problem: Problem) -> Submission:
    """Read a folder as one student's, whatever is in it: an empty one is a submission, too."""
    if is_pack(work):
        raise SubmissionError(
            f"{work} is a problem pack. Name the folder with the student's work as SUBMISSION."
        )
    if work.is_dir():
        whole = work.resolve()
        return read(Source(safe_id(whole.name), str(work), whole), problem)
    found = discover([work], problem).sources
    if len(found) > 1:
        raise SubmissionError(f"{work} holds {len(found)} submissions: name one student's.")
    return read(found[0], problem)


# --- writing -------------------------------------------------------------------------------------


def _write_all(done: _Graded, *, junit_file: Path | None, result_file: Path | None) -> None:
    """Write every report that is wanted here, even if one of them cannot be.

    Raises:
        ReportError: with all that could not be written.
    """
    faults = []
    for write_one in _writers(done, junit_file, result_file):
        try:
            write_one()
        except ReportError as error:
            faults.append(str(error))
    if faults:
        raise ReportError("\n".join(faults))


def _writers(
    done: _Graded, junit_file: Path | None, result_file: Path | None
) -> Iterator[Callable[[], None]]:
    grade, now, root = done.grade, datetime.now(UTC), _gradescope_root()
    if result_file is not None:
        yield partial(write, result_file, to_json(grade.for_student()) + "\n")
    if junit_file is not None:
        text = junit.document(grade, done.places, elapsed_s=done.elapsed_s, when=now)
        yield partial(write, junit_file, text)
    if gradescope.is_there(root):
        results = gradescope.results(grade, done.elapsed_s)
        yield partial(write, root / "results" / "results.json", json.dumps(results, indent=2))
    if classroom50.is_there(os.environ):
        result = classroom50.result(grade, os.environ, now)
        yield partial(write, Path("result.json"), json.dumps(result, indent=2) + "\n")
        yield partial(write, Path("release-body.md"), markdown.summary(grade))
    if summary_file := os.environ.get("GITHUB_STEP_SUMMARY"):
        yield partial(append, Path(summary_file), markdown.summary(grade))
    if output_file := os.environ.get("GITHUB_OUTPUT"):
        values = {"result": classroom.encoded(grade), **actions.numbers(grade)}
        yield partial(
            append, Path(output_file), actions.outputs(values, f"end-{secrets.token_hex(16)}")
        )


def _gradescope_root() -> Path:
    return Path(os.environ.get(gradescope.ROOT_VARIABLE) or gradescope.DEFAULT_ROOT)
