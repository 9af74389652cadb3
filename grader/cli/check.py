"""`grader check`: a student's own check, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from grader.cli.console import paragraph, say
from grader.cli.options import isolation_options, seed_option, weakest
from grader.cli.packs import find_work
from grader.cli.transcript import print_grade
from grader.errors import GraderError, SubmissionError
from grader.evidence import Tier
from grader.pipeline.session import open_session
from grader.pipeline.variants import whose
from grader.report.faults import repeated, widest
from grader.result import Grade, Outcome
from grader.submission import discover, read

_HARMLESS = (Outcome.PASSED, Outcome.NEEDS_REVIEW)


@click.command()
@click.argument("problem", required=False, type=click.Path())
@click.argument("submission", required=False, type=click.Path(path_type=Path))
@click.option("-v", "--verbose", is_flag=True, help="Explain what passed, too.")
@click.option(
    "--student",
    metavar="ID",
    help="Whose variant to check by, where the problem has variants; else the starter's line says.",
)
@seed_option
@isolation_options(Tier.D)
def check(
    problem: str | None,
    submission: Path | None,
    verbose: bool,
    student: str | None,
    seed: int | None,
    min_isolation: str,
    allow_unsafe: bool,
) -> None:
    """Check your work against the public criteria of PROBLEM, and see what to mend.

    SUBMISSION is your file, notebook or folder; without it, the folder you are in.  PROBLEM may be
    left out where there is only one.  Hidden criteria are not part of the check.

    \b
    Examples:
      grader check
      grader check attention.py
      grader check attention_copying my_work/

    Exit status: 0 everything that a machine can decide passed, 1 not, 2 usage. An explanation in
    words that a person has to read does not count against you here.
    """
    here = Path.cwd()
    pack, work = find_work(problem, submission, here, here)
    with open_session(
        pack, seed=seed, public_only=True, weakest=weakest(min_isolation, allow_unsafe)
    ) as session:
        found = discover([work], session.prepared.problem)
        if len(found.sources) > 1:
            names = ", ".join(source.id for source in found.sources[:5])
            raise SubmissionError(
                f"{work} holds {len(found.sources)} submissions ({names}, …): name one of them, "
                "or grade them all with `grader grade`."
            )
        for warning in found.warnings:
            say(paragraph(f"note: {warning}", ""), err=True)
        if session.isolation.tier > Tier.B:
            tier = session.isolation.tier
            note = f"note: your code is confined only in part here (tier {tier}: `grader doctor`)."
            say(note, err=True)
        own = read(found.sources[0], session.prepared.problem)
        ready = session.variants.ready(whose(session.variants.pack.problem, own, student))
        grade = ready.grading.grade(own, session.pool.perform)
    print_grade(grade.for_student(), verbose=verbose)
    _conclude(grade, session.prepared.left_out, verbose=verbose)


def _conclude(grade: Grade, hidden: int, *, verbose: bool) -> None:
    outcomes = [c.result.outcome for part in grade.parts for c in part.criteria]
    passed = sum(outcome is Outcome.PASSED for outcome in outcomes)
    say()
    criteria = "public criterion" if len(outcomes) == 1 else "public criteria"
    say(f"{passed} of {len(outcomes)} {criteria} passed.", bold=True)
    for sentence in _what_next(grade, hidden, verbose=verbose):
        say(paragraph(sentence, ""))
    broken = sum(outcome is Outcome.GRADER_ERROR for outcome in outcomes)
    if broken:
        raise GraderError(
            f"{broken} {'criterion' if broken == 1 else 'criteria'} could not be checked, "
            "through no fault of yours"
            f"{': ' + grade.fault if grade.fault else ''}. Tell your instructor."
        )
    if any(outcome not in _HARMLESS for outcome in outcomes):
        raise SystemExit(1)


def _what_next(grade: Grade, hidden: int, *, verbose: bool) -> Iterator[str]:
    """What to mend first, and what this check leaves open."""
    fault = widest(grade)
    if fault:
        first, count = fault
        yield f"Begin with “{first.title}”: {count} criteria are lost for the reason given there."
    criteria = [c for part in grade.parts for c in part.criteria]
    folded = [c for c in criteria if c.id in repeated(grade)]
    if not verbose and any(item.case for c in folded for item in c.result.feedback):
        yield "`grader check -v` shows the failing case of each."
    review = sum(c.result.outcome is Outcome.NEEDS_REVIEW for c in criteria)
    if review:
        yield f"{review} will be read by a person, who decides."
    if hidden:
        them = "criterion, which counts" if hidden == 1 else "criteria, which count"
        yield f"Not checked here: {hidden} hidden {them} in your grade too."
