"""A grade as every CI format tells it: without hidden detail, in final points and plain text.

The other modules of this package only give these words and numbers the shape of a format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.report import values
from grader.report.outcomes import look
from grader.report.text import block, count, points
from grader.report.totals import totals
from grader.result import Counterexample, CriterionGrade, Feedback, Grade, Outcome, PartGrade
from grader.text import visible
from grader.value import cut
from grader.variant import values_of

_OPEN = {"provisional": "provisional", "ungraded": "not graded in full"}


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the student's: `file` relative to the root of the checkout, `line` from 1."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Share:
    """A criterion with what it earned and could earn of the final points, exact."""

    part: PartGrade
    number: str
    """Like ``2.1``: the first criterion of the second part."""
    criterion: CriterionGrade
    earned: Fraction
    most: Fraction

    @property
    def name(self) -> str:
        """Part and title in one line: ``ii. A query that picks one key``."""
        return f"{self.part.id}. {one_line(self.criterion.title)}"

    @property
    def outcome(self) -> Outcome:
        """How the criterion came out."""
        return self.criterion.result.outcome

    @property
    def word(self) -> str:
        """The outcome in words: ``Not right yet``."""
        return look(self.criterion.result).word

    @property
    def hidden(self) -> bool:
        """Whether the criterion's inputs and details are kept from the student."""
        return self.criterion.visibility == "hidden"


def shares(grade: Grade) -> list[Share]:
    """Every criterion with its share of the final points; what they earned adds up to the score."""
    grade = grade.for_student()
    raw_most, raw_earned = grade.raw_max_score, grade.raw_score
    scale = grade.max_score / raw_most if grade.points_policy == "scale" else Fraction(1)
    counted = grade.score / raw_earned if raw_earned else Fraction(0)
    found = []
    for part_number, part in enumerate(grade.parts, start=1):
        per_weight = part.points / sum(c.weight for c in part.criteria)
        for number, criterion in enumerate(part.criteria, start=1):
            own = per_weight * criterion.weight
            earned = own * criterion.result.fraction * counted
            found.append(Share(part, f"{part_number}.{number}", criterion, earned, own * scale))
    return found


def headline(grade: Grade) -> str:
    """Write the score in one line, with what is open: ``2.5 of 4 points (provisional: …)``."""
    said = f"{points(grade.score)} of {points(grade.max_score)} points"
    if grade.status == "graded":
        return said
    pending = "1 point" if grade.pending == 1 else f"{points(grade.pending)} points"
    return f"{said} ({_OPEN[grade.status]}: {pending} pending)"


def standing(grade: Grade) -> list[str]:
    """Say what the score means: what is open, how raw points count, what is hidden."""
    told = totals(grade, grade.raw_max_score)
    hidden = sum(share.hidden for share in shares(grade))
    said = [*told.standing, told.policy]
    if hidden:
        said.append(
            f"{count(hidden, 'criterion is', 'criteria are')} hidden: the outcome is shown, inputs"
            " and details are not."
        )
    return [sentence for sentence in said if sentence]


def detail(criterion: CriterionGrade, *, characters: int = 6000, asked: bool = True) -> str:
    """Write a criterion's feedback as plain text of bounded length, safe for a terminal.

    `asked` says whether to begin with what was asked.
    """
    items = (i for i in criterion.result.feedback if asked or i.kind != "asked")
    lines = [line for item in items for line in _said(item)]
    return block(visible("\n".join(lines)), characters=characters)


def transcript(grade: Grade) -> list[str]:
    """Write the whole grade as lines for a log; what passed is one line each."""
    shown = grade.for_student()
    lines = [f"{one_line(shown.problem_title)} — {one_line(shown.submission_id)}"]
    lines += [f"Variant: {one_line(values_of(shown.variant))}"] if shown.variant else []
    lines += [f"note: {one_line(warning)}" for warning in shown.warnings]
    part = None
    for share in shares(shown):
        if share.part is not part:
            part = share.part
            lines += ["", f"Part {part.id}: {one_line(part.title)}"]
        lines.append(f"  {_points(share)}  {one_line(share.criterion.title)}: {share.word}")
        if share.outcome is not Outcome.PASSED:
            lines += [f"      {line}" for line in detail(share.criterion).split("\n")]
        else:
            said = [i.text for i in share.criterion.result.feedback if i.kind == "carried"]
            lines += [f"      {one_line(text)}" for text in said]
    return [*lines, "", headline(shown), *standing(shown)]


def one_line(text: str, limit: int = 300) -> str:
    """Text as one line of bounded length, without anything that a terminal obeys."""
    return visible(cut(" ".join(text.split()), limit))


def _points(share: Share) -> str:
    return f"{points(share.earned)}/{points(share.most)}"


def _said(item: Feedback) -> Iterator[str]:
    yield from item.text.split("\n") if item.text else ()
    yield from _indented(block(item.block)) if item.block else ()
    yield from _case(item.case) if item.case is not None else ()


def _case(case: Counterexample) -> Iterator[str]:
    if case.label:
        yield from _indented(f"# {case.label}")
    yield from _indented(values.snippet(case))
    returned, expected = values.side_by_side(case.returned, case.expected)
    if case.has_returned:
        yield from _indented(f"returned: {returned}")
    if case.has_expected:
        yield from _indented(f"expected: {expected}")


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.split("\n")]
