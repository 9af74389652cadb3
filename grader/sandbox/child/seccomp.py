"""The seccomp filter: an allow-list that answers with an errno.  Applied last, by the child.

An allow-list that killed would break with each new libc; one that answers ENOSYS lets it fall
back.  The filter is a classic BPF program over `struct seccomp_data` (nr at 0, arch at 4,
arguments from 16, 8 bytes each, little-endian on both architectures).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from collections.abc import Iterable, Mapping

from grader.sandbox.child import syscalls

_LOAD, _JUMP, _JUMP_EQUAL, _JUMP_GREATER_OR_EQUAL, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x06
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_NR, _ARCH, _ARGS = 0, 4, 16
_X32_BIT = 0x40000000
_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 22, 2

_libc = ctypes.CDLL(None, use_errno=True)

Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _answer(action: int) -> Instruction:
    return (_RETURN, 0, 0, action)


def _refuse(number: int) -> Instruction:
    return _answer(_ERRNO | number)


def _argument_in(index: int, values: Iterable[int]) -> list[Instruction]:
    """Allow when an argument equals one of the values, all 64 bits; EPERM when not."""
    low, high = _ARGS + 8 * index, _ARGS + 8 * index + 4
    wanted = tuple(values)
    body = [_load(high), (_JUMP_EQUAL, 0, len(wanted) + 1, 0), _load(low)]
    for position, value in enumerate(wanted):
        # Jump over the remaining comparisons and the refusal to the final allow.
        body.append((_JUMP_EQUAL, len(wanted) - position, 0, value))
    return [*body, _refuse(errno.EPERM), _answer(_ALLOW)]


def build(machine: str, pid: int, *, allow_files: bool) -> list[Instruction]:
    """Build the filter for a process.

    `allow_files` is true where Landlock guards reading by path; else all of it is refused.

    Raises:
        KeyError: for an architecture that has no table.
    """
    arch, numbers = syscalls.MACHINES[machine]
    program: list[Instruction] = [
        _load(_ARCH),
        (_JUMP_EQUAL, 1, 0, arch),
        _answer(_KILL_PROCESS),
        _load(_NR),
    ]
    if machine == "x86_64":
        program += [(_JUMP_GREATER_OR_EQUAL, 0, 1, _X32_BIT), _refuse(errno.ENOSYS)]
    bodies = {
        numbers[name]: body
        for name, body in _bodies(pid, allow_files=allow_files).items()
        if name in numbers
    }
    return program + _search(_runs(bodies))


def _bodies(pid: int, *, allow_files: bool) -> dict[str, list[Instruction]]:
    """What to do for each call that is named: a few instructions that end in an answer."""
    files = [_answer(_ALLOW) if allow_files else _refuse(errno.EACCES)]
    return {
        **{key: [_refuse(errno.EPERM)] for key in syscalls.FORBIDDEN},
        **{key: [_refuse(errno.EAGAIN)] for key in syscalls.TRY_AGAIN},
        **dict.fromkeys(syscalls.FILES, files),
        **{key: [_answer(_ALLOW)] for key in syscalls.ALLOWED},
        **dict.fromkeys(syscalls.OWN_PID_FIRST, _argument_in(0, (pid,))),
        **dict.fromkeys(syscalls.ZERO_FIRST, _argument_in(0, (0,))),
        **{name: _argument_in(1, values) for name, values in syscalls.SECOND_IN.items()},
        **{name: _argument_in(0, values) for name, values in syscalls.FIRST_IN.items()},
    }


_Run = tuple[int, list[Instruction]]
"""The first of some consecutive call numbers, and what to do for all of them."""


def _runs(bodies: Mapping[int, list[Instruction]]) -> list[_Run]:
    unknown = [_refuse(errno.ENOSYS)]
    runs: list[_Run] = []
    for number in range(max(bodies) + 2):
        body = bodies.get(number, unknown)
        if not runs or runs[-1][1] != body:
            runs.append((number, body))
    return runs


def _search(runs: list[_Run]) -> list[Instruction]:
    """Find the call's run by halving.

    The kernel tries the filter on every call number when it is set, so a list to go through from
    the top would cost more than everything else that confines a child.
    """
    if len(runs) == 1:
        return runs[0][1]
    middle = len(runs) // 2
    below, above = _search(runs[:middle]), _search(runs[middle:])
    # A conditional jump reaches 255 instructions, an unconditional one as far as one likes.
    step = (_JUMP_GREATER_OR_EQUAL, 0, 1, runs[middle][0])
    return [step, (_JUMP, 0, 0, len(below)), *below, *above]


_PID_STAND_IN = 0x7FFFFFF1
_templates: dict[tuple[str, bool], bytes] = {}


def compiled(machine: str, pid: int, *, allow_files: bool) -> bytes:
    """The filter for a process as kernel code; built once, so that forks only fill in the id.

    Raises:
        KeyError: for an architecture that has no table.
    """
    key = (machine, allow_files)
    if key not in _templates:
        program = build(machine, _PID_STAND_IN, allow_files=allow_files)
        _templates[key] = b"".join(struct.pack("=HBBI", *step) for step in program)
    return _templates[key].replace(struct.pack("=I", _PID_STAND_IN), struct.pack("=I", pid))


def prepare() -> None:
    """Build the templates ahead of the first fork."""
    machine = os.uname().machine
    if machine in syscalls.MACHINES:
        for allow_files in (True, False):
            compiled(machine, 0, allow_files=allow_files)


def apply(code: bytes) -> None:
    """Put the filter on the calling thread, for good.

    Raises:
        OSError: if the kernel refuses it.
    """
    buffer = ctypes.create_string_buffer(code, len(code))
    header = _Program(len(code) // 8, ctypes.cast(buffer, ctypes.c_void_p).value)
    mode = ctypes.c_ulong(_SECCOMP_MODE_FILTER)
    if _libc.prctl(_PR_SET_SECCOMP, mode, ctypes.byref(header), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")
