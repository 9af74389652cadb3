"""Running a command and reading off what it cost, its descendants included."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """What one command used."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    exit_code: int


def run(command: Sequence[str], folder: Path) -> Cost:
    """Run a command to its end in a folder."""
    environment = dict(os.environ)
    # Hints for old OpenBLAS builds would slow numpy, and bytecode is kept as on any machine.
    for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    started_s = time.monotonic()
    process = subprocess.Popen(
        command, cwd=folder, env=environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = time.monotonic() - started_s
    cpu_s = usage.ru_utime + usage.ru_stime
    return Cost(cpu_s, wall_s, usage.ru_maxrss / 1024, process.returncode)


def grader(*arguments: str) -> list[str]:
    """The grader's command line, as installed beside this Python."""
    return [sys.executable, "-m", "grader", *arguments]
