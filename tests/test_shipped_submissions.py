"""The submissions that come with the project, graded as a class by the command line: each must get
what `submissions/attention_copying/expected.toml` says, which was worked out by hand.
"""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader import spec
from grader.result import Outcome

ROOT = Path(__file__).parents[1]
PACK = ROOT / "problems" / "attention_copying"
CLASS = ROOT / "submissions" / "attention_copying"
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((CLASS / "expected.toml").read_text("utf-8"))
FOLDERS = {folder.name: folder for folder in CLASS.glob("*/*/")}
PROBLEM = spec.load(PACK).problem

Result = dict[str, Any]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> dict[str, Result]:
    """Every submission's result, by id; graded once, even where processes share the tests."""
    base = tmp_path_factory.getbasetemp()
    output = (base if worker_id == "master" else base.parent) / "shipped_submissions"
    with open(f"{output}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (output / "results.json").exists():
            _grade(output)
    document = json.loads((output / "results.json").read_text("utf-8"))
    return {result["submission"]: result for result in document["submissions"]}


def _grade(output: Path) -> None:
    command = [sys.executable, "-m", "grader", "grade", str(PACK), str(CLASS), "-o", str(output)]
    graded = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert graded.returncode == 0, graded.stdout + graded.stderr


@pytest.fixture(params=EXPECTED)
def named(request: pytest.FixtureRequest) -> str:
    """Each submission's id in turn."""
    return str(request.param)


@pytest.fixture
def expected(named: str) -> dict[str, Any]:
    return EXPECTED[named]


@pytest.fixture
def result(named: str, results: dict[str, Result]) -> Result:
    return results[named]


def criteria(result: Result, *, written: bool) -> Iterator[Result]:
    """The criteria of a result: the written ones, or those of code and formulas."""
    for part in result["parts"]:
        yield from (c for c in part["criteria"] if (c["kind"] == "written") is written)


def told(criterion: Result) -> str:
    """All that the feedback on a criterion says, its failing case too."""
    return json.dumps(criterion["feedback"], ensure_ascii=False)


# --- the files ----------------------------------------------------------------------------------


def test_every_folder_is_expected_and_every_expectation_has_a_folder() -> None:
    assert sorted(FOLDERS) == sorted(EXPECTED)
    assert len(FOLDERS) == len(list(CLASS.glob("*/*/"))), "one id, two folders"


def test_every_known_misconception_has_a_submission() -> None:
    shown = {name for expected in EXPECTED.values() for name in expected.get("named", {})}
    assert shown == {misconception.id for misconception in PROBLEM.misconceptions}


def test_expectations_speak_of_criteria_that_exist(expected: dict[str, Any]) -> None:
    ids = [criterion.id for _, criterion in PROBLEM.criteria()]
    patterns = {*expected.get("lost", {}), *expected.get("said", {}), *expected.get("carried", [])}
    patterns.update(*expected.get("named", {}).values())
    assert not [p for p in patterns if not any(fnmatch(id_, p) for id_ in ids)]


# --- what they get ------------------------------------------------------------------------------


def test_each_folder_is_one_submission(results: dict[str, Result]) -> None:
    assert sorted(results) == sorted(EXPECTED)


def test_nothing_is_left_ungraded(result: Result) -> None:
    assert result["status"] != "ungraded"
    assert not result["fault"]


def test_code_and_formulas_come_out_as_expected(result: Result, expected: dict[str, Any]) -> None:
    wanted = {}
    for criterion in criteria(result, written=False):
        fitting = [o for p, o in expected.get("lost", {}).items() if fnmatch(criterion["id"], p)]
        wanted[criterion["id"]] = fitting[-1] if fitting else "passed"
    assert {c["id"]: c["outcome"] for c in criteria(result, written=False)} == wanted


def test_what_is_wrong_for_an_earlier_reason_alone_is_carried_and_says_so(
    result: Result, expected: dict[str, Any]
) -> None:
    carried = [c for c in criteria(result, written=False) if c["carried"]]
    assert {c["id"] for c in carried} == set(expected.get("carried", []))
    for criterion in carried:
        assert criterion["outcome"] == "passed"
        assert not criterion["misconceptions"]
        assert "given your own `attention_weights`" in told(criterion)


def test_code_and_formulas_earn_the_points_expected(
    result: Result, expected: dict[str, Any]
) -> None:
    earned = []
    for part in result["parts"]:
        total = sum(c["weight"] for c in part["criteria"])
        own = [c for c in part["criteria"] if c["kind"] != "written"]
        share = sum(c["weight"] * Fraction(c["exact"]["fraction"]) for c in own) / total
        earned.append(share * Fraction(part["exact"]["points"]))
    assert earned == [Fraction(points) for points in expected["points"]]


def test_totals_are_the_parts_scaled_from_five_points_to_four(
    result: Result, expected: dict[str, Any]
) -> None:
    raw = sum(map(Fraction, expected["points"]))
    for part in result["parts"]:
        if part["criteria"][-1]["outcome"] == "passed":
            raw += Fraction(part["points"], 2)
    assert Fraction(result["exact"]["score"]) == raw * Fraction(4, 5)
    assert result["raw"]["score"] == pytest.approx(float(raw), abs=1e-12)
    assert (result["max_score"], result["raw"]["max_score"]) == (4, 5)


def test_written_answers_come_out_as_expected(result: Result, expected: dict[str, Any]) -> None:
    found = [_written(criterion) for criterion in criteria(result, written=True)]
    fits = [f in _ACCEPTED[w] for f, w in zip(found, expected["written"], strict=True)]
    assert all(fits), f"{found} where {expected['written']} was expected"


_ACCEPTED = {
    "full": ("full", "full suggested"),
    "part": ("part suggested",),
    "review": ("full suggested", "part suggested", "none suggested"),
    "blank": ("blank",),
}


def _written(criterion: Result) -> str:
    outcome, suggested = Outcome(criterion["outcome"]), criterion["suggested_fraction"]
    if outcome is Outcome.NEEDS_REVIEW:
        how_much = {None: "none", 0: "none", 1: "full"}.get(suggested, "part")
        return f"{how_much} suggested"
    if outcome is Outcome.PASSED and criterion["fraction"] == 1:
        return "full"
    return "blank" if outcome is Outcome.MISSING else f"{outcome} {criterion['fraction']}"


def test_misconceptions_are_named_where_they_show_and_no_others(
    result: Result, expected: dict[str, Any]
) -> None:
    first = {
        c["id"]: c["misconceptions"][0]
        for c in criteria(result, written=False)
        if c["misconceptions"]
    }
    wanted = expected.get("named", {})
    unnamed = [(m, id_) for m, ids in wanted.items() for id_ in ids if first.get(id_) != m]
    assert not unnamed, first
    assert set(first.values()) <= wanted.keys(), first


def test_feedback_says_what_matters(result: Result, expected: dict[str, Any]) -> None:
    by_id = {c["id"]: c for written in (False, True) for c in criteria(result, written=written)}
    for id_, texts in expected.get("said", {}).items():
        for text in texts:
            assert text in told(by_id[id_])


def test_whatever_is_not_passed_is_explained(result: Result) -> None:
    for criterion in criteria(result, written=False):
        if criterion["outcome"] != "passed":
            kinds = {item["kind"] for item in criterion["feedback"]}
            assert kinds & {"summary", "formula", "error"}, criterion


def test_warnings_are_those_expected(result: Result, expected: dict[str, Any]) -> None:
    left = list(result["warnings"])
    for text in expected.get("warnings", []):
        fitting = [warning for warning in left if text in warning]
        assert fitting, f"“{text}” is not in {left}"
        left.remove(fitting[0])
    assert not left
