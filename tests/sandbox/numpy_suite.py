"""numpy's own tests, run inside the sandbox and outside: `python -m tests.sandbox.numpy_suite`.

What fails inside alone is what the sandbox takes from numpy; it is told with the reason.  Names
of numpy's packages (`linalg`, `random` …) choose some; without any, all of `PACKAGES` are run.
A file of which nothing fails inside is not run outside.
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
            said = str(report.longrepr or "")
            if crash:
                said = f"{crash.message[:250]} ({os.path.basename(crash.path)})"
            if outcome == "skipped":
                said = str(report.longrepr[-1])
            if outcome == "failed" or report.nodeid not in self.by_test:
                self.by_test[report.nodeid] = [outcome, said[:300]]

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
    skipped = {}
    for outcome, said in outcomes.by_test.values():
        if outcome == "skipped":
            skipped[said] = skipped.get(said, 0) + 1
    return [counts, failed[:400], skipped]
"""

REASONS = {
    "a thread": r"can't start new thread|local variable 'tasks'",
    "a process": r"Resource temporarily unavailable|BlockingIOError|fork|subprocess|Popen",
    "a socket": r"Operation not permitted \(socket\.py\)",
    "to read what the system says of itself": r"'/proc/",
    "to write a file": r"No usable temporary|/tmp|Permission denied|Read-only|No such file|"
    r"Operation not permitted",
    "more memory": r"MemoryError|Unable to allocate|Cannot allocate",
    "another package": r"No module named|ModuleNotFoundError",
}
"""What a failure says, by what the test wanted; the first that fits."""


@dataclass
class Outcome:
    """How the tests of one file went."""

    counts: Counter[str] = field(default_factory=Counter)
    failed: dict[str, str] = field(default_factory=dict)
    """Test → what it said."""
    skipped: Counter[str] = field(default_factory=Counter)
    """How many tests were skipped, by what they said."""
    ended: str = ""
    """How the run ended, if not well."""


@dataclass
class Comparison:
    """A file, or several, inside and outside."""

    passed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    failed_on_both: int = 0
    inside_only: dict[str, str] = field(default_factory=dict)
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
    return Outcome(Counter(counts), dict(failed), Counter(skipped))


def compare(within: Outcome, without: Outcome) -> Comparison:
    """What one file's tests do inside that they do not do outside."""
    return Comparison(
        passed=within.counts["passed"] + within.counts["expected"],
        skipped=within.skipped,
        failed_on_both=len(within.failed.keys() & without.failed.keys()),
        inside_only={k: v for k, v in within.failed.items() if k not in without.failed},
        ended=[ended for ended in (within.ended, without.ended) if ended],
    )


def _told(found: Comparison) -> Iterable[str]:
    yield from (f"    did not end well: {ended}" for ended in found.ended)
    yield from (f"    {n} skipped: {said}" for said, n in found.skipped.most_common())
    for test, said in found.inside_only.items():
        yield f"    {test}\n        [{reason(said)}] {' '.join(said.split())[:200]}"


def _table(found: Mapping[str, Comparison]) -> Iterable[str]:
    yield "| numpy's package | passed | skipped | failed | failed inside only | wanted |"
    yield "|---|---|---|---|---|---|"
    for package, each in found.items():
        wanted = ", ".join(f"{why} ({n})" for why, n in each.reasons().most_common())
        counts = (each.passed, each.skipped.total(), each.failed_on_both, len(each.inside_only))
        yield f"| `{package}` | {' | '.join(map(str, counts))} | {wanted} |"


def _compared(sandbox: Sandbox, file: Path) -> Comparison:
    within = inside(sandbox, file)
    alone = within.failed or within.ended
    return compare(within, outside(file) if alone else Outcome())


def main(packages: Sequence[str]) -> None:
    """Run the packages' tests, tell every difference, and print a table."""
    totals: dict[str, Comparison] = {}
    with Sandbox(PRELOAD) as sandbox:
        print(f"tier {sandbox.isolation.tier}, numpy {np.__version__}", flush=True)
        for package in packages or PACKAGES:
            total = totals[package] = Comparison()
            for file in files_of(package):
                started_s = time.monotonic()
                found = _compared(sandbox, file)
                total.add(found)
                took_s = time.monotonic() - started_s
                told = [f"{package}/{file.name}: {found.passed} passed, {took_s:.1f} s"]
                print(*told, *_told(found), sep="\n", flush=True)
    print(*_table(totals), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
