"""Error carried forward from the pack to the report, and work that tries to gain by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from mini_pack import grader, outcomes, results

from grader import spec
from grader.errors import SandboxError, SpecError
from grader.evidence import Chunk, Run, Submission
from grader.pipeline.prepare import prepare
from grader.pipeline.session import open_session
from grader.sandbox.batch import Batch

PROBLEM = """
id = "moments"
title = "Moments"
version = "1"

[files]
code = "work.py"

[limits]
call_time_s = 0.5

[[parts]]
id = "a"
title = "Mean"
points = 1

[[parts.criteria]]
id = "mean"
title = "The mean"
kind = "matches"
weight = 1
function = "mean"
inputs = "samples"

[[parts]]
id = "b"
title = "Scaled"
points = 1

[[parts.criteria]]
id = "scaled"
title = "The mean, scaled"
kind = "matches"
weight = 1
function = "scaled"
inputs = "scales"

[parts.criteria.carried]
earlier = "mean(x)"
reference = "scaled_from"
usable = "varies"

[[parts.criteria]]
id = "other"
title = "Doubles"
kind = "matches"
weight = 1
function = "double"
inputs = "numbers"
"""
FILES = {
    "problem.toml": PROBLEM,
    "statement.md": "Write `mean`, `scaled` and `double`.\n",
    "reference.py": (
        "def mean(x):\n    return x.mean()\n\n\n"
        "def scaled(x, factor):\n    return scaled_from(mean(x), x, factor)\n\n\n"
        "def scaled_from(own, x, factor):\n    return own * factor\n\n\n"
        "def double(x):\n    return 2 * x\n"
    ),
    "inputs.py": (
        "import numpy as np\nfrom grader import Case\n\n\n"
        "def samples(rng):\n    for n in (2, 3):\n        yield Case(rng.normal(size=n))\n\n\n"
        "def scales(rng):\n    for n in (2, 3):\n        yield Case(rng.normal(size=n), 1.0 + n)\n"
        "\n\n"
        "def numbers(rng):\n    yield Case(3.0)\n"
    ),
    "checks.py": (
        "def varies(results):\n    values = [r.value for r in results]\n"
        "    return min(values) != max(values)\n"
    ),
    "misconceptions.py": "",
    "starter/work.py": "def mean(x):\n    raise NotImplementedError\n",
}
REST = (
    "\n\ndef scaled(x, factor):\n    return mean(x) * factor\n\n\n"
    "def double(x):\n    return x + x\n"
)
WORKS = {
    "right": "def mean(x):\n    return x.mean()\n" + REST,
    "adds_up": "def mean(x):\n    return x.sum()\n" + REST,
    "constant": "def mean(x):\n    return 0.0\n" + REST,
    # Knows in `mean` what `scaled` was asked, if both are called in one process.
    "fits": (
        "asked = {}\n\n\ndef mean(x):\n"
        "    return 1.0 / asked[x.tobytes()] if x.tobytes() in asked else x.mean()\n\n\n"
        "def scaled(x, factor):\n    asked[x.tobytes()] = factor\n    return 1.0\n\n\n"
        "def double(x):\n    return x + x\n"
    ),
    "loops": (
        "def mean(x):\n    while True:\n        pass\n\n\n"
        "def scaled(x, factor):\n    return 1.0\n\n\ndef double(x):\n    return x + x\n"
    ),
    "huge": (
        "import numpy as np\n\n\ndef mean(x):\n    return np.ones((2000, 2000))\n\n\n"
        "def scaled(x, factor):\n    return 1.0\n\n\ndef double(x):\n    return x + x\n"
    ),
    "without": "def scaled(x, factor):\n    return x.sum() * factor\n\n\n"
    "def double(x):\n    return x + x\n",
}


def write_pack(folder: Path, **changes: str) -> Path:
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(changes.get(path.stem, content))
    return folder


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    base = tmp_path_factory.mktemp("moments")
    for name, code in WORKS.items():
        (base / "class" / name).mkdir(parents=True)
        (base / "class" / name / "work.py").write_text(code)
    done = grader("grade", write_pack(base / "pack"), base / "class", "-o", base / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    return results(base / "out")


def carried(document: dict[str, Any]) -> list[str]:
    return [c["id"] for part in document["parts"] for c in part["criteria"] if c["carried"]]


def test_a_wrong_a_costs_a_alone(graded: dict[str, dict[str, Any]]) -> None:
    assert (graded["right"]["score"], carried(graded["right"])) == (2, [])
    assert (graded["adds_up"]["score"], carried(graded["adds_up"])) == (1, ["scaled"])
    assert outcomes(graded["adds_up"])["mean"] == "failed"


@pytest.mark.parametrize("name", ["constant", "fits", "loops", "huge", "without"])
def test_nobody_gains_b_by_a_made_up_a(graded: dict[str, dict[str, Any]], name: str) -> None:
    assert carried(graded[name]) == []
    assert outcomes(graded[name])["scaled"] == "failed"
    assert outcomes(graded[name])["other"] == "passed"


def test_check_says_why_b_counts(tmp_path: Path) -> None:
    pack = write_pack(tmp_path / "pack")
    (tmp_path / "work.py").write_text(WORKS["adds_up"])
    done = grader("check", pack, tmp_path / "work.py")
    assert "✓ The mean, scaled" in done.stdout
    assert "Right, given your own `mean`" in done.stdout


def test_a_sandbox_that_breaks_in_between_costs_no_points(tmp_path: Path) -> None:
    with open_session(write_pack(tmp_path / "pack")) as session:

        def perform(own: Submission, batch: Batch) -> Run:
            if batch is not session.prepared.batch:
                raise SandboxError("it broke")
            return session.pool.perform(own, batch)

        def grade(name: str) -> dict[str, str]:
            chunk = Chunk("work.py", WORKS[name].encode())
            submission = Submission(name, name, (chunk,), {}, {}, name)
            found = session.grading.grade(submission, perform)
            return {c.id: str(c.result.outcome) for p in found.parts for c in p.criteria}

        assert grade("adds_up")["scaled"] == "grader_error"
        assert set(grade("right").values()) == {"passed"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mean(x)", "maen(x)", "did you mean mean?"),
        ("mean(x)", "mean(factr)", "did you mean factor?"),
        ("mean(x)", "mean x", "parts.b.criteria.scaled.carried.earlier"),
        ("mean(x)", "mean(x", "parts.b.criteria.scaled.carried.earlier"),
        ("mean(x)", "mean(x)()", "carried.earlier"),
        ('"varies"', '"vareis"', "did you mean varies?"),
        ('"scaled_from"', '"scaled_form"', "did you mean scaled_from?"),
        ('"scaled_from"', '"double"', "carried.reference"),
        ('usable = "varies"\n', "", "usable"),
        ('usable = "varies"', 'useable = "varies"', "did you mean usable?"),
    ],
)
def test_what_is_wrong_with_it_is_said_by_name(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert old in PROBLEM
    pack = write_pack(tmp_path / "pack", problem=PROBLEM.replace(old, new, 1))
    with pytest.raises(SpecError) as caught:
        prepare(spec.load(pack))
    assert said in str(caught.value)


def test_a_reference_that_does_not_fit_the_reference_itself_is_refused(tmp_path: Path) -> None:
    slip = FILES["reference.py"].replace("return own * factor", "return own + factor")
    slip = slip.replace("return scaled_from(mean(x), x, factor)", "return mean(x) * factor")
    with pytest.raises(SpecError, match="not what the reference itself answers"):
        prepare(spec.load(write_pack(tmp_path / "pack", reference=slip)))
