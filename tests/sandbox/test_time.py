"""Time limits: what counts as a submission's own time on a busy machine, and how much it gets."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import QUICK, Runner

from grader import spec
from grader.errors import SandboxError
from grader.evidence import Chunk, Ending, Observation, Stimulus, Submission
from grader.pipeline.prepare import prepare
from grader.pipeline.timing import ReferenceTimes
from grader.problem import Limits
from grader.sandbox import clock
from grader.sandbox.attempt import Terms, Watch
from grader.sandbox.batch import make_batch
from grader.sandbox.child import perform
from grader.sandbox.clock import WAIT_FACTOR, WALL_FACTOR, Waits
from grader.sandbox.isolation import FULL, child_request
from grader.sandbox.server import Sandbox
from grader.sandbox.zygote import Death

CALL = Stimulus("f", ())

# --- a busy machine ------------------------------------------------------------------------------

LIMIT_S = 0.3
NEIGHBOURS = 10
"""With so many on one core, 0.6 of the limit takes 6.6 times the limit: more than the wall's 5."""
HONEST = f"""
import time
def f():
    began_s = time.process_time()
    while time.process_time() - began_s < {0.6 * LIMIT_S}: pass
    return 1
"""
BUSY = QUICK.model_copy(update={"call_time_s": LIMIT_S, "restarts": 0, "import_time_s": 5.0})
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="waits are told as on Linux")


@pytest.fixture(scope="module")
def crowded() -> Iterator[Sandbox]:
    """A sandbox on one core, which it shares with busy neighbours at the same priority."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    spin = [sys.executable, "-Ic", "while True: pass"]
    # Of processes in one session the kernel may make one share: each gets its own.
    neighbours = [subprocess.Popen(spin, start_new_session=True) for _ in range(NEIGHBOURS)]
    try:
        sandbox = Sandbox()
        os.sched_setaffinity(0, before)
        with sandbox:
            assert sandbox.isolation.tier <= "D"
            yield sandbox
    finally:
        os.sched_setaffinity(0, before)
        for neighbour in neighbours:
            neighbour.kill()
            neighbour.wait()


def observe(sandbox: Sandbox, code: str, limits: Limits = BUSY) -> Observation:
    submission = Submission("x", "x", (Chunk("a.py", code.encode()),), {}, {}, "digest")
    (seen,) = sandbox.run(submission, make_batch([[CALL]], limits)).observations
    return seen


@on_linux
def test_an_honest_call_is_not_stopped_because_its_neighbours_are_busy(crowded: Sandbox) -> None:
    assert observe(crowded, HONEST).value == 1


@on_linux
def test_where_waits_are_not_told_all_time_on_the_wall_counts(
    crowded: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it was before waits were left out: so the test above can fail."""
    monkeypatch.setattr(Waits, "seconds", lambda self: 0.0)
    seen = observe(crowded, HONEST)
    assert seen.ending is Ending.TIMEOUT
    assert seen.note == (
        "It was stopped after 1.5 s, in which it waited more than it computed; "
        "the limit is 0.3 s of computing."
    )


@on_linux
def test_a_call_that_computes_for_ever_is_stopped_all_the_same(crowded: Sandbox) -> None:
    seen = observe(crowded, "def f():\n    while True: pass")
    assert seen.ending is Ending.TIMEOUT
    assert seen.note == "It was stopped after 0.3 s, the limit."


@on_linux
@pytest.mark.parametrize(
    "body",
    ["time.sleep(1000)", "os.read(os.pipe()[0], 1)", "os.kill(os.getpid(), 19)"],
    ids=["sleeps", "reads", "stops itself"],
)
def test_a_call_that_sleeps_ends_in_bounded_time(crowded: Sandbox, body: str) -> None:
    began_s = time.monotonic()
    seen = observe(crowded, f"import os, time\ndef f():\n    {body}\n    time.sleep(1000)")
    assert seen.ending is Ending.TIMEOUT
    assert "waited more than it computed" in seen.note
    assert time.monotonic() - began_s < (WALL_FACTOR + WAIT_FACTOR) * LIMIT_S + 10


@on_linux
def test_waits_are_those_of_the_process_that_lived_when_they_were_opened() -> None:
    process = subprocess.Popen(["sleep", "60"])
    pidfd = os.pidfd_open(process.pid)
    process.kill()
    process.wait()
    waits = Waits(os.getpid(), pidfd)  # as if the id of the dead had been given away again
    assert waits.seconds() == 0.0
    waits.close()
    os.close(pidfd)


# --- the clocks, with a time of our own ----------------------------------------------------------


