"""The process that reads and judges formulas, for `symbolic_judge`: ``python -I -m`` this module.

One JSON line in is one judgement; its verdict comes back as a JSON line.  Before a proof that may
take long, the verdict so far goes ahead as a line that is not final.  Nothing a student writes is
ever evaluated as Python, yet whatever goes wrong with it goes wrong here, under limits.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grader.checks.symbolic_form import proves_equal
from grader.checks.symbolic_parse import Refusal, read
from grader.checks.symbolic_points import Range, points, spellings
from grader.checks.symbolic_tree import Node, spell
from grader.checks.symbolic_verdict import Finding, Verdict

if TYPE_CHECKING:
    from grader.checks.symbolic_compare import Sampled

_PR_SET_PDEATHSIG = 1
_MAX_REQUEST_BYTES = 1 << 20


def verdicts(
    reference: str, ranges: tuple[Range, ...], formula: str, seed: str
) -> Iterator[Verdict]:
    """Judge one formula: the verdict, or two of them where the first waits for a proof."""
    sampled = _reference(reference, ranges, seed)
    if isinstance(sampled, Verdict):
        yield sampled
        return
    node = read(formula, spellings(ranges))
    if isinstance(node, Refusal):
        yield Verdict(
            Finding.UNREADABLE,
            node.reason,
            position=node.at,
            unknown=node.unknown,
            meant=node.meant,
        )
        return
    found = _compared(sampled, node)
    if found.finding is not Finding.AGREES:
        yield found
    elif proves_equal(sampled.node, node):
        yield replace(found, finding=Finding.PROVED)
    else:
        yield found
        if _sympy_proves_equal(sampled.node, node, ranges):
            yield replace(found, finding=Finding.PROVED)


def _compared(sampled: Sampled, node: Node) -> Verdict:
    from grader.checks.symbolic_compare import Sampled, compare

    return replace(compare(sampled, Sampled(node, sampled.points)), reading=spell(node))


def _sympy_proves_equal(a: Node, b: Node, ranges: tuple[Range, ...]) -> bool:
    from grader.checks import symbolic_prove

    return symbolic_prove.proves_equal(a, b, ranges)


@lru_cache(maxsize=64)
def _reference(formula: str, ranges: tuple[Range, ...], seed: str) -> Sampled | Verdict:
    """The pack's formula with its values, or what is wrong with it."""
    from grader.checks.symbolic_compare import Sampled

    for r in ranges:
        if r.empty:
            return Verdict(Finding.BROKEN, f"the domain of {r.name} holds no value")
    node = read(formula, spellings(ranges))
    if isinstance(node, Refusal):
        where = f"at character {node.at + 1}"  # the formula itself is not for students to see
        return Verdict(
            Finding.BROKEN, f"the pack's own formula is not readable {where}: {node.reason}"
        )
    sampled = Sampled(node, points(ranges, f"{seed} {formula}"))
    defined, tried = sampled.defined_at(), len(sampled.points)
    if 2 * defined <= tried:
        reason = (
            f"the pack's own formula has a value at only {defined} of {tried} points of its domain"
        )
        return Verdict(Finding.BROKEN, reason)
    return sampled


# --- the process ---------------------------------------------------------------------------


def main(arguments: list[str]) -> None:
    """Serve judgements until the input ends.  Arguments: the grader's pid, the memory in MB, the
    CPU seconds a judgement may take, and ``sympy`` to import that in the background."""
    grader_pid, memory_mb, cpu_s, *more = arguments
    _diereplace(int(grader_pid))
    _limit_memory(int(memory_mb) << 20)
    _say({"ready": True})
    threading.Thread(target=_import_ahead, args=("sympy" in more,), daemon=True).start()
    while line := sys.stdin.buffer.readline(_MAX_REQUEST_BYTES):
        _limit_cpu(float(cpu_s))
        _serve(json.loads(line))
        _limit_cpu(0.0)


def _serve(request: dict[str, Any]) -> None:
    ranges = tuple(
        Range(name, integer, Fraction(low), Fraction(high), tuple(aliases))
        for name, integer, low, high, aliases in request["ranges"]
    )
    try:
        for verdict in verdicts(request["reference"], ranges, request["formula"], request["seed"]):
            _say({"verdict": asdict(verdict)})
    except MemoryError:
        os._exit(1)  # what is half built goes with the process
    _say({"done": True})


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _import_ahead(with_sympy: bool) -> None:
    with contextlib.suppress(ImportError):  # said again, and heard, where it is needed
        import grader.checks.symbolic_compare

        if with_sympy:
            import grader.checks.symbolic_prove  # noqa: F401


def _diereplace(grader_pid: int) -> None:
    """Never outlive the grader, even where it is killed; input that ends does the rest."""
    if sys.platform != "linux":
        return
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != grader_pid:
        os._exit(1)


def _limit_memory(size_bytes: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    for limit, value in ((resource.RLIMIT_AS, size_bytes), (resource.RLIMIT_CORE, 0)):
        with contextlib.suppress(ValueError, OSError):  # where the system has no such limit
            resource.setrlimit(limit, (value, value))


def _limit_cpu(more_s: float) -> None:
    """End with SIGPROF after so many CPU seconds from now on; after 0, never."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, more_s)


if __name__ == "__main__":
    main(sys.argv[1:])
