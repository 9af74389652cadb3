"""Per-student variants, from the starter to the gradebook, as students and instructors use them."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mini_pack import grader, outcomes, results

from grader import spec
from grader.errors import SpecError
from grader.evidence import Chunk, Submission
from grader.pipeline.prepare import prepare
from grader.pipeline.variants import for_student, for_variant, marked_student, variant_of
from grader.variant import Variant

PROBLEM = """
id = "scaled"
title = "Scaled"
version = "1"

[files]
code = "work.py"

[variants]
factor = { type = "integer", min = 2, max = 9 }
offset = { type = "real", min = -1.5, max = 1.5, step = 0.25 }
unit = { choices = ["cm", "inch"] }

[[parts]]
id = "a"
title = "Scale"
points = 2

[[parts.criteria]]
id = "scales"
title = "Scales numbers"
kind = "matches"
weight = 1
function = "scale"
inputs = "numbers"
asks = "scale(x) returns {{factor}} times x, plus {{offset}}."

[[parts.criteria]]
id = "grows"
title = "Grows as it should"
kind = "property"
weight = 1
visibility = "hidden"
function = "scale"
inputs = "numbers"
check = "grows"

[[parts.criteria]]
id = "formula"
title = "The formula"
kind = "symbolic"
weight = 1
symbol = "y"
formula = "{{factor}}*x - {{offset}}"
variables = { x = { min = 0, max = 1 } }
asks = "Give y, in {{unit}}."

[[misconceptions]]
id = "forgets"
title = "Forgets the offset"
hint = "Add {{ offset }} at the end."
functions = { scale = "forgets_offset" }
formulas = { formula = "{{factor}}*x + 1000" }
"""
FILES = {
    "problem.toml": PROBLEM,
    "statement.md": "Write `scale`: times {{factor}}, plus {{offset}}, in {{unit}}.\n",
    "reference.py": (
        "def scale(x, *, variant):\n    return variant['factor'] * x + variant['offset']\n"
    ),
    "inputs.py": (
        "from grader import Case\n\n\n"
        "def numbers(rng, *, variant):\n"
        "    for x in (1.0, 3.0, float(variant['factor'])):\n        yield Case(x)\n"
    ),
    "checks.py": (
        "def grows(call, *, variant):\n"
        "    return call.value == variant['factor'] * call.args[0] + variant['offset']\n"
    ),
    "misconceptions.py": "def forgets_offset(x, *, variant):\n    return variant['factor'] * x\n",
    "starter/work.py": (
        '"""Times {{factor}}."""\n\n\ndef scale(x):\n'
        '    """{{factor}} x plus {{offset}}."""\n    raise NotImplementedError\n'
    ),
    "starter/answers.md": "## a\n\n<!-- y = … in {{unit}} -->\n",
}
RESULT_SCHEMA = json.loads(
    (Path(spec.__file__).parents[1] / "result.schema.json").read_text(encoding="utf-8")
)


def write_pack(folder: Path, **changes: str) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changes.get(path.stem, text))
    return folder


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return write_pack(tmp_path / "scaled")


def variant(pack: Path, student: str) -> Variant:
    return variant_of(spec.load(pack).problem, student)


def begin(pack: Path, folder: Path, student: str) -> Path:
    done = grader("new", "starter", pack, folder, "--student", student)
    assert done.returncode == 0, done.stderr
    return folder


def solve(folder: Path, values: Variant, *, offset: bool = True) -> Path:
    """Fill in a starter with the values that are meant."""
    work = folder / "work.py"
    more = f" + {values['offset']}" if offset else ""
    answer = f"return {values['factor']} * x{more}"
    work.write_text(work.read_text().replace("raise NotImplementedError", answer))
    (folder / "answers.md").write_text(f"## a\n\ny = {values['factor']}*x - ({values['offset']})\n")
    return folder


def test_from_the_starter_to_the_grades(pack: Path, tmp_path: Path) -> None:
    values = {student: variant(pack, student) for student in ("ada", "bram")}
    assert values["ada"] != values["bram"]
    for student, own in values.items():
        solve(begin(pack, tmp_path / "class" / student, student), own)
    solve(begin(pack, tmp_path / "class" / "carla", "carla"), values["ada"])  # copied from ada
    own = variant(pack, "dora")
    solve(begin(pack, tmp_path / "class" / "dora", "dora"), own, offset=False)
    done = grader("grade", pack, tmp_path / "class", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    found = results(tmp_path / "out")
    assert found["ada"]["score"] == found["bram"]["score"] == 2
    assert found["carla"]["score"] == 0
    assert outcomes(found["dora"]) == {"scales": "failed", "grows": "failed", "formula": "passed"}
    said = json.dumps(found["dora"]["parts"], ensure_ascii=False)
    assert f"Add {own['offset']:g} at the end." in said
    assert f"returns {own['factor']} times x" in said
    for student in found:
        assert found[student]["variant"] == dict(variant(pack, student))
        page = (tmp_path / "out" / f"{student}.html").read_text()
        assert f"factor = {found[student]['variant']['factor']}" in page
        assert f"times {found[student]['variant']['factor']}, plus" in page
        assert "{{" not in page
    jsonschema.validate(json.loads((tmp_path / "out" / "ada.json").read_text()), RESULT_SCHEMA)
    again = grader("grade", pack, tmp_path / "class", "-o", tmp_path / "out")
    assert "Skipped 4" in again.stdout


def test_a_starter_has_the_students_values_and_the_same_id_always_the_same(
    pack: Path, tmp_path: Path
) -> None:
    one = begin(pack, tmp_path / "one", "Ada Lovelace")
    two = begin(pack, tmp_path / "two", "Ada Lovelace")
    own = variant(pack, "Ada Lovelace")
    for name in ("work.py", "answers.md", "statement.md"):
        text = (one / name).read_text()
        assert text == (two / name).read_text()
        assert "{{" not in text
        assert str(own["unit" if name == "answers.md" else "factor"]) in text
    compile((one / "work.py").read_text(), "work.py", "exec")


@pytest.mark.parametrize("student", [[], ["--student", ""], ["--student", "  "]])
def test_a_starter_needs_to_know_whose_it_is(
    pack: Path, tmp_path: Path, student: list[str]
) -> None:
    done = grader("new", "starter", pack, tmp_path / "x", *student)
    assert done.returncode == 1
    assert "--student" in done.stderr
    assert not (tmp_path / "x").exists()


def test_check_knows_whose_work_it_is_from_the_starters_line(pack: Path, tmp_path: Path) -> None:
    work = solve(begin(pack, tmp_path / "homework 1", "ada"), variant(pack, "ada"))
    done = grader("check", pack, work)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Variant: factor = {variant(pack, 'ada')['factor']}, offset" in done.stdout
    other = grader("check", pack, work, "--student", "bram")
    assert other.returncode == 1
    (work / "work.py").write_text(re.sub("# grader.*\n", "", (work / "work.py").read_text()))
    unknown = grader("check", pack, work)
    assert unknown.returncode == 1
    assert "grader student: ID" in unknown.stderr
    assert grader("check", pack, work, "--student", "ada").returncode == 0


def test_in_ci_no_line_of_the_code_chooses_the_variant_if_the_student_is_named(
    pack: Path, tmp_path: Path
) -> None:
    work = solve(begin(pack, tmp_path / "checkout", "ada"), variant(pack, "ada"))
    result = tmp_path / "result.json"
    own = grader("ci", pack, work, "--student", "bram", "--result", result)
    assert own.returncode == 0, own.stderr
    document = json.loads(result.read_text())
    assert document["score"] == 0
    assert document["variant"] == dict(variant(pack, "bram"))
    unsettled = grader("ci", pack, work, "--result", result)
    assert "--student ID settles it" in unsettled.stdout
    assert json.loads(result.read_text())["score"] == 2


@pytest.mark.parametrize(
    ("code", "student"),
    [
        (b"# grader student: ada\n", "ada"),
        (b"#grader student:\tada \t\r# grader student: bram\r", "ada"),
        (b"# grader student:  \n# grader student: Ada L.\n", "Ada L."),
        (b"\xef\xbb\xbf# grader student: ada", "ada"),
        (b"x = 1  # grader student: ada\n## grader student: ada\n", None),
        (b"# grader student: a" + 500_000 * b" " + b"b\n", "a" + 500_000 * " " + "b"),
        (500_000 * b"#\t" + b"\n" + 500_000 * b"# grader student:\n", None),
    ],
    ids="plain first blank bom elsewhere spaces many".split(),
)
def test_the_line_that_names_the_student_is_found_in_any_file(
    code: bytes, student: str | None
) -> None:
    submission = Submission("x", "x", (Chunk("work.py", code),), {}, {}, "digest")
    assert marked_student(submission) == student


def test_an_untouched_starter_is_not_attempted(pack: Path, tmp_path: Path) -> None:
    done = grader("check", pack, begin(pack, tmp_path / "x", "ada"))
    assert "not attempted" in done.stdout
    assert "statement.md" not in done.stdout + done.stderr


def test_work_begun_as_somebody_elses_variant_is_never_graded_by_the_wrong_one(
    pack: Path, tmp_path: Path
) -> None:
    solve(begin(pack, tmp_path / "class" / "ada_final", "ada"), variant(pack, "ada"))
    assert variant(pack, "ada_final") != variant(pack, "ada")
    folder = tmp_path / "class" / "ada_final"
    done = grader("grade", pack, folder, "-o", tmp_path / "out")
    assert done.returncode == 1
    found = results(tmp_path / "out")["ada_final"]
    assert (found["status"], found["score"], found["pending"]) == ("ungraded", 0, 2)
    assert "begun as the variant of ada" in found["fault"]
    shutil.move(folder, folder.with_name("ADA"))
    done = grader("grade", pack, folder.with_name("ADA"), "-o", tmp_path / "again")
    assert results(tmp_path / "again")["ADA"]["score"] == 2


def test_a_pack_that_fails_for_some_values_costs_no_student_anything(
    tmp_path: Path,
) -> None:
    bad = FILES["reference.py"].replace("return", "return 1 / (variant['factor'] - 5) * 0 +")
    pack = write_pack(tmp_path / "scaled", reference=bad)
    ids = {variant(pack, f"s{i}")["factor"] == 5: f"s{i}" for i in range(60)}
    for student in ids.values():
        solve(begin(pack, tmp_path / "class" / student, student), variant(pack, student))
    done = grader("grade", pack, tmp_path / "class", "-o", tmp_path / "out")
    assert done.returncode == 1
    found = results(tmp_path / "out")
    assert found[ids[False]]["score"] == 2
    assert found[ids[True]]["status"] == "ungraded"
    assert "ZeroDivisionError" in found[ids[True]]["fault"]


def test_many_students_of_many_variants_are_each_graded_by_their_own(
    pack: Path, tmp_path: Path
) -> None:
    ids = [f"student{i}" for i in range(20)]
    assert len({str(dict(variant(pack, i))) for i in ids}) > 16
    for student in ids:
        solve(begin(pack, tmp_path / "class" / student, student), variant(pack, student))
    done = grader("grade", pack, tmp_path / "class", "-o", tmp_path / "out", "-j", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert {found["score"] for found in results(tmp_path / "out").values()} == {2}


# --- a pack of one student -----------------------------------------------------------------------


def test_functions_texts_and_formulas_have_the_values(pack: Path) -> None:
    loaded = spec.load(pack)
    own = for_variant(loaded, {"factor": 3, "offset": -0.5, "unit": "inch"})
    assert own.reference["scale"](2.0) == 5.5
    assert own.statement == "Write `scale`: times 3, plus -0.5, in inch.\n"
    criteria = {c.id: c for _, c in own.problem.criteria()}
    assert criteria["scales"].asks == "scale(x) returns 3 times x, plus -0.5."
    assert getattr(criteria["formula"], "formula") == "3*x - (-0.5)"  # noqa: B009 - a union
    assert own.problem.misconceptions[0].hint == "Add -0.5 at the end."
    prepared = prepare(own)
    assert prepared.keys["scales"].parameters == ("x",)
    assert [case.args for case in prepared.keys["scales"].stimuli] == [(1.0,), (3.0,), (3.0,)]
    assert for_student(loaded, "ada").variant == dict(variant_of(loaded.problem, "ada"))


def test_values_are_those_of_the_first_release() -> None:
    """Drawn in another way, every student's problem would change under them."""
    loaded = {"factor": {"type": "integer", "min": 2, "max": 9}, "unit": {"choices": ["cm", "in"]}}
    problem = _problem(loaded)
    drawn = [tuple(variant_of(problem, who).values()) for who in ("ada", "Ádá", "s1234567")]
    # From `printf 'grader/variant/v1\0p\0factor\0ada' | sha256sum`, and so on, by the remainder.
    assert drawn == [(6, "in"), (6, "in"), (4, "cm")]
    assert variant_of(problem, "ÁDÁ ") == variant_of(problem, "A\u0301da\u0301")


