"""The attacks where the kernel, the user or a container gives less, or something else: every tier
holds what it promises, and honest answers get the same grade.

One variant of each entry; all of them with HOSTILE_ALL_TIERS=1.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from grading import DENY, judge_without, outcomes

from grader.attack.catalogue import ATTACKS
from grader.attack.model import Attack

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="the features are Linux's")

ALL = bool(os.environ.get("HOSTILE_ALL_TIERS"))
FIRST = {attack.entry: attack for attack in reversed(ATTACKS)}
CHOSEN = ATTACKS if ALL else tuple(FIRST.values())
SURROUNDINGS = {
    "no namespaces": ("unshare", "B"),
    "no Landlock": ("landlock", "C"),
    "root of a container": ("few-capabilities,container", "B"),
    "user of a container": ("user,container", "B"),
    "root of a user namespace": ("user-namespace", "AB"),
}
"""What `deny.py` takes away, and the tiers that may be left."""

Found = dict[str, dict[str, Any]]
"""Attack id → what came of it."""


@pytest.mark.parametrize(("features", "tiers"), SURROUNDINGS.values(), ids=SURROUNDINGS)
def test_the_tier_holds_what_it_promises(features: str, tiers: str) -> None:
    """Neither less nor more: else the page on security would promise too little."""
    tried = [sys.executable, str(DENY), features, "--", "true"]
    if subprocess.run(tried, capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine, or this user, may not make them")
    found = judge_without(CHOSEN, features)
    (tier,) = {each["result"]["isolation"]["tier"] for each in found.values()}
    assert tier in tiers
    promised = {attack.id for attack in CHOSEN if tier in attack.needs.split()}
    reached = {name for name, each in found.items() if each["reached"]}
    assert reached == found.keys() - promised
    assert [attack.id for attack in CHOSEN if not is_just(attack, found[attack.id], tier)] == []


def is_just(attack: Attack, found: dict[str, Any], tier: str) -> bool:
    """Whether it got the grade that it deserves."""
    deserves = dict(attack.deserves)
    if tier not in attack.needs.split():
        deserves.pop("managed", None)
    if tier == "C" and deserves.get("doubles") == "error":
        deserves = {}  # what it needs to go wrong could not even be imported
    seen = outcomes(found["result"])
    return found["result"]["status"] == "graded" and all(
        seen[criterion] in deserved.split("|") for criterion, deserved in deserves.items()
    )


def test_every_entry_is_there() -> None:
    assert {attack.entry for attack in CHOSEN} == {attack.entry for attack in ATTACKS}
    assert len(CHOSEN) > 40
