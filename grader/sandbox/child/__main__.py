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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.sandbox.child import confine, landlock, namespaces, perform, probe, seccomp, warm
from grader.sandbox.child.later import Later


def _is_closed_to_others(path: Path) -> bool:
    return any(not folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


_MAX_MESSAGE = 1 << 16
_NO_FD = -1


@dataclass(frozen=True)
class _Kept:
    """Descriptors of the zygote's own that a child needs until it is confined."""

    ruleset: int
    """Landlock's, or `_NO_FD`."""
    proc: int
    """The folder /proc, which has no name in a root of our own."""
    closed_in: bool
    """Whether Python or a preloaded package is installed in a folder closed to others."""


def _network_namespace() -> str:
    try:
        return os.readlink("/proc/self/ns/net")
    except OSError:
        return ""


def serve(channel: socket.socket, config: dict[str, Any]) -> None:
    """Answer requests until the trusted side hangs up."""
    confine.die_with(config["parent"])
    apart = config["namespaces"] and namespaces.leave_machine()
    confine.die_with(config["parent"])  # a change of rights may clear the death signal
    confine.be_killed_first()
    confine.hide()
    try:
        files = config["landlock"] and landlock.abi() > 0
        packages = warm.warm_up(config["preload"], files=files)
    except warm.NotPreloaded as error:
        channel.send(json.dumps({"fault": str(error)}).encode())
        return
    seccomp.prepare()
    tasks = len(os.listdir("/proc/self/task"))
    network = _network_namespace()
    proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    installed = {Path(os.__file__).parent, *(path.parent for path in packages)}
    closed_in = any(map(_is_closed_to_others, installed))
    if apart:
        shown = {*landlock.library_roots(), *landlock.beside_library(packages)}
        namespaces.take_own_root(shown, landlock.not_library())
    ruleset = _landlock_ruleset(packages) if config["landlock"] else _NO_FD
    kept = _Kept(ruleset, proc, closed_in)
    hello = {"landlock": kept.ruleset != _NO_FD, "network": network, "tasks": tasks}
    channel.send(json.dumps(hello).encode())
    while True:
        message, fds, _, _ = socket.recv_fds(channel, _MAX_MESSAGE, 8)
        if not message:
            return
        _fork_child(channel, json.loads(message), fds, kept)


def _landlock_ruleset(packages: list[Path]) -> int:
    try:
        return landlock.ruleset(landlock.readable_paths(packages))
    except OSError:
        return _NO_FD


def _fork_child(
    channel: socket.socket, request: dict[str, Any], fds: list[int], kept: _Kept
) -> None:
    zygote = os.getpid()
    pid = os.fork()
    if pid == 0:
        channel.detach()
        _be_child(request, fds, kept, zygote)
    for fd in fds:
        os.close(fd)
    pidfd = os.pidfd_open(pid)
    socket.send_fds(channel, [json.dumps({"pid": pid}).encode()], [pidfd])
    os.close(pidfd)
    _, status, used = os.wait4(pid, 0)
    ended = {"status": status, "cpu_s": used.ru_utime + used.ru_stime}
    channel.send(json.dumps(ended).encode())


def _be_child(request: dict[str, Any], fds: list[int], kept: _Kept, zygote: int) -> None:
    """Never returns: the child ends here, whatever happens."""
    replies = perform.Replies(fds[2], request["body_limit"])
    try:
        os.setsid()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        (code_fd, stimuli_fd, reply_fd, out_fd, err_fd, *later_fds), kept = _place(fds, kept)
        replies = perform.Replies(reply_fd, request["body_limit"])
        os.dup2(out_fd, 1)
        os.dup2(err_fd, 2)
        work = _read_all(code_fd)
        stimuli = _read_all(stimuli_fd)
        later = None
        if later_fds:
            hidden_fd, ready_fd = later_fds
            later = Later(hidden_fd, ready_fd, request["hidden_bytes"])
        for fd in (code_fd, stimuli_fd, out_fd, err_fd):
            os.close(fd)
        _confine(request, kept, zygote, replies)
        if request.get("probe"):
            replies.send(perform.LOADED, probe.run(request["probe"], zygote))
        else:
            # In a virtual environment the compiled modules still lie beside the base's library.
            compiled = [path for path in sys.path if os.path.basename(path) == "lib-dynload"]
            perform.restrict_imports([sysconfig.get_paths()["stdlib"], *compiled])
            perform.perform(json.loads(work), stimuli, replies, later)
    except BaseException as error:  # noqa: BLE001 - reported; believed only if nothing ran yet
        replies.send(perform.SETUP_FAILED, {"message": f"{type(error).__name__}: {error}"[:500]})
    finally:
        os._exit(0)


def _place(fds: list[int], kept: _Kept) -> tuple[list[int], _Kept]:
    """Put what was passed and what is kept at the lowest numbers, and close all else."""
    wanted = [*fds, kept.proc, *([kept.ruleset] if kept.ruleset != _NO_FD else [])]
    high = [os.dup2(fd, 200 + i) for i, fd in enumerate(wanted)]
    placed = [os.dup2(fd, 3 + i) for i, fd in enumerate(high)]
    os.closerange(3 + len(high), 1024)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    proc, *ruleset = placed[len(fds) :]
    ruleset_fd = ruleset[0] if ruleset else _NO_FD
    return placed[: len(fds)], replace(kept, ruleset=ruleset_fd, proc=proc)


def _read_all(fd: int) -> bytearray:
    # The descriptor of a memory file is shared by every child, and so is its position.
    data = bytearray(os.fstat(fd).st_size)
    done = 0
    while done < len(data):
        done += os.preadv(fd, [memoryview(data)[done:]], done)
    return data


def _confine(request: dict[str, Any], kept: _Kept, zygote: int, replies: perform.Replies) -> None:
    layers = confine.Layers(
        limits=request["layers"]["limits"],
        landlock_fd=kept.ruleset if request["layers"]["landlock"] else _NO_FD,
        seccomp=request["layers"]["seccomp"],
        search_everywhere=kept.closed_in,
    )
    try:
        mapped = confine.mapped_bytes(kept.proc)
        os.close(kept.proc)
        if kept.ruleset != _NO_FD and layers.landlock_fd == _NO_FD:
            os.close(kept.ruleset)
        confine.confine(
            layers,
            memory_bytes=mapped + request["memory_bytes"],
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
