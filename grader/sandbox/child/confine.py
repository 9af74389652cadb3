"""Confinement of a freshly forked child, in an order in which each step still may be done.

Runs in the child before any student code; a step that fails is reported as the grader's own
fault, never as the student's.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from dataclasses import dataclass

from grader.sandbox.child import landlock, seccomp

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_FIRST_UID = 0x40000000
"""Ids from here up belong to no account; each child of a root grader gets one of its own."""
_FILE_SIZE_LIMIT = 1 << 20
_STACK_LIMIT = 8 << 20
_OPEN_FILES = 64


@dataclass(frozen=True)
class Layers:
    """Which kernel protections to apply; what is asked for and fails is an error."""

    limits: bool = True
    landlock_fd: int = -1
    seccomp: bool = True


def prctl(option: int, argument: int) -> None:
    """Call prctl with one argument.

    Raises:
        OSError: if the kernel refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


def die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent dies, which may already have happened."""
    prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent_pid:
        os._exit(1)


def hide() -> None:
    """Close /proc/PID/{mem,environ,fd} and ptrace of this process to others of the same user."""
    prctl(_PR_SET_DUMPABLE, 0)


def confine(layers: Layers, *, memory_bytes: int, cpu_s: int, serial: int, zygote: int) -> None:
    """Apply every layer asked for to the calling process.

    `memory_bytes` is address space on top of what is mapped already; `serial` makes the user id
    unique among the children of this grader.

    Raises:
        OSError: if a step is refused.
    """
    die_with(zygote)
    if layers.limits:
        _set_limits(memory_bytes, cpu_s)
    if os.geteuid() == 0:
        _become_nobody(_FIRST_UID + serial % 0x10000000)
        die_with(zygote)  # a change of user clears the death signal
    hide()
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if layers.landlock_fd >= 0:
        landlock.restrict(layers.landlock_fd)
        os.close(layers.landlock_fd)
    if layers.seccomp:
        machine, allow_files = os.uname().machine, layers.landlock_fd >= 0
        seccomp.apply(seccomp.build(machine, os.getpid(), allow_files=allow_files))


def _set_limits(memory_bytes: int, cpu_s: int) -> None:
    mapped = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115
    wanted = {
        resource.RLIMIT_AS: mapped + memory_bytes,
        resource.RLIMIT_CPU: cpu_s,
        resource.RLIMIT_FSIZE: _FILE_SIZE_LIMIT,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_STACK: _STACK_LIMIT,
    }
    for name, value in wanted.items():
        _, hard = resource.getrlimit(name)
        limit = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(name, (limit, limit))


def _become_nobody(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
