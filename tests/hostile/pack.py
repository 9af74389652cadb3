"""The pack that hostile submissions are graded with: the one that ships with the attacks, and more
to it where answers in words and formulas are handed in."""

from __future__ import annotations

from pathlib import Path

from grader.attack import pack as shipped

PROBLEM = shipped.PROBLEM
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


def write_pack(folder: Path, secret: str, *, answers: bool = False) -> Path:
    """Write the pack, readable by everybody; with `answers`, there is more to it than code."""
    shipped.write_pack(folder, secret)
    if answers:
        (folder / "problem.toml").write_text(PROBLEM + ANSWERS)
    (folder / "rubric.toml").write_text(RUBRIC)
    return folder
