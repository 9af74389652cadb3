"""The tutorial for instructors: its files make a sound pack, and its tables list every key."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel

from grader import Returned, problem, spec
from grader.errors import SpecError
from grader.problem import Pack, PropertyCriterion
from grader.rubric import Rubric
from grader.spec.place import keys_of
from grader.variant import Parameter

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-problem.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^\*\*`(?P<name>[^`\n]+)`\*\*\n\n```\w+\n(?P<text>.*?)^```$", re.M | re.S)
BLOCKS = {block["name"]: block["text"] for block in BLOCK.finditer(PAGE)}
MESSAGE = BLOCKS.pop("what the grader says")


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch) -> Path:
    """A folder with every file that the tutorial has its reader write."""
    for name, text in BLOCKS.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def pack(workplace: Path) -> Pack:
    return spec.load(Path("problems/variance"))


def cases(pack: Pack, generator: str):
    return list(pack.inputs[generator](np.random.default_rng(pack.problem.seed)))


def test_the_page_lists_the_files_that_it_has_written(workplace: Path):
    tree = PAGE.split("```text\n")[1].split("```")[0]
    listed = set(re.findall(r"[\w.]+\.(?:toml|md|py)", tree))
    written = {path.name for path in (workplace / "problems").rglob("*") if path.is_file()}
    assert listed == written


def test_the_pack_loads(pack: Pack):
    assert {criterion.kind for _, criterion in pack.problem.criteria()} == {
        "matches", "property", "symbolic", "written",
    }  # fmt: skip
    assert pack.problem.max_score == 5
    assert pack.problem.parts[0].weight == 10


def test_its_reference_has_its_own_properties(pack: Pack):
    for _, criterion in pack.problem.criteria():
        if isinstance(criterion, PropertyCriterion):
            results = [
                Returned(case.args, pack.reference[criterion.function](*case.args))
                for case in cases(pack, criterion.inputs)
            ]
            check = pack.checks[criterion.check]
            assert (check(results) if criterion.over == "all" else check(results[0])) is None


@pytest.mark.parametrize("value", [None, "3", [1, 2], np.zeros(3), float("nan"), np.zeros((2, 2))])
def test_its_predicate_takes_whatever_a_student_returns(pack: Pack, value):
    good = [Returned((), 1.0)] * 2
    assert isinstance(pack.checks["ignores_shift"]([*good, Returned((), value), good[0]]), str)


def test_its_misconceptions_are_mistakes_on_its_inputs(pack: Pack):
    right = pack.reference["variance"]
    for wrong, inputs in (
        ("divides_by_n_minus_1", "small_samples"),
        ("mean_of_squares_minus_square_of_mean", "far_samples"),
    ):
        both = [(right(*c.args), pack.misconceptions[wrong](*c.args)) for c in cases(pack, inputs)]
        assert any(not np.isclose(a, b, rtol=1e-3) for a, b in both)


def test_the_message_it_quotes_is_what_the_grader_says(workplace: Path):
    file = workplace / "problems/variance/problem.toml"
    text = file.read_text(encoding="utf-8").replace("weight = 3", "wieght = 3", 1)
    file.write_text("points = 4\n" + text, encoding="utf-8")
    checks = file.with_name("checks.py")
    checks.write_text(checks.read_text().replace("def ignores_shift", "def _ignores_shift_"))
    with pytest.raises(SpecError) as caught:
        spec.load(Path("problems/variance"))
    assert str(caught.value) == MESSAGE.rstrip("\n")


# --- tables ----------------------------------------------------------------------------------

_COMMON = set(keys_of(problem.ManualCriterion))
_TABLES: list[tuple[str, type[BaseModel], set[str]]] = [
    ("## The problem", problem.Problem, set()),
    ("## `[files]`", problem.Files, set()),
    ("## `[limits]`", problem.Limits, set()),
    ("## `[[parts]]`", problem.Part, set()),
    ("## `[[parts.criteria]]`", problem.ManualCriterion, set()),
    ("### `matches`", problem.MatchesCriterion, _COMMON),
    ("### `property`", problem.PropertyCriterion, _COMMON),
    ("### `symbolic`", problem.SymbolicCriterion, _COMMON),
    ("A variable, as in", problem.Domain, set()),
    ("### `written`", problem.WrittenCriterion, _COMMON),
    ("## Variants", Parameter, set()),
    ("## Error carried forward", problem.CarriedAnswer, set()),
    ("## `[[misconceptions]]`", problem.Misconception, set()),
    ("## The rubric of a written criterion", Rubric, set()),
]


@pytest.mark.parametrize(("heading", "model", "above"), _TABLES, ids=[t[0] for t in _TABLES])
def test_the_tables_list_every_key_with_its_default(heading, model, above):
    table = PAGE.split(f"\n{heading}")[1].split("|---|---|---|\n")[1].split("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", table, re.M))

    assert set(rows) == set(keys_of(model)) - above
    for key, said in rows.items():
        field = model.model_fields[key]
        if field.is_required():
            assert said == "*required*", key
        elif isinstance(field.default, bool | int | float | str):
            assert json.loads(said.strip("`")) == field.default, key
        else:
            assert said != "*required*", key
