"""A sound pack loads, exactly as written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from sound_pack import PackFolder

from grader import spec
from grader.errors import SpecError
from grader.problem import MatchesCriterion, SymbolicCriterion, WrittenCriterion


def criterion(pack, name):
    return next(c for _, c in pack.problem.criteria() if c.id == name)


def test_a_sound_pack_loads_whole(pack: PackFolder):
    loaded = pack.load()

    assert loaded.problem.id == "spread"
    assert loaded.folder == pack.path
    assert loaded.statement.startswith("# Spread")
    assert set(loaded.reference) == {"variance"}
    assert set(loaded.inputs) == {"samples", "Case"}
    assert set(loaded.checks) == {"is_not_negative"}
    assert set(loaded.misconceptions) == {"sample_variance", "variance"}


@pytest.mark.parametrize("form", [lambda path: path, lambda path: path / "problem.toml"])
def test_the_folder_and_the_file_both_name_a_pack(pack: PackFolder, form):
    assert spec.load(form(pack.path)).problem.id == "spread"


def test_a_relative_path_names_a_pack(pack: PackFolder, monkeypatch):
    monkeypatch.chdir(pack.path.parent)
    assert spec.load(Path("spread")).folder == pack.path


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        ("0.1", Fraction(1, 10)),
        ('"1/3"', Fraction(1, 3)),
        ("2", Fraction(2)),
        ("1e1", Fraction(10)),
    ],
)
def test_points_are_exact(pack: PackFolder, written, exact):
    pack.change("problem.toml", "points = 3\n", "")
    pack.change("problem.toml", "points = 2\n", f"points = {written}\n")
    assert pack.load().problem.parts[0].points == exact


def test_every_number_may_be_whole_or_decimal(pack: PackFolder):
    numbers = "rtol = 0.25\natol = 1\nfloat32_rtol = 0.5\n"
    pack.change("problem.toml", "rtol = 1e-6\n", numbers)
    pack.change("problem.toml", "call_time_s = 1.5", "call_time_s = 2\nimport_time_s = 2.5")
    loaded = pack.load()

    values, formula = criterion(loaded, "values"), criterion(loaded, "formula")
    assert isinstance(values, MatchesCriterion)
    assert isinstance(formula, SymbolicCriterion)
    assert (values.rtol, values.atol, values.float32_rtol) == (0.25, 1.0, 0.5)
    assert (loaded.problem.limits.call_time_s, loaded.problem.limits.import_time_s) == (2.0, 2.5)
    assert (formula.variables["y"].min, formula.variables["y"].max) == (-10.0, 10.5)


def test_a_written_criterion_gets_its_rubric(pack: PackFolder):
    why = criterion(pack.load(), "why")
    assert isinstance(why, WrittenCriterion)
    assert why.reading is not None
    assert [concept.id for concept in why.reading.concepts] == ["cancel"]


@pytest.mark.parametrize(
    ("printed", "policy", "final"),
    [(3, "", 3), (2, "scale", 2), (2, "cap", 2), (2, "sum", 3), (3, "scale", 3), (4, "sum", 3)],
)
def test_the_points_policy_decides_the_maximum(pack: PackFolder, printed, policy, final):
    line = f'points_policy = "{policy}"\n' if policy else ""
    pack.change("problem.toml", "points = 3\n", f"points = {printed}\n{line}")
    assert pack.load().problem.max_score == final


def test_files_from_windows_load(pack: PackFolder):
    text = (pack.path / "problem.toml").read_text()
    pack.write("problem.toml", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert pack.load().problem.id == "spread"


@pytest.mark.parametrize(
    ("file", "counts"),
    [
        ("problem.toml", True),
        ("rubric.toml", True),
        ("reference.py", True),
        ("inputs.py", True),
        ("checks.py", True),
        ("misconceptions.py", True),
        ("shared_arrays.py", True),
        ("statement.md", False),
        ("README.md", False),
        ("starter/spread.py", False),
        ("samples/good/spread.py", False),
    ],
)
def test_the_digest_covers_what_can_change_a_grade(pack: PackFolder, file, counts):
    before = pack.load().digest
    there = pack.path / file
    pack.write(file, (there.read_text() if there.exists() else "") + "\n# more\n")
    assert (pack.load().digest != before) is counts


def test_the_digest_does_not_depend_on_where_the_pack_lies(pack: PackFolder, tmp_path):
    assert PackFolder(tmp_path / "elsewhere").load().digest == pack.load().digest


def test_the_founding_pack_loads():
    loaded = spec.load(Path(__file__).parents[2] / "problems" / "attention_copying")
    assert [part.id for part in loaded.problem.parts] == ["i", "ii", "iii", "iv"]
    assert (loaded.problem.raw_points, loaded.problem.max_score) == (5, 4)


def test_a_path_with_blanks_and_brackets(tmp_path):
    assert PackFolder(tmp_path / "a [pack] (1)'s é").load().problem.id == "spread"


def test_a_nul_in_the_path_is_a_fault():
    with pytest.raises(SpecError, match="cannot be opened"):
        spec.load(Path("a\0b"))
