"""The pack that hostile submissions are graded with: small limits, and secrets in every place."""

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
ANSWERS = """
[[parts]]
id = "b"
title = "A formula"
points = 2

[[parts.criteria]]
id = "formula"
title = "The formula"
kind = "symbolic"
weight = 1
symbol = "m"
formula = "n*log(n/eps)"
variables = { n = { type = "integer", min = 2, max = 50 }, eps = { min = 0.01, max = 0.99 } }

[[parts]]
id = "c"
title = "In words"
points = 2

[[parts.criteria]]
id = "words"
title = "In words"
kind = "written"
weight = 1
max_words = 40
rubric = "rubric.toml"
"""
RUBRIC = """
usual_words = [1, 60]
symbols = ["n"]

[vocabulary]
many = ["(a|aa|aaa)? (a|aa)? (a)? b*"]
cancels = ["cancel* (out|each other)?", "(sum|sums|add up|adds up) to (zero|0)"]

[[concepts]]
id = "cancel"
title = "they cancel"
sure = ["deviations ... {cancels}", "{many} ... {many} ... {cancels}"]
likely = ["{many} ... {many} ... {many} ... deviations", "{cancels}"]

[[levels]]
fraction = 1
needs = ["cancel"]
"""
"""What is written in answers.md: a formula, and words that are read by phrases with gaps."""
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


def write_pack(folder: Path, secret: str, *, answers: bool = False) -> Path:
    """Write the pack, readable by everybody; with `answers`, there is more to it than code."""
    (folder / "starter").mkdir(parents=True)
    files = {
        "problem.toml": PROBLEM + (ANSWERS if answers else ""),
        "rubric.toml": RUBRIC,
        "statement.md": "Double.\n",
        "inputs.py": INPUTS,
        "checks.py": CHECKS,
        "reference.py": REFERENCE.format(secret=secret),
        "starter/work.py": "def double(x):\n    raise NotImplementedError\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder
