"""Reading: turns one discovered source into a `Submission`, and every fault of it into a value.

The second half of collecting.  Nothing is kept between submissions but the table of contents of the
zip a class lies in, so memory does not grow with their number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from grader.evidence import Submission
from grader.problem import Problem
from grader.submission.answers import Written
from grader.submission.archive import open_zip
from grader.submission.discovery import Source
from grader.submission.disk import DiskFolder
from grader.submission.names import readable
from grader.submission.places import Folder, Unreadable
from grader.submission.selection import Code, select
from grader.submission.student import gather
from grader.submission.written_files import written_answers


def read(source: Source, problem: Problem) -> Submission:
    """Read one submission.

    What is wrong with it is told by its `code_problem`, `answers_problem` and `warnings`.  Raises
    SubmissionError only where the machine is at fault: a file that the grader may not read, or that
    is gone since discovery, a failing disk.
    """
    warnings: tuple[str, ...] = ()
    try:
        haul = gather(_folder(source), problem.files.code)
    except Unreadable as fault:
        code, written = Code(problem=str(fault)), Written(problem=str(fault))
    else:
        named = bool(source.members) and not source.as_names
        code = select(haul, problem, named=named)
        written = written_answers(haul, problem, code.chosen, named=named)
        faults = haul.faults if not code.problem else ()
        warnings = (*code.warnings, *haul.warnings, *faults, *written.warnings)
    return Submission(
        id=source.id,
        origin=source.origin,
        chunks=code.chunks,
        modules=code.modules,
        answers=written.answers,
        digest=_digest(code, written),
        notebook=code.notebook,
        warnings=tuple(dict.fromkeys(warnings)),
        code_problem=code.problem,
        answers_problem=written.problem,
    )


def _folder(source: Source) -> Folder:
    """Find the place of a source again; raises Unreadable."""
    name = readable(source.disk.name)
    on_disk = DiskFolder(source.disk, name, source.members, source.as_names)
    if source.fault:
        if source.inside is None and not source.disk.is_symlink():
            on_disk.listing()  # raises SubmissionError where it is the machine that refuses
        raise Unreadable(source.fault)
    if source.inside is None:
        return on_disk
    folder = open_zip(source.disk)
    for name in source.inside:
        folder = folder.folder(name)
    return replace(folder, only=source.members, as_names=source.as_names)


def _digest(code: Code, written: Written) -> str:
    """Hash all that may change a grade or its feedback, wherever and whenever it was written."""
    digest = hashlib.sha256()

    def add(fields: Iterable[str | bytes]) -> None:
        for field in fields:
            data = field if isinstance(field, bytes) else field.encode("utf-8", "replace")
            # With its length before it, no field can pass for two.
            digest.update(len(data).to_bytes(8, "big") + data)

    add(("notebook" if code.notebook else "python", code.problem, written.problem))
    for chunk in code.chunks:
        add(("chunk", chunk.name, chunk.source))
    for name, source in sorted(code.modules.items()):
        add(("module", name, source))
    for part_id, answer in sorted(written.answers.items()):
        add(("answer", part_id, answer.text))
        for symbol, formula in sorted(answer.formulas.items()):
            add(("formula", symbol, formula))
    return digest.hexdigest()
