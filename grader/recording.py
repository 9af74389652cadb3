"""A wrong answer that is known by its results alone: a table, as `grader mine` writes it.

Part of what a pack's own `misconceptions.py` may use: what students did cannot be run again in the
process that decides, but what came out of it is plain data.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from grader.value import Json, Plain, from_json, same, to_json

FOLDER = "found"
"""The folder of a pack in which the tables lie."""


def recorded(pack_file: str, name: str) -> Callable[..., Plain]:
    """A function that looks its result up in ``found/NAME.json`` beside a pack's file.

    It raises LookupError for arguments that are not in the table, as they are not after another
    seed: then it is like nobody's answer.
    """
    path = Path(pack_file).parent / FOLDER / f"{name}.json"
    table = [(from_json(case["args"]), from_json(case["value"])) for case in _cases(path)]

    def look_up(*args: Plain) -> Plain:
        for known, value in table:
            if same(list(known), list(args), rtol=0.0, atol=0.0):
                return value
        raise LookupError("not among the recorded cases")

    return look_up


def _cases(path: Path) -> list[Json]:
    cases: list[Json] = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return cases


def table(cases: list[tuple[tuple[Plain, ...], Plain]]) -> str:
    """The text of such a table: arguments and result of each case."""
    listed = [{"args": to_json(list(args)), "value": to_json(value)} for args, value in cases]
    return json.dumps({"cases": listed}, allow_nan=False, separators=(",", ":")) + "\n"
