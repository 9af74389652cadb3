"""Part of the aspect `answers`: does every check take whatever a student's function returns?

A predicate that raises leaves a criterion ungraded, and a person has to look.  So functions are
handed in that return the same odd value whatever they are called with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grader.pipeline.grading import Grading
from grader.result import CriterionGrade, Outcome
from grader.verification import Finding, Level
from grader.verify import versions
from grader.verify.bench import Bench, criteria_of
from grader.verify.focus import outcomes_alone

_ODD = {
    "None": "None",
    "a text": "'abc'",
    "a dictionary": "{'a': 1.0}",
    "an empty list": "[]",
    "a list of lists of different lengths": "[[1.0], [1.0, 2.0]]",
    "an array of a shape of its own": "np.zeros((2, 3, 5))",
    "an array with nothing in it": "np.zeros(0)",
    "an array of texts": "np.array(['a', 'b'])",
    "nan": "float('nan')",
    "a complex number": "1j",
    "an integer of 400 digits": "10**400",
}
"""What is returned → the expression for it."""


def broken_by_odd_answers(bench: Bench) -> Iterator[Finding]:
    """One finding for each criterion whose check raises, with the first value that does it."""

    code = outcomes_alone(bench.prepared, bench.prepared.keys)
    grading = Grading(code, bench.judge, bench.isolation)

    def graded(what: str) -> Mapping[str, CriterionGrade]:
        odd = versions.constant(bench.problem, _ODD[what])
        return criteria_of(grading.grade(odd, bench.perform))

    told: set[str] = set()
    for what, criteria in zip(_ODD, bench.each(graded, [*_ODD]), strict=True):
        for id_, criterion in criteria.items():
            if criterion.result.outcome is Outcome.GRADER_ERROR and id_ not in told:
                told.add(id_)
                error = next(f for f in criterion.result.feedback if f.kind == "error")
                yield Finding(
                    Level.WARNING,
                    id_,
                    f"Its check fails where a student's function returns {what}, and leaves the "
                    f"criterion ungraded: {error.text}",
                    "let the check read what was returned with as_array, and expect anything",
                    error.block,
                )
