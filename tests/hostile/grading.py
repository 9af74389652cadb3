"""Running the hostile class: once without a sandbox, once through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


from grader.attack.model import Attack
from grader.attack.world import World

DENY = Path(__file__).parents[1] / "sandbox" / "deny.py"
TIME_LIMIT_S = 120
_LATE_S = 0.5
"""By then what an attack left in the background has done its work."""


def grader(
    *arguments: str | Path, without: str = "", **more: Any
) -> subprocess.CompletedProcess[str]:
    """The command line, as an instructor uses it; `without` names features that the kernel lacks."""
    lacking = [sys.executable, str(DENY), without, "--"] if without else []
    command = [*lacking, sys.executable, "-m", "grader", *map(str, arguments)]
    options: dict[str, Any] = {
        "capture_output": True, "text": True, "timeout": TIME_LIMIT_S, "check": False, **more,
    }  # fmt: skip
    return subprocess.run(command, **options)


def results(output: Path) -> dict[str, dict[str, Any]]:
    """Submission id → its result."""
    document = json.loads((output / "results.json").read_text())
    return {each["submission"]: each for each in document["submissions"]}


def criteria(result: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Criterion id → its part of the result."""
    return {c["id"]: c for part in result["parts"] for c in part["criteria"]}


def outcomes(result: Mapping[str, Any]) -> dict[str, str]:
    """Criterion id → outcome."""
    return {name: c["outcome"] for name, c in criteria(result).items()}


def managed(result: Mapping[str, Any]) -> str:
    """What a submission says that it managed: the case that failed the criterion of that name."""
    criterion = criteria(result)["managed"]
    if criterion["outcome"] != "failed":
        return ""
    cases = [item["case"] for item in criterion["feedback"] if item["case"]]
    returned = cases[0]["returned"]
    return str(returned["value"]) if returned else "something too large to show"


def unconfined(world: World, attacks: Sequence[Attack]) -> dict[str, str]:
    """Attack id → what it managed without a sandbox."""
    jobs = []
    for attack in attacks:
        file = world.root / f"{attack.id}.control.py"
        file.write_text(attack.source(world.facts(attack, "control")))
        folder = str(world.folder(attack, "control"))
        jobs.append({"id": attack.id, "file": str(file), "folder": folder, "way": attack.control})
    asked, answered = world.root / "jobs.json", world.root / "said.json"
    asked.write_text(json.dumps(jobs))
    subprocess.run(
        [sys.executable, "-I", "-m", "grader.attack.unconfined", str(asked), str(answered)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL, timeout=TIME_LIMIT_S, check=True, **_surroundings(world),
    )  # fmt: skip
    said: dict[str, str] = json.loads(answered.read_text())
    return said


def confined(
    world: World, attacks: Sequence[Attack], *options: str, without: str = ""
) -> dict[str, dict[str, Any]]:
    """Attack id → the result that the command line gave it."""
    handed_in = world.root / "class"
    for attack in attacks:
        folder = handed_in / attack.id
        folder.mkdir(parents=True)
        (folder / "work.py").write_text(attack.source(world.facts(attack, "sandbox")))
    output = world.root / "reports"
    # Some of them only sleep, so that more than there are cores go on at once.
    command = ("grade", world.pack, handed_in, "-o", output, "-j", "4", *options)
    done = grader(*command, without=without, **_surroundings(world))
    assert done.returncode == 0, done.stdout + done.stderr
    return results(output)


def _surroundings(world: World) -> dict[str, Any]:
    """What a grader might have about it that nobody's code may see."""
    environment = {**os.environ, world.variable: world.secret, "OPENBLAS_NUM_THREADS": "1"}
    return {"env": environment, "pass_fds": (world.inherited,)}


def judge(attacks: Sequence[Attack]) -> dict[str, dict[str, Any]]:
    """Attack id → everything that the tests look at, as plain data."""
    with World() as world:
        for side in ("control", "sandbox"):
            for attack in attacks:
                world.furnish(attack, side)
        with ThreadPoolExecutor(1) as beside:
            without = beside.submit(unconfined, world, attacks)
            graded = confined(world, attacks)
            said = without.result()
        time.sleep(_LATE_S)
        return {attack.id: _found(world, attack, said, graded) for attack in attacks}


def judge_without(attacks: Sequence[Attack], feature: str) -> dict[str, dict[str, Any]]:
    """As `judge`, on a kernel that lacks a feature, and in the sandbox only."""
    with World() as world:
        world.root.chmod(0o777)  # the grader may be another user's there
        for attack in attacks:
            world.furnish(attack, "sandbox")
        graded = confined(world, attacks, "--min-isolation", "C", without=feature)
        time.sleep(_LATE_S)
        found = {}
        for attack in attacks:
            side = world.seen(attack, "sandbox", managed(graded[attack.id]))
            reached = attack.goal(side, world.secret) or side.changed
            found[attack.id] = {"reached": reached, "result": graded[attack.id]}
        return found


def _found(
    world: World, attack: Attack, said: dict[str, str], graded: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    result = graded[attack.id]
    control = world.seen(attack, "control", said[attack.id])
    sandbox = world.seen(attack, "sandbox", managed(result))
    return {
        "control": vars(control) | {"folder": str(control.folder)},
        "sandbox": vars(sandbox) | {"folder": str(sandbox.folder)},
        "reached_in_control": attack.goal(control, world.secret),
        "reached_in_sandbox": attack.goal(sandbox, world.secret),
        "result": result,
    }
