"""A whole class: submissions in parallel, each recorded and reported as soon as it is graded.

Threads wait for sandboxed processes, which do the work; memory does not grow with the class,
because a submission is read when its turn comes and forgotten when it is recorded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass

import grader
from grader import submission as collecting
from grader.errors import SpecError, SubmissionError
from grader.evidence import Answer, Run, Submission
from grader.gradebook import Entry
from grader.pipeline.pool import Pool
from grader.pipeline.prepare import Prepared
from grader.pipeline.variants import Variants, other_variant, text_of
from grader.pipeline.wrong import source_code, wrong_results
from grader.problem import Criterion, Problem, SymbolicCriterion, WrittenCriterion
from grader.sandbox.batch import Batch
from grader.submission import Source
from grader.value import cut
from grader.variant import Variant

_AHEAD_PER_JOB = 2


@dataclass(frozen=True, slots=True)
class Graded:
    """One submission done: its entry for the gradebook, or None if it was graded before."""

    source: Source
    entry: Entry | None


def entry_key(prepared: Prepared, submission: Submission, variant: Variant | None = None) -> str:
    """A hash of everything that a grade depends on: pack, seed, submission, grader, variant."""
    parts = [prepared.pack.digest, str(prepared.seed), submission.digest, grader.__version__]
    if variant:
        parts.append(text_of(variant))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def review_bases(
    problem: Problem, submission: Submission, variant: Variant | None = None
) -> dict[str, str]:
    """What a person's decision on each criterion is about.

    For a written answer, or a formula, it is that alone, so that neither mending the pack nor
    handing in new code loses the review of an answer that stayed the same.  The same answer to
    another variant is another answer.
    """
    bases = {}
    for part, criterion in problem.criteria():
        about = _asked_for(criterion, submission.answers.get(part.id), submission)
        about += f"\0{text_of(variant)}" if variant else ""
        bases[criterion.id] = hashlib.sha256(f"{criterion.kind}\0{about}".encode()).hexdigest()
    return bases


def _asked_for(criterion: Criterion, answer: Answer | None, submission: Submission) -> str:
    unread = answer is None and bool(submission.answers_problem)
    if not unread and isinstance(criterion, WrittenCriterion):
        return answer.text if answer else ""
    if not unread and isinstance(criterion, SymbolicCriterion):
        return answer.formulas.get(criterion.symbol, "") if answer else ""
    return submission.digest


def grade_class(
    variants: Variants,
    sources: Sequence[Source],
    pool: Pool,
    *,
    jobs: int,
    is_done: Callable[[str, str], bool],
) -> Generator[Graded, None, None]:
    """Grade every source by its own variant, `jobs` at a time, yielding each as it is done.

    `is_done(submission_id, key)` tells whether a grade made from exactly this is recorded already;
    it is called from the caller's thread alone.
    """

    threads = ThreadPoolExecutor(jobs, thread_name_prefix="grade")
    under_way: set[Future[Graded]] = set()
    try:
        for source in sources:
            try:
                submission = collecting.read(source, variants.pack.problem)
            except SubmissionError as error:  # the machine's fault
                yield _ungraded(variants, source, str(error))
                continue
            except Exception as error:  # noqa: BLE001 - as for grading, in `_work`
                yield _ungraded(variants, source, _unforeseen(error))
                continue
            fault = other_variant(variants.pack.problem, submission)
            if fault:
                yield _ungraded(variants, source, fault, submission.digest)
                continue
            key = entry_key(variants.base, submission, variants.of(source.id))
            if is_done(source.id, key):
                yield Graded(source, None)
                continue
            under_way.add(threads.submit(_work, variants, pool, source, submission, key))
            enough = len(under_way) >= _AHEAD_PER_JOB * jobs
            done, under_way = wait(under_way, None if enough else 0, FIRST_COMPLETED)
            yield from (future.result() for future in done)
        for future in as_completed(under_way):
            yield future.result()
    except BaseException:
        pool.stop()  # on Ctrl-C, what is under way is cut short and not recorded
        raise
    finally:
        threads.shutdown(wait=True, cancel_futures=True)


def _work(
    variants: Variants, pool: Pool, source: Source, submission: Submission, key: str
) -> Graded:
    runs: list[tuple[Batch, Run]] = []

    def perform(submission: Submission, batch: Batch) -> Run:
        runs.append((batch, pool.perform(submission, batch)))
        return runs[-1][1]

    try:
        ready = variants.ready(source.id)
        grade = ready.grading.grade(submission, perform)
        ran = [run for batch, run in runs if batch is ready.prepared.batch]
        wrong = tuple(w for run in ran for w in wrong_results(ready.prepared, grade, run))
    except SpecError as error:  # the pack's fault, with this student's values
        return _ungraded(variants, source, str(error), submission.digest)
    except Exception as error:  # noqa: BLE001 - a fault of ours costs this grade, not the class
        return _ungraded(variants, source, _unforeseen(error), submission.digest)
    pack = ready.prepared.pack
    bases = review_bases(pack.problem, submission, pack.variant)
    code = source_code(submission) if wrong else ""
    return Graded(source, Entry(grade, key, submission.digest, bases, wrong, code))


def _ungraded(variants: Variants, source: Source, fault: str, content: str = "") -> Graded:
    """Every point of it is open, and the next run tries again: no key is ever empty."""
    grading = variants.unready(source.id)
    return Graded(source, Entry(grading.ungraded(source.id, fault), "", content, {}))


def _unforeseen(error: Exception) -> str:
    said = cut(str(error), 300)
    return f"The grader itself failed ({type(error).__name__}: {said}). Please report this."