def _frames(indices: tuple[int, ...]) -> bytes:
    return b"".join(perform.HEADER.pack(perform.MAGIC, index, 2, 0) + b"{}" for index in indices)


class Pretended:
    """A child that says nothing more, in a time that passes only while it is waited for."""

    def __init__(
        self,
        *frames: int,
        computing: float = 0.0,
        waiting: float = 0.0,
        unread: tuple[int, ...] = (),
    ) -> None:
        """What is `unread` arrives while its reader is kept from running for an hour."""
        self.now_s = 0.0
        self._computing, self._waiting = computing, waiting
        self._data = _frames(frames)
        self._unread = _frames(unread)

    def read(self, timeout_s: float) -> Iterator[tuple[str, bytes]]:
        if self._data:
            data, self._data = self._data, b""
            yield "reply", data
        else:
            self.now_s += 3600 if self._unread else timeout_s
            self._data, self._unread = self._unread, b""

    def drain(self, name: str) -> Iterator[bytes]:
        yield from ()

    def hand_over(self) -> None: ...

    def cpu_s(self) -> float:
        return self.now_s * self._computing

    def waited_s(self) -> float:
        return self.now_s * self._waiting

    def end(self, grace_s: float = 0.0) -> Death:
        return Death(signal=9, by_us=True)


def watched(
    child: Pretended,
    monkeypatch: pytest.MonkeyPatch,
    limits: Limits,
    wall_left_s: float = 5000.0,
) -> Watch:
    monkeypatch.setattr(clock, "time", SimpleNamespace(monotonic=lambda: child.now_s))
    terms = Terms(
        public=(0,), hidden=(), limits=limits, call_limits_s=(3.0,), body_limit=1000,
        cpu_left_s=1000.0, wall_left_s=wall_left_s, mark=b"mark",
    )  # fmt: skip
    return Watch(child, terms)


LOADED = (perform.READY, perform.LOADED)


@pytest.mark.parametrize(
    ("computing", "waiting", "longest_s"),
    [
        (1.0, 0.0, 3.0),
        (0.5, 0.5, 6.0),
        (0.1, 0.9, 30.0),
        (0.0, 0.0, 3.0 * WALL_FACTOR),
        (0.0, 0.5, 6.0 * WALL_FACTOR),
        (0.0, 1.0, 3.0 * (WALL_FACTOR + WAIT_FACTOR)),
        (0.01, 0.99, 3.0 * (WALL_FACTOR + WAIT_FACTOR)),
    ],
)
def test_how_long_a_call_may_take(
    monkeypatch: pytest.MonkeyPatch, computing: float, waiting: float, longest_s: float
) -> None:
    child = Pretended(*LOADED, computing=computing, waiting=waiting)
    attempt = watched(child, monkeypatch, Limits()).run()
    assert attempt.stopped_at == 0
    assert attempt.stopped_by is not None
    assert attempt.stopped_by.ending is Ending.TIMEOUT
    assert child.now_s == pytest.approx(longest_s, abs=0.3)


@pytest.mark.parametrize("computing", [0.0, 0.1])
def test_an_answer_that_nobody_had_time_to_read_is_in_time(
    monkeypatch: pytest.MonkeyPatch, computing: float
) -> None:
    child = Pretended(*LOADED, computing=computing, unread=(0, perform.DONE))
    attempt = watched(child, monkeypatch, Limits()).run()
    assert attempt.stopped_at is None
    assert 0 in attempt.frames


def test_loading_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    child = Pretended(perform.READY, computing=1.0)
    attempt = watched(child, monkeypatch, Limits(import_time_s=7.0)).run()
    assert attempt.stopped_at == perform.LOADED
    assert child.now_s == pytest.approx(7.0, abs=0.1)


