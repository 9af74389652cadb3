"""Aspect: the right answers earn full marks, and who has not begun earns nothing."""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from types import CodeType

from grader import submission as collecting
from grader.errors import SubmissionError
from grader.evidence import Submission
from grader.problem import CodeCriterion, Criterion, ManualCriterion, SymbolicCriterion
from grader.result import CriterionGrade, Grade, Outcome
from grader.verification import Aspect, Finding, Level
from grader.verify import versions
from grader.verify.bench import Bench, Found, criteria_of
from grader.verify.odd_answers import broken_by_odd_answers

NAME = "answers"
_SAID = ("error", "case", "summary", "formula")


def answers(bench: Bench) -> Found:
    """Grade the reference, the starter and an empty submission."""
    findings = [*_reference(bench), *_idle_arguments(bench), *_starter(bench), *_empty(bench)]
    if not any(finding.level is Level.ERROR for finding in findings):
        findings += broken_by_odd_answers(bench)
    mechanical = [_is_mechanical(c) for _, c in bench.problem.criteria()]
    summary = (
        "The reference and the formulas were graded on all that is not in words "
        f"({sum(mechanical)} of {len(mechanical)} criteria)"
    )
    title = "Right answers earn full marks, none earn none"
    return Found(Aspect(NAME, title, f"{summary}; so were the starter and nothing.", (*findings,)))


def _is_mechanical(criterion: Criterion) -> bool:
    return isinstance(criterion, CodeCriterion | SymbolicCriterion)


def _reference(bench: Bench) -> Iterator[Finding]:
    graded = criteria_of(bench.grade(versions.reference(bench.pack)))
    absent = versions.without_reference(bench.pack)
    for _, criterion in bench.problem.criteria():
        if not _is_mechanical(criterion) or graded[criterion.id].result.fraction == 1:
            continue
        if isinstance(criterion, CodeCriterion) and criterion.function in absent:
            yield Finding(
                Level.WARNING,
                criterion.id,
                f"reference.py has no {criterion.function}, so nothing shows that a right answer "
                "passes.",
                f"add {criterion.function} to reference.py",
            )
            continue
        yield Finding(
            Level.ERROR,
            criterion.id,
            f"The pack's own right answer does not pass: {said(graded[criterion.id])}",
            "mend the reference, the inputs, the check or the tolerance",
            next((f.block for f in graded[criterion.id].result.feedback if f.kind == "error"), ""),
        )


def _idle_arguments(bench: Bench) -> Iterator[Finding]:
    """Arguments that the reference never looks at: forgotten, most likely.

    One that is there to be ignored is told by a name that begins with `_`.
    """
    asked = [c for _, c in bench.problem.criteria() if isinstance(c, CodeCriterion)]
    for name in dict.fromkeys(c.reference or c.function for c in asked):
        code = getattr(inspect.unwrap(bench.pack.reference.get(name, abs)), "__code__", None)
        if not isinstance(code, CodeType):
            continue
        read = {step.argval for step in dis.get_instructions(code) if "STORE" not in step.opname}
        for argument in code.co_varnames[: code.co_argcount]:
            if argument in read or argument.startswith("_"):
                continue
            text = f"The reference {name} never looks at its argument {argument}."
            mend = f"use it, or call it _{argument} if students are to see that it does not matter"
            yield Finding(Level.WARNING, name, text, mend)


def said(graded: CriterionGrade) -> str:
    """The outcome of a criterion, and the first thing that its feedback says of it."""
    feedback = graded.result.feedback
    texts = [item.text for kind in _SAID for item in feedback if item.kind == kind and item.text]
    sentences = [text if text.endswith((".", ":")) else f"{text}." for text in texts[:2]]
    return " ".join([f"{graded.result.outcome}.", *sentences])


def _starter(bench: Bench) -> Iterator[Finding]:
    name = bench.problem.starter
    try:
        found = collecting.discover([bench.pack.folder / name], bench.problem)
        read = [collecting.read(source, bench.problem) for source in found.sources]
    except SubmissionError as error:
        read, reason = [], str(error)
    else:
        reason = f"it is read as {len(read)} submissions"
    if len(read) != 1:
        yield Finding(
            Level.ERROR,
            name,
            f"The starter cannot be graded as a submission: {reason}",
            f"put the stubs that students begin with into {name}/, named as [files] says",
        )
        return
    yield from _earns_nothing(bench, name, read[0], "The starter")


def _empty(bench: Bench) -> Iterator[Finding]:
    yield from _earns_nothing(bench, "empty", versions.empty(), "A submission with nothing in it")


def _earns_nothing(bench: Bench, about: str, submission: Submission, who: str) -> Iterator[Finding]:
    grade: Grade = bench.grade(submission)
    manual = {c.id for _, c in bench.problem.criteria() if isinstance(c, ManualCriterion)}
    for id_, criterion in criteria_of(grade).items():
        if criterion.result.fraction > 0:
            text = f"{who} earns points on {id_}: {said(criterion)}"
            mend = "whoever did nothing earns nothing: let the check ask for more than the stub"
            yield Finding(Level.ERROR, about, text, mend)
        elif criterion.result.outcome is not Outcome.MISSING and id_ not in manual:
            text = f"{who} is not seen as not attempted on {id_}, but as {said(criterion)}"
            mend = "let the stubs raise NotImplementedError, and leave the answers empty"
            yield Finding(Level.WARNING, about, text, mend)
