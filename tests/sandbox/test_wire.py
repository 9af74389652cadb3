"""The decoder of replies: whatever arrives, it gives plain data or refuses."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.evidence import Ending, Stimulus
from grader.sandbox.child import perform, wire
from grader.sandbox.replies import Frames, Sources, read_call, read_error, read_loaded
from grader.value import same

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.text()
    | hnp.arrays(st.sampled_from(["f8", "f4", "i8", "u1", "?", "c16", "f2"]), hnp.array_shapes()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=10,
)  # fmt: skip
WORDS = "a f c i o l t d call x end type value mutated given error trace message code size".split()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text()
    | st.sampled_from(["returned", "raised", "exited", "missing", "stub", "unreadable"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5)
    ),
    max_leaves=12,
)  # fmt: skip
ENDINGS = st.one_of(
    st.fixed_dictionaries({"end": st.just(end), **dict.fromkeys(keys, JSON)})
    for end, keys in {
        "returned": ("value", "type", "mutated"),
        "raised": ("error",),
        "exited": ("code",),
        "missing": ("function",),
        "unreadable": ("type", "size"),
    }.items()
)
REPORTS = st.fixed_dictionaries(
    {
        "type": JSON,
        "message": JSON,
        "trace": JSON | st.lists(st.tuples(st.just("a.py"), JSON, JSON), max_size=3),
    }
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
    assert type(value) in (*allowed, wire.Call)


@given(st.binary(max_size=300))
def test_frames_of_any_bytes(data: bytes) -> None:
    frames = Frames(1 << 10, 1 << 20)
    try:
        list(frames.feed(data))
    except wire.WireError:
        return
    assert not data or data[:4] == perform.MAGIC[: len(data)] or len(data) < perform.HEADER.size


@given(JSON | ENDINGS | REPORTS.map(lambda report: {"end": "raised", "error": report}))
def test_reading_a_call_never_raises(tree: Any) -> None:
    text = json.dumps(tree).encode()
    seen = read_call(text, b"", Stimulus("f", (1,)), Sources({}))
    assert seen.ending is not Ending.RETURNED or isinstance(tree, dict)


@given(
    JSON
    | st.fixed_dictionaries(
        {"defined": JSON, "failures": st.lists(st.tuples(st.just("a.py"), REPORTS | JSON))}
    )
)
def test_reading_how_loading_went_gives_plain_data_or_refuses(tree: Any) -> None:
    try:
        defined, failures = read_loaded(json.dumps(tree).encode(), Sources({"a.py": b"x"}))
    except wire.WireError:
        return
    assert all(type(text) is str for pair in defined.items() for text in pair)
    assert all(failure.chunk == "a.py" for failure in failures)


DEEP = "[" * 600 + "]" * 600


@pytest.mark.parametrize(
    "reply",
    [
        '{"end":"raised","error":{"type":"x","message":"y","trace":[["a.py",Infinity,"g"]]}}',
        '{"end":"raised","error":{"type":"x","message":"y","trace":[["a.py",1e999,"g"]]}}',
        '{"end":"raised","error":{"type":"x","message":DEEP,"trace":[]}}',
        '{"end":"unreadable","size":Infinity}',
        '{"end":"unreadable","size":1e999}',
        '{"end":"unreadable","type":DEEP}',
        '{"end":"exited","code":DEEP}',
        '{"end":"missing","function":DEEP}',
        '{"end":"returned","type":"int","mutated":[],"value":1,"given":[[0,{"f":"inf"}]]}',
        '{"end":"returned","type":"int","mutated":1e999,"value":1}',
        '{"end":"returned","type":"int","mutated":[],"value":NaN}',
    ],
)
def test_a_reply_that_lies_is_a_crash_of_the_students(reply: str) -> None:
    text = reply.replace("DEEP", DEEP).encode()
    assert read_call(text, b"", Stimulus("f", (1,)), Sources({})).ending is Ending.CRASHED


def test_what_nested_calls_gave_has_to_be_said_and_nothing_else() -> None:
    def reply(given: str) -> Ending:
        text = f'{{"end":"returned","type":"int","mutated":[],"value":1,"given":{given}}}'
        stimulus = Stimulus("f", (1, Stimulus("g", ())))
        return read_call(text.encode(), b"", stimulus, Sources({})).ending

    assert reply("[[1, 5]]") is Ending.RETURNED
    for lie in ("[]", "[[0, 5]]", "[[1, 5], [0, 5]]", "[[1, 5], [1, 6]]", "[[true, 5]]x", "{}"):
        assert reply(lie) is Ending.CRASHED


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
        {"i": "9" * 3613},
        {"i": "1_0"},
        {"i": "٣"},
        10**3700,
        2**53 + 1,
        {"o": "grader.result.Grade"},
        {"d": [["a", 1], ["a", 2]]},
        {"l": [{"a": ["<f8", [1], 0]}, {"a": ["<f8", [1], 0]}]},
        {"l": [{"a": ["|u1", [5], 0]}, {"a": ["|u1", [4], 4]}]},
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
    with pytest.raises(wire.WireError):
        wire.decode(_nested(500), b"")


def test_what_is_too_deep_to_send_is_too_deep_to_receive() -> None:
    depth = next(n for n in range(500) if not _encodes([None], n))
    wire.decode(_nested(depth), b"")
    with pytest.raises(wire.WireError):
        wire.decode(_nested(depth + 1), b"")


def _encodes(value: Any, times: int) -> bool:
    for _ in range(times):
        value = [value]
    try:
        wire.Encoder().encode(value)
    except wire.Unencodable:
        return False
    return True


def _nested(times: int) -> Any:
    tree: Any = 1
    for _ in range(times):
        tree = {"l": [tree]}
    return tree


@pytest.mark.parametrize("value", [2**12_000 - 1, -(2**12_000) + 1, 2**53, 2**53 + 1])
def test_every_integer_that_is_sent_is_received(value: int) -> None:
    tree = wire.loads(wire.dumps(wire.Encoder().encode(value)))
    assert wire.decode(tree, b"") == value


def test_many_arrays_over_the_same_bytes_cost_no_more_than_was_sent() -> None:
    body = bytes(1 << 16)
    tree = {"l": [{"a": ["|u1", [len(body)], 0]}] * 40_000}
    tracemalloc.start()
    try:
        with pytest.raises(wire.WireError):
            wire.decode(tree, body)
        assert tracemalloc.get_traced_memory()[1] < 10 * len(body)
    finally:
        tracemalloc.stop()


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
