"""Judging formulas without trusting them: one warm, killable worker process for a whole run.

The grader's own process neither parses nor evaluates what a student wrote; it asks the worker
(`symbolic_worker`) over pipes, and kills it when an answer takes too long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from types import TracebackType
from typing import Any, TypeAlias

from grader.checks.symbolic_process import Worker
from grader.checks.symbolic_verdict import MAX_LENGTH, Finding, Verdict
from grader.problem import Domain

_MAX_REMEMBERED = 4096

_Key: TypeAlias = tuple[str, str, str, int]


class FormulaJudge:
    """Compares formulas; several threads may share one.  Use it as a context manager.

    Verdicts are remembered, so that a thousand students with one answer cost one judgement.
    """

    def __init__(
        self,
        *,
        time_limit_s: float = 10.0,
        wall_limit_s: float = 120.0,
        memory_mb: int = 1024,
    ) -> None:
        """`time_limit_s` is CPU time, so that a busy machine judges like an idle one; the clock on
        the wall is behind it."""
        self._time_limit_s = time_limit_s
        self._wall_limit_s = wall_limit_s
        self._memory_mb = memory_mb
        self._worker: Worker | None = None
        self._known: dict[_Key, Verdict] = {}
        self._closed = False
        # One thread for as long as the judge lives does all the work: judgements queue up, and the
        # worker, which dies with the thread that started it, never dies with a passing one.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="formula-judge")

    def __enter__(self) -> FormulaJudge:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the worker, and with it a judgement that is under way."""
        self._closed = True
        if self._worker:
            self._worker.kill()
        self._thread.shutdown(wait=True)
        if self._worker:
            self._worker.end()
            self._worker = None

    def warm_up(self, *, sympy: bool = False) -> None:
        """Start the worker and return at once; it imports mpmath meanwhile.

        With `sympy` it imports that too: a second of CPU, wasted unless some right answer turns up
        that simple algebra cannot prove.
        """
        self._thread.submit(self._started, sympy)

    def judge(
        self, reference: str, variables: Mapping[str, Domain], formula: str, seed: int
    ) -> Verdict:
        """Compare a student's formula with the pack's, over the domains of its variables.

        Never raises for what either says: a fault of the pack's formula is `Finding.BROKEN`.  To
        check a pack, judge its formula against itself, and its known-wrong ones against it.

        Raises:
            RuntimeError: after `close`.
        """
        if len(formula) > MAX_LENGTH:
            reason = f"it has {len(formula)} characters; at most {MAX_LENGTH} are read"
            return Verdict(Finding.UNREADABLE, reason, position=MAX_LENGTH)
        ranges = json.dumps([_range(name, domain) for name, domain in variables.items()])
        key = (reference, ranges, formula, seed)
        return self._known.get(key) or self._thread.submit(self._remembered, key).result()

    # --- on the judge's own thread ---------------------------------------------------------

    def _remembered(self, key: _Key) -> Verdict:
        if key not in self._known:
            verdict = self._judged(key)
            if verdict.finding is Finding.BROKEN:
                return verdict  # perhaps only for now: a machine short of memory
            if len(self._known) >= _MAX_REMEMBERED:
                self._known.clear()
            self._known[key] = verdict
        return self._known[key]

    def _judged(self, key: _Key) -> Verdict:
        worker = self._started()
        if isinstance(worker, Verdict):
            return worker
        reference, ranges, formula, seed = key
        request = {
            "reference": reference,
            "ranges": json.loads(ranges),
            "formula": formula,
            "seed": str(seed),
        }
        return worker.ask(request) or self._blamed(key, worker)

    def _blamed(self, key: _Key, worker: Worker) -> Verdict:
        """No verdict came: the student's formula is at fault only if the pack's own one works."""
        reference, ranges, formula, seed = key
        reason = "judging it took too much memory, or broke the worker"
        if worker.exceeded_s:
            reason = f"judging it took more than {worker.exceeded_s:g} s"
        if self._closed or formula == reference:
            return Verdict(Finding.BROKEN, f"{reason} ({worker.end()})")
        itself = self._remembered((reference, ranges, reference, seed))
        return Verdict(Finding.UNDECIDED, reason) if itself.equal else itself

    def _started(self, sympy: bool = False) -> Worker | Verdict:
        if self._worker and not self._worker.alive:
            self._worker.end()
            self._worker = None
        if self._closed:
            return Verdict(Finding.BROKEN, "the judge has been closed")
        if self._worker is None:
            try:
                self._worker = Worker(
                    memory_mb=self._memory_mb,
                    time_limit_s=self._time_limit_s,
                    wall_limit_s=self._wall_limit_s,
                    sympy=sympy,
                )
            except OSError as error:
                return Verdict(Finding.BROKEN, f"the formula worker could not be started: {error}")
        return self._worker


def _range(name: str, domain: Domain) -> list[Any]:
    low, high = (str(Fraction(repr(bound))) for bound in (domain.min, domain.max))
    return [name, domain.type == "integer", low, high, list(domain.aliases)]
