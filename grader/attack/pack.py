"""The pack that attacks are graded with where no other is named: small limits, and a secret."""

from __future__ import annotations

from pathlib import Path

PROBLEM = """
id = "hostile"
title = "Hostile"
version = "1"
seed = 4242

[limits]
call_time_s = 0.15
import_time_s = 1.0
submission_time_s = 4.0
memory_mb = 32
output_kb = 32
restarts = 0

[files]
code = "work.py"
answers = "answers.md"

[[parts]]
id = "a"
title = "Code"
points = 10

[[parts.criteria]]
id = "doubles"
title = "Doubles numbers"
kind = "matches"
weight = 3
function = "double"
inputs = "numbers"

[[parts.criteria]]
id = "chain"
title = "Half of the double"
kind = "property"
weight = 1
function = "half"
inputs = "halves"
check = "undoes"

[[parts.criteria]]
id = "managed"
title = "Did not do what it must not"
kind = "property"
weight = 1
function = "managed"
inputs = "nothing"
check = "is_nothing"

[[parts.criteria]]
id = "arrays"
title = "Doubles arrays"
kind = "matches"
weight = 3
visibility = "hidden"
function = "double"
inputs = "arrays"

[[parts.criteria]]
id = "kept"
title = "Leaves its argument alone"
kind = "property"
weight = 2
visibility = "hidden"
function = "double"
inputs = "arrays"
check = "kept"
"""
INPUTS = """
import numpy as np
from grader import Case, call


def numbers(rng):
    for x in (1.0, 3.0, 7.0):
        yield Case(x)
    yield Case(np.array([1.0, 2.0, 3.0]))


def arrays(rng):
    yield Case(np.array([4242.0, -1.5]))
    yield Case(np.arange(6.0).reshape(2, 3))


def halves(rng):
    yield Case(call("double", 10.0))


def nothing(rng):
    yield Case()
"""
CHECKS = """
from grader import as_array


def undoes(result):
    value = as_array(result.value)
    return value is not None and value.size == 1 and abs(value.item() - 10.0) < 1e-9


def is_nothing(result):
    nothing = isinstance(result.value, str) and result.value == ""
    return nothing or "It managed what it must not."


def kept(result):
    return not result.mutated
"""
REFERENCE = """
SECRET = "{secret}"


def double(x):
    return 2 * x


def half(x):
    return x / 2


def managed():
    return ""
"""


def write_pack(folder: Path, secret: str) -> Path:
    """Write the pack, readable by everybody; the secret is in its reference."""
    (folder / "starter").mkdir(parents=True)
    files = {
        "problem.toml": PROBLEM,
        "statement.md": "Double.\n",
        "inputs.py": INPUTS,
        "checks.py": CHECKS,
        "reference.py": REFERENCE.format(secret=secret),
        "starter/work.py": "def double(x):\n    raise NotImplementedError\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
