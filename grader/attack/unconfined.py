"""Runs attacks without any sandbox, as a naive grader would: `unconfined JOBS RESULTS`, a process.

Each runs in a process forked from this one, and what it managed is noted: so it is known that the
attack would reach its goal, had nothing stopped it.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable

from grader.attack import naive, watched

# Loaded once, for all attacks.
for _name in (
    "asyncio concurrent.futures decimal fileinput logging mmap multiprocessing.shared_memory pty"
    " resource runpy shelve socket sqlite3 subprocess tempfile threading unittest.mock"
    " urllib.request zipimport"
).split():
    importlib.import_module(_name)

_TIME_LIMIT_S = 10.0
_END = b"\0"

_WAYS: dict[str, Callable[[str], str]] = {
    way.__name__: way
    for way in (
        naive.managed,
        naive.equal,
        naive.difference,
        naive.close,
        naive.largest_error,
        naive.sorted_out,
        naive.no_difference,
        naive.all_equal,
        naive.truthy,
        naive.asserting,
        naive.unit_test,
        naive.exit_status,
        naive.last_line,
        naive.results_file,
        naive.pickled,
        naive.own_clock,
        naive.seeded,
        naive.shared_process,
        naive.early_stop,
        naive.in_terminal,
        watched.runs_on,
        watched.judging_runs_on,
        watched.never_exits,
        watched.survives,
        watched.raises,
        watched.ignores_signals,
        watched.dies,
        watched.replies,
        watched.printed,
    )
}


def forked(job: dict[str, str]) -> str:
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
            result = "".join(_WAYS[way](source) for way in job["way"].split("|"))
        except BaseException:  # noqa: BLE001 - an attack may raise anything; then it failed
            result = ""
        os.write(write_end, result.encode() + _END)
        os._exit(0)
    os.close(write_end)
    said, deadline = b"", time.monotonic() + _TIME_LIMIT_S
    while select.select([read_end], [], [], max(deadline - time.monotonic(), 0))[0]:
        piece = os.read(read_end, 1 << 16)
        said += piece
        if not piece or said.endswith(_END):  # what was left in the background keeps the pipe open
            break
    os.close(read_end)
    while not said and time.monotonic() < deadline:  # it became another program, or died
        if os.waitpid(pid, os.WNOHANG)[0]:
            return ""
        time.sleep(0.005)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return said.removesuffix(_END).decode(errors="replace")


def main() -> None:
    """Run every job of a file, one after the other; job id → what it managed goes to another."""
    with open(sys.argv[1]) as file:
        jobs = json.load(file)
    said = {job["id"]: forked(job) for job in jobs}
    with open(sys.argv[2], "w") as file:
        json.dump(said, file)


if __name__ == "__main__":
    main()
