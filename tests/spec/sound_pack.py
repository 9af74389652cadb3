"""A small sound pack in a folder, to be broken one way at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader import spec
from grader.errors import SpecError, SpecFault
from grader.problem import Pack

PROBLEM = """\
id = "spread"
title = "Spread"
version = "1.0"
points = 3
seed = 7

[files]
code = "spread.py"

[limits]
call_time_s = 1.5

[[parts]]
id = "a"
title = "Variance"
points = 2

[[parts.criteria]]
id = "values"
title = "The variance of small samples"
kind = "matches"
weight = 3
function = "variance"
inputs = "samples"
rtol = 1e-6

[[parts.criteria]]
id = "sign"
title = "Never negative"
kind = "property"
weight = 1
visibility = "hidden"
function = "variance"
inputs = "samples"
check = "is_not_negative"

[[parts.criteria]]
id = "why"
title = "Why squares"
kind = "written"
weight = 2
max_sentences = 2
rubric = "rubric.toml"

[[parts]]
id = "b"
title = "Shift"
points = 1

[[parts.criteria]]
id = "formula"
title = "The variance of two points"
kind = "symbolic"
weight = 1
symbol = "s"
formula = "(x - y)^2 / 4"

[parts.criteria.variables]
x = { min = -10, max = 10 }
y = { min = -10, max = 10.5, aliases = ["upsilon"] }

[[parts.criteria]]
id = "style"
title = "Style"
kind = "manual"
weight = 1

[[misconceptions]]
id = "sample"
title = "Divides by n - 1"
hint = "Divide by n."
functions = { variance = "sample_variance" }
formulas = { formula = "(x - y)^2 / 2" }
"""

RUBRIC = """\
[[concepts]]
id = "cancel"
title = "deviations would cancel"
sure = ["deviations cancel"]

[[levels]]
fraction = 1
needs = ["cancel"]
"""

FILES = {
    "problem.toml": PROBLEM,
    "rubric.toml": RUBRIC,
    "statement.md": "# Spread\\n",
    "starter/spread.py": "def variance(x): ...\\n",
    "reference.py": "def variance(x):\n    return ((x - x.mean()) ** 2).mean()\n",
    "inputs.py": (
        "import numpy as np\nfrom grader import Case\n\n\n"
        "def samples(rng):\n    yield Case(np.array([1.0]))\n    yield Case(rng.normal(size=3))\n"
    ),
    "checks.py": "def is_not_negative(result):\n    return bool(result.value >= 0)\n",
    "misconceptions.py": (
        "from reference import variance\n\n\n"
        "def sample_variance(x):\n    return variance(x) * len(x) / (len(x) - 1)\n"
    ),
}


def assert_in_plain_words(fault: SpecFault) -> None:
    """A message is short, and free of the words of the library behind it."""
    said = str(fault).lower()
    for jargon in ("pydantic", "http", "input should", "value error", "forbidden", "nonetype"):
        assert jargon not in said
    assert len(said) < 700


class PackFolder:
    """The sound pack, with ways to break it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for name, text in FILES.items():
            self.write(name, text)

    def write(self, name: str, content: str | bytes) -> None:
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    def change(self, name: str, old: str, new: str, times: int = 1) -> None:
        text = (self.path / name).read_text()
        assert old in text, f"{old!r} is not in {name}"
        self.write(name, text.replace(old, new, times))

    def load(self) -> Pack:
        return spec.load(self.path)

    def faults(self) -> tuple[SpecFault, ...]:
        """What loading tells; fails if the pack loads."""
        with pytest.raises(SpecError) as caught:
            self.load()
        assert str(self.path / "problem.toml") in str(caught.value)
        return caught.value.faults
