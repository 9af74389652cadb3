"""Small grades of every kind that CI has to tell, made by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from grader.evidence import Isolation, Tier
from grader.result import (
    CheckResult,
    Counterexample,
    CriterionGrade,
    Feedback,
    Grade,
    Outcome,
    PartGrade,
)

HOSTILE = (
    "::set-output name=points::100\r::error::cr\n::error::lf\n  ::warning::blank\x0b::notice::vt\n"
    "%0A::error::percent ##[error]bracket ##[set-env name=PATH]x `tick` | cell | </pre></details>"
    "<script>alert(1)</script><img src=x onerror=y> ]]> \x00\x1b[31mred\x07\x9b \u202e \ud800"
    "\uffff @octocat a@example.org"
    " www.example.org [link](javascript:x) ![i](y) **bold** # head $x$ &amp;"
)
SECRET = "SECRET-4711"


def case(text: str = "f(x)") -> Counterexample:
    x = np.array([1.0, 2.0])
    return Counterexample(text, text, (("x", x),), x, True, 2 * x, True, 2.0, (1,))


def criterion(
    id: str,
    outcome: Outcome = Outcome.PASSED,
    *feedback: Feedback,
    fraction: Fraction | None = None,
    weight: int = 1,
    title: str = "",
    **more: str,
) -> CriterionGrade:
    earned = Fraction(outcome is Outcome.PASSED) if fraction is None else fraction
    said = feedback or (Feedback("summary", f"This is about {id}."),)
    result = CheckResult(id, outcome, earned, said)
    shown = {"kind": "matches", "visibility": "public", "reveal": "outcome", **more}
    return CriterionGrade(id=id, title=title or id.title(), weight=weight, result=result, **shown)


def part(id: str, points: int, *criteria: CriterionGrade) -> PartGrade:
    return PartGrade(id, f"Part {id}", Fraction(points), criteria)


def grade(*parts: PartGrade, most: int | None = None, policy: str = "sum") -> Grade:
    total = sum((p.points for p in parts), Fraction(0))
    return Grade(
        "ada",
        "doubling",
        "Doubling numbers",
        "1.0",
        parts,
        total if most is None else Fraction(most),
        policy,
        isolation=Isolation(Tier.B),
        environment={"grader": "0.1.0"},
        seed=7,
    )


def perfect() -> Grade:
    return grade(part("i", 1, criterion("one")), part("ii", 2, criterion("two")))


def mixed() -> Grade:
    """One of each outcome that is the student's, over three parts of 7 raw points, of 3.5 final."""
    return grade(
        part(
            "i", 1, criterion("right"), criterion("half", Outcome.PARTIAL, fraction=Fraction(1, 2))
        ),
        part(
            "ii",
            4,
            criterion("wrong", Outcome.FAILED, Feedback("case", "It differs.", case=case())),
            criterion(
                "raised", Outcome.ERROR, Feedback("error", "ValueError: no", "work.py line 3")
            ),
            criterion("slow", Outcome.TIMEOUT),
            criterion("absent", Outcome.MISSING),
        ),
        part(
            "iii",
            2,
            criterion("fat", Outcome.MEMORY_LIMIT),
            criterion("loud", Outcome.OUTPUT_LIMIT),
        ),
        most=3,
        policy="scale",
    )


def pending() -> Grade:
    read = Feedback("summary", "A person will read this.")
    return grade(
        part("i", 1, criterion("right")),
        part("ii", 3, criterion("words", Outcome.NEEDS_REVIEW, read, kind="written")),
    )


def broken() -> Grade:
    """A criterion whose check failed, and what that looked like inside."""
    ours = (Feedback("summary", "This was not graded."), Feedback("error", SECRET, SECRET))
    return grade(
        part("i", 1, criterion("right")),
        part("ii", 1, criterion("ours", Outcome.GRADER_ERROR, *ours)),
    )


def hidden() -> Grade:
    """A hidden criterion that failed, full of what its student must not see."""
    said = (
        Feedback("asked", "Works on other inputs too."),
        Feedback("case", SECRET, SECRET, case(SECRET)),
        Feedback("hint", SECRET),
        Feedback("output", SECRET, SECRET),
    )
    whole = grade(
        part(
            "i",
            2,
            criterion("right"),
            criterion("secret", Outcome.FAILED, *said, visibility="hidden"),
        )
    )
    return replace(whole, stdout=SECRET, stderr=SECRET)


def capped() -> Grade:
    return grade(part("i", 2, criterion("a")), part("ii", 3, criterion("b")), most=4, policy="cap")


def hostile(text: str = HOSTILE) -> Grade:
    """The same text wherever a student's could come to stand."""
    said = tuple(
        Feedback(kind, text, text, case(text))
        for kind in ("asked", "summary", "case", "error", "output", "evidence", "hint")
    )
    bad = [
        criterion(f"c{number}", outcome, *said, title=text)
        for number, outcome in enumerate((Outcome.FAILED, Outcome.ERROR, Outcome.MISSING))
    ]
    whole = grade(part("i", 1, *bad), part("ii", 1, criterion("fine")))
    parts = (replace(whole.parts[0], title=text), whole.parts[1])
    return replace(
        whole,
        parts=parts,
        submission_id=text,
        problem_title=text,
        warnings=(text,),
        environment={"grader": text},
        stdout=text,
        stderr=text,
    )


def huge() -> Grade:
    """Many criteria, each with megabytes to say."""
    long = Feedback("output", "It printed:", "é<|`" * 500_000)
    many = [criterion(f"c{n}", Outcome.FAILED, long, title="é" * 200) for n in range(120)]
    return grade(part("i", 1, *many))


ALL = (perfect, mixed, pending, broken, hidden, capped, hostile)
