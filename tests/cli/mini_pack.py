"""A pack of two parts and a few submissions, and the command line as a user starts it."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from grader.cli import main

PROBLEM = """
id = "mini"
title = "Mini"
version = "1"

[limits]
call_time_s = 0.5

[files]
code = "work.py"

[[parts]]
id = "a"
title = "Double"
points = 2

[[parts.criteria]]
id = "doubles"
title = "Doubles numbers"
kind = "matches"
weight = 1
function = "double"
inputs = "numbers"
asks = "double(x) returns twice x."

[[parts.criteria]]
id = "secret"
title = "Doubles arrays"
kind = "property"
weight = 1
visibility = "hidden"
function = "double"
inputs = "arrays"
check = "is_double"

[[parts]]
id = "b"
title = "Explain"
points = 1

[[parts.criteria]]
id = "why"
title = "Why it doubles"
kind = "manual"
weight = 1
asks = "Say why."

[[misconceptions]]
id = "squares"
title = "Squares"
hint = "Twice is not squared."
functions = { double = "square" }
"""
FILES = {
    "problem.toml": PROBLEM,
    "statement.md": "Write `double`.\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "inputs.py": (
        "import numpy as np\nfrom grader import Case\n\n\n"
        "def numbers(rng):\n    for x in (1.0, 3.0, 7.0):\n        yield Case(x)\n\n\n"
        "def arrays(rng):\n    yield Case(np.array([4242.0]))\n"
    ),
    "checks.py": "def is_double(call):\n    return bool((call.value == 2 * call.args[0]).all())\n",
    "misconceptions.py": "def square(x):\n    return x * x\n",
    "starter/work.py": 'def double(x):\n    """Twice x."""\n    raise NotImplementedError\n',
}
RIGHT = "def double(x):\n    return x + x\n"
SQUARES = "def double(x):\n    return x ** 2\n"


def write_pack(folder: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Write the pack, with some of its files replaced."""
    for name, text in {**FILES, **(changes or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def write_class(folder: Path, codes: Mapping[str, str]) -> Path:
    """Write one folder per student, each with a work.py."""
    for name, code in codes.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "work.py").write_text(code)
    return folder


def command(*arguments: str | Path) -> list[str]:
    """The grader's command line."""
    return [sys.executable, "-m", "grader", *map(str, arguments)]


def grader(
    *arguments: str | Path,
    cwd: Path | None = None,
    typed: str = "",
    columns: int = 100,
) -> subprocess.CompletedProcess[str]:
    """Run grader to its end and return what it printed and its exit code.

    In this very process, since its start is most of a run's time; what a process of its own is
    needed for starts `command`.
    """
    words = list(map(str, arguments))
    environment = {"COLUMNS": str(columns)}
    with contextlib.chdir(cwd or Path.cwd()):
        done = CliRunner().invoke(main, words, input=typed, env=environment, prog_name="grader")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return subprocess.CompletedProcess(words, done.exit_code, done.stdout, done.stderr)


def results(output: Path) -> dict[str, Any]:
    """Submission id → its document in results.json."""
    document = json.loads((output / "results.json").read_text())
    return {each["submission"]: each for each in document["submissions"]}


def outcomes(document: Mapping[str, Any]) -> dict[str, str]:
    """Criterion id → outcome."""
    return {c["id"]: c["outcome"] for part in document["parts"] for c in part["criteria"]}


def feedback(document: Mapping[str, Any], kinds: Sequence[str] = ()) -> str:
    """All feedback texts of a document, joined."""
    return "\n".join(
        f"{item['text']}\n{item['block']}"
        for part in document["parts"]
        for criterion in part["criteria"]
        for item in criterion["feedback"]
        if not kinds or item["kind"] in kinds
    )
