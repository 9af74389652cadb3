"""The decoder of replies: whatever arrives, it gives plain data or refuses."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.evidence import Ending, Stimulus
from grader.sandbox.child import perform, wire
from grader.sandbox.replies import Frames, Sources, read_call, read_error
from grader.value import same

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text()
    | hnp.arrays(st.sampled_from(["f8", "f4", "i8", "u1", "?", "c16", "f2"]), hnp.array_shapes()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=10,
)  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a", "f", "c", "i", "o", "l", "t", "d", "call", "x"]), inner
        )
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_plain_data_survives_the_wire(value: Any) -> None:
    encoder = wire.Encoder()
    tree = wire.loads(wire.dumps(encoder.encode(value)))
    assert same(wire.decode(tree, encoder.body), value, rtol=0, atol=0)


@given(JSON, st.binary(max_size=64))
def test_whatever_is_sent_is_plain_or_refused(tree: Any, body: bytes) -> None:
    try:
        value = wire.decode(tree, body)
    except wire.WireError:
        return
    # What was accepted can be written again, so it is of the format.
    allowed = (type(None), bool, int, float, complex, str, list, tuple, dict, np.ndarray)
    assert type(value) in (*allowed, wire.Call, wire.OpaqueValue)


@given(st.binary(max_size=300))
def test_frames_of_any_bytes(data: bytes) -> None:
    frames = Frames(1 << 10, 1 << 20)
    try:
        list(frames.feed(data))
    except wire.WireError:
        return
    assert not data or data[:4] == perform.MAGIC[: len(data)] or len(data) < perform.HEADER.size


@given(JSON)
def test_reading_a_call_never_raises(tree: Any) -> None:
    text = json.dumps(tree).encode()
    seen = read_call(text, b"", Stimulus("f", (1,)), Sources({}))
    assert seen.ending is not Ending.RETURNED or isinstance(tree, dict)


@pytest.mark.parametrize(
    "tree",
    [
        {"a": ["<f8", [10**9, 10**9], 0]},
        {"a": ["<f8", [2**62, 4], 0]},
        {"a": ["<f8", [-1], 0]},
        {"a": ["<f8", [1], -8]},
        {"a": ["|O", [1], 0]},
        {"a": ["<f8", [True], 0]},
        {"a": ["<f8", [1.0], 0]},
        {"a": ["<M8[s]", [1], 0]},
        {"a": ["|b1", [8], 0]},
        {"a": ["<f8", [0, 2**62], 0]},
        {"a": ["<f8", [1] * 40, 0]},
        {"a": ["<f8", [1]]},
        {"i": "9" * 5000},
        {"f": "nope"},
        {"c": ["1", "2", "3"]},
        {"call": ["f"]},
        {"a": ["<f8", [1], 0], "l": []},
        {},
        {"l": {"l": []}},
    ],
)
def test_lying_headers_are_refused(tree: Any) -> None:
    with pytest.raises(wire.WireError):
        wire.decode(tree, bytes([7] * 8))


def test_deep_json_is_refused_not_fatal() -> None:
    with pytest.raises(wire.WireError):
        wire.loads(b"[" * 10**5)
    deep: Any = 1
    for _ in range(500):
        deep = {"l": [deep]}
    with pytest.raises(wire.WireError):
        wire.decode(deep, b"")


def test_a_reply_may_not_smuggle_a_call() -> None:
    text = json.dumps({"end": "returned", "type": "x", "mutated": [],
                       "value": {"l": [{"call": ["f", []]}]}}).encode()  # fmt: skip
    assert read_call(text, b"", Stimulus("f", ()), Sources({})).ending is Ending.CRASHED


@given(JSON)
def test_error_reports_of_any_shape(report: Any) -> None:
    try:
        error = read_error(report, Sources({"a.py": b"x"}))
    except wire.WireError:
        return
    assert isinstance(error.message, str)


def test_too_much_altogether_is_refused() -> None:
    frames = Frames(100, 1000)
    frame = perform.HEADER.pack(perform.MAGIC, 0, 2, 0) + b"{}"
    assert len(list(frames.feed(frame * 40))) == 40
    with pytest.raises(wire.WireError):
        list(frames.feed(frame * 40))
