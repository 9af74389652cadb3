"""Grades of every kind a report must show, made by hand: the fixtures of the report's tests."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np

from grader.evidence import Isolation, Protection, Tier
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
    "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{7*7}}${x}`\x1b[31m\u202e\x00\ud800"
)
STATEMENT = r"""
# Copying in attention

Attention takes a query $q \in \mathbb{R}^d$, keys $k_1, \ldots, k_n$ and values $v_1, \ldots, v_n$:

$$c = \sum_{i=1}^{n} \alpha_i v_i, \qquad
  \alpha_i = \frac{\exp(k_i^\top q)}{\sum_{j=1}^{n} \exp(k_j^\top q)}.$$

## i. Weights (1 point)

Say why $\alpha$ is a *categorical distribution*, and write `attention_weights(q, K)`.

| part | points |
|------|--------|
| i    | 1      |
"""
ISOLATION = Isolation(
    Tier.B,
    (
        Protection("reading outside files", True, "open: permission denied"),
        Protection("network", True, "socket: operation not permitted"),
        Protection("namespaces", False, "unshare: not permitted", "allow user namespaces"),
    ),
)
ENVIRONMENT = {"python": "3.11.7", "numpy": "2.4.6", "platform": "Linux x86_64"}


def passed(text: str = "All 24 cases agree.") -> CheckResult:
    return result(Outcome.PASSED, Feedback("summary", text))


def result(
    outcome: Outcome, *feedback: Feedback, fraction: Fraction | None = None, **more
) -> CheckResult:
    if fraction is None:
        fraction = Fraction(outcome is Outcome.PASSED)
    return CheckResult("", outcome, fraction, feedback, **more)


def criterion(id, title, kind, result, *, weight=1, asks="", visibility="public", reveal="outcome"):
    asked = (Feedback("asked", asks),) if asks else ()
    result = replace(result, criterion_id=id, feedback=(*asked, *result.feedback))
    return CriterionGrade(id, title, kind, visibility, reveal, weight, result)


def attention(id: str = "anna-k", /, warnings=(), **results: CheckResult) -> Grade:
    """A grade of the attention problem; criteria not named have passed."""

    def one(key, title, kind, asks="", **more):
        return criterion(key, title, kind, results.get(key, passed()), asks=asks, **more)

    parts = (
        PartGrade(
            "i",
            "Weights are a distribution",
            Fraction(1),
            (
                one(
                    "weights",
                    "Attention weights",
                    "matches",
                    "`attention_weights(q, K)` returns $\\alpha_i = \\frac{\\exp(k_i^\\top q)}"
                    "{\\sum_j \\exp(k_j^\\top q)}$ for each key.",
                    weight=2,
                ),
                one(
                    "large",
                    "Large logits",
                    "matches",
                    "The weights stay right for logits of ±1e3.",
                    weight=1,
                    visibility="hidden",
                    reveal="hint",
                ),
                one(
                    "why",
                    "Why α is a categorical distribution",
                    "written",
                    "Explain why $\\alpha$ can be read as a categorical distribution.",
                    weight=3,
                ),
            ),
        ),
        PartGrade(
            "ii",
            "When one weight takes it all",
            Fraction(2),
            (
                one(
                    "query",
                    "A query that picks one key",
                    "property",
                    "`peaked_query(K, j, eps)` gives $q$ with $\\alpha_j \\ge 1 - \\varepsilon$.",
                ),
                one(
                    "margin",
                    "The margin that guarantees it",
                    "symbolic",
                    "Write $m(n, \\varepsilon)$ from which $\\alpha_j \\ge 1-\\varepsilon$.",
                ),
                one(
                    "condition",
                    "The condition, in one sentence",
                    "written",
                    "Say what must be true of $q$ and the keys.",
                    weight=2,
                ),
            ),
        ),
        PartGrade(
            "iii",
            "What the output looks like",
            Fraction(1),
            (
                one("attend", "The attention output", "matches", "`attend(q, K, V)` returns $c$."),
                one("share", "The weight as a function of the margin", "symbolic"),
                one("output", "Properties of c", "written", weight=2),
            ),
        ),
        PartGrade(
            "iv",
            "Copying a value",
            Fraction(1),
            (
                one(
                    "copy",
                    "Copy a value",
                    "matches",
                    "`copy_value(K, V, j, eps)` returns about $v_j$.",
                ),
                one(
                    "orthogonal", "A query orthogonal to every key", "property", visibility="hidden"
                ),
                one("intuition", "The intuition", "written", weight=2),
            ),
        ),
    )
    return Grade(
        id,
        "attention_copying",
        "Copying in attention",
        "1.0",
        parts,
        Fraction(4),
        "scale",
        warnings=tuple(warnings),
        isolation=ISOLATION,
        environment=ENVIRONMENT,
        seed=20240229,
    )


def perfect() -> Grade:
    return attention("perfect")


def scaled_logits() -> Counterexample:
    q, K = np.array([2.0, -1.0]), np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    returned = np.array([0.6285, 0.0753, 0.2961])
    expected = np.array([0.70538451, 0.03511903, 0.25949646])
    return Counterexample(
        "attention_weights(q, K)",
        "three keys in the plane",
        (("q", q), ("K", K)),
        returned,
        True,
        expected,
        True,
        0.0769,
        (0,),
    )


def wrong_axis() -> Counterexample:
    rng = np.random.default_rng(7)
    expected = rng.dirichlet(np.ones(5), size=4)
    returned = (expected / expected.sum(axis=0)).round(6)
    return Counterexample(
        "weights_of_all(Q, K)",
        "four queries, five keys",
        (("Q", rng.normal(size=(4, 3)).round(2)), ("K", rng.normal(size=(5, 3)).round(2))),
        returned,
        True,
        expected,
        True,
        float(np.abs(returned - expected).max()),
        tuple(int(i) for i in np.unravel_index(np.abs(returned - expected).argmax(), (4, 5))),
    )


def mixed() -> Grade:
    """Failing cases with heat maps, a misconception, a partial answer, a formula, a review."""
    column = np.array([[0.1], [0.2], [0.7]])
    shape = Counterexample(
        "attend(q, K, V)",
        "",
        (("q", np.array([0.5])), ("K", column), ("V", column)),
        column,
        True,
        column.ravel(),
        True,
        None,
        None,
    )
    broken = replace(
        scaled_logits(),
        returned=np.array([np.nan, 0.0, np.nan]),
        max_error=float("inf"),
        where=(0,),
        label="logits 1000 apart",
    )
    return attention(
        "anna-k",
        warnings=(
            "`attention.py` was not found; the only Python file, `hw2 (final).py`, was used.",
        ),
        weights=result(
            Outcome.FAILED,
            Feedback("summary", "9 of 24 cases differ. Where $d = 1$ the answers agree."),
            Feedback("case", "", case=scaled_logits()),
            Feedback(
                "misconception",
                "Logits divided by $\\sqrt{d}$: equation (2) has no scaling, "
                "so use `K @ q` as it is.",
            ),
            misconceptions=("scaled_by_sqrt_d",),
        ),
        large=result(
            Outcome.FAILED,
            Feedback("case", "", case=broken),
            Feedback("hint", "Subtract the largest logit before `np.exp`."),
        ),
        query=result(
            Outcome.PARTIAL,
            Feedback("summary", "6 of 8 cases hold."),
            Feedback("case", "$\\alpha_j$ is only 0.61 here.", case=wrong_axis()),
            fraction=Fraction(3, 4),
        ),
        margin=result(
            Outcome.FAILED,
            Feedback("formula", "You wrote:", "m = log(n/eps)"),
            Feedback(
                "summary",
                "At $n = 3$, $\\varepsilon = 0.1$ it gives 3.401, but 2.890 is the least "
                "margin that is enough.",
            ),
            Feedback("hint", "How many *other* keys share what is left?"),
            misconceptions=("margin_n_over_eps",),
        ),
        attend=result(
            Outcome.FAILED,
            Feedback("summary", "The values are right, the shape is not: (3, 1) instead of (3,)."),
            Feedback("case", "", case=shape),
        ),
        output=result(
            Outcome.PARTIAL,
            Feedback(
                "evidence",
                "Found “$c \\approx v_j$”:",
                "so the output c is basically v_j, $c \\approx v_j$",
            ),
            Feedback("review", "Good, but say *why*: the other weights vanish."),
            fraction=Fraction(1, 2),
        ),
        copy=result(
            Outcome.ERROR,
            Feedback("summary", "Your code stopped with `IndexError`."),
            Feedback(
                "error",
                "`IndexError: index 3 is out of bounds for axis 0 with size 3`, in your line 41:",
                "attention.py, line 38, in copy_value\n"
                "    return attend(peaked_query(K, j, eps), K, V)\n"
                "attention.py, line 41, in attend\n    return V[K.shape[0]]",
            ),
            Feedback("output", "What it printed", "K (3, 2)\nj = 2\n"),
        ),
    )


def slow() -> Grade:
    timeout = result(
        Outcome.TIMEOUT,
        Feedback("summary", "A call took more than 2 s of CPU time and was stopped."),
        Feedback(
            "case",
            "",
            case=replace(scaled_logits(), has_returned=False, max_error=None, where=None),
        ),
    )
    return attention(
        "slow",
        weights=timeout,
        attend=timeout,
        query=result(Outcome.MEMORY_LIMIT, Feedback("summary", "It needed more than 512 MB.")),
        copy=result(
            Outcome.OUTPUT_LIMIT,
            Feedback("summary", "It printed more than 8 MB."),
            Feedback("output", "", "x" * 80 + "\n" + "y\n" * 1000),
        ),
    )


def crashed() -> Grade:
    """Nothing ran: the file stops at import, and the answers are missing."""
    missing = result(Outcome.MISSING, Feedback("summary", "There is no function `attend`."))
    error = result(
        Outcome.ERROR,
        Feedback(
            "error",
            "`attention.py` stopped at line 3, so none of its functions exist.",
            "attention.py, line 3\n    print x\nSyntaxError: this is Python 2",
        ),
    )
    names = ("weights", "large", "query", "attend", "copy", "orthogonal")
    blank = result(Outcome.MISSING, Feedback("summary", "Nothing is written under this part."))
    words = ("why", "condition", "output", "intuition", "margin", "share")
    results = dict.fromkeys(names, error) | dict.fromkeys(words, blank) | {"attend": missing}
    grade = attention("crashed", **results)
    return replace(grade, stderr="Traceback …\nSyntaxError: Missing parentheses in call to 'print'")


def hidden_details() -> Grade:
    """Hidden criteria full of what their student must not see (the words SECRET-…)."""
    case = replace(scaled_logits(), label="SECRET-LABEL", call="attend(SECRET_CALL)")
    full = result(
        Outcome.FAILED,
        Feedback("case", "SECRET-CASE", case=case),
        Feedback("summary", "SECRET-SUMMARY"),
        Feedback("hint", "SECRET-HINT"),
        misconceptions=("SECRET-MISCONCEPTION",),
        group="SECRET-GROUP",
    )
    return attention("hidden", orthogonal=full)


def under_review() -> Grade:
    return attention(
        "review",
        why=result(
            Outcome.NEEDS_REVIEW,
            Feedback(
                "evidence",
                "Found that the weights sum to 1:",
                "the alphas add up to one because we divide by the total",
            ),
            Feedback(
                "summary", "Not found: that they are never negative. A person will read this."
            ),
            suggested_fraction=Fraction(1, 2),
            group="sums",
        ),
        intuition=result(
            Outcome.NEEDS_REVIEW,
            Feedback(
                "constraint", "Two sentences were asked for, this has three. That costs nothing."
            ),
            suggested_fraction=Fraction(1),
        ),
    )


def ungraded() -> Grade:
    ours = result(
        Outcome.GRADER_ERROR,
        Feedback(
            "summary", "This check failed: `check_margin` in checks.py raised ZeroDivisionError."
        ),
    )
    return attention("ungraded", query=ours)


def faulty() -> Grade:
    ours = result(Outcome.GRADER_ERROR, Feedback("summary", "This was not graded."))
    names = [c.id for part in attention().parts for c in part.criteria]
    grade = attention("faulty", **dict.fromkeys(names, ours))
    return replace(grade, isolation=None, fault="The sandbox broke down: fork failed (EAGAIN).")


def _all_public(grade: Grade) -> Grade:
    parts = tuple(
        replace(p, criteria=tuple(replace(c, visibility="public") for c in p.criteria))
        for p in grade.parts
    )
    return replace(grade, parts=parts)


def hostile(text: str = HOSTILE) -> Grade:
    """The same student string in every field that a student can reach."""
    case = Counterexample(
        text,
        text,
        ((text, text), ("V", [text]), ("W", {text: 1})),
        text,
        True,
        text,
        True,
        0.5,
        None,
    )
    kinds = (
        "asked",
        "summary",
        "case",
        "misconception",
        "hint",
        "error",
        "output",
        "evidence",
        "constraint",
        "not_checked",
        "formula",
        "review",
    )
    everything = [Feedback(kind, text, text, case) for kind in kinds]
    bad = result(Outcome.FAILED, *everything, misconceptions=(text,), group=text)
    grade = _all_public(attention("hostile", warnings=(text,), weights=bad, condition=bad))
    parts = tuple(
        replace(
            part,
            title=text,
            criteria=tuple(replace(c, title=text, reviewed_by=text) for c in part.criteria),
        )
        for part in grade.parts
    )
    return replace(
        grade,
        problem_title=text,
        problem_version=text,
        parts=parts,
        environment={text: text},
        stdout=text,
        stderr=text,
        isolation=Isolation(Tier.E, (Protection(text, False, text, text),)),
    )


ALL = (
    perfect,
    mixed,
    slow,
    crashed,
    hidden_details,
    under_review,
    ungraded,
    faulty,
    hostile,
)


@cache
def _varied() -> list[Grade]:
    """Thirty grades with varied outcomes, the same each time."""
    rng = np.random.default_rng(3)
    keys = [c.id for part in attention().parts for c in part.criteria]
    outcomes = [
        Outcome.FAILED,
        Outcome.FAILED,
        Outcome.PARTIAL,
        Outcome.MISSING,
        Outcome.ERROR,
        Outcome.NEEDS_REVIEW,
    ]
    grades = []
    for _ in range(30):
        skill = rng.beta(4, 2)
        wrong = {key: rng.choice(outcomes) for key in keys if rng.random() > skill}
        grades.append(attention(**{key: _result_of(Outcome(o)) for key, o in wrong.items()}))
    return grades


def _result_of(outcome: Outcome) -> CheckResult:
    half = Fraction(1, 2) if outcome is Outcome.PARTIAL else Fraction(0)
    known = ("scaled_by_sqrt_d",) if outcome is Outcome.FAILED else ()
    return result(outcome, Feedback("summary", "…"), fraction=half, misconceptions=known)


def a_class(size: int):
    """As many grades as asked for, one after the other."""
    for number in range(size):
        grade = _varied()[number % len(_varied())]
        yield replace(grade, submission_id=f"student-{number:04d}")
