"""From frames to observations: the trusted side's reading of what a dead child left behind.

Only plain values come out, rebuilt by `wire`; whatever is not of the format counts against the
submission as a crash, never against the grader.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.evidence import Ending, Observation, Stimulus, StudentError, TraceLine
from grader.sandbox.child import perform, wire
from grader.sandbox.zygote import Death
from grader.value import Opaque, Plain

_TEXT = 2000
_NAMES = 200


class Frames:
    """Takes the reply stream apart into frames, within bounds, as the bytes arrive."""

    def __init__(self, body_limit: int, total_limit: int) -> None:
        self._buffer = bytearray()
        self._body_limit = body_limit
        self._room = total_limit

    def feed(self, data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
        """Yield (index, json, body) of each frame that is whole now.

        Raises:
            wire.WireError: on a bad header, or more data than any honest reply holds.
        """
        self._room -= len(data)
        if self._room < 0:
            raise wire.WireError("the replies are too large")
        self._buffer += data
        size = perform.HEADER.size
        while len(self._buffer) >= size:
            magic, index, json_size, body_size = perform.HEADER.unpack_from(self._buffer)
            if magic != perform.MAGIC or json_size > perform.MAX_JSON:
                raise wire.WireError("bad header")
            if body_size > self._body_limit:
                raise wire.WireError("body too large")
            end = size + json_size + body_size
            if len(self._buffer) < end:
                return
            frame = bytes(self._buffer[size:end])
            del self._buffer[:end]
            yield index, frame[:json_size], frame[json_size:]


class Sources:
    """The lines of a submission's source, to show beside a traceback."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._lines: dict[str, list[str]] = {}

    def has(self, file: object) -> bool:
        """Whether the submission has a chunk or file of that name."""
        return isinstance(file, str) and file in self._files

    def line(self, file: str, number: int) -> str:
        """The text of a line (from 1), or "" where there is none."""
        if file not in self._lines:
            source = self._files.get(file, b"")
            self._lines[file] = source.decode("utf-8-sig", errors="replace").splitlines()
        lines = self._lines[file]
        return lines[number - 1].strip()[:200] if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Failure:
    """A chunk that did not load."""

    chunk: str
    error: StudentError
    out_of_memory: bool


def read_loaded(text: bytes, sources: Sources) -> tuple[dict[str, str], list[Failure]]:
    """What a child says of loading: public names with their kinds, and the chunks that failed.

    Raises:
        wire.WireError: if it is not of the expected form.
    """
    try:
        tree = wire.loads(text)
        names = list(tree["defined"].items())[:_NAMES]
        defined = {_text(name, 64): _text(kind, 64) for name, kind in names}
        failures = [_failure(name, report, sources) for name, report in tree["failures"]]
    except (TypeError, ValueError, KeyError, AttributeError):
        raise wire.WireError("bad report of loading") from None
    return defined, failures


def _failure(chunk: str, report: Any, sources: Sources) -> Failure:
    if not sources.has(chunk):
        raise wire.WireError("no such chunk")
    return Failure(chunk, read_error(report, sources), report.get("memory") is True)


def read_error(report: Any, sources: Sources) -> StudentError:
    """Rebuild a student's exception from the child's description of it.

    Raises:
        wire.WireError: if the description is not of the expected form.
    """
    try:
        trace = tuple(
            _trace_line(file, line, function, sources)
            for file, line, function in report["trace"][:40]
        )
        return StudentError(_text(report["type"], 120), _text(report["message"], _TEXT), trace)
    except (TypeError, ValueError, KeyError):
        raise wire.WireError("bad error report") from None


def _trace_line(file: Any, line: Any, function: Any, sources: Sources) -> TraceLine:
    name = _text(file, 200)
    return TraceLine(name, _count(line), _text(function, 100), sources.line(name, line))


