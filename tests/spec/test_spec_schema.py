"""The JSON Schema that editors check problem.toml with says what the load step says."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from sound_pack import FILES

from grader import spec
from grader.spec.schema import SCHEMA_FILE

ROOT = Path(__file__).parents[2]
VALIDATOR = jsonschema.Draft202012Validator(spec.json_schema())


def test_the_published_schema_is_current():
    published = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    again = "python -c 'from grader.spec.schema import write_json_schema as write; write()'"
    assert published == spec.json_schema(), f"to write it again: {again}"


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(spec.json_schema())


SHIPPED = sorted(ROOT.glob("problems/*/problem.toml"))


@pytest.mark.parametrize("text", [FILES["problem.toml"], *(p.read_text("utf-8") for p in SHIPPED)],
                         ids=["small", *(p.parent.name for p in SHIPPED)])  # fmt: skip
def test_sound_files_are_valid(text):
    VALIDATOR.validate(tomllib.loads(text))


def test_editors_use_it_for_the_shipped_packs():
    (rule,) = tomllib.loads((ROOT / ".taplo.toml").read_text("utf-8"))["rule"]
    assert (ROOT / rule["schema"]["path"]).samefile(SCHEMA_FILE)
    (pattern,) = rule["include"]
    assert SHIPPED
    assert sorted(ROOT.glob(pattern)) == SHIPPED


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weight = 3", "wieght = 3"),
        ("weight = 3", "weight = 0"),
        ("weight = 3", "weight = 1.5"),
        ("points = 2", "points = 0"),
        ("points = 2", 'points = "two"'),
        ('"matches"', '"matchs"'),
        ('"hidden"', '"secret"'),
        ("rtol = 1e-6", "rtol = 2.0"),
        ('id = "values"', 'id = "the values"'),
        ('"rubric.toml"', '"rubric.toml"\nreading = {}'),
        ('title = "Spread"\n', ""),
    ],
)
def test_what_the_load_step_refuses_is_invalid(old, new):
    assert old in FILES["problem.toml"]
    data = tomllib.loads(FILES["problem.toml"].replace(old, new, 1))
    assert not VALIDATOR.is_valid(data)


def test_every_key_that_needs_words_has_them():
    properties = spec.json_schema()["$defs"]["MatchesCriterion"]["properties"]
    assert properties["weight"]["description"].startswith("Share of the part's points")
    assert properties["atol"]["description"].startswith("|returned − expected|")
