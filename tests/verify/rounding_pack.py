"""A pack in which rounding matters, written with whatever a test changes, and asked one aspect
without a sandbox: no student's code runs in either."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader import spec
from grader.checks.symbolic_judge import FormulaJudge
from grader.evidence import Isolation, Run, Submission, Tier
from grader.pipeline.grading import Grading
from grader.pipeline.prepare import prepare
from grader.problem import Pack
from grader.sandbox.batch import Batch
from grader.verification import Finding, Level, Spread
from grader.verify.bench import Bench, Found

PROBLEM = """
id = "rounding"
title = "Rounding"
version = "1"
seed = 3

[files]
code = "work.py"

[[parts]]
id = "a"
title = "A"
points = 1

[[parts.criteria]]
id = "close"
title = "The answers agree"
kind = "matches"
weight = 1
function = "answer"
inputs = "inputs"
{tolerances}

{more}
"""
PROPERTY = """
[[parts.criteria]]
id = "holds"
title = "A property"
kind = "property"
weight = 1
function = "answer"
inputs = "inputs"
check = "holds"
"""
MISCONCEPTION = """
[[misconceptions]]
id = "wrong"
title = "Wrong"
hint = "It is wrong."
functions = { answer = "wrong" }
"""
FILES: Mapping[str, str] = {
    "statement.md": "Write `answer`.\n",
    "reference.py": (
        "import numpy as np\n\n\ndef answer(x):\n"
        "    exponentials = np.exp(x - x.max())\n    return exponentials / exponentials.sum()\n"
    ),
    "inputs.py": (
        "from grader import Case\n\n\ndef inputs(rng):\n    for n in (2, 5, 9):\n"
        "        yield Case(rng.normal(size=n), label=f'n = {n}')\n"
    ),
    "checks.py": "def holds(result):\n    return True\n",
    "misconceptions.py": "def wrong(x):\n    return abs(x) / abs(x).sum()\n",
    "starter/work.py": "def answer(x):\n    raise NotImplementedError\n",
}


def write(folder: Path, *, tolerances: str = "", more: str = MISCONCEPTION, **files: str) -> Path:
    """Write the pack; `files` replaces Python files by their names without ``.py``."""
    problem = PROBLEM.format(tolerances=tolerances, more=more)
    written = {**FILES, **{f"{name}.py": text for name, text in files.items()}}
    for name, text in {**written, "problem.toml": problem}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def bench(folder: Path, *, quick: bool = False, **changes: str) -> Bench:
    """The pack on a bench, written with what a test changes."""
    return on_bench(spec.load(write(folder, **changes)), quick=quick)


def on_bench(pack: Pack, *, quick: bool = False) -> Bench:
    """A loaded pack on a bench."""
    prepared = prepare(pack)
    isolation = Isolation(Tier.E)
    judge = FormulaJudge()
    grading = Grading(prepared, judge, isolation)
    return Bench(prepared, grading, judge, _no_sandbox, isolation, quick=quick)


def _no_sandbox(submission: Submission, batch: Batch) -> Run:
    raise AssertionError("no student's code is run here")


def findings(found: Found, *levels: Level) -> list[Finding]:
    """The findings of some levels; errors and warnings if none are named."""
    wanted = levels or (Level.ERROR, Level.WARNING)
    return [finding for finding in found.aspect.findings if finding.level in wanted]


def spread(found: Found, precision: str = "float64") -> Spread:
    """The only criterion's spread in one precision."""
    (wanted,) = (s for s in found.spreads if s.precision == precision)
    return wanted
