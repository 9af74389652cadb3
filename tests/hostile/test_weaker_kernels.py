"""The attacks where the kernel gives less: tiers B and C hold what they promise.

One variant of each entry; all of them with HOSTILE_ALL_TIERS=1.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from attack import Attack
from attacks import ATTACKS
from grading import judge_without, outcomes

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="the features are Linux's")

OF_HOST = [attack for attack in ATTACKS if attack.entry in {*range(1, 11), *range(32, 52), 54, 55}]
FIRST = {attack.entry: attack for attack in reversed(OF_HOST)}
CHOSEN = OF_HOST if os.environ.get("HOSTILE_ALL_TIERS") else list(FIRST.values())


@pytest.fixture(scope="module", params=[("unshare", "B"), ("landlock", "C")], ids=["B", "C"])
def found(request: pytest.FixtureRequest) -> tuple[str, dict[str, dict[str, Any]]]:
    """The tier, and what came of each attack there."""
    feature, tier = request.param
    return tier, judge_without(CHOSEN, feature)


def test_the_tier_is_what_the_kernel_gives(found: tuple[str, dict[str, dict[str, Any]]]) -> None:
    tier, attacks = found
    assert {each["result"]["isolation"]["tier"] for each in attacks.values()} == {tier}


def test_no_attack_reaches_its_goal(found: tuple[str, dict[str, dict[str, Any]]]) -> None:
    tier, attacks = found
    promised = [attack for attack in CHOSEN if tier in attack.needs.split()]
    assert [attack.id for attack in promised if attacks[attack.id]["reached"]] == []


def test_what_is_not_promised_is_not_refused(found: tuple[str, dict[str, dict[str, Any]]]) -> None:
    """Else the page on security would promise too little."""
    tier, attacks = found
    others = [attack for attack in CHOSEN if tier not in attack.needs.split()]
    assert [attack.id for attack in others if not attacks[attack.id]["reached"]] == []


def test_honest_answers_keep_their_points(found: tuple[str, dict[str, dict[str, Any]]]) -> None:
    _, attacks = found
    for attack in CHOSEN:
        seen = outcomes(attacks[attack.id]["result"])
        if attack.deserves.get("doubles") == "passed":
            assert seen["doubles"] == seen["arrays"] == "passed", attack.id
        assert attacks[attack.id]["result"]["status"] == "graded"


def by_entry(attacks: list[Attack]) -> set[int]:
    return {attack.entry for attack in attacks}


def test_every_entry_is_there() -> None:
    assert by_entry(CHOSEN) == by_entry(OF_HOST)
