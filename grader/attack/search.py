"""Whether anything of a pack is in the memory of the process that runs a student's code.

What is expected, and what stands in the pack's files, is looked for in all that such a process can
read of itself.  The searching code knows the secrets only in disguise.  The inputs of the checks,
which are there, are looked for as well: were they not found, the search would show nothing.
"""

from __future__ import annotations

import secrets
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np

from grader.attack.catalogue.memory import SEARCH
from grader.errors import SandboxError
from grader.evidence import Chunk, Stimulus, Submission
from grader.pipeline.prepare import Prepared
from grader.pipeline.session import Session
from grader.problem import Limits
from grader.sandbox.batch import Batch, make_batch
from grader.value import Plain

_LIMITS = Limits(
    call_time_s=60, import_time_s=10, submission_time_s=90, memory_mb=1024, output_kb=64
)
_MOST_OF_A_KIND = 1500
_WORDS = 5
_LONG = 8 * _WORDS
_SHORT_MANTISSA = (1 << 26) - 1
"""A float whose mantissa ends in so many zeros is a short number, which may be there by chance."""
_TEXT_FILES = (".py", ".toml", ".md")
_PLAIN_TIME_S = 120
_WARM = """
import sys
from grader.sandbox.child import confine, landlock, namespaces, perform, probe, seccomp, warm
warm.warm_up({preload!r}, files=False)
"""
"""Loads what the sandbox's process has loaded, which is no secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """Bytes to look for, 8 or 40 of them, and where they come from."""

    where: str
    data: bytes
    is_input: bool = False


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found."""

    read_bytes: int
    numbers: int
    """How many expected numbers were looked for."""
    lines: int
    """How many lines of the pack's files were looked for."""
    inputs: int
    inputs_found: int
    found: tuple[str, ...]
    """Where the secrets come from that were found, and must not be there."""

    @property
    def holds(self) -> bool:
        """Whether nothing was found that must not be there, by a search that works."""
        return not self.found and self.shows_something

    @property
    def shows_something(self) -> bool:
        """Whether it found what is there."""
        return self.inputs == 0 or self.inputs_found > 0


def public_groups(batch: Batch) -> int:
    """How many groups of calls, the first of a batch, are public."""
    ends = accumulate(len(group) for group in batch.groups)
    return sum(end <= batch.public_calls for end in ends)


def search_for_secrets(session: Session) -> Searched:
    """Search a sandboxed process for what is secret of a session's pack.

    Raises:
        SandboxError: if the search itself did not end well.
    """
    looked_for = _secrets(session.prepared)
    text = _disguised(looked_for)
    with ThreadPoolExecutor(1) as beside:
        plain = beside.submit(_in_a_plain_process, text, session.prepared.problem.preload)
        read_bytes, found = _in_sandbox(session, text)
        by_chance = plain.result()
    stolen = dict.fromkeys(
        looked_for[i].where for i in found if not looked_for[i].is_input and i not in by_chance
    )
    inputs = [i for i, secret in enumerate(looked_for) if secret.is_input and i not in by_chance]
    return Searched(
        read_bytes=read_bytes,
        numbers=sum(len(s.data) == 8 and not s.is_input for s in looked_for),
        lines=len({s.where for s in looked_for if len(s.data) == _LONG}),
        inputs=len(inputs),
        inputs_found=len(found.intersection(inputs)),
        found=tuple(stolen),
    )


# --- what to look for -------------------------------------------------------------------------


def _secrets(prepared: Prepared) -> list[Secret]:
    given = make_batch(prepared.batch.groups, _LIMITS).encoded
    inputs = {_bytes(x) for key in prepared.keys.values() for s in key.stimuli for x in _floats(s)}
    found = {data: Secret("an input", data, is_input=True) for data in inputs}
    for name, key in prepared.keys.items():
        for observation in key.expected:
            for number in _floats(observation.value):
                data = _bytes(number)
                # What can be read in the calls is no secret, written as it may be.
                if data not in given and repr(number).encode() not in given:
                    found.setdefault(data, Secret(f"an answer expected by {name}", data))
    numbers = [*found.values()]
    lines = [s for s in _lines(prepared.pack.folder) if s.data not in given]
    return [
        *[s for s in numbers if s.is_input][:_MOST_OF_A_KIND],
        *[s for s in numbers if not s.is_input][:_MOST_OF_A_KIND],
        *lines[: 2 * _MOST_OF_A_KIND],
    ]


def _floats(value: Plain) -> Iterator[float]:
    """Every telling float in a value: finite, and no short number."""
    if isinstance(value, Stimulus):
        value = value.args
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        value = value.ravel().tolist()
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _floats(item)
    elif isinstance(value, float) and np.isfinite(value):
        (bits,) = struct.unpack("<Q", _bytes(value))
        if bits & _SHORT_MANTISSA:
            yield value


def _bytes(number: float) -> bytes:
    return struct.pack("<d", number)


def _lines(folder: Path) -> Iterator[Secret]:
    """A piece of each long line of the pack's files, as text is kept in memory: one byte a
    character, or two."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _TEXT_FILES or "starter" in path.relative_to(folder).parts:
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        for number, line in enumerate(lines, 1):
            piece = line.strip()[8 : 8 + _LONG]
            if len(piece) == _LONG and piece.isascii():
                where = f"{path.relative_to(folder)} line {number}"
                yield Secret(where, piece.encode())
                yield Secret(where, piece[: _LONG // 2].encode("utf-16-le"))


# --- looking ----------------------------------------------------------------------------------


def _disguised(looked_for: Sequence[Secret]) -> str:
    """Odd factors, and each secret's words multiplied by them, modulo 2**64."""
    factors = np.array([secrets.randbits(64) | 1 for _ in range(_WORDS)], np.uint64)
    words = np.zeros((len(looked_for), _WORDS), "<u8")
    for row, secret in zip(words, looked_for, strict=True):
        row[: len(secret.data) // 8] = np.frombuffer(secret.data, "<u8")
    return (factors.astype("<u8").tobytes() + (words * factors).tobytes()).hex()


def _in_sandbox(session: Session, text: str) -> tuple[int, set[int]]:
    source = f"{SEARCH}\ndef what_it_found(): return search({text!r})\n"
    code = Chunk(session.prepared.problem.files.code, source.encode())
    submission = Submission("search", "search", (code,), {}, {}, "")
    batch = session.prepared.batch
    groups = (*batch.groups, (Stimulus("what_it_found", ()),))
    calls = make_batch(groups, _LIMITS, public_groups=public_groups(batch))
    observation = session.pool.perform(submission, calls).observations[-1]
    if not isinstance(observation.value, str):
        why = observation.error.message if observation.error else observation.note
        raise SandboxError(f"The search of memory ended in {observation.ending}: {why}")
    return _read(observation.value)


def _in_a_plain_process(text: str, preload: Sequence[str]) -> set[int]:
    """What is in the memory of a process that never met the pack: there by chance."""
    source = f"{_WARM.format(preload=tuple(preload))}{SEARCH}\nprint(search(sys.stdin.read()))\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", source],
        input=text, capture_output=True, text=True, timeout=_PLAIN_TIME_S, check=True,
    )  # fmt: skip
    return _read(done.stdout)[1]


def _read(said: str) -> tuple[int, set[int]]:
    read_bytes, *found = map(int, said.split())
    return read_bytes, set(found)