def _problem(variants: dict[str, Any]) -> Any:
    from grader.problem import Problem

    part = {"id": "a", "title": "A", "points": 1, "criteria": [
        {"id": "c", "title": "C", "kind": "manual", "weight": 1}]}  # fmt: skip
    return Problem.model_validate(
        {"id": "p", "title": "P", "version": "1", "parts": [part], "variants": variants}
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{{factor}} times x", "{{facotr}} times x", "did you mean factor?"),
        ('"{{factor}}*x - {{offset}}"', '"{{fact}}*x"', "parts.a.criteria.formula.formula"),
        ('title = "Scales numbers"', 'title = "Times {{factor}}"', "the same for everybody"),
        ("min = 2, max = 9", "min = 9, max = 2", "min has to be smaller than max"),
        ("min = 2, max = 9", "min = 2.5, max = 9", "whole numbers"),
        ("min = 2, max = 9", "min = 2", "write choices, or type, min and max"),
        (", step = 0.25", "", "has a step"),
        ('["cm", "inch"]', '["cm"]', "only one value"),
        ('["cm", "inch"]', '["cm", "inch"], min = 2', "choices stand alone"),
        ('type = "integer"', 'type = "whole"', "is none of"),
        ("step = 0.25", "step = 0.0", "more than 0"),
        ("step = 0.25", "setp = 0.25", "did you mean step?"),
    ],
)
def test_what_is_wrong_with_variants_is_said_by_name(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in PROBLEM
    pack = write_pack(tmp_path / "scaled", problem=PROBLEM.replace(old, new, 1))
    with pytest.raises(SpecError) as caught:
        spec.load(pack)
    assert said in str(caught.value)


@pytest.mark.parametrize(("file", "name"), [("statement", "statement.md"), ("work", "work.py")])
def test_unknown_placeholders_in_files_are_named(tmp_path: Path, file: str, name: str) -> None:
    pack = write_pack(tmp_path / "scaled", **{file: "# {{ofset}}\n"})
    with pytest.raises(SpecError, match=rf"{name}.*ofset.*did you mean offset"):
        spec.load(pack)


def test_without_variants_two_braces_are_nothing_special(tmp_path: Path) -> None:
    plain = PROBLEM.split("[variants]")[0] + PROBLEM[PROBLEM.index("[[parts]]") :]
    plain = plain.replace("{{factor}}", "2").replace("{{offset}}", "0").replace("{{ offset }}", "0")
    code = {
        "reference": "def scale(x):\n    return 2 * x\n",
        "inputs": "from grader import Case\n\n\ndef numbers(rng):\n    yield Case(2.0)\n",
        "checks": "def grows(call):\n    return call.value > 0\n",
        "misconceptions": "def forgets_offset(x):\n    return 3 * x\n",
    }
    pack = write_pack(tmp_path / "scaled", problem=plain, **code)
    loaded = spec.load(pack)
    assert for_student(loaded, "ada") is loaded
    assert loaded.statement == FILES["statement.md"]
    assert grader("new", "starter", pack, tmp_path / "x").returncode == 0
    assert (tmp_path / "x" / "work.py").read_text() == FILES["starter/work.py"]
    assert not (tmp_path / "x" / "statement.md").exists()
