"""Aspect: each sample submission gets what the folder that it lies in says.

Samples lie in the pack's `samples/`, or in `submissions/ID` beside the packs' folder: in a folder
for each expectation (`expectations`), which holds a folder, file or zip for each student.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from grader import submission as collecting
from grader.errors import SubmissionError
from grader.pipeline.grading import Grading
from grader.problem import Pack
from grader.result import CriterionGrade, Outcome
from grader.submission import Source
from grader.verification import Aspect, Finding, Level
from grader.verify import versions
from grader.verify.bench import Bench, Found, outcomes_of
from grader.verify.expectations import (
    Judge,
    Results,
    judge_of,
    known_folders,
    results_of,
)
from grader.verify.haste import hurried, short_limits

NAME = "samples"
_TITLE = "Sample submissions get what their folders say"
_PER_FOLDER_QUICK = 2
_SLOW = "stopped"
"""Code that has to be stopped takes the whole of its time, so it gets little here."""


def default_folder(pack: Pack) -> Path | None:
    """Where a pack's samples lie, if it has any."""
    beside = pack.folder.resolve().parent.parent / "submissions" / pack.problem.id
    return next((f for f in (pack.folder / "samples", beside) if f.is_dir()), None)


def samples(bench: Bench) -> Found:
    """Grade every sample submission."""
    if bench.samples is None:
        why = "there are no samples: add samples/full_marks/NAME/ and others to the pack"
        return Found(Aspect(NAME, _TITLE, "", skipped=why))
    try:
        by_folder = _discovered(bench)
    except SubmissionError as error:
        finding = Finding(Level.ERROR, NAME, str(error), "see `grader verify --help` for how")
        return Found(Aspect(NAME, _TITLE, "No sample could be graded.", (finding,)))
    known = [(f, s, judge) for f, s in by_folder if (judge := judge_of(f, bench.problem))]
    chosen = _some(known) if bench.quick else known
    findings = [*_unknown(bench, [folder for folder, _ in by_folder])]
    slow = hurried(bench, short_limits(bench, versions.reference(bench.pack)))

    outcomes: dict[str, Mapping[str, Outcome]] = {}

    def graded(sample: _Sample) -> _Judged:
        return _judged(bench, slow if sample[0] == _SLOW else bench.grading, *sample)

    for (folder, source, _), found in zip(chosen, bench.each(graded, chosen), strict=True):
        findings += found.findings
        if folder != _SLOW:
            outcomes[source.id] = found.outcomes
    wrong = len({finding.about for finding in findings if finding.level is Level.ERROR})
    left_out = len(known) - len(chosen)
    summary = f"{len(chosen) - wrong} of {len(chosen)} samples got what their folders say"
    summary += f"; {left_out} left out (--quick)." if left_out else "."
    return Found(Aspect(NAME, _TITLE, summary, tuple(findings)), outcomes=outcomes)


def swift_samples(bench: Bench) -> list[Source]:
    """The samples that take no long time on purpose; a few of each folder for a quick look.

    For what is to be graded again and again.  None if they cannot be collected.
    """
    try:
        found = _discovered(bench)
    except SubmissionError:
        return []
    known = [(f, s, judge) for f, s in found if (judge := judge_of(f, bench.problem))]
    chosen = _some(known) if bench.quick else known
    return [source for folder, source, _ in chosen if folder != _SLOW]


_Sample = tuple[str, Source, Judge]


@dataclass(frozen=True)
class _Judged:
    """What a sample came to."""

    findings: Sequence[Finding]
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


def _discovered(bench: Bench) -> list[tuple[str, Source]]:
    """Every sample with its folder."""
    if bench.samples is None:
        return []
    root = bench.samples.resolve()
    sources = collecting.discover([root], bench.problem).sources
    return [(_folder(source, root), source) for source in sources]


def _folder(source: Source, root: Path) -> str:
    """The outermost folder that a sample lies in, "" if it lies in none."""
    parts = source.disk.resolve().relative_to(root).parts
    return parts[0] if parts else ""


def _some(known: Sequence[_Sample]) -> list[_Sample]:
    """The first of each folder, without those that take long on purpose."""
    ordered = sorted(known, key=lambda sample: sample[0])
    groups = groupby(ordered, key=lambda sample: sample[0])
    return [s for folder, some in groups if folder != _SLOW for s in [*some][:_PER_FOLDER_QUICK]]


def _judged(bench: Bench, grading: Grading, folder: str, source: Source, judge: Judge) -> _Judged:
    try:
        submission = collecting.read(source, bench.problem)
    except SubmissionError as error:
        return _Judged([Finding(Level.ERROR, source.id, f"It cannot be read: {error}")])
    grade = grading.grade(submission, bench.perform)
    findings = [*_findings(folder, source, judge, results_of(grade, bench.problem))]
    return _Judged(findings, outcomes_of(grade))


def _findings(folder: str, source: Source, judge: Judge, results: Results) -> Iterator[Finding]:
    broken = [c for _, c in results if c.result.outcome is Outcome.GRADER_ERROR]
    if broken:
        text = f"{broken[0].id} could not be graded: {_first_words(broken[0])}"
        yield Finding(Level.ERROR, source.id, text, "mend the check; students stay ungraded")
    elif wrong := judge(results):
        mend = "mend the pack, or move the sample to the folder where it belongs"
        yield Finding(Level.ERROR, source.id, f"It lies in {folder}, but {wrong}.", mend)


def _first_words(criterion: CriterionGrade) -> str:
    return next((i.text for i in criterion.result.feedback if i.kind in ("error", "summary")), "")


def _unknown(bench: Bench, folders: Sequence[str]) -> Iterator[Finding]:
    names = known_folders(bench.problem)
    for folder, count in Counter(folders).items():
        if judge_of(folder, bench.problem):
            continue
        near = difflib.get_close_matches(folder, names, n=1)
        there = f"samples/{folder}" if folder else "samples"
        yield Finding(
            Level.WARNING,
            folder or NAME,
            f"The name {there} says nothing of what the samples in it ({count}) must get.",
            f"did you mean {near[0]}?" if near else f"folders that do: {', '.join(names)}",
        )
