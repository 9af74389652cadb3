"""`grader doctor` and the refusal of weak isolation."""

from __future__ import annotations

import json
from pathlib import Path

from mini_pack import RIGHT, grader, results, write_class, write_pack


def test_doctor_shows_what_probes_saw() -> None:
    done = grader("doctor")
    found = json.loads(grader("doctor", "--json").stdout)
    assert f"tier {found['tier']}" in done.stdout
    names = {p["name"]: p["held"] for p in found["protections"]}
    assert {"read files outside", "network sockets", "new processes", "memory limit"} <= set(names)
    assert (done.returncode == 0) == (found["tier"] in "AB")
    for protection in found["protections"]:
        assert protection["seen"]
        assert protection["held"] or protection["remedy"]


def test_every_result_carries_its_tier(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    folder = write_class(tmp_path / "class", {"ada": RIGHT, "bob": RIGHT})
    done = grader("grade", pack, folder, "-o", tmp_path / "out", "--min-isolation", "D")
    assert done.returncode == 0
    tier = json.loads(grader("doctor", "--json").stdout)["tier"]
    assert results(tmp_path / "out")["ada"]["isolation"]["tier"] == tier
