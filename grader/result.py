"""What grading produces: outcomes, feedback, check results, grades.

Frozen dataclasses that the steps hand on to each other; none of them knows a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Literal

from grader.evidence import Isolation
from grader.problem import Visibility
from grader.value import Plain
from grader.variant import Variant


class Outcome(StrEnum):
    """How a criterion came out."""

    PASSED = "passed"
    PARTIAL = "partial"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    MISSING = "missing"
    NEEDS_REVIEW = "needs_review"
    GRADER_ERROR = "grader_error"

    @property
    def pending(self) -> bool:
        """Whether the points are still open: a person, or a mended grader, has to decide."""
        return self in (Outcome.NEEDS_REVIEW, Outcome.GRADER_ERROR)


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest failing case, whole."""

    call: str
    """Like ``attention_weights(q, K)``."""
    label: str
    arguments: tuple[tuple[str, Plain], ...]
    returned: Plain = None
    has_returned: bool = False
    expected: Plain = None
    has_expected: bool = False
    max_error: float | None = None
    where: tuple[int, ...] | None = None
    """Index of the largest error."""


FeedbackKind = Literal[
    "asked", "answer", "summary", "case", "misconception", "hint", "error", "output", "evidence",
    "constraint", "not_checked", "formula", "review", "rubric", "carried",
]  # fmt: skip
"""`carried` tells that an answer is right given the student's own earlier result; `rubric`, what a
right answer would have to say: for whoever marks it, and for its author only once it is decided."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """One thing to say about a criterion, as a sentence, with what belongs to it."""

    kind: FeedbackKind
    text: str
    block: str = ""
    """Preformatted text under the sentence: a traceback, printed output, quoted evidence."""
    case: Counterexample | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A criterion's outcome: always a fraction of its points, exact, and always feedback.

    Raises:
        ValueError: if the fraction is outside 0..1, or a pending outcome claims points.
    """

    criterion_id: str
    outcome: Outcome
    fraction: Fraction
    feedback: tuple[Feedback, ...] = ()
    misconceptions: tuple[str, ...] = ()
    suggested_fraction: Fraction | None = None
    group: str = ""
    """For written answers: which concepts were found, so that like can be reviewed with like."""
    cause: str = ""
    """What the code failed at, in short, where that is certain: a line, a function it lacks."""
    hunches: tuple[str, ...] = ()
    """Misconceptions that fit by nan, inf and nothing else, as they fit many a fault: named only if
    the other criteria bear them out (`checks.together`), which clears this."""
    carried: bool = False
    """Whether some of its points were won by an answer that is right given the student's own wrong
    earlier result, and only given that."""

    def __post_init__(self) -> None:
        if not 0 <= self.fraction <= 1:
            raise ValueError(f"{self.criterion_id}: fraction {self.fraction} is outside 0..1")
        if self.outcome.pending and self.fraction:
            raise ValueError(f"{self.criterion_id}: a pending outcome has no points yet")

    @property
    def fault(self) -> str:
        """What it failed for, "" if that may be anything: the same in another criterion means one
        fault, which need not be explained twice.
        """
        return f"misconception {self.misconceptions[0]}" if self.misconceptions else self.cause


@dataclass(frozen=True, slots=True)
class CriterionGrade:
    """A criterion as it counts in a grade."""

    id: str
    title: str
    kind: str
    visibility: Visibility
    reveal: str
    weight: int
    result: CheckResult
    reviewed_by: str = ""


@dataclass(frozen=True)
class PartGrade:
    """A part's points: weights share them out among the criteria, exactly.

    Sums of fractions are asked for again and again, so each is kept once it is known.
    """

    id: str
    title: str
    points: Fraction
    criteria: tuple[CriterionGrade, ...]

    def points_of(self, criterion: CriterionGrade) -> Fraction:
        """The points that one of the criteria is worth, before the points policy."""
        return criterion.weight * self._point_per_weight

    @cached_property
    def _point_per_weight(self) -> Fraction:
        return self.points / sum(c.weight for c in self.criteria)

    @cached_property
    def earned(self) -> Fraction:
        """Points decided and won."""
        won = sum((c.weight * c.result.fraction for c in self.criteria), Fraction(0))
        return won * self._point_per_weight

    @cached_property
    def pending(self) -> Fraction:
        """Points not decided yet."""
        open_weight = sum(c.weight for c in self.criteria if c.result.outcome.pending)
        return open_weight * self._point_per_weight


