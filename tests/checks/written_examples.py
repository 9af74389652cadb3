"""Answers written for the tests of the `written` check, with what a person would give for each.

`written_examples.jsonl` holds one answer a line: its part, the share of the points it is worth, its
language, and its kind: `natural` ones are as a class writes them, most of them right; `trap`s are
wrong in a way that a careless reader misses; `near_miss`es differ from a right answer by a word or
two; the others are named after what is wrong with them.  The rubrics were developed on the sets
`given` and `developed`; `held_out` was written before any rubric and scored once, at the end.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from grader.checks import written
from grader.evidence import Answer
from grader.problem import WrittenCriterion
from grader.result import CheckResult
from grader.rubric import Rubric

HERE = Path(__file__).parent
PACK = HERE.parents[1] / "problems" / "attention_copying"
PARTS = ("i", "ii", "iii", "iv")


@dataclass(frozen=True)
class Example:
    part: str
    set: str
    kind: str
    lang: str
    share: Fraction
    text: str


def _examples() -> list[Example]:
    lines = (HERE / "written_examples.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Example(**{**row, "share": Fraction(row["share"])}) for row in rows]


EXAMPLES = _examples()


@cache
def rubric(part: str) -> Rubric:
    text = (PACK / f"rubric_{part}.toml").read_text("utf-8")
    return Rubric.model_validate(tomllib.loads(text, parse_float=Decimal))


def criterion(reading: Rubric | None, **more: Any) -> WrittenCriterion:
    fields = {"kind": "written", "id": "why", "title": "Why", "weight": 1, "rubric": "r.toml"}
    made = WrittenCriterion.model_validate({**fields, **more})
    return made.model_copy(update={"reading": reading})


def judge(part: str, text: str, **more: Any) -> CheckResult:
    return written.check(criterion(rubric(part), **more), Answer(text))


@cache
def result(example: Example) -> CheckResult:
    """What the check says of an example; each is judged once for all tests."""
    return judge(example.part, example.text)


def agreement(pairs: Sequence[tuple[Fraction, Fraction]]) -> float:
    """Quadratic weighted kappa of (given, suggested) shares: 1 is perfect, 0 is chance."""
    count = len(pairs)
    apart = sum((a - b) ** 2 for a, b in pairs)
    by_chance = sum((a - b) ** 2 for a, _ in pairs for _, b in pairs) / count
    return float(1 - apart / by_chance)
