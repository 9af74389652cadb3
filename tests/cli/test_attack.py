"""`grader attack`: the catalogue tried on this installation, below its best, and on a pack."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mini_pack import grader, write_pack

from grader.attack import search
from grader.attack.catalogue import ATTACKS

linux = pytest.mark.skipif("sys.platform != 'linux'", reason="the attacks are Linux's")
DENY = Path(__file__).parents[1] / "sandbox" / "deny.py"
A_FEW = ("read-open", "always-equal", "hit-kill", "send-tcp", "write-append", "loop-python",
         "environment", "wrong-answers")  # fmt: skip


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


def found(text: str) -> dict[str, dict[str, Any]]:
    """Attack's name → what the JSON says of it."""
    return {each["id"][3:]: each for each in json.loads(text)["attacks"]}


def under(feature: str, *arguments: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """The command where the kernel lacks a feature; `first` is done before it, in its process."""
    code = f"{first}\nfrom grader.cli import main\nmain()"
    command = [sys.executable, str(DENY), feature, "--", sys.executable, "-c", code, "attack"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def test_the_list_names_every_attack_and_runs_none() -> None:
    done = grader("attack", "--list")
    assert done.returncode == 0
    words = set(done.stdout.replace(",", " ").split())
    assert {"read-mmap", "patch-allclose", "kernel-bpf"} <= words
    some = grader("attack", "--list", "--kind", "pipeline")
    assert "pickle-that-runs" in some.stdout
    assert "read-open" not in some.stdout


def test_the_catalogue_is_no_smaller_than_it_was() -> None:
    assert len(ATTACKS) >= 465


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--only", "read-opn"], "Did you mean read-open"),
        (["--only", "read-open", "--kind", "score"], "No attack is of that kind"),
        (["--kind", "magic"], "magic"),
        (["-j", "0"], "-j"),
    ],
)
def test_what_is_not_there_is_a_usage_error(arguments: list[str], said: str) -> None:
    done = grader("attack", *arguments)
    assert done.returncode == 2
    assert said in done.stderr


def test_a_pack_that_is_not_there_is_said(tmp_path: Path) -> None:
    done = grader("attack", tmp_path / "nowhere", *only("read-open"))
    assert done.returncode == 1
    assert "There is no problem pack" in done.stderr


@linux
def test_the_table_says_what_was_seen_and_by_whom() -> None:
    done = grader("attack", *only(*A_FEW), columns=130)
    assert done.returncode == 0, done.stdout
    for said in (
        *A_FEW, "no secret in its reply", "other process untouched", "nothing arrived",
        "folder unchanged", "stopped by the clock", "as deserved", "comparison outside",
        "8 held", "cannot be blocked", "--prove shows it",
    ):  # fmt: skip
        assert said in done.stdout
    assert "GOT THROUGH" not in done.stdout


@linux
def test_proof_is_made_where_it_is_asked_for_and_of_exhaustion_where_it_is_named() -> None:
    names = ("read-open", "always-equal", "wait-sleep")
    done = grader("attack", "--json", "--prove", *only(*names))
    assert done.returncode == 0
    assert {name: each["succeeds_unsandboxed"] for name, each in found(done.stdout).items()} == {
        "read-open": True, "always-equal": True, "wait-sleep": None,
    }  # fmt: skip
    named = grader("attack", "--json", "--prove", "--kind", "exhaustion", *only("wait-sleep"))
    assert found(named.stdout)["wait-sleep"]["succeeds_unsandboxed"] is True


