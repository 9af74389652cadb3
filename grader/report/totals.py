"""A grade's points in words: what was won, what is open and what that means, what a point counts.

Everything here is text or a percentage, rounded once; the template only places it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.report.text import count, points
from grader.result import Grade, Outcome


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers and sentences at the head of a student's page; points are written out."""

    headline: str
    score: str
    open: str
    most: str
    raw: str
    raw_most: str
    score_share: float
    """Percent of the maximum, for the bar; `open_share` likewise."""
    open_share: float
    scaled: bool
    """Whether raw points count as a different number of final ones."""
    policy: str
    standing: tuple[str, ...]


def totals(grade: Grade, raw_most: Fraction) -> Totals:
    """Write a grade's points out; `raw_most` is its parts' points added up."""
    status, score, most = grade.status, grade.score, grade.max_score
    still_open = Fraction(0) if status == "graded" else grade.pending
    nothing_yet = status == "ungraded" and not score
    return Totals(
        headline="–" if nothing_yet else points(score),
        score=points(score),
        open=points(still_open),
        most=points(most),
        raw=points(grade.raw_score),
        raw_most=points(raw_most),
        score_share=_percent(score, most),
        open_share=_percent(still_open, most),
        scaled=grade.points_policy == "scale" and raw_most != most,
        policy=_policy(grade.points_policy, raw_most, most),
        standing=tuple(_standing(grade, score, still_open)),
    )


def _percent(value: Fraction, most: Fraction) -> float:
    return round(float(value / most) * 100, 2) if most else 0.0


def _policy(policy: str, raw: Fraction, final: Fraction) -> str:
    """Say how the parts' points become the total, where they are not simply added."""
    if raw == final or not raw:
        return ""
    if policy == "cap":
        return f"The parts add up to {points(raw)} points; the total is capped at {points(final)}."
    return (
        f"The parts add up to {points(raw)} raw points, which count as {points(final)}:"
        f" each raw point counts {points(final / raw)}."
    )


def _standing(grade: Grade, score: Fraction, still_open: Fraction) -> Iterator[str]:
    """Say what the score means, in sentences: what is open, and what happens to it."""
    status = grade.status
    if status == "graded":
        yield "Everything that counts has been decided, so this score is final."
        return
    if status == "ungraded":
        yield (
            "The grader itself failed here. That is our fault, not yours: what it could not grade"
            " is neither lost nor won, and will be graded again."
        )
    outcomes = [c.result.outcome for part in grade.parts for c in part.criteria]
    reviews = outcomes.count(Outcome.NEEDS_REVIEW)
    if reviews:
        yield f"A person still has to read {count(reviews, 'answer')}."
    if still_open:
        one = still_open == 1
        yield (
            f"{points(still_open)} {'point is' if one else 'points are'} still open: neither won"
            f" nor lost. The score will end between {points(score)} and"
            f" {points(score + still_open)} of {points(grade.max_score)}."
        )
