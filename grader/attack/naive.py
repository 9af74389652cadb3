"""Naive graders: each believes something that only a student says, as many a home-made grader does.

Attacks on a score are proved by fooling one of these, in a process without any sandbox.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import io
import os
import pickle
import random
import sys
import time
import unittest
from typing import Any

import numpy as np

Names = dict[str, Any]
X = np.array([1.0, 2.0, 3.0])


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
