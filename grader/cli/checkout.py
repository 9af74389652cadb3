"""Where in a checkout a student's code failed: a file and a line for each criterion."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.evidence import Chunk, Observation, Run, StudentError, Submission
from grader.pipeline.prepare import Prepared
from grader.problem import CodeCriterion
from grader.report.ci.plain import Place
from grader.result import Grade, Outcome
from grader.submission.names import is_junk, shown

_MOST_FILES = 20_000


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the student's; a notebook's own lines are JSON, so all of it is at its line 1."""

    path: str
    text: str
    notebook: bool

    def place(self, line: int) -> Place | None:
        """A line of it, if it has that line: what a trace says is the student's word."""
        if self.notebook:
            return Place(self.path, 1)
        return Place(self.path, line) if 0 < line <= self.text.count("\n") + 1 else None


def places(
    grade: Grade, run: Run, submission: Submission, prepared: Prepared, work: Path
) -> dict[str, Place]:
    """Find the place of every code criterion that is not passed, where there is one.

    An error's place is the innermost line of the student's own; a wrong answer's is the line that
    defines the function.  Files are named from the root of the checkout that `work` lies in.
    """
    files = dict(_files(submission, work))
    asked = {c.id: c for _, c in prepared.problem.criteria() if isinstance(c, CodeCriterion)}
    found = {}
    for criterion in (c for part in grade.parts for c in part.criteria):
        outcome = criterion.result.outcome
        if criterion.id not in asked or outcome in (Outcome.PASSED, Outcome.GRADER_ERROR):
            continue
        place = None
        if outcome is Outcome.ERROR:
            place = _of_error(_errors(_observations(prepared, criterion.id, run)), files)
        place = place or _of_definition(asked[criterion.id].function, files)
        if place is not None:
            found[criterion.id] = place
    return found


def _observations(prepared: Prepared, criterion_id: str, run: Run) -> Sequence[Observation]:
    start = prepared.offsets[criterion_id]
    return run.observations[start : start + len(prepared.keys[criterion_id].stimuli)]


def _errors(observations: Sequence[Observation]) -> Iterator[StudentError]:
    return (observation.error for observation in observations if observation.error is not None)


def _of_error(errors: Iterator[StudentError], files: Mapping[str, _File]) -> Place | None:
    for error in errors:
        for step in reversed(error.trace):
            file = files.get(step.file)
            place = file.place(step.line) if file is not None else None
            if place is not None:
                return place
    return None


def _of_definition(function: str, files: Mapping[str, _File]) -> Place | None:
    """The last line that defines a function, or gives its name a value."""
    name = re.escape(function)
    defines = re.compile(rf"(?m)^(?:(?:async[ \t]+)?def[ \t]+{name}\b|{name}[ \t]*=(?!=))")
    for file in files.values():
        matches = list(defines.finditer(file.text))
        if matches:
            return file.place(file.text.count("\n", 0, matches[-1].start()) + 1)
    return None


def _files(submission: Submission, work: Path) -> Iterator[tuple[str, _File]]:
    """The files that a trace may name, under the names that it gives them."""
    root = _root(work)
    for chunk in submission.chunks:
        path = _find(chunk, submission, work)
        if path is None:
            continue
        yield chunk.name, _file(path, root, chunk.source, notebook=submission.notebook)
        for name, source in submission.modules.items():
            beside = path.with_name(f"{name}.py")
            if beside.is_file():
                yield beside.name, _file(beside, root, source, notebook=False)


def _file(path: Path, root: Path, source: bytes, *, notebook: bool) -> _File:
    text = source.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _File(path.relative_to(root).as_posix(), text, notebook)


def _root(work: Path) -> Path:
    """The root of the checkout: the nearest folder above with a `.git`, else the work's own."""
    whole = work.resolve()
    folder = whole if whole.is_dir() else whole.parent
    return next((f for f in (folder, *folder.parents) if (f / ".git").exists()), folder)


def _find(chunk: Chunk, submission: Submission, work: Path) -> Path | None:
    """The file that a chunk was read from, known by its name and content; None inside a zip."""
    wanted = chunk.name.rpartition(" cell ")[0] if submission.notebook else chunk.name
    for path in _walk(work.resolve()):
        if shown(path.name) == wanted and (submission.notebook or _holds(path, chunk.source)):
            return path
    return None


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.lstat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _walk(work: Path) -> Iterator[Path]:
    if work.is_file():
        yield work
        return
    left = _MOST_FILES
    for folder, below, names in os.walk(work):
        below[:] = sorted(name for name in below if not is_junk(name))
        for name in sorted(names):
            left -= 1
            if left < 0:
                return
            yield Path(folder, name)
