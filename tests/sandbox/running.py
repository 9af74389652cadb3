"""What the sandbox's tests share: limits that make a test quick, and the type of `run`."""

from __future__ import annotations

from collections.abc import Callable

from grader.evidence import Run
from grader.problem import Limits

QUICK = Limits(
    call_time_s=0.4, import_time_s=2, submission_time_s=6, memory_mb=128, output_kb=200, restarts=2
)
Runner = Callable[..., Run]
