"""What isolation costs: the sandbox beside the same fork server with nothing that confines a child.

The bare side exists here alone.  It is the grader's own fork server, started by a Python in which
the step that confines a child does nothing; nobody who uses the grader can ask for it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from grader import spec
from grader.evidence import Chunk, Ending, Isolation, Stimulus, Submission, Tier
from grader.pipeline.prepare import prepare
from grader.problem import Limits
from grader.sandbox.batch import Batch, make_batch
from grader.sandbox.isolation import describe
from grader.sandbox.server import Sandbox
from grader.sandbox.zygote import Zygote

ROUNDS, WARM_UP = 200, 10
BUDGET = 1.5
_BARE = """#!/bin/sh
exec {python} -I -c '
import runpy
from grader.sandbox.child import confine
confine.confine = lambda layers, **how: None
confine.mapped_bytes = lambda proc: 0
runpy.run_module("grader.sandbox.child", run_name="__main__")
' "$4" "$5"
"""
"""In place of `python -I -m grader.sandbox.child DESCRIPTOR CONFIGURATION`."""

_LOOKS_AROUND = b"import os\ndef f(): return len(os.listdir('/proc'))"


class WithoutNamespaces(Sandbox):
    """The sandbox of a machine that refuses namespaces."""

    def _start(self) -> Zygote:
        return Zygote((), landlock=True, namespaces=False)


class Bare(Sandbox):
    """A warm fork and nothing else."""

    _measured = (  # type: ignore[assignment]
        Isolation(Tier.E),
        {"limits": False, "landlock": False, "seccomp": False},
    )

    def _start(self) -> Zygote:
        with tempfile.TemporaryDirectory() as name:
            python = Path(name, "python")
            python.write_text(_BARE.format(python=sys.executable))
            python.chmod(0o755)
            with patch.object(sys, "executable", str(python)):
                zygote = Zygote((), landlock=False, namespaces=False)
            assert zygote.hello  # it has started: the script is no longer needed
            return zygote


def isolation(packs: Mapping[str, Path], code: Path) -> None:
    """Print the cost of running some code for each pack; `packs` is by what to call them."""
    print(f"## Isolation: {ROUNDS} submissions each, turn by turn, median time and mean CPU time")
    source = Chunk("attention.py", code.read_bytes())
    submission = Submission("x", "x", (source,), {}, {}, "digest")
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(kind()) for kind in (Bare, WithoutNamespaces, Sandbox)]
        _require_bare(sandboxes)
        for name, pack in packs.items():
            batch = prepare(spec.load(pack)).batch
            print(f"{name}, {len(batch.stimuli)} calls")
            _print(sandboxes, _rounds(sandboxes, submission, batch))
    print(f"(budget: {BUDGET}x, on a machine that does nothing else)\n")


def _require_bare(sandboxes: list[Sandbox]) -> None:
    """The first must confine nothing and the others something, or there is nothing to compare."""
    submission = Submission("x", "x", (Chunk("a.py", _LOOKS_AROUND),), {}, {}, "digest")
    batch = make_batch([[Stimulus("f", ())]], Limits())
    ended = [sandbox.run(submission, batch).observations[0].ending for sandbox in sandboxes]
    if ended != [Ending.RETURNED] + [Ending.RAISED] * (len(sandboxes) - 1):
        raise SystemExit("this machine does not isolate: nothing to compare")


@dataclass
class _Taken:
    """What one sandbox used, round by round."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: float = 0.0
    """The grader's and the fork server's, with its children, all rounds together."""


def _rounds(sandboxes: list[Sandbox], submission: Submission, batch: Batch) -> list[_Taken]:
    _turns(sandboxes, submission, batch, WARM_UP)
    before = [_server_cpu_s(sandbox) for sandbox in sandboxes]
    taken = _turns(sandboxes, submission, batch, ROUNDS)
    for sandbox, each, before_s in zip(sandboxes, taken, before, strict=True):
        each.cpu_s += _server_cpu_s(sandbox) - before_s
    return taken


def _turns(
    sandboxes: list[Sandbox], submission: Submission, batch: Batch, rounds: int
) -> list[_Taken]:
    taken = [_Taken() for _ in sandboxes]
    for _ in range(rounds):
        for sandbox, each in zip(sandboxes, taken, strict=True):
            started_s, cpu_s = time.perf_counter(), time.process_time()
            run = sandbox.run(submission, batch)
            each.wall_s.append(time.perf_counter() - started_s)
            each.cpu_s += time.process_time() - cpu_s
            if any(seen.ending is not Ending.RETURNED for seen in run.observations):
                raise SystemExit("a call did not return: nothing to compare")
    return taken


def _server_cpu_s(sandbox: Sandbox) -> float:
    """CPU time of a fork server and of all its children so far (proc(5): stat, fields 14 to 17)."""
    assert isinstance(sandbox._server, Zygote)
    stat = Path(f"/proc/{sandbox._server._process.pid}/stat").read_text()
    return sum(map(int, stat.rpartition(")")[2].split()[11:15])) / os.sysconf("SC_CLK_TCK")


def _print(sandboxes: list[Sandbox], taken: list[_Taken]) -> None:
    bare = taken[0]
    for sandbox, each in zip(sandboxes, taken, strict=True):
        confined = not isinstance(sandbox, Bare)
        what = describe(sandbox.isolation) if confined else "a warm fork, not confined"
        wall_s, bare_s = statistics.median(each.wall_s), statistics.median(bare.wall_s)
        print(
            f"  {what:26} {1000 * wall_s:6.1f} ms {wall_s / bare_s:5.2f}x   "
            f"CPU {1000 * each.cpu_s / ROUNDS:5.1f} ms {each.cpu_s / bare.cpu_s:5.2f}x"
        )
