"""One sandbox for all of this folder's tests: starting one costs more than a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from running import QUICK, Runner

from grader.evidence import Chunk, Run, Stimulus, Submission
from grader.problem import Limits
from grader.sandbox.batch import make_batch
from grader.sandbox.server import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def run(sandbox: Sandbox) -> Runner:
    def run(
        code: str | bytes | list[str],
        *groups: list[Stimulus],
        limits: Limits = QUICK,
        modules: dict[str, bytes] | None = None,
    ) -> Run:
        """Run code; a list of strings is a notebook's cells.  The default call is `f()`."""
        cells = code if isinstance(code, list) else [code]
        chunks = tuple(
            Chunk(
                f"cell {i}" if isinstance(code, list) else "attention.py",
                cell if isinstance(cell, bytes) else cell.encode(),
            )
            for i, cell in enumerate(cells)
        )
        submission = Submission(
            "x", "x", chunks, modules or {}, {}, "digest", notebook=isinstance(code, list)
        )
        return sandbox.run(submission, make_batch(groups or [[Stimulus("f", ())]], limits))

    return run
