"""Each aspect of `grader verify`: silent on a sound pack, and telling where a fault is planted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import jsonschema
import pytest
from small_pack import FILES, changed, findings, on_bench, write_pack

import grader
from grader.verification import Fate, Kill, Level, Verification
from grader.verify import Options, verify
from grader.verify.answers import answers
from grader.verify.bench import Bench, Found
from grader.verify.cost import cost
from grader.verify.document import to_document
from grader.verify.misconceptions import misconceptions
from grader.verify.mutants import mutants
from grader.verify.redundancy import redundancy
from grader.verify.samples import samples

SCHEMA = json.loads((Path(grader.__file__).parent / "verification.schema.json").read_text())
Ask = Callable[[Bench], Found]


def asked(ask: Ask, folder: Path, changes: Mapping[str, str] | None = None) -> Found:
    with on_bench(write_pack(folder, changes)) as bench:
        return ask(bench)


def told(found: Found, about: str, *levels: Level) -> str:
    """What the findings about something say; fails if there is none."""
    texts = [f"{f.text} {f.mend}" for f in findings(found, *levels) if f.about.endswith(about)]
    assert texts, found.aspect.findings
    return "\n".join(texts)


# --- a sound pack -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Verification:
    folder = write_pack(tmp_path_factory.mktemp("sound"))
    return verify(folder, Options(jobs=2))


def test_a_sound_pack_is_sound(sound: Verification) -> None:
    assert sound.sound, [f for f in sound.findings if f.level is not Level.NOTE]
    assert [aspect.name for aspect in sound.aspects] == [
        "pack", "answers", "samples", "misconceptions", "mutants", "tolerances", "stability",
        "redundancy", "cost",
    ]  # fmt: skip
    assert all(aspect.summary and not aspect.skipped for aspect in sound.aspects)


def test_its_figures_are_there(sound: Verification) -> None:
    kills = {kill.wrong: kill for kill in sound.misconceptions}
    assert kills["by_largest"].lost == ("small", "larger", "double")
    assert "small" in kills["by_largest"].recognised
    assert "kept" in kills["in_place"].lost
    assert sound.mutation_score == 1
    assert {mutant.about for mutant in sound.mutants} == {"scaled", "largest", "double"}
    assert [cost.criterion for cost in sound.costs] == ["small", "larger", "kept"]
    assert all(0 <= cost.cpu_s < 5 and cost.calls for cost in sound.costs)


def test_equivalent_mutants_are_set_apart_and_say_why(sound: Verification) -> None:
    equivalent = [m for m in sound.mutants if m.fate is Fate.EQUIVALENT]
    assert "np.asarray(x) /" in " ".join(m.diff for m in equivalent)
    assert all("the same on" in m.why or "judge" in m.why for m in equivalent)
    assert all(m.lost for m in sound.mutants if m.fate is Fate.KILLED)


def test_its_document_is_as_the_published_schema_says(sound: Verification) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    document = json.loads(json.dumps(to_document(sound), allow_nan=False))
    jsonschema.validate(document, SCHEMA)
    assert document["sound"] is True


# --- a pack that does not load ------------------------------------------------------------------


def test_everything_that_keeps_a_pack_from_loading_is_told_at_once(tmp_path: Path) -> None:
    broken = FILES["problem.toml"].replace("weight = 2", "wieght = 2").replace("2*x + 1", "2*(x")
    found = verify(write_pack(tmp_path / "scale", {"problem.toml": broken}))
    assert not found.sound
    (aspect,) = found.aspects
    assert aspect.name == "pack"
    assert "did you mean weight?" in " ".join(f.mend for f in aspect.findings)
    assert all(f.level is Level.ERROR for f in aspect.findings)
    jsonschema.validate(json.loads(json.dumps(to_document(found))), SCHEMA)


def test_cases_and_formulas_that_fail_are_told_together(tmp_path: Path) -> None:
    changes = {
        **changed("2*x + 1", "2*(x"),
        **changed("yield case(2.0)", "yield case(1 / 0)", "inputs.py"),
    }
    abouts = {f.about for f in verify(write_pack(tmp_path, changes)).findings}
    assert {"parts.a.criteria.small", "parts.b.criteria.double.formula"} <= abouts


# --- answers ------------------------------------------------------------------------------------


def test_a_reference_that_fails_in_the_sandbox_is_an_error(tmp_path: Path) -> None:
    changes = changed(
        "import numpy as np\n", "import numpy as np\nimport sympy\n", file="reference.py"
    )
    found = asked(answers, tmp_path, changes)
    assert "sympy" in told(found, "small", Level.ERROR)


@pytest.mark.parametrize(
    ("body", "idle"),
    [
        ("return np.asarray(x, float) / largest(x)", True),
        ("power = 1; return np.asarray(x, float) / largest(x)", True),
        ("return np.asarray(x, float) ** (power or 1) / largest(x)", False),
        ("return (lambda: np.asarray(x, float) / largest(x) / power)()", False),
    ],
)
def test_a_reference_that_does_not_look_at_an_argument_is_told(
    tmp_path: Path, body: str, idle: bool
) -> None:
    reference = FILES["reference.py"].partition("def scaled")[0]
    more = {
        "reference.py": f"{reference}def scaled(x, power):\n    {body}\n",
        "material.py": FILES["material.py"].replace(
            "Case(np.array(numbers))", "Case(np.array(numbers), 1)"
        ),
        "inputs.py": FILES["inputs.py"].replace("Case(x)", "Case(x, 1)"),
    }
    found = asked(answers, tmp_path, more)
    texts = [f.text for f in findings(found, Level.WARNING)]
    told_so = "The reference scaled never looks at its argument power."
    assert (told_so in texts) is idle
    ignored = {"reference.py": more["reference.py"].replace("x, power", "x, _power")}
    if idle:
        found = asked(answers, tmp_path / "again", {**more, **ignored})
        assert told_so.replace("power", "_power") not in [f.text for f in findings(found)]


def test_a_starter_that_earns_points_is_an_error(tmp_path: Path) -> None:
    changes = {"starter/work.py": "def scaled(x):\n    return x\n"}
    assert "kept" in told(asked(answers, tmp_path, changes), "starter", Level.ERROR, Level.WARNING)


def test_a_starter_that_does_not_raise_not_implemented_is_not_seen_as_unbegun(
    tmp_path: Path,
) -> None:
    changes = {"starter/work.py": "def scaled(x):\n    raise ValueError\n"}
    said = told(asked(answers, tmp_path, changes), "starter", Level.WARNING)
    assert "NotImplementedError" in said


@pytest.mark.parametrize(
    ("check", "returns"),
    [
        ("as_array(result.value).max() <= 1", "a text"),
        ("isinstance(result.value, str) or result.value.max() <= 1", "a dictionary"),
    ],
)
def test_a_check_that_breaks_on_what_a_student_may_return_is_told(
    tmp_path: Path, check: str, returns: str
) -> None:
    source = "from grader import as_array\n\n\ndef is_kept(result):\n    return bool("
    (finding,) = findings(asked(answers, tmp_path, {"checks.py": f"{source}{check})\n"}))
    assert finding.about == "kept"
    assert f"returns {returns}," in finding.text
    assert "checks.py line 5" in finding.block


# --- samples ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "code", "says"),
    [
        ("full_marks/di", "def scaled(x):\n    return x\n", "loses small"),
        ("partly_right/di", "def scaled(x):\n    return 1 / 0\n", "earns nothing"),
        ("no_marks/di", "def scaled(x):\n    return 0\n", "earns kept"),
        ("not_attempted/di", "def scaled(x):\n    return x\n", "attempted"),
        ("stopped/di", "def scaled(x):\n    return x\n", "error"),
        ("misconceptions/di", "def scaled(x):\n    return x + 17\n", "no misconception"),
        ("misconception-in_place/di", "def scaled(x):\n    return x / x.max()\n", "by_largest"),
    ],
)
def test_a_sample_in_the_wrong_folder_is_an_error(
    tmp_path: Path, path: str, code: str, says: str
) -> None:
    found = asked(samples, tmp_path, {f"samples/{path}/work.py": code})
    assert says in told(found, "di", Level.ERROR)


def test_a_folder_that_says_nothing_is_told(tmp_path: Path) -> None:
    found = asked(samples, tmp_path, {"samples/full_mark/di/work.py": "x = 1\n"})
    assert "did you mean full_marks?" in told(found, "full_mark", Level.WARNING)


def test_without_samples_nothing_is_claimed(tmp_path: Path) -> None:
    with on_bench(write_pack(tmp_path)) as bench:
        found = samples(Bench(**{**vars(bench), "samples": None}))
    assert found.aspect.skipped
    assert not found.aspect.sound


# --- misconceptions -----------------------------------------------------------------------------


def test_a_misconception_that_loses_nothing_is_an_error(tmp_path: Path) -> None:
    inputs = FILES["inputs.py"].replace("-4.0", "4.0").replace("-3", "3").replace("= -5", "= 5")
    found = asked(misconceptions, tmp_path, {**changed('formulas = { double = "2*x" }', ""),
                                             "inputs.py": inputs})  # fmt: skip
    assert "loses no points" in told(found, "by_largest", Level.ERROR)


def test_a_version_of_a_function_that_loses_nothing_is_told(tmp_path: Path) -> None:
    inputs = FILES["inputs.py"].replace("-4.0", "4.0").replace("-3", "3").replace("= -5", "= 5")
    found = asked(misconceptions, tmp_path, {"inputs.py": inputs})
    assert "Its version of scaled loses no points" in told(found, "by_largest", Level.WARNING)


def test_a_misconception_that_nothing_names_is_a_warning(tmp_path: Path) -> None:
    wrong = "def in_place(x):\n    return np.random.random()\n"  # never twice the same
    mistakes = FILES["misconceptions.py"].split("def in_place")[0] + wrong
    found = asked(misconceptions, tmp_path, {"misconceptions.py": mistakes})
    assert "no feedback names it" in told(found, "in_place", Level.WARNING)


def test_misconceptions_that_nothing_tells_apart_are_told(tmp_path: Path) -> None:
    twin = (
        '\n[[misconceptions]]\nid = "twin"\ntitle = "Twin"\nhint = "The same."\n'
        'functions = { scaled = "in_place" }\n'
    )
    found = asked(misconceptions, tmp_path, {"problem.toml": FILES["problem.toml"] + twin})
    assert "apart" in told(found, "in_place", Level.WARNING)


# --- mutants ------------------------------------------------------------------------------------


BLIND = "def small(rng):\n    yield case(2.0)\n    yield case(1.0, 4.0)\n\n\n"
"""Inputs that never show a negative number: np.abs may go."""


def blind_pack(tmp_path: Path, accepted: str = "") -> Path:
    head = FILES["inputs.py"].split("def small")[0]
    larger = "def larger(rng):\n    yield case(3.0, 4.0, -0.5)\n"
    problem = FILES["problem.toml"] + accepted
    return write_pack(
        tmp_path, {"inputs.py": head + BLIND + larger, "problem.toml": problem}
    )  # fmt: skip


def test_a_mutant_that_survives_is_shown_with_its_diff_and_a_case(tmp_path: Path) -> None:
    with on_bench(blind_pack(tmp_path)) as bench:
        found = mutants(bench)
    survivors = [m for m in found.mutants if m.fate is Fate.SURVIVED]
    assert [m.operator for m in survivors] == ["dropped_call"]
    (finding,) = findings(found)
    assert finding.about == survivors[0].id
    assert "+    return x.max()" in finding.block
    assert "from the mutant" in finding.text
    assert f'"{finding.about}"' in finding.mend


def test_no_mutant_is_held_against_a_pack_for_inputs_that_it_never_gives(tmp_path: Path) -> None:
    positive = FILES["inputs.py"].split("def small")[0] + BLIND
    positive += "def larger(rng):\n    yield Case(abs(rng.normal(size=6)) + 0.1)\n"
    problem = FILES["problem.toml"].split("[[misconceptions]]")[0]
    found = asked(mutants, tmp_path, {"inputs.py": positive, "problem.toml": problem})
    dropped = [m for m in found.mutants if "+    return x.max()" in m.diff]
    assert [m.fate for m in dropped] == [Fate.EQUIVALENT]


def test_a_survivor_that_the_pack_explains_counts_as_explained(tmp_path: Path) -> None:
    with on_bench(blind_pack(tmp_path / "one")) as bench:
        (survivor,) = [m.id for m in mutants(bench).mutants if m.fate is Fate.SURVIVED]
    stale = survivor[:-1] + ("0" if survivor[-1] != "0" else "1")
    accepted = (
        f'\n[[verify.accepted]]\nmutants = ["{survivor}", "{stale}"]\nwhy = "No negatives here."\n'
    )
    with on_bench(blind_pack(tmp_path / "two", accepted)) as bench:
        found = mutants(bench)
    (explained,) = [m for m in found.mutants if m.fate is Fate.EXPLAINED]
    assert (explained.id, explained.why) == (survivor, "No negatives here.")
    (finding,) = findings(found)
    assert finding.about == stale
    assert f"did you mean {survivor}?" in finding.mend


def test_cases_that_are_too_few_to_tell_mutants_apart_are_told(tmp_path: Path) -> None:
    alike = (
        "import numpy as np\nfrom grader import Case\n\n\ndef small(rng):\n"
        "    yield Case(np.array([-1.0, 1.0]))\n\n\nlarger = small\n"
    )
    found = asked(mutants, tmp_path, {"inputs.py": alike})
    assert "too few" in told(found, "scaled", Level.WARNING)


def test_a_check_that_breaks_on_a_wrong_answer_is_told(tmp_path: Path) -> None:
    checks = (
        "def is_kept(result):\n    assert (abs(result.value) <= 1).all()\n"
        "    return not result.mutated\n"
    )
    found = asked(mutants, tmp_path, {"checks.py": checks})
    assert "ungraded" in told(found, "kept", Level.WARNING)


def test_a_mutant_that_never_ends_is_stopped(tmp_path: Path) -> None:
    loop = (
        "import numpy as np\n\n\ndef scaled(x):\n    i = 0\n    while i < 1:\n        i += 1\n"
        "    return np.asarray(x, float) / np.abs(x).max()\n"
    )
    limits = "seed = 5\n\n[limits]\ncall_time_s = 0.3\n"
    changes = {**changed("seed = 5\n", limits), "reference.py": loop}
    found = asked(mutants, tmp_path, changes)
    endless = [m for m in found.mutants if "i -= 1" in m.diff]
    assert [m.fate for m in endless] == [Fate.KILLED]


def test_a_quick_look_tries_a_fixed_part_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.verify.mutants._QUICK_COUNT", 6)
    with on_bench(write_pack(tmp_path), quick=True) as bench:
        one, other = mutants(bench), mutants(bench)
    assert [m.id for m in one.mutants] == [m.id for m in other.mutants]
    assert len(one.mutants) == 6
    assert "a fixed sample" in one.aspect.summary
    assert {m.about for m in one.mutants} == {"scaled", "largest", "double"}


# --- redundancy and cost ------------------------------------------------------------------------


def test_a_criterion_that_nothing_fails_is_told(tmp_path: Path) -> None:
    changes = {"checks.py": "def is_kept(result):\n    return True\n"}
    with on_bench(write_pack(tmp_path, changes)) as bench:
        kills = misconceptions(bench).misconceptions
        found = redundancy(bench, kills, mutants(bench).mutants)
    assert "Nothing that was tried" in told(found, "kept", Level.WARNING)


def _idle(bench: Bench, *lost: tuple[str, ...]) -> set[str]:
    """The criteria that are told of, where the wrong versions that were tried lose these."""
    kills = [Kill(f"wrong{i}", ids, ()) for i, ids in enumerate(lost)]
    texts = redundancy(bench, kills, []).aspect.findings
    return {f.about for f in texts if f.text.startswith("Nothing that was tried")}


def test_a_public_criterion_is_idle_if_another_catches_all_that_it_does_and_more(
    tmp_path: Path,
) -> None:
    crash, off, written = ("small", "larger", "kept"), ("small", "larger"), ("larger", "kept")
    with on_bench(write_pack(tmp_path)) as bench:
        assert _idle(bench, crash, off) == {"kept"}
        assert _idle(bench, crash) == set(), "neither of the public ones catches more"
        assert _idle(bench, crash, ("small", "kept"), ("small",)) == set(), "a hidden one passes it"
        assert _idle(bench, crash, off, written) == set(), "each catches something of its own"


def test_a_hidden_criterion_is_idle_only_if_it_catches_nothing(tmp_path: Path) -> None:
    crash, small, kept = ("small", "larger", "kept"), ("small",), ("kept",)
    with on_bench(write_pack(tmp_path)) as bench:
        assert _idle(bench, small, kept) == {"larger"}
        assert _idle(bench, crash, small, kept) == set()


def test_hidden_inputs_that_are_public_ones_again_are_told(tmp_path: Path) -> None:
    changes = changed('inputs = "larger"', 'inputs = "small"')
    with on_bench(write_pack(tmp_path, changes)) as bench:
        found = redundancy(bench, [], [])
    assert "from a table" in told(found, "scaled", Level.WARNING)
    with on_bench(write_pack(tmp_path / "sound")) as bench:
        assert not any(f.about == "scaled" for f in redundancy(bench, [], []).aspect.findings)


def test_calls_that_leave_slower_answers_no_room_are_told(tmp_path: Path) -> None:
    slow = FILES["reference.py"].replace(
        "    return", "    for _ in range(400_000):\n        pass\n    return"
    )
    limits = "seed = 5\n\n[limits]\ncall_time_s = 0.02\ncall_time_factor = 3\n"
    changes = {**changed("seed = 5\n", limits), "reference.py": slow}
    assert "call_time_factor" in told(asked(cost, tmp_path, changes), "small", Level.WARNING)


def test_what_loading_takes_is_not_counted_as_the_time_of_calls(tmp_path: Path) -> None:
    loop = "for _ in range(4_000_000):\n    pass\n"
    began_s = time.process_time()
    exec(loop, {})
    loading_s = time.process_time() - began_s
    changes = {"reference.py": f"{FILES['reference.py']}\n\n{loop}"}
    costs = asked(cost, tmp_path, changes).costs
    assert min(each.cpu_s for each in costs) < loading_s / 2
