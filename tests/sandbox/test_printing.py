"""What is printed: whichever of a child's streams is read first, the outcome is the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import QUICK, Runner

from grader.evidence import Ending, Stimulus
from grader.sandbox.attempt import Attempt, Terms, Watch
from grader.sandbox.child import perform
from grader.sandbox.zygote import Death

MARK = b"0123456789abcdef"
LIMITS = QUICK.model_copy(update={"output_kb": 1})
LIMIT = 1024


def frame(index: int) -> tuple[str, bytes]:
    return "reply", perform.HEADER.pack(perform.MAGIC, index, 2, 0) + b"{}"


class Scripted:
    """A child that has written its pieces in order; how far it has got is drawn at every look."""

    def __init__(self, written: list[tuple[str, bytes]], data: st.DataObject) -> None:
        self._left = written
        self._data = data
        self._pipes = {"reply": b"", "out": b"", "err": b""}
        self.handed_over = False

    def _go_on(self) -> None:
        room = 1 if not any(self._pipes.values()) else 0
        steps = self._data.draw(st.integers(room, max(room, len(self._left))), "written meanwhile")
        for _ in range(min(steps, len(self._left))):
            if self._left[0] == frame(perform.OPENED) and not self.handed_over:
                return
            stream, piece = self._left.pop(0)
            self._pipes[stream] += piece

    def read(self, timeout_s: float) -> Iterator[tuple[str, bytes]]:
        self._go_on()
        for stream in self._data.draw(st.permutations(sorted(self._pipes)), "order"):
            if self._pipes[stream]:
                piece, self._pipes[stream] = self._pipes[stream], b""
                yield stream, piece

    def drain(self, name: str) -> Iterator[bytes]:
        self._go_on()
        piece, self._pipes[name] = self._pipes[name], b""
        if piece:
            yield piece

    def hand_over(self) -> None:
        self.handed_over = True

    def cpu_s(self) -> float:
        return 0.0

    def waited_s(self) -> float:
        return 0.0

    def end(self, grace_s: float = 0.0) -> Death:
        return Death(exit_code=0)


def watched(
    out: list[bytes], err: list[bytes], hidden: int, data: st.DataObject
) -> tuple[Attempt, Watch]:
    """`out` and `err` hold what each step prints: loading first, then the calls, `hidden` last."""
    calls = tuple(range(len(out) - 1))
    public, later = calls[: len(calls) - hidden], calls[len(calls) - hidden :]
    written = [frame(perform.READY)]
    for index, (printed, complained) in enumerate(zip(out, err, strict=True), -1):
        if later and index == later[0]:
            written.append(frame(perform.OPENED))
        middle = len(printed) // 2
        written += [("out", printed[:middle]), ("err", complained), ("out", printed[middle:])]
        written += [("out", MARK), frame(index)]
    terms = Terms(
        public, later, LIMITS, (1.0,) * len(calls), 1 << 20, cpu_left_s=9, wall_left_s=9, mark=MARK
    )
    watch = Watch(Scripted([*written, frame(perform.DONE)], data), terms)
    return watch.run(), watch


def printing(sizes: list[int]) -> list[bytes]:
    return [bytes([97 + i]) * size for i, size in enumerate(sizes)]


@given(
    sizes=st.lists(
        st.sampled_from([0, 1, 300, 500, 1023, 1024, 1025, 3000]), min_size=2, max_size=6
    ),
    hidden=st.integers(0, 2),
    data=st.data(),
)
def test_the_step_that_prints_too_much_is_blamed_and_no_other(
    sizes: list[int], hidden: int, data: st.DataObject
) -> None:
    out = printing(sizes)
    attempt, watch = watched(out, [b""] * len(out), min(hidden, len(out) - 1), data)
    total = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    blamed = next((i - 1 for i, so_far in enumerate(total) if so_far > LIMIT), None)
    assert attempt.stopped_at == blamed
    answered = len(sizes) if blamed is None else blamed + 1
    printed = {index: text for index, (_, _, text) in attempt.frames.items()}
    assert printed == {i - 1: out[i].decode() for i in range(answered)}
    assert blamed is None or attempt.stopped_by.ending is Ending.OUTPUT_LIMIT
    last_shown = len(sizes) - min(hidden, len(out) - 1)
    assert watch.printed.out.text() == b"".join(out[:last_shown])[: LIMIT + 1].decode()


@given(
    out=st.lists(st.integers(0, 100), min_size=4, max_size=4),
    err=st.lists(st.integers(0, 100), min_size=4, max_size=4),
    hidden=st.integers(0, 2),
    data=st.data(),
)
def test_all_that_was_printed_before_the_hidden_calls_is_kept_and_nothing_behind_it(
    out: list[int], err: list[int], hidden: int, data: st.DataObject
) -> None:
    printed, complained = printing(out), printing(err)
    attempt, watch = watched(printed, complained, hidden, data)
    assert (attempt.stopped_at, len(attempt.frames)) == (None, 4)
    assert watch.printed.out.text() == b"".join(printed[: 4 - hidden]).decode()
    assert watch.printed.err.text() == b"".join(complained[: 4 - hidden]).decode()


@given(flooding=st.integers(1, 3), data=st.data())
def test_a_flood_of_complaints_is_not_put_down_to_a_step_that_was_answered(
    flooding: int, data: st.DataObject
) -> None:
    err = [b""] * 4
    err[flooding] = b"e" * 3000
    attempt, _ = watched([b""] * 4, err, 0, data)
    assert attempt.stopped_at is None or attempt.stopped_at >= flooding - 1
    assert set(attempt.frames) >= set(range(-1, flooding - 1))


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_call_that_floods_costs_no_other_function(run: Runner, stream: str) -> None:
    code = f"""
import sys
print("loaded")
def g(): return 1
def f():
    while True: print("x" * 9999, file=sys.{stream})
"""
    for _ in range(5):
        ran = run(code, [Stimulus("f", ())], [Stimulus("g", ())])
        assert ran.load.ending is Ending.RETURNED
        assert [seen.ending for seen in ran.observations] == [
            Ending.OUTPUT_LIMIT,
            Ending.RETURNED,
        ]


def test_what_is_printed_to_the_last_is_kept(run: Runner) -> None:
    code = """
import os, sys
def f():
    os.write(2, b"e" * 30_000)
    return 1
def dies():
    os.write(2, b"e" * 30_000)
    os.write(1, b"o" * 30_000)
    os._exit(1)
"""
    for _ in range(5):
        assert len(run(code).stderr) == 30_000
        ran = run(code, [Stimulus("dies", ())])
        assert (len(ran.stdout), len(ran.stderr)) == (30_000, 30_000)
