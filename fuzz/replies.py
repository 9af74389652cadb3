"""Target: the reader of frames, and of what frames say of loading and of calls.

The input is a stream of replies as a child may write it.
"""

from __future__ import annotations

import json
import struct
from functools import partial

from fuzz.choices import Choices, built
from fuzz.oracle import require, timely
from fuzz.plain import require_plain
from fuzz.wire import tree_of
from grader.evidence import Ending, Observation, Stimulus
from grader.sandbox import replies
from grader.sandbox.child import perform, wire
from grader.value import Opaque

_BODY_LIMIT, _TOTAL_LIMIT = 1 << 12, 1 << 14
_LONGEST_TEXT = 3_000
_SLOW_S = 0.5
_SOURCES = replies.Sources({"work.py": b"a = 1\nb = 2\n"})
_STIMULI = (Stimulus("f", (1, "x")), Stimulus("f", (1, Stimulus("g", ()))))
_ENDINGS = ("returned", "raised", "exited", "missing", "stub", "unreadable", "passed", "timeout", 1)
_FROM_A_CHILD = frozenset({
    Ending.RETURNED, Ending.RAISED, Ending.EXITED, Ending.MISSING, Ending.STUB, Ending.UNREADABLE,
    Ending.CRASHED, Ending.MEMORY_LIMIT,
})  # fmt: skip


def check(data: bytes) -> None:
    """Read a stream whole and in pieces; neither may give more than it holds."""
    choices = built(data)
    stream = _stream(choices) if choices else data
    whole = timely(_SLOW_S, lambda: _frames([stream]))
    size = max(len(stream) // 7, 1)
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    require(_frames(pieces) == whole, "in pieces, the same stream reads otherwise")
    given = sum(len(text) + len(body) + perform.HEADER.size for _, text, body in whole[0])
    require(given <= len(stream), "more than was sent")
    for _, text, body in whole[0]:
        require(len(body) <= _BODY_LIMIT, "a body beyond its limit")
        _check_loaded(text)
        for stimulus in _STIMULI:
            read = partial(replies.read_call, text, body, stimulus, _SOURCES)
            _check_call(timely(_SLOW_S, read), len(body), len(stimulus.args))


def _frames(pieces: list[bytes]) -> tuple[list[tuple[int, bytes, bytes]], bool]:
    """The frames of a stream, and whether it was refused in the end."""
    reader = replies.Frames(_BODY_LIMIT, _TOTAL_LIMIT)
    found: list[tuple[int, bytes, bytes]] = []
    try:
        for piece in pieces:
            found += list(reader.feed(piece))
    except wire.WireError:
        return [], True
    return found, False


def _check_loaded(text: bytes) -> None:
    try:
        defined, failures = timely(_SLOW_S, lambda: replies.read_loaded(text, _SOURCES))
    except wire.WireError:
        return
    words = [*defined.keys(), *defined.values()]
    require(all(type(w) is str and len(w) <= 64 for w in words), "a name that is no short text")
    require(all(f.chunk == "work.py" for f in failures), "a failure of no chunk there is")


def _check_call(seen: Observation, body_size: int, arguments: int) -> None:
    require(seen.ending in _FROM_A_CHILD, f"a child made itself an ending {seen.ending}")
    if seen.ending is Ending.RETURNED:
        require(len(seen.args) == arguments, "other arguments than there were")
        values = [seen.value, *seen.args]
        size = sum(require_plain(_named(value)) for value in values)
        require(size <= len(values) * body_size, "more bytes of arrays than were sent")
    require(len(seen.note) + len(seen.type_name) <= _LONGEST_TEXT, "an endless text")
    if seen.error:
        require(len(seen.error.message) <= _LONGEST_TEXT, "an endless message")
        require(len(seen.error.trace) <= 40, "an endless traceback")
        require(all(type(line.line) is int for line in seen.error.trace), "no line number")


def _named(value: object) -> object:
    """What cannot be read is known by its type's name alone."""
    return value.type_name if type(value) is Opaque else value


def _stream(choices: Choices) -> bytes:
    stream = b""
    for _ in range(1 + choices.below(4)):
        text = json.dumps(_report(choices)).encode()
        body = choices.take(40)
        json_size, body_size = len(text), len(body)
        if choices.below(5) == 4:
            json_size, body_size = abs(choices.size()) % 2**32, abs(choices.size()) % 2**64
        magic = choices.pick((perform.MAGIC,) * 7 + (b"grd2",))
        stream += struct.pack("<4siIQ", magic, choices.below(9) - 4, json_size, body_size)
        stream += text + body
    return stream + choices.take(30)


def _report(choices: Choices) -> object:
    if choices.below(4) == 3:
        failures = [[choices.pick(("work.py", "no.py")), _error(choices)]]
        return {"defined": {choices.text(): choices.text()}, "failures": failures}
    report: dict[str, object] = {"end": choices.pick(_ENDINGS)}
    for key in ("value", "type", "mutated", "given", "error", "code", "function", "size"):
        if choices.below(3):
            report[key] = _detail(choices, key)
    return report


def _detail(choices: Choices, key: str) -> object:
    if choices.below(6) == 5:
        return tree_of(choices)
    match key:
        case "value":
            return tree_of(choices)
        case "given":
            return [[choices.below(3), tree_of(choices)] for _ in range(choices.below(3))]
        case "mutated":
            return [choices.below(4)]
        case "error":
            return _error(choices)
        case "size":
            return choices.size()
    return choices.text(30)


def _error(choices: Choices) -> object:
    line = [choices.pick(("work.py", "no.py", 1)), choices.size(), choices.text()]
    trace = [line] * choices.below(60)
    memory = choices.pick((True, False, 1))
    return {"type": choices.text(), "message": choices.text(), "trace": trace, "memory": memory}
