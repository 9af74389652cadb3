"""The `written` check: limits that warn, and a rubric's concepts with the evidence quoted.

Full credit is given only on clean evidence, nothing only to a blank; everything else goes to a
person, with what was found, what was missed, and a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from grader.checks.written_findings import Findings, findings
from grader.checks.written_reader import reader
from grader.checks.written_reading import Reading
from grader.checks.written_search import TooMuchWork
from grader.evidence import Answer
from grader.problem import WrittenCriterion
from grader.result import CheckResult, Feedback, Outcome
from grader.rubric import Rubric

LONGEST_ANSWER = 5000
"""Characters that are read; a longer answer goes to a person unread."""


def check(criterion: WrittenCriterion, answer: Answer | None) -> CheckResult:
    """Judge one answer.

    The result's `group` is the same for answers in which the same was found.
    """
    text = answer.text if answer else ""
    said = [Feedback("asked", criterion.asks)] if criterion.asks else []
    if not text.strip():
        said += [
            Feedback("summary", "There is no answer in words under this part's heading."),
            *_hint(criterion),
        ]
        return CheckResult(criterion.id, Outcome.MISSING, Fraction(0), tuple(said), group="blank")
    if criterion.reading is None:
        said.append(Feedback("summary", "This was not graded: its rubric has not been read."))
        return CheckResult(criterion.id, Outcome.GRADER_ERROR, Fraction(0), tuple(said))
    if len(text) > LONGEST_ANSWER:
        long = f"longer than the {LONGEST_ANSWER:,} characters that the program reads"
        return _unread(criterion, said, f"it is {long}")
    ready = reader(criterion.reading)
    reading = ready.read(text)
    said += _limits(criterion, reading)
    try:
        found = findings(ready, text, reading)
    except TooMuchWork:
        return _unread(criterion, said, "it takes the program too long to read")
    return _judged(criterion, criterion.reading, found, said)


def _judged(
    criterion: WrittenCriterion, rubric: Rubric, found: Findings, said: list[Feedback]
) -> CheckResult:
    said += _evidence(rubric, found)
    group = _group(found)
    if found.automatic:
        summary = Feedback("summary", "The answer says what was asked for.")
        said.insert(bool(criterion.asks), summary)
        return CheckResult(criterion.id, Outcome.PASSED, Fraction(1), tuple(said), group=group)
    said.insert(bool(criterion.asks), Feedback("summary", _why_review(found)))
    said += [Feedback("rubric", line) for line in _missing(rubric, found)]
    said += _hint(criterion) if found.suggestion < 1 else []
    return CheckResult(
        criterion.id,
        Outcome.NEEDS_REVIEW,
        Fraction(0),
        tuple(said),
        suggested_fraction=found.suggestion,
        group=group,
    )


def _unread(criterion: WrittenCriterion, said: list[Feedback], why: str) -> CheckResult:
    summary = f"A person has to read this answer: {why}. There is no suggestion."
    said.append(Feedback("summary", summary))
    return CheckResult(criterion.id, Outcome.NEEDS_REVIEW, Fraction(0), tuple(said), group="unread")


def _hint(criterion: WrittenCriterion) -> list[Feedback]:
    return [Feedback("hint", criterion.hint)] if criterion.hint else []


def _limits(criterion: WrittenCriterion, reading: Reading) -> Iterator[Feedback]:
    """Warn where an answer is longer than asked; that costs no points."""
    for limit, count, noun in (
        (criterion.max_sentences, reading.sentences, "sentence"),
        (criterion.max_words, reading.words, "word"),
    ):
        if limit is not None and count > limit:
            asked = f"{limit} {noun}" if limit == 1 else f"{limit} {noun}s"
            were = "was" if limit == 1 else "were"
            warning = f"The answer has {count} {noun}s; at most {asked} {were} asked for."
            yield Feedback("constraint", f"{warning} No points are lost for that.")


def _evidence(rubric: Rubric, found: Findings) -> Iterator[Feedback]:
    titles = {concept.id: concept.title for concept in rubric.concepts}
    for item in found.evidence:
        if item.denied:
            text = f"Speaks of this, but may deny it: {titles[item.concept]}."
        elif item.sure:
            text = f"Says that {titles[item.concept]}."
        else:
            text = f"May say that {titles[item.concept]}."
        yield Feedback("evidence", text, block=item.quote)


def _why_review(found: Findings) -> str:
    reasons = [c.because + (f" (“{c.quote}”)" if c.quote else "") for c in found.concerns]
    if not reasons:
        reasons = ["not all of what was asked for was found in words that the program knows"]
    return f"A person has to read this answer: {'; '.join(reasons)}."


def _missing(rubric: Rubric, found: Findings) -> Iterator[str]:
    """Name what the best-fitting way to full credit still lacks."""
    held = {item.concept for item in found.evidence}
    full = [level for level in rubric.levels if level.fraction == 1]
    nearest = min(full, key=lambda level: len(set(level.needs) - held))
    for concept in rubric.concepts:
        if concept.id in nearest.needs and concept.id not in held:
            yield f"Not found: that {concept.title}."


def _group(found: Findings) -> str:
    marks = {
        item.concept: "" if item.sure else "-" if item.denied else "?" for item in found.evidence
    }
    parts = [f"{concept}{mark}" for concept, mark in sorted(marks.items())]
    return " ".join([*parts, *(f"!{concern.id}" for concern in found.concerns)]) or "nothing found"
