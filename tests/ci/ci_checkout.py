"""A small pack, students' checkouts for it, and `grader ci` run there as a service would."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner, Result

from grader.cli import main

SECRET = "424242"
"""The argument of a hidden case; nothing that a student can read may hold it."""

PROBLEM = """\
id = "doubling"
title = "Doubling numbers"
version = "1.0"

[files]
code = "work.py"

[[parts]]
id = "i"
title = "Numbers"
points = 3

[[parts.criteria]]
id = "small"
title = "Small numbers"
kind = "matches"
weight = 1
function = "double"
inputs = "small"

[[parts.criteria]]
id = "large"
title = "Large numbers"
kind = "matches"
weight = 1
visibility = "hidden"
function = "double"
inputs = "large"

[[parts.criteria]]
id = "even"
title = "Twice is even"
kind = "property"
weight = 1
function = "double"
inputs = "small"
check = "is_even"

[[parts]]
id = "ii"
title = "Words"
points = 1

[[parts.criteria]]
id = "words"
title = "Why twice"
kind = "manual"
weight = 1
"""
FILES = {
    "problem.toml": PROBLEM,
    "statement.md": "# Doubling numbers\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "inputs.py": (
        "from grader import Case\n\n"
        "def small(rng):\n    yield Case(1)\n    yield Case(3)\n\n"
        f"def large(rng):\n    yield Case({SECRET})\n"
    ),
    "starter/work.py": "def double(x):\n    pass\n",
    "checks.py": "def is_even(returned):\n    return returned.value % 2 == 0\n",
}
RIGHT = "def double(x):\n    return x + x\n"
GRADER = Path(sys.executable).parent / "grader"


def make_pack(folder: Path, **changed: str) -> Path:
    """Write the pack; `changed` gives files another text: ``checks="def …"``."""
    (folder / "starter").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(changed.get(name.partition(".")[0], text), encoding="utf-8")
    return folder


def make_checkout(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a student's checkout, with a `.git` folder as a real one has."""
    (folder / ".git").mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def environment(**more: str) -> dict[str, str]:
    """A job's environment, with nothing of what the tests themselves may run in."""
    kept = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR", "COVERAGE_PROCESS_START")
    own = {name: os.environ[name] for name in kept if name in os.environ}
    own["GRADER_GRADESCOPE_ROOT"] = "/nonexistent"
    own["PATH"] = f"{GRADER.parent}{os.pathsep}{own.get('PATH', os.defpath)}"
    return own | more


def grader_ci(folder: Path, *arguments: str | Path, **variables: str) -> Result:
    """Run `grader ci` in a folder; the result's `output` is standard output and error together."""
    cleared: dict[str, str | None] = dict.fromkeys(os.environ)
    with contextlib.chdir(folder):
        done = CliRunner().invoke(
            main, ["ci", *map(str, arguments)], env=cleared | environment(**variables)
        )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done
