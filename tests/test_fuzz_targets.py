"""The fuzz targets without a fuzzer: each over its seeds and over inputs that Hypothesis makes.

So the oracles are asked on every test run; and each of them is shown to notice a broken reader.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from fuzz.__main__ import main
from fuzz.choices import MARK
from fuzz.oracle import Wrong, timely
from fuzz.targets import TARGETS, check_of, seeds_of
from grader.checks import symbolic_form, symbolic_parse
from grader.checks.symbolic_tree import Variable
from grader.evidence import Answer, Chunk, Ending, Observation
from grader.sandbox import replies
from grader.sandbox.child import wire
from grader.submission import answers, archive, exports, lms, magics, names, notebook

INPUTS = st.binary(max_size=60)


@pytest.mark.parametrize("target", TARGETS)
def test_seeds_are_kept_and_pass(target: str) -> None:
    seeds = seeds_of(target)
    assert len(seeds) >= 4
    assert sum(map(len, seeds)) < 20_000
    for seed in seeds:
        check_of(target)(seed)


@pytest.mark.parametrize("target", TARGETS)
@given(data=INPUTS)
def test_built_inputs_pass(target: str, data: bytes) -> None:
    check_of(target)(MARK + data)


@pytest.mark.parametrize("target", TARGETS)
@given(data=INPUTS | st.text(max_size=40).map(str.encode))
def test_raw_inputs_pass(target: str, data: bytes) -> None:
    check_of(target)(data)


def _raise(*_: Any, **__: Any) -> None:
    raise ZeroDivisionError


def _changed(read: Callable[..., Any], **changes: Any) -> Callable[..., Any]:
    """A reader whose result is another in some fields."""
    return lambda *args, **kwargs: dataclasses.replace(read(*args, **kwargs), **changes)


class _Array(np.ndarray):
    pass


BROKEN: list[tuple[str, Any, str, Any]] = [
    ("wire", wire, "decode", _raise),
    ("wire", wire, "decode", lambda *_: object()),
    ("wire", wire, "decode", lambda *_: np.zeros(9)),
    ("wire", wire, "decode", lambda *_: np.zeros(0).view(_Array)),
    ("wire", wire, "decode", lambda *_: 10**5000),
    ("replies", replies, "read_call", _raise),
    ("replies", replies, "read_call", lambda *_: Observation(Ending.TIMEOUT)),
    ("replies", replies, "read_call", lambda *_: Observation(Ending.CRASHED, note="x" * 10_000)),
    ("replies", replies, "read_loaded", lambda *_: ({"f": "x" * 1000}, [])),
    ("replies", replies, "Frames", lambda *_: _Invents()),
    ("notebook", notebook, "read_notebook",
     _changed(notebook.read_notebook, chunks=(Chunk("a cell 1", b"import os"),))),
    ("notebook", magics, "plain_python", lambda source: (source.replace("x", "y"), "")),
    ("notebook", notebook, "plain_python", lambda source: (source, "")),
    ("archive", archive, "special", lambda *_: ""),
    ("archive", archive, "_parts", lambda info, _: tuple(info.orig_filename.split("/"))),
    ("archive", archive, "open_inner", _raise),
    ("answers", answers, "read_answers",
     _changed(answers.read_answers, answers={"i": Answer("made up", {})})),
    ("answers", answers, "read_answers",
     _changed(answers.read_answers, answers={"i": Answer("", {"m": "n"})})),
    ("answers", answers, "read_answers",
     _changed(answers.read_answers, answers={"ii": Answer("", {"m": "6*7"})})),
    ("formula", symbolic_parse, "read", lambda *_: Variable("os")),
    ("formula", symbolic_parse, "read", lambda *_: Variable("n")),
    ("formula", symbolic_form, "proves_equal", lambda *_: True),
    ("lms", lms, "read_name", lambda name: lms.LmsName(lms.System.CANVAS, "", "", "", name)),
    ("lms", names, "safe_id", lambda name: f"../{name}"),
    ("lms", exports, "_own_names", lambda entries, _: {"a.py": entries[0], "A.py": entries[0]}),
]  # fmt: skip


class _Invents:
    """Gives a frame that nobody sent."""

    def feed(self, _: bytes) -> list[tuple[int, bytes, bytes]]:
        return [(0, b"{}", b"x" * 5000)]


@pytest.mark.parametrize(("target", "module", "name", "broken"), BROKEN)
def test_a_broken_reader_is_noticed(
    target: str, module: Any, name: str, broken: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, broken)
    with pytest.raises((Wrong, ZeroDivisionError)):
        _check_all(target)


def _check_all(target: str) -> None:
    more = {
        "formula": [b"n + 1\nn + 2"],
        "archive": [MARK + bytes([1, n, 0, 0, 1, 1, 0]) for n in range(40)],
    }
    for data in [*seeds_of(target), *more.get(target, [])]:
        check_of(target)(data)


def test_a_slow_reader_is_noticed() -> None:
    with pytest.raises(Wrong, match="the limit is"):
        timely(0.01, lambda: sum(range(3_000_000)))


def test_the_command_says_what_there_is_and_runs_what_is_given(tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b'{"l":[1]}\n')
    run = CliRunner().invoke
    assert all(target in run(main, ["--help"]).output for target in TARGETS)
    assert run(main, ["wire", str(file)]).exit_code == 0
    assert "Invalid value" in run(main, ["wires"]).output
