"""Runs attacks without any sandbox, as a naive grader would: `python control.py JOBS RESULTS`.

Each runs in a process forked from this one, and what it managed is noted: so it is known that the
attack would reach its goal, had nothing stopped it.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import importlib
import io
import json
import os
import pickle
import random
import resource
import select
import signal
import sys
import time
import traceback
import unittest
from collections.abc import Callable
from typing import Any

import numpy as np

# Loaded once, for all attacks.
for _name in (
    "asyncio concurrent.futures decimal fileinput logging mmap multiprocessing.shared_memory pty"
    " resource runpy shelve socket sqlite3 subprocess tempfile threading unittest.mock urllib.request"
    " zipimport"
).split():
    importlib.import_module(_name)

Names = dict[str, Any]
X = np.array([1.0, 2.0, 3.0])
TIME_LIMIT_S = 10.0
A_FLOOD = 1 << 16
END = b"\0"
RUNS_ON_S = 0.1
"""How long an endless attack is watched."""


def load(source: str) -> Names:
    names: Names = {"__name__": "submission", "__file__": "work.py"}
    exec(compile(source, "work.py", "exec"), names)
    return names


def finish() -> None:
    """End this process as Python would, with every exit handler."""
    atexit._run_exitfuncs()
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    ctypes.CDLL(None).exit(0)


def managed(source: str) -> str:
    expected = "EXPECTED-" + "4e1f"  # noqa: F841  what a search of frames and of the heap finds
    return str(load(source)["managed"]())


# --- naive graders: each believes something that only a student says --------------------------


def verdict(right: Any) -> str:
    return "passed" if right else "failed"


def equal(source: str) -> str:
    return verdict(load(source)["double"](3.0) == 6.0)


def difference(source: str) -> str:
    return verdict(abs(load(source)["double"](3.0) - 6.0) < 1e-9)


def close(source: str) -> str:
    got = load(source)["double"](X)
    return verdict(np.allclose(got, 2 * X))


def largest_error(source: str) -> str:
    got = load(source)["double"](X)
    return verdict(not np.max(np.abs(got - 2 * X)) > 1e-9)


def sorted_out(source: str) -> str:
    got = load(source)["double"](X)
    return verdict(all(abs(a - b) < 1e-9 for a, b in zip(got, 2 * X, strict=False)))


def no_difference(source: str) -> str:
    got = load(source)["double"](X)
    return verdict(not np.any(got != 2 * X))


def all_equal(source: str) -> str:
    got = load(source)["double"](X)
    return verdict((got == 2 * X).all())


def truthy(source: str) -> str:
    """Takes an array of bytes that call themselves bools at their word."""
    got = load(source)["double"](X)
    return verdict(got.dtype == bool and got.view(np.uint8).max() > 1)


def asserting(source: str) -> str:
    got = load(source)["double"](X)
    try:
        np.testing.assert_allclose(got, 2 * X)
    except AssertionError:
        return "failed"
    return "passed"


def unit_test(source: str) -> str:
    double = load(source)["double"]

    class Test(unittest.TestCase):
        def test(self) -> None:
            self.assertEqual(double(3.0), 6.0)

    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Test)
    return verdict(unittest.TextTestRunner(stream=io.StringIO()).run(suite).wasSuccessful())


def exit_status(source: str) -> str:
    pid = os.fork()
    if pid == 0:
        try:
            assert load(source)["double"](3.0) == 6.0
        except AssertionError:
            os._exit(1)
        except SystemExit as error:
            os._exit(error.code if isinstance(error.code, int) else 0)
        os._exit(0)
    return verdict(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0)


def last_line(source: str) -> str:
    """Believes the last line that was printed, as a wrapper around tests would."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(write_end, 1)
        os.close(write_end)
        with contextlib.suppress(BaseException):
            print(verdict(load(source)["double"](3.0) == 6.0), flush=True)
        finish()
    os.close(write_end)
    with open(read_end) as printed:
        lines = printed.read().splitlines()
    os.waitpid(pid, 0)
    return verdict(lines and "passed" in lines[-1])


