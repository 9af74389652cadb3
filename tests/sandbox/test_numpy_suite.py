"""A quick part of numpy's own tests, inside the sandbox; `numpy_suite` runs the rest by hand."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy_suite
import pytest

from grader.sandbox.server import Sandbox

if sys.platform != "linux":
    pytest.skip("fork servers are Linux's", allow_module_level=True)


@pytest.fixture(scope="module")
def suite_sandbox() -> Iterator[Sandbox]:
    with Sandbox(numpy_suite.PRELOAD) as sandbox:
        yield sandbox


@pytest.mark.parametrize(
    ("file", "at_least"),
    [
        ("fft/tests/test_helper.py", 8),
        ("fft/tests/test_pocketfft.py", 100),
        ("linalg/tests/test_linalg.py", 250),
    ],
)
def test_numpys_own_tests_pass_inside_but_for_threads(
    suite_sandbox: Sandbox, file: str, at_least: int
) -> None:
    found = numpy_suite.inside(suite_sandbox, Path(np.__file__).parent / file)
    assert not found.ended
    assert found.counts["passed"] >= at_least
    wanted = {test: numpy_suite.reason(said) for test, said in found.failed.items()}
    assert set(wanted.values()) <= {"a thread"}, wanted