@linux
def test_a_pack_of_ones_own_is_attacked(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    done = grader("attack", pack, "--json", *only(*A_FEW, "read-runpy", "list-listdir"))
    assert done.returncode == 0, done.stdout
    document = json.loads(done.stdout)
    assert document["schema"] == "grader/attack/v1"
    assert document["pack"] == str(pack)
    assert document["counts"]["held"] == len(document["attacks"]) == len(A_FEW) + 2
    assert "without it" in " ".join(found(done.stdout)["always-equal"]["seen"])


@linux
def test_a_check_that_gives_an_attack_points_is_told_loudly(tmp_path: Path) -> None:
    """It takes whoever comes after the honest answers for right."""
    checks = "times = []\ndef is_double(call):\n    times.append(1)\n    return len(times) != 2\n"
    pack = write_pack(tmp_path / "pack", {"checks.py": checks})
    done = grader("attack", pack, *only("always-equal"), columns=130)
    assert done.returncode == 1
    assert "GOT THROUGH: 1" in done.stdout
    assert "1 points more than the same answers without it".upper() in done.stdout
    assert "grader verify" in done.stdout


LEAKED = "    # as 2 x is, but for rounding, which no test can tell"
SECRETIVE = {
    "inputs.py": (
        "from grader import Case\n\n\n"
        "def numbers(rng):\n    for x in (1.1, 3.3, 7.7):\n        yield Case(x)\n\n\n"
        "def arrays(rng):\n    yield Case(rng.normal(size=3))\n"
    ),
    "reference.py": f"def double(x):\n{LEAKED}\n    return 0.3 * x + 1.7 * x\n",
    "checks.py": "def is_double(call):\n    return True\n",
}


@linux
@pytest.mark.parametrize("leaks", [False, True])
def test_the_memory_of_a_students_process_is_searched_for_the_packs_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, leaks: bool
) -> None:
    """And what is there is found: here because the searching code itself is given it."""
    pack = write_pack(tmp_path / "pack", SECRETIVE)
    few = tuple(a for a in ATTACKS if a.name in ("read-open", "always-equal"))
    monkeypatch.setattr(importlib.import_module("grader.cli.attack"), "ATTACKS", few)
    if leaks:
        monkeypatch.setattr(search, "SEARCH", f"{search.SEARCH}\nleaked = {LEAKED!r}\n")
        monkeypatch.setattr(search, "_in_a_plain_process", lambda *_: set())
    done = grader("attack", pack, "--json", "--kind", "reading")
    searched = json.loads(done.stdout)["memory_search"]
    assert searched["numbers"] >= 3
    assert searched["lines"] >= 1
    assert searched["inputs"] == searched["inputs_found"] >= 3
    assert searched["read_bytes"] > 20 << 20
    assert ("reference.py line 2" in searched["found"]) == leaks
    assert done.returncode == leaks


@linux
def test_below_the_best_tier_what_gets_through_is_no_broken_promise() -> None:
    done = under("unshare", "--json", *only("stat-size", "read-open"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tier"] == "B"
    attacks = found(done.stdout)
    assert attacks["stat-size"]["verdict"] == "not promised"
    assert attacks["read-open"] == attacks["read-open"] | {
        "verdict": "held", "blocked_by": "Landlock", "said": "EACCES",
    }  # fmt: skip


@linux
def test_where_a_promise_is_broken_it_is_told_loudly() -> None:
    """As if tier B promised what only tier A does."""
    first = "from grader.attack import findings\nfindings.is_promised = lambda attack, tier: True"
    done = under("unshare", *only("stat-size", "read-open"), first=first)
    assert done.returncode == 1
    assert "GOT THROUGH: 1" in done.stdout
    assert "04-stat-size" in done.stdout
    assert "docs/security.md" in done.stdout


@linux
def test_where_nothing_confines_only_what_limits_stop_is_run() -> None:
    names = only("read-open", "start-fork-bomb", "always-equal", "wait-sleep", "environment")
    done = under("seccomp", "--json", *names)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["tier"] == "D"
    assert {name: each["verdict"] for name, each in found(done.stdout).items()} == {
        "read-open": "skipped", "start-fork-bomb": "skipped", "always-equal": "held",
        "wait-sleep": "held", "environment": "held",
    }  # fmt: skip
