"""The exception tree: faults of ours, of the machine, or of an instructor's files.

    GraderError
    ├── SpecError         the problem pack is wrong; carries every fault found, not only the first
    ├── SubmissionError   what was handed over as submissions cannot be graded at all
    ├── SandboxError      the isolation could not be set up, or its own machinery failed
    ├── GradebookError    the gradebook cannot be opened, or belongs to another pack
    └── ReportError       a report could not be written

A student's fault is never an exception: it is an `Outcome` in a result.  Every message names the
file, the part where there is one, and the mend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class GraderError(Exception):
    """Base of everything the grader raises on purpose; the command line shows it and exits 1."""


@dataclass(frozen=True, slots=True)
class SpecFault:
    """One thing wrong with a pack.

    `where` is a path of ids in the author's own words (``parts.ii.criteria.margin.weight``);
    `problem` says what is wrong, `mend` what to write instead.
    """

    where: str
    problem: str
    mend: str = ""

    def __str__(self) -> str:
        mend = f" — {self.mend}" if self.mend else ""
        return f"{self.where}: {self.problem}{mend}"


class SpecError(GraderError):
    """A problem pack that cannot be used, with all of its faults at once."""

    def __init__(self, file: str, faults: Sequence[SpecFault]) -> None:
        self.file = file
        self.faults = tuple(faults)
        lines = "\n".join(f"  - {fault}" for fault in self.faults)
        count = "1 problem" if len(self.faults) == 1 else f"{len(self.faults)} problems"
        super().__init__(f"{file} has {count}:\n{lines}")


class SubmissionError(GraderError):
    """Submissions that cannot be collected: a missing folder, a collision of ids, a broken zip."""


class SandboxError(GraderError):
    """The sandbox could not be set up, gives less isolation than asked for, or broke down."""


class GradebookError(GraderError):
    """A gradebook that is damaged, locked, or holds the grades of another pack."""


class ReportError(GraderError):
    """A report that could not be written: a full disk, a folder without write permission."""
