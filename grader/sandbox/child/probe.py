"""Canaries: a confined child tries what it must not be able to do and says what happened.

Protections are believed by what is seen refused, never by return codes of setting them up.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import socket
from collections.abc import Callable
from typing import Any

Finding = tuple[bool, str]
"""Whether the attempt was refused, and what was seen."""


_PEEK = 2
# Answers of a kernel that looked for what was asked: it was not there, but nothing refused.
_NOT_REFUSED = (errno.ENOENT, errno.ESRCH)
# Where a file is known to be there, the first of them is the answer of a sandbox that hides it.
_NOT_REFUSED_OF_FILES = (errno.ESRCH,)


def run(paths: dict[str, str], parent: int) -> dict[str, Finding]:
    """Try everything; `paths` names canary files of the trusted side, open to every user.

    No attempt does harm where it is not refused: the program to run does not exist, the process to
    trace is not traced, the signal is the null signal.
    """
    on_files: dict[str, Callable[[], Any]] = {
        "read files outside": lambda: open(paths["secret"], "rb").read(),  # noqa: SIM115
        "write files outside": lambda: open(paths["writable"], "ab").write(b"x"),  # noqa: SIM115
        "create files": lambda: os.close(os.open(paths["new"], os.O_CREAT | os.O_WRONLY, 0o600)),
        "list folders outside": lambda: os.listdir(paths["folder"]),
        "see names outside": lambda: os.stat(paths["secret"]),
    }
    attempts: dict[str, Callable[[], Any]] = {
        "change permissions": lambda: os.chmod(paths["writable"], 0o600),
        "network sockets": lambda: socket.socket(socket.AF_INET).close(),
        "unix sockets": lambda: socket.socket(socket.AF_UNIX).close(),
        "new processes": _fork,
        "run programs": lambda: os.execv(paths["nothing"], ["nothing"]),
        "signal other processes": lambda: os.kill(parent, 0),
        "trace other processes": lambda: _libc(b"ptrace", _PEEK, parent),
        "limits of other processes": lambda: resource.prlimit(parent, resource.RLIMIT_CORE),
        "new namespaces": lambda: _libc(b"unshare", 0x10000000),
    }
    found = {name: _attempt(on_files[name], _NOT_REFUSED_OF_FILES) for name in on_files}
    found |= {name: _attempt(attempts[name], _NOT_REFUSED) for name in attempts}
    memory = resource.getrlimit(resource.RLIMIT_AS)[1] != resource.RLIM_INFINITY
    cpu = resource.getrlimit(resource.RLIMIT_CPU)[1] != resource.RLIM_INFINITY
    found["memory limit"] = (memory, "it is set" if memory else "there is none")
    found["time limit"] = (cpu, "it is set" if cpu else "there is none")
    found["standard library readable"] = _stdlib_readable()
    return found


def _attempt(action: Callable[[], Any], not_refused: tuple[int, ...]) -> Finding:
    try:
        action()
    except OSError as error:
        seen = os.strerror(error.errno) if error.errno else str(error)
        if error.errno in not_refused:
            return False, f"not refused ({seen})"
        return True, f"hidden ({seen})" if error.errno == errno.ENOENT else f"refused ({seen})"
    except BaseException as error:  # noqa: BLE001 - a probe must report, whatever happens
        return False, f"{type(error).__name__}: {error}"[:200]
    return False, "it succeeded"


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _libc(name: bytes, *args: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if getattr(libc, name.decode())(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _stdlib_readable() -> Finding:
    try:
        with open(os.__file__, "rb") as file:
            file.read(1)
    except OSError as error:
        return False, f"refused ({os.strerror(error.errno or 0)})"
    return True, "it can be read"
