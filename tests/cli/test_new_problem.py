"""`grader new problem`: a pack that is sound as it stands, and nothing written over."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import jsonschema
import pytest
from mini_pack import grader


def test_a_new_pack_is_sound_at_once(tmp_path: Path) -> None:
    (tmp_path / "problems").mkdir()
    made = grader("new", "problem", "my-scores", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    assert "problems/my-scores/problem.toml" in made.stdout
    done = grader("verify", "my-scores", "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert done.returncode == 0, document["aspects"]
    assert document["sound"]
    assert document["mutation_score"] == 1
    assert not any(aspect["skipped"] for aspect in document["aspects"])


def test_where_there_is_no_folder_of_problems_it_is_made_here(tmp_path: Path) -> None:
    grader("new", "problem", "one", cwd=tmp_path)
    assert 'title = "One"' in (tmp_path / "one" / "problem.toml").read_text()
    grader("new", "problem", "two", "elsewhere/2", cwd=tmp_path)
    assert 'id = "two"' in (tmp_path / "elsewhere" / "2" / "problem.toml").read_text()


def test_its_comments_name_the_command_that_works(tmp_path: Path) -> None:
    grader("new", "problem", "one", "packs/one", cwd=tmp_path)
    assert "grader verify packs/one --watch" in (tmp_path / "packs/one/problem.toml").read_text()


def test_editors_find_the_schema_that_it_is_valid_by(tmp_path: Path) -> None:
    grader("new", "problem", "one", cwd=tmp_path)
    text = (tmp_path / "one" / "problem.toml").read_text()
    directive, _, name = text.partition("\n")[0].partition(" ")
    assert directive == "#:schema"  # as Taplo and the editors that use it read it
    schema = tmp_path / "one" / name
    jsonschema.Draft202012Validator(json.loads(schema.read_text())).validate(tomllib.loads(text))
    assert grader("new", "schema").stdout == schema.read_text()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "checks.py").write_text("mine")
    done = grader("new", "problem", "one", cwd=tmp_path)
    assert done.returncode == 1
    assert "one/checks.py" in done.stderr
    assert [path.name for path in (tmp_path / "one").iterdir()] == ["checks.py"]


@pytest.mark.parametrize("name", ["", "1st", "a b", "../up", "x" * 65, "a/b"])
def test_a_name_that_is_no_id_is_explained(tmp_path: Path, name: str) -> None:
    done = grader("new", "problem", name, cwd=tmp_path)
    assert done.returncode == 2
    assert "beginning with a letter" in " ".join(done.stderr.split())
    assert not [*tmp_path.iterdir()]