def _text(value: Any, limit: int) -> str:
    """Text only: what `str` would make of anything else may recurse or run to megabytes."""
    if type(value) is not str:
        raise wire.WireError("not text")
    return value[:limit]


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 1 << 63:
        raise wire.WireError("not a count")
    return value


def read_call(text: bytes, body: bytes, stimulus: Stimulus, sources: Sources) -> Observation:
    """Turn a call's frame into an observation; never raises for what a child can send."""
    try:
        tree = wire.loads(text)
        if type(tree) is not dict:
            raise wire.WireError("not an object")
        return _read_call(tree, body, stimulus, sources)
    except (wire.WireError, KeyError, TypeError, ValueError) as error:
        note = f"The reply could not be read ({str(error)[:100]})."
        return Observation(Ending.CRASHED, note=note)


def _read_call(
    tree: dict[str, Any], body: bytes, stimulus: Stimulus, sources: Sources
) -> Observation:
    match tree["end"]:
        case "returned":
            return _read_returned(tree, body, stimulus)
        case "raised":
            error = read_error(tree["error"], sources)
            if tree["error"].get("memory") is True:
                note = "The call asked for more memory than a submission may use."
                return Observation(Ending.MEMORY_LIMIT, error=error, note=note)
            return Observation(Ending.RAISED, error=error)
        case "exited":
            code = _text(tree["code"], 100)
            return Observation(Ending.EXITED, note=f"It called sys.exit({code}).")
        case "missing" | "stub" as ending:
            return Observation(Ending(ending), note=_text(tree["function"], 100))
        case "unreadable":
            return _read_unreadable(tree)
        case _:
            raise wire.WireError("unknown ending")


def _read_unreadable(tree: dict[str, Any]) -> Observation:
    if "size" in tree:
        note = f"It returned {_count(tree['size']):,} bytes, far more than any right answer has."
        return Observation(Ending.UNREADABLE, note=note)
    name = _text(tree["type"], 120)
    note = f"It returned {name}, which is not plain data (numbers, arrays, lists, text)."
    return Observation(Ending.UNREADABLE, value=Opaque(name), type_name=name, note=note)


def _read_returned(tree: dict[str, Any], body: bytes, stimulus: Stimulus) -> Observation:
    value = _plain(wire.decode(tree["value"], body))
    args = list(stimulus.args)
    nested = [i for i, arg in enumerate(args) if isinstance(arg, Stimulus)]
    # The child may say what nested calls gave, and has to; of other arguments it is told.
    if [position for position, _ in tree.get("given", ())] != nested:
        raise wire.WireError("not the nested arguments")
    for position, given in tree.get("given", ()):
        args[position] = _plain(wire.decode(given, body))
    mutated = tuple(i for i in range(len(args)) if i in tree["mutated"])
    name = _text(tree["type"], 120)
    return Observation(Ending.RETURNED, value, name, mutated, tuple(args))


def _plain(value: Any) -> Plain:
    """Refuse the one decoded thing that a student's reply must not hold."""
    if isinstance(value, wire.Call):
        raise wire.WireError("a call is no value")
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return value


def read_death(death: Death) -> Observation:
    """What a child's end in the middle of a call says about that call."""
    if death.by_us:
        return Observation(Ending.CRASHED, note="It closed its replies and went on.")
    if death.signal is None:
        note = (
            f"The process ended itself with exit code {death.exit_code} in the middle of the call."
        )
        return Observation(Ending.EXITED, note=note)
    name = signal.Signals(death.signal).name
    if name in ("SIGXCPU", "SIGALRM"):
        return Observation(Ending.TIMEOUT, note="The CPU time of the submission was used up.")
    known = {
        "SIGSEGV": " (a stack overflow in compiled code, or memory that is not yours)",
        "SIGKILL": " (often: out of memory)",
        "SIGXFSZ": " (it wrote too large a file)",
    }
    note = f"The process was killed by {name}{known.get(name, '')}."
    ending = Ending.MEMORY_LIMIT if name == "SIGKILL" else Ending.CRASHED
    return Observation(ending, note=note)
