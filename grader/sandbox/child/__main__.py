"""The zygote: a fork server that has numpy loaded and knows no secret.

Started by exec with a socket as its only link.  For each request it is passed descriptors it
never reads; it forks, and the child confines itself, loads the student's source and replies
straight to the trusted side.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import sysconfig
from typing import Any

import numpy as np

from grader.sandbox.child import confine, landlock, perform, probe, seccomp, warm


def _is_closed_to_others(path: str) -> bool:
    folders = [path]
    while os.path.dirname(folders[-1]) != folders[-1]:
        folders.append(os.path.dirname(folders[-1]))
    return any(not os.stat(folder).st_mode & 0o001 for folder in folders)


_PYTHON_IS_CLOSED_IN = any(
    _is_closed_to_others(path) for path in (os.path.dirname(os.__file__), np.__path__[0])
)
_NEW_NAMESPACES = 0x08000000 | 0x04000000 | 0x40000000  # IPC, UTS, network
_NEW_USER = 0x10000000
_MAX_MESSAGE = 1 << 16


def _isolate_namespaces() -> bool:
    """Leave the machine's network and IPC behind where the kernel lets us."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0:
        return bool(libc.unshare(_NEW_NAMESPACES) == 0)
    return bool(libc.unshare(_NEW_USER | _NEW_NAMESPACES) == 0)


def _network_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/net")
    except OSError:
        return ""


def serve(channel: socket.socket, config: dict[str, Any]) -> None:
    """Answer requests until the trusted side hangs up."""
    confine.die_with(config["parent"])
    if config["namespaces"]:
        _isolate_namespaces()
    confine.hide()
    warm.warm_up(config["preload"])
    seccomp.prepare()
    ruleset = _landlock_ruleset() if config["landlock"] else -1
    tasks = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 1
    hello = {"landlock": ruleset >= 0, "network": _network_namespace(), "tasks": tasks}
    channel.send(json.dumps(hello).encode())
    while True:
        message, fds, _, _ = socket.recv_fds(channel, _MAX_MESSAGE, 8)
        if not message:
            return
        _fork_child(channel, json.loads(message), fds, ruleset)


def _landlock_ruleset() -> int:
    try:
        return landlock.ruleset(landlock.readable_paths())
    except OSError:
        return -1


def _fork_child(
    channel: socket.socket, request: dict[str, Any], fds: list[int], ruleset: int
) -> None:
    zygote = os.getpid()
    pid = os.fork()
    if pid == 0:
        channel.detach()
        _be_child(request, fds, ruleset, zygote)
    for fd in fds:
        os.close(fd)
    pidfd = os.pidfd_open(pid)
    socket.send_fds(channel, [json.dumps({"pid": pid}).encode()], [pidfd])
    os.close(pidfd)
    _, status = os.waitpid(pid, 0)
    channel.send(json.dumps({"status": status}).encode())


def _be_child(request: dict[str, Any], fds: list[int], ruleset: int, zygote: int) -> None:
    """Never returns: the child ends here, whatever happens."""
    replies = perform.Replies(fds[2], request["body_limit"])
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        code_fd, stimuli_fd, reply_fd, out_fd, err_fd = _place(fds, ruleset)
        ruleset_fd = 8 if ruleset >= 0 else -1
        replies = perform.Replies(reply_fd, request["body_limit"])
        os.dup2(out_fd, 1)
        os.dup2(err_fd, 2)
        work = _read_all(code_fd)
        stimuli = _read_all(stimuli_fd)
        for fd in (code_fd, stimuli_fd, out_fd, err_fd):
            os.close(fd)
        _confine(request, ruleset_fd, zygote, replies)
        if request.get("probe"):
            replies.send(perform.LOADED, probe.run(request["probe"], zygote))
        else:
            # In a virtual environment the compiled modules still lie beside the base's library.
            compiled = [path for path in sys.path if os.path.basename(path) == "lib-dynload"]
            perform.restrict_imports([sysconfig.get_paths()["stdlib"], *compiled])
            perform.perform(json.loads(work), stimuli, replies)
    except BaseException as error:  # noqa: BLE001 - reported; believed only if nothing ran yet
        replies.send(perform.SETUP_FAILED, {"message": f"{type(error).__name__}: {error}"[:500]})
    finally:
        os._exit(0)


def _place(fds: list[int], ruleset: int) -> list[int]:
    """Put the five descriptors at 3–7 and the ruleset at 8, and close all else above them."""
    high = [os.dup2(fd, 200 + i) for i, fd in enumerate([*fds, *([ruleset] * (ruleset >= 0))])]
    for i, fd in enumerate(high):
        os.dup2(fd, 3 + i)
    os.closerange(3 + len(high), 1024)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return [3, 4, 5, 6, 7]


def _read_all(fd: int) -> bytes:
    # The descriptor of a memory file is shared by every child, and so is its position.
    size = os.fstat(fd).st_size
    data = b""
    while len(data) < size:
        data += os.pread(fd, size - len(data), len(data))
    return data


def _confine(
    request: dict[str, Any], ruleset_fd: int, zygote: int, replies: perform.Replies
) -> None:
    layers = confine.Layers(
        limits=request["layers"]["limits"],
        landlock_fd=ruleset_fd if request["layers"]["landlock"] else -1,
        seccomp=request["layers"]["seccomp"],
        search_everywhere=_PYTHON_IS_CLOSED_IN,
    )
    try:
        confine.confine(
            layers,
            memory_bytes=request["memory_bytes"],
            cpu_s=request["cpu_s"],
            serial=request["serial"],
            zygote=zygote,
        )
    except (OSError, ValueError, KeyError) as error:
        replies.send(perform.SETUP_FAILED, {"message": f"{type(error).__name__}: {error}"})
        os._exit(0)


def main() -> None:
    """Read the configuration from the command line and serve."""
    serve(socket.socket(fileno=int(sys.argv[1])), json.loads(sys.argv[2]))


main()
