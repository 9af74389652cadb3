"""The whole grader as root, as an ordinary user, in a user namespace and in containers: the tier is
what is left, `grade` refuses what is too little, and a grade is the same wherever it is given."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="the features are Linux's")

DENY = Path(__file__).with_name("deny.py")
ROOT = Path(__file__).parents[2]
PACK = ROOT / "problems" / "attention_copying"
CLASS = ROOT / "submissions" / "attention_copying"
HANDED_IN = ("full_marks/grace", "misconceptions/hilde", "partly_right/diego")

_NAMESPACES = {"see names outside", "own network namespace"}
SURROUNDINGS: dict[str, tuple[str, str, set[str]]] = {
    "root": ("few-capabilities", "B", _NAMESPACES),
    "root in a container": ("few-capabilities,container", "B", _NAMESPACES),
    "user in a container": ("user,container", "B", _NAMESPACES),
    "root by name only": ("no-capabilities,container", "B", _NAMESPACES),
    "root of a user namespace": ("user-namespace", "AB", _NAMESPACES),
    "root of one in a container": ("user-namespace,container", "B", _NAMESPACES),
    "root in an older container": (
        "few-capabilities,old-container", "C",
        {"own network namespace", "standard library readable"},
    ),
    "user in an older container": (
        "user,old-container", "C", {"own network namespace", "standard library readable"},
    ),
}  # fmt: skip
"""What `deny.py` makes, the tiers that it may leave, and what may be missing there."""

surrounded = pytest.mark.parametrize("name", SURROUNDINGS)


def grader(features: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    around = [sys.executable, str(DENY), features, "--"] if features else []
    command = [*around, sys.executable, "-m", "grader", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def features_of(name: str) -> str:
    """For `deny.py`; skips what cannot be made here."""
    features, _, _ = SURROUNDINGS[name]
    command = [sys.executable, str(DENY), features, "--", "true"]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine, or this user, may not make it")
    return features


@surrounded
def test_doctor_tells_what_is_left(name: str) -> None:
    _, tiers, missing = SURROUNDINGS[name]
    done = grader(features_of(name), "doctor", "--json")
    found = json.loads(done.stdout)
    assert found["tier"] in tiers
    assert done.returncode == (0 if found["tier"] in "AB" else 1)
    not_held = {p["name"] for p in found["protections"] if not p["held"]}
    assert not_held == (missing if found["tier"] != "A" else set())
    for protection in found["protections"]:
        assert protection["tried"]
        assert protection["seen"]
        assert bool(protection["remedy"]) is not protection["held"]


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """Not pytest's own, which it closes to other users."""
    with tempfile.TemporaryDirectory(prefix="container-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o777)
        yield Path(name)


def graded(features: str, *options: str) -> dict[str, Any]:
    """Results of some shipped submissions, without what tells where they were graded."""
    with folder_for_all() as folder:
        handed_in = [CLASS / each for each in HANDED_IN]
        done = grader(features, "grade", PACK, *handed_in, "-o", folder / "out", *options)
        assert done.returncode == 0, done.stdout + done.stderr
        document = json.loads((folder / "out" / "results.json").read_text())
    return {
        each["submission"]: {k: v for k, v in each.items() if k != "isolation"}
        for each in document["submissions"]
    }


@pytest.fixture(scope="module")
def outside() -> dict[str, Any]:
    return graded("", "--min-isolation", "D")


@pytest.mark.parametrize(
    "name", ["root in a container", "user in a container", "root of a user namespace"]
)
def test_a_grade_is_the_same_there(name: str, outside: dict[str, Any]) -> None:
    assert graded(features_of(name)) == outside


def test_too_little_is_refused_there(outside: dict[str, Any], tmp_path: Path) -> None:
    features = features_of("root in an older container")
    handed_in = CLASS / HANDED_IN[0]
    refused = grader(features, "grade", PACK, handed_in, "-o", tmp_path / "refused")
    assert refused.returncode == 1
    assert "tier C (reduced)" in refused.stderr
    assert "--min-isolation" in refused.stderr
    assert not (tmp_path / "refused" / "results.json").exists()
    assert graded(features, "--min-isolation", "C") == outside
