"""Aspect: every known mistake loses points, where its own hint is given.

The kill matrix: which misconception loses which criteria, and which of these name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from grader.pipeline.grading import Grading
from grader.pipeline.narrow import narrowed
from grader.problem import CodeCriterion, Misconception
from grader.result import CriterionGrade, Outcome
from grader.verification import Aspect, Finding, Kill, Level
from grader.verify import versions
from grader.verify.bench import Bench, Found, criteria_of
from grader.verify.focus import reaching

NAME = "misconceptions"


@dataclass(frozen=True)
class _Shown:
    """What one misconception came to."""

    misconception: Misconception
    lost: Mapping[str, CriterionGrade]

    @property
    def kill(self) -> Kill:
        named = (id_ for id_, c in self.lost.items() if _first(c) == self.misconception.id)
        return Kill(self.misconception.id, tuple(self.lost), tuple(named))


def _first(criterion: CriterionGrade) -> str:
    return next(iter(criterion.result.misconceptions), "")


def misconceptions(bench: Bench) -> Found:
    """Hand in each misconception and see what it loses."""
    known = bench.problem.misconceptions
    shown = bench.each(lambda wrong: _show(bench, wrong), known)
    kills = tuple(each.kill for each in shown)
    findings = [finding for each in shown for finding in _findings(bench, each)]
    findings += _alike(shown)
    named = sum(bool(kill.recognised) for kill in kills)
    summary = (
        f"{len(kills)} known: {sum(bool(kill.lost) for kill in kills)} caught, {named} recognised."
        if kills
        else "The pack knows no misconceptions."
    )
    title = "Known mistakes lose points, and are named"
    return Found(Aspect(NAME, title, summary, tuple(findings)), misconceptions=kills)


def _show(bench: Bench, wrong: Misconception) -> _Shown:
    touched = reaching(bench.prepared, wrong.functions) | wrong.formulas.keys()
    some = Grading(narrowed(bench.prepared, touched), bench.judge, bench.isolation)
    graded = some.grade(versions.misconception(bench.pack, wrong), bench.perform)
    return _Shown(wrong, {id_: c for id_, c in criteria_of(graded).items() if _is_lost(c)})


def _is_lost(criterion: CriterionGrade) -> bool:
    return criterion.result.fraction < 1 and not criterion.result.outcome.pending


def _findings(bench: Bench, shown: _Shown) -> Iterator[Finding]:
    wrong, kill = shown.misconception, shown.kill
    if not kill.lost:
        yield Finding(
            Level.ERROR,
            wrong.id,
            f"“{wrong.title}” loses no points: whoever makes this mistake gets full marks.",
            "add a case on which it goes wrong to the inputs of a criterion",
        )
        return
    yield from _blind_spots(bench, shown)
    if kill.recognised:
        if not any(_is_told(shown.lost[id_]) for id_ in kill.recognised):
            yield Finding(
                Level.NOTE,
                wrong.id,
                f"It is recognised only by {', '.join(kill.recognised)}, hidden criteria that tell "
                "their outcome alone: no student reads its hint.",
                'give one of them reveal = "hint"',
            )
        return
    others = dict.fromkeys(name for c in shown.lost.values() if (name := _first(c)))
    if others:
        text = f"It loses points, but is taken for {', '.join(others)} throughout."
    else:
        text = f"It loses points ({', '.join(kill.lost)}), but no feedback names it."
    yield Finding(
        Level.WARNING,
        wrong.id,
        text,
        "add a case on which it gives finite numbers of its own",
    )


def _is_told(criterion: CriterionGrade) -> bool:
    return criterion.visibility == "public" or criterion.reveal == "hint"


def _blind_spots(bench: Bench, shown: _Shown) -> Iterator[Finding]:
    """The functions and formulas of a misconception that lose nothing themselves."""
    wrong = shown.misconception
    code = [c for _, c in bench.problem.criteria() if isinstance(c, CodeCriterion)]
    calls = {criterion.id: criterion.function for criterion in code}
    losing = {calls.get(id_, id_) for id_ in shown.lost}
    # What is right given the student's own earlier mistake keeps its points, and is meant to.
    carried = {criterion.function for criterion in code if criterion.carried}
    for name in (*wrong.functions, *wrong.formulas):
        if name not in losing | carried:
            yield Finding(
                Level.WARNING,
                wrong.id,
                f"Its version of {name} loses no points, though the others do.",
                f"add a case for {name}, or take it out of the misconception",
            )


def _alike(shown: Sequence[_Shown]) -> Iterator[Finding]:
    """Pairs that nothing tells apart: wherever one is named, the other fits as well."""
    for one, other in combinations(shown, 2):
        if one.lost and _fits(one, other) and _fits(other, one):
            names = one.misconception.id, other.misconception.id
            yield Finding(
                Level.WARNING,
                names[0],
                f"Nothing tells {names[0]} and {names[1]} apart.",
                "add a case on which they differ, or make them one",
            )


def _fits(one: _Shown, other: _Shown) -> bool:
    """Whether a misconception is seen as another too, in everything that it loses."""
    seen = [c for c in one.lost.values() if c.result.misconceptions]
    return (
        one.lost.keys() == other.lost.keys()
        and bool(seen)
        and all(other.misconception.id in c.result.misconceptions for c in seen)
        and all(c.result.outcome is not Outcome.GRADER_ERROR for c in seen)
    )
