"""Performing one submission, in the child: load the code, make the calls, reply frame by frame.

A frame is a header (magic, index, sizes), JSON, and a body.  The first, READY, says that the
confinement stands and student code comes next: a failure before it is the grader's, one behind it
the student's.  LOADED says how loading went, indices from 0 are calls, OPENED stands before the
first hidden one, DONE is the last.  What a frame claims is the student's word: it can only answer
questions, never grade itself.
"""

from __future__ import annotations

import contextlib
import gc
import os
import random
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.sandbox.child import load, wire
from grader.sandbox.child.later import Later

HEADER = struct.Struct("<4siIQ")
MAGIC = b"grd1"
READY, LOADED, OPENED, DONE, SETUP_FAILED = -4, -1, -5, -2, -3
MAX_JSON = 1 << 20


class Replies:
    """Writes frames to the reply pipe."""

    def __init__(self, fd: int, body_limit: int) -> None:
        self.fd = fd
        self.body_limit = body_limit
        self._write = os.write

    def send(self, index: int, tree: Any, body: bytes = b"") -> None:
        """Send one frame; one that is too large becomes a frame that says so."""
        text = wire.dumps(tree)
        if len(text) > MAX_JSON or len(body) > self.body_limit:
            size = len(text) + len(body)
            text, body = wire.dumps({"end": "unreadable", "size": size}), b""
        data = memoryview(HEADER.pack(MAGIC, index, len(text), len(body)) + text + body)
        while data:
            data = data[self._write(self.fd, data) :]


@dataclass(frozen=True)
class _Calls:
    """Calls as they were sent, from an index on: their trees, and the bytes of their arrays."""

    first: int
    trees: list[Any]
    body: memoryview

    @classmethod
    def read(cls, first: int, block: memoryview) -> _Calls:
        (length,) = struct.unpack_from("<Q", block)
        return cls(first, wire.loads(bytes(block[8 : 8 + length])), block[8 + length :])


def perform(
    request: dict[str, Any], stimuli: bytearray, replies: Replies, later: Later | None = None
) -> None:
    """Load the code, then make the calls whose indices the request lists.

    The hidden ones come `later`, when all that is public has been answered.
    """
    random.seed(request["entropy"])
    np.random.seed(request["entropy"] % 2**32)
    gc.enable()
    public = _Calls.read(0, memoryview(stimuli))
    chunks = [(name, bytes.fromhex(source)) for name, source in request["chunks"]]
    modules = {name: bytes.fromhex(source) for name, source in request["modules"].items()}
    replies.send(READY, {})
    ended = _end_of_step(bytes.fromhex(request["mark"]))
    loaded = load.load(chunks, modules, go_on=request["notebook"], available=request["available"])
    ended()
    names = load.defined(loaded.namespace)
    replies.send(LOADED, {"failures": loaded.failures, "defined": names})
    fatal = loaded.failures and not request["notebook"]

    def make(calls: _Calls, indices: list[int]) -> None:
        for index in () if fatal else indices:
            tree, encoder = _make_call(calls.trees[index - calls.first], calls.body, loaded)
            ended()
            replies.send(index, tree, encoder.body)

    make(public, request["todo"])
    if request["hidden"] and later is not None:
        block = later.wait()
        if block is None:
            return
        hidden = _Calls.read(len(public.trees), block)
        replies.send(OPENED, {})
        make(hidden, request["hidden"])
    replies.send(DONE, {})


def _end_of_step(mark: bytes) -> Callable[[], None]:
    """What to do after each step: flush, and print the mark that tells its output from the next's.

    Student code that prints the mark itself, or keeps it from being printed, only hides which of
    its calls printed what.
    """
    write = os.write

    def ended() -> None:
        for stream in (sys.stdout, sys.stderr):
            # Student code may have put anything there, which may raise anything.
            with contextlib.suppress(BaseException):
                stream.flush()
        with contextlib.suppress(OSError):  # it may have closed the descriptor
            write(1, mark)

    return ended


def _make_call(tree: Any, body: memoryview, loaded: load.Loaded) -> tuple[Any, wire.Encoder]:
    encoder = wire.Encoder()
    call = wire.decode(tree, body)
    try:
        return _evaluate_and_encode(call, tree, body, loaded, encoder), encoder
    except SystemExit as error:
        code = error.code if isinstance(error.code, int | str | None) else "?"
        return {"end": "exited", "code": str(code)[:100]}, wire.Encoder()
    except wire.Unencodable as error:
        return {"end": "unreadable", "type": str(error)[:120]}, wire.Encoder()
    except _NotThere as error:
        return {"end": error.ending, "function": error.function}, wire.Encoder()
    except BaseException as error:  # noqa: BLE001 - whatever student code raises is a value
        report = load.describe(error, loaded.files)
        if isinstance(error, NotImplementedError) and len(report["trace"]) == 1:
            # The one function in the trace, which may be one that is nested in the arguments.
            return {"end": "stub", "function": report["trace"][0][2]}, wire.Encoder()
        return {"end": "raised", "error": report}, wire.Encoder()


class _NotThere(Exception):
    """A function that is missing or a stub."""

    def __init__(self, function: str, ending: str) -> None:
        self.function = function
        self.ending = ending


def _evaluate_and_encode(
    call: wire.Call, tree: Any, body: memoryview, loaded: load.Loaded, encoder: wire.Encoder
) -> Any:
    function = _find(call.function, loaded)
    args = [_evaluate(arg, loaded) for arg in call.args]
    nested = [i for i, arg in enumerate(call.args) if isinstance(arg, wire.Call)]
    given = [[i, encoder.encode(args[i])] for i in nested]
    value = function(*args)
    reply = {"end": "returned", "type": wire.type_name(value), "value": encoder.encode(value)}
    pristine = wire.decode(tree, body).args
    reply["mutated"] = [
        i for i, arg in enumerate(args) if i not in nested and not _unchanged(pristine[i], arg)
    ]
    if given:
        reply["given"] = given
    return reply


def _find(name: str, loaded: load.Loaded) -> Any:
    function = loaded.namespace.get(name)
    if not callable(function):
        raise _NotThere(name, "missing")
    if load.is_stub(function):
        raise _NotThere(name, "stub")
    return function


def _evaluate(arg: Any, loaded: load.Loaded) -> Any:
    if not isinstance(arg, wire.Call):
        return arg
    return _find(arg.function, loaded)(*[_evaluate(a, loaded) for a in arg.args])


def _unchanged(before: Any, after: Any) -> bool:
    if isinstance(before, np.ndarray):
        same_form = before.shape == after.shape and before.dtype == after.dtype
        return bool(same_form and before.tobytes() == after.tobytes())
    if isinstance(before, list | tuple):
        pairs = zip(before, after, strict=False)
        return len(before) == len(after) and all(_unchanged(b, a) for b, a in pairs)
    return bool(before == after or before != before)


def restrict_imports(roots: Sequence[str]) -> None:
    """Leave only the standard library's folders and what was preloaded to import from."""
    for name in [n for n in sys.modules if n == "grader" or n.startswith("grader.")]:
        del sys.modules[name]
    sys.path[:] = list(roots)
    # Their listings stay: what may be read there may, in many a place, not be listed.
    for path in [path for path in sys.path_importer_cache if path not in roots]:
        del sys.path_importer_cache[path]
