"""Entries 1–57: every attack reaches its goal without the sandbox, none does in it, and each
submission gets the grade that it honestly deserves."""

from __future__ import annotations

from typing import Any

import pytest

from grader.attack.catalogue import ATTACKS
from grader.attack.model import Attack

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="the attacks are Linux's")

Found = dict[str, dict[str, Any]]
every_attack = pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.id)


def test_the_catalogue_is_whole() -> None:
    names = [attack.id for attack in ATTACKS]
    assert len(set(names)) == len(names)
    elsewhere = {6, 27, 28, 30}
    assert {attack.entry for attack in ATTACKS} | elsewhere == set(range(1, 58))


@every_attack
def test_it_would_reach_its_goal(attack: Attack, found: Found) -> None:
    """Without the sandbox: else the other tests could not fail."""
    if not found[attack.id]["reached_in_control"] and attack.at_mercy:
        pytest.skip("this machine, or this user, does not let it")
    assert found[attack.id]["reached_in_control"], found[attack.id]["control"]


@every_attack
def test_it_does_not_reach_its_goal(attack: Attack, found: Found) -> None:
    tier = found[attack.id]["result"]["isolation"]["tier"]
    if tier not in attack.needs.split():
        pytest.skip(f"not promised at tier {tier}")
    assert not found[attack.id]["reached_in_sandbox"], found[attack.id]["sandbox"]
    assert not found[attack.id]["sandbox"]["changed"]


@every_attack
def test_it_gets_the_grade_that_it_deserves(attack: Attack, found: Found) -> None:
    result = found[attack.id]["result"]
    outcomes = {c["id"]: c["outcome"] for part in result["parts"] for c in part["criteria"]}
    tier = result["isolation"]["tier"]
    for criterion, deserved in attack.deserves.items():
        if criterion == "managed" and tier not in attack.needs.split():
            continue
        assert outcomes[criterion] in deserved.split("|"), (criterion, result)
    assert result["status"] == "graded"
