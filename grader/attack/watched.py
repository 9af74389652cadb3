"""Attacks without a sandbox that must be watched from outside: what never ends, floods, or dies."""

from __future__ import annotations

import contextlib
import os
import resource
import select
import signal
import time

from grader.attack.naive import finish, load

_REPLY_WITHIN_S = 5.0
_A_FLOOD = 1 << 16
_RUNS_ON_S = 0.1
"""How long an endless attack is watched."""


def runs_on(source: str, ask: int = 0, *, exits: bool = False) -> str:
    """Whether it goes on and on; `ask` is a signal that asks it to end."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            load(source)["double"](3.0)
        if exits:
            finish()
        os._exit(0)
    time.sleep(_RUNS_ON_S)
    os.kill(pid, ask)
    time.sleep(0.02 if ask else 0)
    if os.waitpid(pid, os.WNOHANG)[0]:
        return ""
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "it runs on"


def judging_runs_on(source: str) -> str:
    """Whether looking at what came back goes on and on."""
    return runs_on(source + "\n_double = double\ndef double(x): return list(_double(x))\n")


def never_exits(source: str) -> str:
    """Whether it keeps its process from ending."""
    return runs_on(source, exits=True)


def survives(source: str) -> str:
    """Whether nothing keeps it from using what it uses."""
    load(source)["double"](3.0)
    return "it goes on"


def raises(source: str) -> str:
    try:
        load(source)["double"](3.0)
    except Exception as error:  # noqa: BLE001 - that it raises is the point
        return type(error).__name__
    return ""


def ignores_signals(source: str) -> str:
    return runs_on(source, signal.SIGTERM)


def dies(source: str) -> str:
    """Whether it takes its process, and so a grader in it, down."""
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with contextlib.suppress(BaseException):
            load(source)["double"](3.0)
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    return f"killed by {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else ""


def replies(source: str) -> str:
    """What arrives at the grader's end of the pipe for replies, if the student writes to it."""
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    pid = os.fork()
    if pid == 0:
        os.dup2(write_end, 5)
        with contextlib.suppress(BaseException):
            load(source)
        os._exit(0)
    os.close(write_end)
    arrived, deadline = b"", time.monotonic() + _REPLY_WITHIN_S
    while not arrived and time.monotonic() < deadline:
        select.select([read_end], [], [], 0.1)
        with contextlib.suppress(BlockingIOError):
            arrived = os.read(read_end, 4096)
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return f"{len(arrived)} bytes" if arrived else ""


def printed(source: str) -> str:
    """How much it prints."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write_end, 1)
        os.dup2(write_end, 2)
        with contextlib.suppress(BaseException):
            load(source)["double"](3.0)
        os._exit(0)
    os.close(write_end)
    total = 0
    while total < _A_FLOOD and (piece := os.read(read_end, 1 << 16)):
        total += len(piece)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(read_end)
    return "a flood" if total >= _A_FLOOD else ""
