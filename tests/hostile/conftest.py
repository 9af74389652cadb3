"""The hostile class, graded once for all tests, however many processes share them."""

from __future__ import annotations

import fcntl
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from grading import judge
from second import grade_second_class

from grader.attack.catalogue import ATTACKS


def once(tmp_path_factory: pytest.TempPathFactory, worker_id: str, name: str, make: Any) -> Any:
    """What `make` gives, as plain data, made by the first process that asks."""
    base = tmp_path_factory.getbasetemp()
    made = (base if worker_id == "master" else base.parent) / f"hostile-{name}.json"
    with open(f"{made}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            made.write_text(json.dumps(make()))
    return json.loads(made.read_text())


@pytest.fixture(scope="session")
def found(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> dict[str, dict[str, Any]]:
    """Attack id → what came of it, on both sides."""
    return once(tmp_path_factory, worker_id, "class", lambda: judge(ATTACKS))


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> dict[str, Any]:
    """What came of the second class."""
    return once(tmp_path_factory, worker_id, "second", grade_second_class)
