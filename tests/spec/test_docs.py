"""The pages for instructors: tables that list every key, messages and names as they are, links."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import BaseModel
from tutorial_page import DOCS, write_all

import grader
from grader import problem, spec
from grader.cli import main
from grader.errors import SpecError
from grader.rubric import Rubric
from grader.spec.place import keys_of
from grader.variant import Parameter

ROOT = DOCS.parent
REFERENCE = (DOCS / "problem-reference.md").read_text(encoding="utf-8")
VERIFY = (DOCS / "verify.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]


def test_the_message_of_a_refused_pack_is_what_the_grader_says(tmp_path: Path, monkeypatch):
    write_all(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "problems/variance/problem.toml"
    text = file.read_text(encoding="utf-8").replace("weight = 3", "wieght = 3", 1)
    file.write_text("points = 4\n" + text, encoding="utf-8")
    checks = file.with_name("checks.py")
    checks.write_text(checks.read_text().replace("def leaves_x_alone", "def _leaves_x_alone_"))
    with pytest.raises(SpecError) as caught:
        spec.load(Path("problems/variance"))
    assert str(caught.value) == VERIFY.split("```text\n")[1].split("\n```")[0]


def test_the_names_for_python_files_are_those_that_there_are():
    table = REFERENCE.split("| `from grader import` | |\n")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)", table, re.M)) == {*grader.__all__} - {"__version__"}


# --- verify ----------------------------------------------------------------------------------


def test_the_folders_of_samples_are_those_that_there_are(tmp_path: Path):
    write_all(tmp_path)
    folder = tmp_path / "problems/variance"
    (folder / "samples" / "qqq").mkdir()
    (folder / "samples" / "qqq" / "x.py").write_text("x = 1\n")
    said = CliRunner().invoke(main, ["verify", str(folder), "--quick", "--json"]).output
    (folders,) = re.findall(r"folders that do: (.*?)\"", said)
    known = {re.sub("(?<=misconception-).*", "ID", name) for name in folders.split(", ")}
    section = VERIFY.split("## Samples")[1].split("\n## ")[0]
    assert known == {*re.findall(r"^\| `([\w-]+)` \|", section, re.M)}


def messages() -> Iterator[str]:
    """Every text in verify, with … for what is filled in."""
    for path in sorted((ROOT / "grader" / "verify").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.JoinedStr(parts):
                    yield "".join(p.value if isinstance(p, ast.Constant) else "…" for p in parts)
                case ast.Constant(str(text)):
                    yield text


FINDINGS = [
    re.sub(r"\*[\w ]+:?\*|`\w+`", "…", row)
    for table in VERIFY.split("| Finding | What to do |\n|---|---|\n")[1:]
    for row in re.findall(r"^\| (.*?) \|", table.split("\n\n")[0], re.M)
]


@pytest.mark.parametrize("finding", FINDINGS)
def test_every_finding_is_one_that_verify_has(finding: str):
    texts = [*messages()]
    for piece in filter(None, map(str.strip, finding.split("…"))):
        assert any(piece in text for text in texts), piece


def test_every_aspect_has_its_section():
    help_text = " ".join(CliRunner().invoke(main, ["verify", "--help"]).output.split())
    for heading in ("Answers", "Samples", "Misconceptions", "Mutants", "Tolerances", "Stability",
                    "Redundancy"):  # fmt: skip
        assert f"\n## {heading}\n" in VERIFY
        assert f" {heading.lower()} " in help_text


# --- links and commands ----------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    """The headings of a page, as they are linked to."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path):
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        name, _, anchor = target.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_it_shows_is_one(page: Path):
    text = page.read_text(encoding="utf-8")
    for command, rest in re.findall(r"(?:^\$ |`)grader ((?:new )?[a-z]+)([^`\n]*)", text, re.M):
        helped = CliRunner().invoke(main, [*command.split(), "--help"]).output
        assert "Usage: " in helped, command
        for option in re.findall(r"(?<= )--?[a-z][a-z-]*", rest.partition("#")[0]):
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", helped), f"{command} {option}"


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
    ("## `[[verify.accepted]]`", problem.AcceptedMutants, set()),
    ("## The rubric of a written criterion", Rubric, set()),
]


@pytest.mark.parametrize(("heading", "model", "above"), _TABLES, ids=[t[0] for t in _TABLES])
def test_the_tables_list_every_key_with_its_default(heading, model, above):
    table = REFERENCE.split(f"\n{heading}")[1].split("|---|---|---|\n")[1].split("\n\n")[0]
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
