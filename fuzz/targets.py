"""The targets by name, and their seeds."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

SEEDS = Path(__file__).parent / "seeds"

TARGETS = {
    "wire": "the decoder of what a child sends",
    "replies": "the frames of a child's replies and what they say",
    "notebook": "notebooks",
    "archive": "zips",
    "answers": "written answers",
    "formula": "formulas",
    "lms": "file names of learning management systems",
}
"""Name of the target (a module of this package) → what it reads."""


def check_of(target: str) -> Callable[[bytes], None]:
    """The function that checks one input of a target; it raises `fuzz.oracle.Wrong`."""
    check: Callable[[bytes], None] = importlib.import_module(f"fuzz.{target}").check
    return check


def seeds_of(target: str) -> list[bytes]:
    """The inputs kept for a target, in order of name."""
    return [path.read_bytes() for path in sorted((SEEDS / target).iterdir())]
