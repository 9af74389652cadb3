"""numpy's own tests, run inside the sandbox and outside: `python -m tests.sandbox.numpy_suite`.

What fails inside alone is what the sandbox takes from numpy; it is told with the reason.  Names
of numpy's packages (`linalg`, `random` …) choose some; without any, all of `PACKAGES` are run.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from grader.evidence import Chunk, Ending, Stimulus, Submission
from grader.problem import Limits
from grader.sandbox.batch import make_batch
from grader.sandbox.server import Sandbox

PACKAGES = ("linalg", "fft", "random", "lib", "polynomial", "ma", "matrixlib", "_core", "testing")
"""Left out are f2py and typing, whose tests run compilers and type checkers."""
PRELOAD = ("pytest", "hypothesis", "numpy.testing")
LIMITS = Limits(
    call_time_s=600, import_time_s=60, submission_time_s=1200, memory_mb=8192, output_kb=65536,
    restarts=0,
)  # fmt: skip

# A submission like any other: it runs pytest on one of numpy's files and says how each test went.
RUNNER = """
import os, sys, tempfile

class Outcomes:
    def __init__(self):
        self.by_test = {}
    def pytest_collectreport(self, report):
        if report.failed:
            self.by_test[report.nodeid] = ["failed", str(report.longrepr)[-300:]]
    def pytest_runtest_logreport(self, report):
        outcome = report.outcome
        if hasattr(report, "wasxfail"):
            outcome = "expected"
        if report.when == "call" or outcome != "passed":
            crash = getattr(report.longrepr, "reprcrash", None)
            said = crash.message if crash else str(report.longrepr or "")
            if outcome == "failed":
                self.by_test[report.nodeid] = [outcome, said[:300]]
            else:
                self.by_test.setdefault(report.nodeid, [outcome, ""])

def run(folder, file, keep):
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    tempfile.tempdir = "/tmp"  # Python refuses to name a folder that it cannot write to
    sys.setrecursionlimit(1000)
    import pytest
    outcomes = Outcomes()
    off = "cacheprovider faulthandler unraisableexception threadexception".split()
    words = [part for name in off for part in ("-p", "no:" + name)]
    words += ["-q", "--no-header", "--no-summary", "--capture=sys", "--rootdir", folder]
    pytest.main([*words, "-m", "not slow", *keep, file], plugins=[outcomes])
    sys.stdout.flush()
    counts = {}
    for outcome, _ in outcomes.by_test.values():
        counts[outcome] = counts.get(outcome, 0) + 1
    failed = [[name, said] for name, (outcome, said) in outcomes.by_test.items()
              if outcome == "failed"]
    skipped = [name for name, (outcome, _) in outcomes.by_test.items() if outcome == "skipped"]
    return [counts, failed[:400], skipped[:2000]]
"""

REASONS = {
    "a thread was to be started": r"can't start new thread|Resource temporarily unavailable",
    "a process was to be started": r"fork|subprocess|BlockingIOError|Popen",
    "a file was to be written": r"No usable temporary|tmp_path|/tmp|Permission denied|Read-only|"
    r"mkdtemp|No such file or directory|Operation not permitted|FileNotFoundError",
    "memory": r"MemoryError|Unable to allocate|Cannot allocate",
    "another package was to be imported": r"No module named|ModuleNotFoundError",
}
"""What a failure says, by what the test wanted; the first that fits."""


@dataclass
class Outcome:
    """How the tests of one file went."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    ended: str = ""
    """How the run ended, if not well."""


@dataclass
class Comparison:
    """A file, or several, inside and outside."""

    passed: int = 0
    skipped: int = 0
    failed_on_both: int = 0
    inside_only: dict[str, str] = field(default_factory=dict)
    """Test → what it said."""
    skipped_inside_only: set[str] = field(default_factory=set)
    ended: list[str] = field(default_factory=list)

    def reasons(self) -> Counter[str]:
        """How many failures have which reason."""
        return Counter(map(reason, self.inside_only.values()))

    def add(self, other: Comparison) -> None:
        """Count another file's tests in."""
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed_on_both += other.failed_on_both
        self.inside_only |= other.inside_only
        self.skipped_inside_only |= other.skipped_inside_only
        self.ended += other.ended


