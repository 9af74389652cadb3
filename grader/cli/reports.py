"""Reports that follow the gradebook: what `grade` and `review` both write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from grader import report
from grader.gradebook import Gradebook
from grader.problem import Pack, SymbolicCriterion
from grader.result import Grade
from grader.variant import filled

_STATEMENT, _MISCONCEPTIONS, _FORMULAS = "statement", "misconceptions", "formulas"
DIGEST = "digest"
"""Under which name a gradebook remembers the digest of the pack that was graded by last."""


class Reports:
    """Writes the pages of one output folder from its gradebook."""

    def __init__(self, gradebook: Gradebook, folder: Path) -> None:
        self._gradebook = gradebook
        self._folder = folder
        self._statement = gradebook.remembered(_STATEMENT)
        self._titles = json.loads(gradebook.remembered(_MISCONCEPTIONS) or "{}")

    def write_submission(self, submission_id: str) -> None:
        """Write a student's page and JSON.

        Raises:
            ReportError: if they cannot be written.
        """
        grade = self._gradebook.grade(submission_id)
        statement = filled(self._statement, grade.variant)
        report.write_submission(grade, self._folder, statement=statement)

    def write_class(self, also: Callable[[Grade], None] = lambda _: None) -> None:
        """Write the class's page, results.json and gradebook.csv, in one pass over the grades.

        `also` is called with each of them, for who needs to see them all once.

        Raises:
            ReportError: if they cannot be written.
        """

        def grades() -> Iterator[Grade]:
            for grade in self._gradebook.grades():
                also(grade)
                yield grade

        report.write_class(grades(), self._folder, misconceptions=self._titles)

    def are_there(self, submission_id: str) -> bool:
        """Whether a submission's files exist."""
        stem = report.file_stem(submission_id)
        return all((self._folder / f"{stem}{suffix}").exists() for suffix in (".html", ".json"))


def remember_pack(gradebook: Gradebook, pack: Pack) -> None:
    """Keep in the gradebook what is quoted of the pack, for when it is not at hand."""
    titles = {m.id: m.title for m in pack.problem.misconceptions}
    formulas = {
        criterion.id: f"{criterion.symbol} = {criterion.formula}"
        for _, criterion in pack.problem.criteria()
        if isinstance(criterion, SymbolicCriterion)
    }
    gradebook.remember(DIGEST, pack.digest)
    gradebook.remember(_STATEMENT, pack.statement)
    gradebook.remember(_MISCONCEPTIONS, json.dumps(titles))
    gradebook.remember(_FORMULAS, json.dumps(formulas))


def remembered_formulas(gradebook: Gradebook) -> dict[str, str]:
    """The right formulas by criterion, for a reviewer's eyes alone."""
    formulas: dict[str, str] = json.loads(gradebook.remembered(_FORMULAS) or "{}")
    return formulas