def test_a_child_that_is_never_ready_is_no_fault_of_the_students(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    child = Pretended()
    with pytest.raises(SandboxError, match="not ready after 60 s"):
        watched(child, monkeypatch, Limits(import_time_s=1.0)).run()


def test_waits_are_left_out_of_the_whole_submissions_time_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for waiting, longest_s in ((0.0, 10.0), (0.5, 20.0)):
        child = Pretended(*LOADED, waiting=waiting)
        watch = watched(child, monkeypatch, Limits(), wall_left_s=10.0)
        attempt = watch.run()
        assert attempt.stopped_by is not None
        assert "used up its time" in attempt.stopped_by.note
        assert attempt.wall_s == pytest.approx(10.0, abs=0.2)
        assert child.now_s == pytest.approx(longest_s, abs=0.2)


# --- how much time there is ----------------------------------------------------------------------


def test_a_calls_limit_follows_the_references_own_time() -> None:
    limits = Limits(call_time_s=1.0, call_time_factor=10.0, submission_time_s=5.0)
    calls = [Stimulus("f", (i,)) for i in range(5)]
    times_s = [0.0, 0.1, 0.1001, 0.37, 4.01]
    batch = make_batch([calls[:2], calls[2:]], limits, reference_s=times_s, reference_total_s=4.6)
    assert batch.call_limits_s == (1.0, 1.0, 2.0, 4.0, 50.0)
    assert batch.submission_limit_s == 50.0
    without = make_batch([calls], limits)
    assert without.call_limits_s == (1.0,) * 5
    assert without.submission_limit_s == 5.0


@given(
    floor_s=st.floats(0.001, 600), factor=st.floats(1, 1000), time_s=st.floats(0, 1e5)
)  # fmt: skip
def test_a_limit_is_never_too_low_and_never_twice_what_is_needed(
    floor_s: float, factor: float, time_s: float
) -> None:
    limits = Limits(call_time_s=floor_s, call_time_factor=factor)
    (limit_s,) = make_batch([[CALL]], limits, reference_s=[time_s]).call_limits_s
    needed_s = max(floor_s, factor * time_s)
    assert needed_s * (1 - 1e-9) - 1e-9 <= limit_s <= 2 * needed_s + 1e-9
    assert limit_s == floor_s or len(f"{limit_s:g}".strip("0.").replace(".", "")) <= 5


def test_the_child_is_told_next_to_nothing_of_the_references_time() -> None:
    limits = Limits()
    groups = [[CALL]]
    known = {
        child_request(
            FULL, limits, body_limit=1, serial=1, needed_cpu_s=batch.needed_cpu_s
        )["cpu_s"]
        for time_s in np.linspace(0, 40, 500)
        for batch in [make_batch(groups, limits, reference_s=[time_s], reference_total_s=time_s)]
    }  # fmt: skip
    assert len(known) <= 5
    slow = make_batch(groups, limits, reference_s=[9.9], reference_total_s=9.9)
    assert slow.encoded == make_batch(groups, limits).encoded


def test_any_call_may_be_the_first_of_a_fresh_process() -> None:
    """What the first calls of its functions pay once, for a cache, is allowed for in all."""
    times = ReferenceTimes()
    f = [Stimulus("f", (i,)) for i in range(3)]
    g = [Stimulus("g", (Stimulus("f", (i,)),)) for i in range(2)]
    unknown = [Stimulus("h", ())]
    times.add("f", f, [5.0, 0.5, 7.0])
    times.add("exact_g", g, [1.0, 9.0])
    times.add("h", unknown, [])
    assert times.of(f) == (5.0, 5.0, 7.0)
    assert times.of(g) == (6.0, 9.0)
    assert times.of(unknown) == (0.0,)
    assert times.total_s == 22.5


SLOW_PACK = {
    "problem.toml": """
id = "slow"
title = "Slow"
version = "1"
[limits]
call_time_s = 0.05
call_time_factor = 8
restarts = 0
[files]
code = "a.py"
[[parts]]
id = "a"
title = "Slow"
points = 1
[[parts.criteria]]
id = "slow"
title = "Slow"
kind = "matches"
weight = 1
function = "f"
inputs = "durations"
""",
    "inputs.py": "from grader import Case\ndef durations(rng):\n    yield Case(0.0)\n"
    "    yield Case(0.05)\n",
    "reference.py": "import time\ndef f(s):\n    began_s = time.process_time()\n"
    "    while time.process_time() - began_s < s: pass\n    return s\n",
    "statement.md": "Slow.\n",
    "starter/a.py": "def f(s): pass\n",
}


def test_a_slow_reference_gives_students_time(tmp_path: Path, run: Runner) -> None:
    for name, text in SLOW_PACK.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    prepared = prepare(spec.load(tmp_path))
    first_s, second_s = prepared.batch.call_limits_s
    assert first_s == 0.05
    assert second_s >= 0.4
    three_times = SLOW_PACK["reference.py"].replace("< s", "< 3 * s")
    calls = list(prepared.keys["slow"].stimuli)
    with Sandbox() as sandbox:
        submission = Submission("x", "x", (Chunk("a.py", three_times.encode()),), {}, {}, "d")
        seen = sandbox.run(submission, prepared.batch).observations
    assert [o.value for o in seen] == [0.0, 0.05]
    fixed = run(three_times, calls, limits=prepared.problem.limits).observations
    assert fixed[1].ending is Ending.TIMEOUT, "the floor alone would not do"