@dataclass(frozen=True)
class Grade:
    """A submission's grade, whole; every number in it follows from the parts."""

    submission_id: str
    problem_id: str
    problem_title: str
    problem_version: str
    parts: tuple[PartGrade, ...]
    max_score: Fraction
    points_policy: str
    """`scale`, `cap` or `sum`."""
    warnings: tuple[str, ...] = ()
    isolation: Isolation | None = None
    """None when no code was run."""
    environment: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    variant: Variant = field(default_factory=dict)
    """The student's own values, where the problem differs from student to student."""
    stdout: str = ""
    stderr: str = ""
    """What the code printed before it was given any hidden call."""
    fault: str = ""
    """Why the grader could not grade this at all, if so."""

    @cached_property
    def raw_score(self) -> Fraction:
        """Points earned, before the points policy."""
        return sum((part.earned for part in self.parts), Fraction(0))

    @cached_property
    def raw_pending(self) -> Fraction:
        """Points pending, before the points policy."""
        return sum((part.pending for part in self.parts), Fraction(0))

    @cached_property
    def raw_max_score(self) -> Fraction:
        """The parts' points added up."""
        return sum((part.points for part in self.parts), Fraction(0))

    def _final(self, raw: Fraction) -> Fraction:
        if self.points_policy == "cap":
            return min(raw, self.max_score)
        if self.points_policy == "scale" and self.raw_max_score:
            return raw * self.max_score / self.raw_max_score
        return raw

    @cached_property
    def score(self) -> Fraction:
        """Final points earned so far, exact."""
        return self._final(self.raw_score)

    @cached_property
    def pending(self) -> Fraction:
        """Final points still open, exact."""
        return self._final(self.raw_score + self.raw_pending) - self.score

    @cached_property
    def status(self) -> Literal["graded", "provisional", "ungraded"]:
        """`ungraded` where the grader itself failed, `provisional` where a person must look."""
        outcomes = [c.result.outcome for part in self.parts for c in part.criteria]
        if self.fault or Outcome.GRADER_ERROR in outcomes:
            return "ungraded"
        return "provisional" if Outcome.NEEDS_REVIEW in outcomes else "graded"

    def decided(self, criterion_id: str, fraction: Fraction, who: str, comment: str) -> Grade:
        """The grade with a person's decision in place of one criterion's result."""
        parts = tuple(
            replace(
                part,
                criteria=tuple(
                    _decided(c, fraction, who, comment) if c.id == criterion_id else c
                    for c in part.criteria
                ),
            )
            for part in self.parts
        )
        return replace(self, parts=parts)

    def for_student(self) -> Grade:
        """The same grade without what its student must not see.

        That is the detail of hidden criteria, and what our or the pack's own fault looked like
        inside (a traceback quotes the pack's code).  What the code printed is kept from before it
        was given any hidden call, so it stays.
        """
        parts = tuple(
            replace(part, criteria=tuple(_for_student(c) for c in part.criteria))
            for part in self.parts
        )
        fault = "The grader failed before it could grade this." if self.fault else ""
        return replace(self, parts=parts, fault=fault)


_OF_OUR_FAULTS = frozenset({"asked", "summary"})
_REVEALED = {
    "outcome": frozenset({"asked", "carried"}),
    "hint": frozenset({"asked", "carried", "hint", "misconception"}),
}


def _for_student(criterion: CriterionGrade) -> CriterionGrade:
    if criterion.visibility == "public":
        return _without_internals(criterion)
    kinds = _REVEALED[criterion.reveal]
    kept = tuple(item for item in criterion.result.feedback if item.kind in kinds)
    note = Feedback("not_checked", "This check is hidden: its inputs and details are not shown.")
    named = criterion.result.misconceptions if criterion.reveal == "hint" else ()
    shown = replace(
        criterion.result, feedback=(*kept, note), misconceptions=named,
        suggested_fraction=None, group="", cause="",
    )  # fmt: skip
    return replace(criterion, result=shown)


def _without_internals(criterion: CriterionGrade) -> CriterionGrade:
    feedback = criterion.result.feedback
    if criterion.result.outcome is Outcome.NEEDS_REVIEW:
        kept = tuple(item for item in feedback if item.kind != "rubric")
    elif criterion.result.outcome is Outcome.GRADER_ERROR:
        kept = tuple(item for item in feedback if item.kind in _OF_OUR_FAULTS)
    else:
        return criterion
    return replace(criterion, result=replace(criterion.result, feedback=kept))


def _decided(c: CriterionGrade, fraction: Fraction, who: str, comment: str) -> CriterionGrade:
    whole = {Fraction(1): Outcome.PASSED, Fraction(0): Outcome.FAILED}
    said = Feedback("review", comment or "Decided in review.")
    result = replace(
        c.result,
        outcome=whole.get(fraction, Outcome.PARTIAL),
        fraction=fraction,
        feedback=(*(item for item in c.result.feedback if item.kind != "review"), said),
        suggested_fraction=None,
        carried=False,
    )
    return replace(c, result=result, reviewed_by=who)
