"""GitHub Actions: annotations, the log, and step outputs, none of which a student can forge.

The runner obeys every printed line that starts with ``::name`` (after any blanks) or holds
``##[name]`` anywhere, and takes CR as well as LF for a line's end.  So a command's text is escaped,
and everything else is printed under a shield: between ``::stop-commands::`` with a token nobody can
guess and that token, every line behind a mark of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.report.ci.plain import Place, Share, detail, headline, one_line, shares
from grader.report.text import points
from grader.result import Grade, Outcome
from grader.text import visible
from grader.value import cut

MOST_ANNOTATIONS = 10
"""Of one level; the runner drops what is beyond."""
_MESSAGE = 1500
_MARK = "│ "
_NOTHING_TO_MEND = frozenset({Outcome.PASSED, Outcome.NEEDS_REVIEW, Outcome.GRADER_ERROR})

Level = Literal["error", "warning", "notice"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """Something to show at a line of the student's, or at none."""

    level: Level
    title: str
    message: str
    place: Place | None = None


def to_annotate(grade: Grade, places: Mapping[str, Place]) -> list[Annotation]:
    """What to show beside the code: each public criterion that is not passed, and the score.

    `places` maps criteria's ids to where they failed.  What failed at one place is told there once.
    """
    told: dict[tuple[Level, Place | str], Annotation] = {}
    for share in shares(grade):
        if share.hidden or share.outcome in _NOTHING_TO_MEND:
            continue
        place = places.get(share.criterion.id)
        level: Level = "warning" if share.outcome is Outcome.PARTIAL else "error"
        key = (level, place or share.criterion.id)
        earlier = told.get(key)
        told[key] = _also(earlier, share) if earlier else _annotation(share, level, place)
    found = list(told.values())
    errors = _first(a for a in found if a.level == "error")
    warnings = _first(a for a in found if a.level == "warning")
    return [*_broken(grade), *errors, *warnings, Annotation("notice", "Score", headline(grade))]


def _annotation(share: Share, level: Level, place: Place | None) -> Annotation:
    said = detail(share.criterion, characters=_MESSAGE, asked=False)
    return Annotation(level, f"{share.name}: {share.word}", said, place)


def _also(earlier: Annotation, share: Share) -> Annotation:
    also = f"{earlier.message}\nAlso: {share.name}: {share.word}"
    return Annotation(earlier.level, earlier.title, cut(also, 2 * _MESSAGE), earlier.place)


def _broken(grade: Grade) -> list[Annotation]:
    if grade.status != "ungraded":
        return []
    said = "The grader or the exercise has a fault. No points were lost by it: grade this again."
    return [Annotation("error", "Not graded in full", said)]


def _first(found: Iterable[Annotation]) -> list[Annotation]:
    kept = list(found)
    # One place is kept free for the annotation that says that something is ungraded.
    most = MOST_ANNOTATIONS - 1
    if len(kept) <= most:
        return kept
    more = f"{len(kept) - most + 1} more are in the summary and the log."
    return [*kept[: most - 1], Annotation(kept[0].level, "And more", more)]


def command(annotation: Annotation) -> str:
    """Write an annotation as one line that the runner obeys, and nothing else in it."""
    properties = {"title": one_line(annotation.title, 200)}
    if annotation.place is not None:
        place = annotation.place
        properties = {"file": visible(place.file), "line": str(place.line), **properties}
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{annotation.level} {listed}::{_data(visible(annotation.message))}"


def _data(text: str) -> str:
    return _unbracketed(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def shield(token: str) -> tuple[str, str]:
    """The lines between which the runner obeys nothing; `token` is fresh and random."""
    return f"::stop-commands::{token}", f"::{token}::"


def harmless(text: str) -> list[str]:
    """Split text into lines that are no commands, shield or not."""
    return [_MARK + _unbracketed(line) for line in visible(text).split("\n")]


def _unbracketed(text: str) -> str:
    return text.replace("##[", "## [")


def outputs(values: Mapping[str, str], delimiter: str) -> str:
    """Write step outputs for ``$GITHUB_OUTPUT``; `delimiter` is fresh and random.

    Raises:
        ValueError: if a value holds the delimiter, which would let it end early.
    """
    if any(delimiter in value for value in values.values()):
        raise ValueError("a step output holds its own delimiter")
    return "".join(f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items())


def numbers(grade: Grade) -> dict[str, str]:
    """The grade's numbers as step outputs: ``points`` is ``2.5/4``."""
    score, most = points(grade.score), points(grade.max_score)
    pending = points(grade.pending)
    return {"points": f"{score}/{most}", "score": score, "max-score": most, "pending": pending}


def log(lines: Sequence[str]) -> list[str]:
    """Lines as the log shows them: one printed line each."""
    return [line for text in lines for line in harmless(text)]
