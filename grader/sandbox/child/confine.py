"""Confinement of a freshly forked child, in an order in which each step still may be done.

Runs in the child before any student code; a step that fails is reported as the grader's own
fault, never as the student's.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import resource
import signal
import struct
from dataclasses import dataclass

from grader.sandbox.child import landlock, seccomp

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_PR_SET_KEEPCAPS = 8
_CAP_DAC_READ_SEARCH = 2
_CAPABILITY_VERSION_3 = 0x20080522
_FIRST_UID = 0x40000000
"""Ids from here up belong to no account; each child of a root grader gets one of its own."""
_FILE_SIZE_LIMIT = 1 << 20
_STACK_LIMIT = 8 << 20
_OPEN_FILES = 64

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Layers:
    """Which kernel protections to apply; what is asked for and fails is an error."""

    limits: bool = True
    landlock_fd: int = -1
    seccomp: bool = True
    search_everywhere: bool = False
    """Keep one capability of root's: to pass folders closed to others.  Only for a Python that
    is installed in such a folder, and only under Landlock, which decides what may be read."""


def prctl(option: int, argument: int) -> None:
    """Call prctl with one argument.

    Raises:
        OSError: if the kernel refuses.
    """
    if _libc.prctl(option, ctypes.c_ulong(argument), 0, 0, 0) != 0:
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

    `memory_bytes` is its address space, with what is mapped already; `serial` makes the user id
    unique among the children of this grader.

    Raises:
        OSError: if a step is refused.
    """
    die_with(zygote)
    if layers.limits:
        _set_limits(memory_bytes, cpu_s)
    keep_search = layers.search_everywhere and layers.landlock_fd >= 0
    wanted = 1 << _CAP_DAC_READ_SEARCH if keep_search else 0
    kept = wanted & _permitted()
    # A root that may not keep what it needs stays the owner of its Python.
    if os.geteuid() == 0 and kept == wanted:
        prctl(_PR_SET_KEEPCAPS, int(keep_search))
        _become_nobody(_FIRST_UID + serial % 0x10000000)
    # Also where there is no other user to become: then root is root by name only.
    _keep_only(kept)
    die_with(zygote)  # a change of rights clears the death signal
    hide()
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    if layers.landlock_fd >= 0:
        landlock.restrict(layers.landlock_fd)
        os.close(layers.landlock_fd)
    if layers.seccomp:
        machine, allow_files = os.uname().machine, layers.landlock_fd >= 0
        seccomp.apply(seccomp.compiled(machine, os.getpid(), allow_files=allow_files))


def be_killed_first() -> None:
    """Have the kernel end this process and its children, not the grader, when memory runs out."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")


def mapped_bytes(proc_fd: int) -> int:
    """How much address space the calling process has mapped; `proc_fd` is the folder /proc.

    Raises:
        OSError: if it does not tell.
    """
    with open(os.open("self/statm", os.O_RDONLY, dir_fd=proc_fd), "rb") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def _set_limits(memory_bytes: int, cpu_s: int) -> None:
    wanted = {
        resource.RLIMIT_AS: memory_bytes,
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
    """Become a user that nobody is, unless this root is not one who can.

    In a user namespace there may be no such id, and a container may lack the right to change it.
    """
    try:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EINVAL):
            raise


_OWN_CAPABILITIES = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)


def _permitted() -> int:
    """The lower 32 capabilities that may be kept (capget(2): effective, permitted, inheritable)."""
    sets = ctypes.create_string_buffer(24)
    if _libc.capget(_OWN_CAPABILITIES, sets) != 0:
        return 0
    _, permitted, *_ = struct.unpack("=6I", sets.raw)
    return int(permitted)


def _keep_only(capabilities: int) -> None:
    """Drop every capability not in a set (capset(2): two 32-bit words of each of three)."""
    sets = struct.pack("=6I", capabilities, capabilities, 0, 0, 0, 0)
    if _libc.capset(_OWN_CAPABILITIES, sets) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"capset: {os.strerror(number)}")