def reason(said: str) -> str:
    """What a failed test wanted and did not get."""
    return next((why for why, pattern in REASONS.items() if re.search(pattern, said)), "other")


def files_of(package: str) -> list[Path]:
    """The test files of one of numpy's packages."""
    return sorted(Path(np.__file__).parent.joinpath(package, "tests").glob("test_*.py"))


def inside(sandbox: Sandbox, file: Path, keep: Sequence[str] = ()) -> Outcome:
    """Run a file's tests as a submission."""
    submission = Submission("numpy", "numpy", (Chunk("suite.py", RUNNER.encode()),), {}, {}, "")
    call = Stimulus("run", (str(Path(np.__file__).parent), str(file), list(keep)))
    ran = sandbox.run(submission, make_batch([[call]], LIMITS))
    (seen,) = ran.observations
    if seen.ending is not Ending.RETURNED:
        error = f": {seen.error.type}: {seen.error.message}" if seen.error else ""
        return Outcome(ended=f"{file.name}: {seen.ending}{error} {seen.note}".strip())
    return _read(seen.value)


def outside(file: Path, keep: Sequence[str] = ()) -> Outcome:
    """Run a file's tests in a plain process of Python."""
    arguments = json.dumps([str(Path(np.__file__).parent), str(file), list(keep)])
    program = f"{RUNNER}\nimport json\nfound = run(*json.loads({arguments!r}))\n"
    last = "print(); print(json.dumps(found))"
    done = subprocess.run(
        [sys.executable, "-c", program + last], capture_output=True, text=True, check=False
    )
    if done.returncode:
        return Outcome(ended=f"{file.name}: {done.stderr.strip()[-200:]}")
    return _read(json.loads(done.stdout.splitlines()[-1]))


def _read(value: Any) -> Outcome:
    counts, failed, skipped = value
    return Outcome(Counter(counts), dict(failed), set(skipped))


def compare(within: Outcome, without: Outcome) -> Comparison:
    """What one file's tests do inside that they do not do outside."""
    return Comparison(
        passed=within.counts["passed"],
        skipped=within.counts["skipped"] + within.counts["expected"],
        failed_on_both=len(within.failed.keys() & without.failed.keys()),
        inside_only={k: v for k, v in within.failed.items() if k not in without.failed},
        skipped_inside_only=within.skipped - without.skipped,
        ended=[ended for ended in (within.ended, without.ended) if ended],
    )


def _lines(found: Mapping[str, Comparison]) -> Iterable[str]:
    yield "| numpy's package | passed | skipped | failed | failed inside only | wanted |"
    yield "|---|---|---|---|---|---|"
    for package, each in found.items():
        wanted = ", ".join(f"{why} ({n})" for why, n in each.reasons().most_common())
        cells = (each.passed, each.skipped, each.failed_on_both, len(each.inside_only), wanted)
        yield f"| `{package}` | {' | '.join(map(str, cells))} |"
    for package, each in found.items():
        yield from (f"{package}: did not end well: {ended}" for ended in each.ended)
        yield from (f"{package}: skipped inside only: {test}" for test in each.skipped_inside_only)
        for test, said in each.inside_only.items():
            yield f"{package}: {test}\n    [{reason(said)}] {' '.join(said.split())[:200]}"


def main(packages: Sequence[str]) -> None:
    """Run the packages' tests and print a table, and below it every difference."""
    found: dict[str, Comparison] = {}
    with Sandbox(PRELOAD) as sandbox:
        print(f"tier {sandbox.isolation.tier}, numpy {np.__version__}", flush=True)
        for package in packages or PACKAGES:
            found[package] = Comparison()
            for file in files_of(package):
                started_s = time.monotonic()
                found[package].add(compare(inside(sandbox, file), outside(file)))
                print(f"{package}/{file.name}: {time.monotonic() - started_s:.1f} s", flush=True)
    print("\n".join(_lines(found)))


if __name__ == "__main__":
    main(sys.argv[1:])