def results_file(source: str) -> str:
    """Believes a file that the tests are to leave in the working folder."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            right = load(source)["double"](3.0) == 6.0
            if not os.path.exists("results.json"):
                with open("results.json", "w") as file:
                    file.write(verdict(right))
        finish()
    os.waitpid(pid, 0)
    with open("results.json") as file:
        return verdict("passed" in file.read())


def pickled(source: str) -> str:
    """Reads the reply of a child with pickle, so the child says what is run here."""
    return verdict(pickle.loads(load(source)["REPLY"]) == 6.0)


def own_clock(source: str) -> str:
    """Measures with a clock that the student can set."""
    names = load(source)
    begin = time.monotonic()
    names["double"](3.0)
    return verdict(time.monotonic() - begin < 0.01)


def seeded(source: str) -> str:
    np.random.seed(4242)
    random.seed(4242)
    return managed(source)


def shared_process(source: str) -> str:
    """Loads one submission after another in one process."""
    load(source)
    return str(load(source)["managed"]())


def early_stop(source: str) -> str:
    """Stops at the first wrong answer, which a student can tell."""
    names = load(source)
    for x in (1.0, 3.0, 7.0):
        if names["double"](x) != 2 * x:
            break
    return str(names["managed"]())


def in_terminal(source: str) -> str:
    """Runs it at a terminal, with what is typed there to steal or to forge."""
    pid, terminal = os.forkpty()
    if pid == 0:
        with contextlib.suppress(BaseException):
            os.write(1, b"<" + managed(source).encode() + b">")
        os._exit(0)
    printed = b""
    with contextlib.suppress(OSError):
        while piece := os.read(terminal, 4096):
            printed += piece
    os.waitpid(pid, 0)
    return printed.decode(errors="replace").partition("<")[2].rpartition(">")[0]


# --- what needs a process that is watched from outside -------------------------------------------


def runs_on(source: str, ask: int = 0, *, exits: bool = False) -> str:
    """Whether it goes on and on; `ask` is a signal that asks it to end."""
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            load(source)["double"](3.0)
        if exits:
            finish()
        os._exit(0)
    time.sleep(RUNS_ON_S)
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
    return runs_on(source + "", exits=True)


def survives(source: str) -> str:
    """Whether nothing keeps it from using what it uses."""
    load(source)["double"](3.0)
    return "it goes on"


def raises(source: str) -> str:
    try:
        load(source)["double"](3.0)
    except Exception as error:
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
    arrived, deadline = b"", time.monotonic() + TIME_LIMIT_S / 2
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
    while total < A_FLOOD and (piece := os.read(read_end, 1 << 16)):
        total += len(piece)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(read_end)
    return "a flood" if total >= A_FLOOD else ""


WAYS: dict[str, Callable[[str], str]] = {
    way.__name__: way
    for way in (
        managed, equal, difference, close, largest_error, sorted_out, no_difference, all_equal, truthy, asserting,
        unit_test, exit_status, last_line, results_file, pickled, own_clock, seeded,
        shared_process, early_stop, in_terminal, runs_on, judging_runs_on, never_exits,
        survives, raises, ignores_signals, dies, replies, printed,
    )
}  # fmt: skip


def forked(job: Names) -> str:
    """What a job says, from a process and a session of its own."""
    read_end, write_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.close(read_end)
        os.chdir(job["folder"])
        result = ""
        try:
            with open(job["file"]) as file:
                source = file.read()
            result = "".join(WAYS[way](source) for way in job["way"].split("|"))
        except BaseException:
            result = ""
            if os.environ.get("HOSTILE_TRACE"):
                traceback.print_exc()
        os.write(write_end, result.encode() + END)
        os._exit(0)
    os.close(write_end)
    said, deadline = b"", time.monotonic() + TIME_LIMIT_S
    while select.select([read_end], [], [], max(deadline - time.monotonic(), 0))[0]:
        piece = os.read(read_end, 1 << 16)
        said += piece
        if not piece or said.endswith(END):  # what was left in the background keeps the pipe open
            break
    os.close(read_end)
    while not said and time.monotonic() < deadline:  # it became another program, or died
        if os.waitpid(pid, os.WNOHANG)[0]:
            return ""
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return said.removesuffix(END).decode(errors="replace")


def main() -> None:
    with open(sys.argv[1]) as file:
        jobs = json.load(file)
    said = {}
    for job in jobs:
        began_s = time.monotonic()
        said[job["id"]] = forked(job)
        if os.environ.get("HOSTILE_TRACE"):
            print(f"{time.monotonic() - began_s:6.2f} {job['id']}", file=sys.stderr)
    with open(sys.argv[2], "w") as file:
        json.dump(said, file)


if __name__ == "__main__":
    main()
