"""A small pack that is sound, to be made unsound one way at a time, and a bench to try it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from grader.pipeline.session import open_session
from grader.verification import Finding, Level
from grader.verify.bench import Bench, Found

PROBLEM = """
id = "scale"
title = "Scale"
version = "1"
seed = 5

[files]
code = "work.py"

[[parts]]
id = "a"
title = "Scale"
points = 2

[[parts.criteria]]
id = "small"
title = "Small vectors"
kind = "matches"
weight = 2
function = "scaled"
inputs = "small"
asks = "scaled(x) is x divided by its largest absolute value."

[[parts.criteria]]
id = "larger"
title = "Larger vectors"
kind = "matches"
weight = 1
visibility = "hidden"
reveal = "hint"
function = "scaled"
inputs = "larger"

[[parts.criteria]]
id = "kept"
title = "x is left alone"
kind = "property"
weight = 1
function = "scaled"
inputs = "small"
check = "is_kept"

[[parts]]
id = "b"
title = "Formula"
points = 1

[[parts.criteria]]
id = "double"
title = "Twice"
kind = "symbolic"
weight = 1
symbol = "t"
formula = "2*x + 1"
variables = { x = { min = -5, max = 5 } }

[[misconceptions]]
id = "by_largest"
title = "Divides by the largest value"
hint = "The largest absolute value is meant."
functions = { scaled = "by_largest" }
formulas = { double = "2*x" }

[[misconceptions]]
id = "in_place"
title = "Writes into x"
hint = "x /= … changes the caller's array."
functions = { scaled = "in_place" }
"""
FILES: Mapping[str, str] = {
    "problem.toml": PROBLEM,
    "statement.md": "Write `scaled`.\n",
    "reference.py": (
        "import numpy as np\nfrom material import largest\n\n\n"
        "def scaled(x):\n    return np.asarray(x, float) / largest(x)\n"
    ),
    "material.py": (
        "import numpy as np\nfrom grader import Case\n\n\n"
        "def largest(x):\n    return np.abs(x).max()\n\n\n"
        "def case(*numbers):\n    return Case(np.array(numbers))\n"
    ),
    "inputs.py": (
        "from material import case\nfrom grader import Case\n\n\n"
        "def small(rng):\n    yield case(2.0)\n    yield case(1.0, -4.0)\n"
        "    yield case(1, -3, 2)\n"
        "\n\ndef larger(rng):\n    for n in (5, 8):\n        x = rng.normal(size=n)\n"
        "        x[0] = -5\n        yield Case(x)\n"
    ),
    "checks.py": "def is_kept(result):\n    return not result.mutated\n",
    "misconceptions.py": (
        "import numpy as np\n\n\n"
        "def by_largest(x):\n    return x / x.max()\n\n\n"
        "def in_place(x):\n    if x.dtype == float:\n        x /= np.abs(x).max()\n"
        "        return x\n    return x / np.abs(x).max()\n"
    ),
    "starter/work.py": "def scaled(x):\n    raise NotImplementedError\n",
    "samples/full_marks/ann/work.py": (
        "def scaled(x):\n    return x / max(abs(float(v)) for v in x)\n"
    ),
    "samples/full_marks/ann/answers.md": "## b\n\nt = x + x + 1\n",
    "samples/misconception-in_place/bo/work.py": (
        "import numpy as np\n\ndef scaled(x):\n    if x.dtype == float:\n"
        "        x /= np.abs(x).max()\n        return x\n    return x / np.abs(x).max()\n"
    ),
    "samples/no_marks/cy/work.py": "def scaled(x):\n    x[0] = 77\n    return None\n",
}


def write_pack(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Write the pack, with some of its files replaced."""
    for name, text in {**FILES, **(changes or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def changed(old: str, new: str, file: str = "problem.toml") -> dict[str, str]:
    """One of the files with something else in it."""
    assert old in FILES[file], f"{old!r} is not in {file}"
    return {file: FILES[file].replace(old, new)}


@contextmanager
def on_bench(folder: Path, *, quick: bool = False) -> Iterator[Bench]:
    """A bench for a pack, as the orchestrator makes it."""
    with open_session(folder, jobs=2) as session:
        yield Bench(
            prepared=session.prepared,
            grading=session.grading,
            judge=session.judge,
            perform=session.pool.perform,
            isolation=session.isolation,
            jobs=2,
            quick=quick,
            samples=folder / "samples",
        )


def findings(found: Found, *levels: Level) -> list[Finding]:
    """The findings of some levels; errors and warnings if none are named."""
    wanted = levels or (Level.ERROR, Level.WARNING)
    return [finding for finding in found.aspect.findings if finding.level in wanted]
