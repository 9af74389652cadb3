"""The shipped packs: each is sound, and statistical criteria keep the rate that they state."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from grader import PValue, Returned, spec
from grader.problem import PropertyCriterion
from grader.verify import Options, verify

PACKS = sorted(path.parent for path in Path(__file__).parents[1].glob("problems/*/problem.toml"))
SEEDS = 40


# The founding pack is the one that the tests of `grader verify` itself look at.
OTHERS = [folder for folder in PACKS if folder.name != "attention_copying"]


@pytest.mark.parametrize("folder", OTHERS, ids=lambda folder: folder.name)
def test_a_quick_look_finds_nothing_wrong(folder: Path) -> None:
    found = verify(folder, Options(quick=True))
    worse = [f for a in found.aspects for f in a.findings if f.level != "note"]
    assert worse == []
    assert found.mutation_score == 1
    assert not [aspect.name for aspect in found.aspects if aspect.skipped]


def test_right_answers_to_random_tasks_are_no_more_surprising_than_chance_makes_them() -> None:
    pack = spec.load(next(folder for folder in PACKS if folder.name == "multi_head_attention"))
    statistical = [
        c for _, c in pack.problem.criteria() if isinstance(c, PropertyCriterion) and c.false_alarm
    ]
    assert len(statistical) == 4
    surprises: dict[str, list[float]] = defaultdict(list)
    for seed in range(SEEDS):
        for criterion in statistical:
            for case in pack.inputs[criterion.inputs](np.random.default_rng([seed, 99])):
                right = pack.reference[criterion.function](*case.args)
                answer = pack.checks[criterion.check](Returned(case.args, right))
                assert isinstance(answer, PValue)
                surprises[criterion.id].append(answer.p)
    for id_, found in surprises.items():
        # Below any level fall at most so many p-values as it says, and some for chance.
        for level in (0.01, 0.05, 0.2, 0.5):
            few = level * len(found) + 4 * np.sqrt(level * (1 - level) * len(found))
            assert sum(p < level for p in found) <= few, (id_, level)
