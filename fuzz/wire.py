"""Target: the decoder of the wire format, which reads what a child sent.

The input is one line of JSON and the body behind it.
"""

from __future__ import annotations

from typing import Any

from fuzz.choices import Choices, built
from fuzz.oracle import Wrong, require, timely
from fuzz.plain import identical, require_plain
from grader.sandbox.child import wire

_SLOW_S = 0.5
_DTYPES = (*sorted(wire.DTYPES), "|O", "|V8", "<M8[s]", "|S4", ">f8", "<f16", "f8", "")
_SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 0.5, -0.0, 1e308, 2**53, 2**53 + 1, 10**400, "", "x", "\ud800",
)  # fmt: skip
_NUMERALS = ("nan", "inf", "-inf", "1", "1.0", "-0.0", "1_0", " 1", "1e400", "٣", "9" * 3700, "x")


def check(data: bytes) -> None:
    """Decode one message; what is accepted must be plain data that encodes to itself."""
    choices = built(data)
    try:
        if choices:
            tree, body = tree_of(choices), choices.rest()
        else:
            text, _, body = data.partition(b"\n")
            tree = wire.loads(text)
        value = timely(_SLOW_S, lambda: wire.decode(tree, body))
    except wire.WireError:
        return
    plain = _without_calls(value)
    require(require_plain(plain) <= len(body), "more bytes of arrays than were sent")
    encoder = wire.Encoder()
    try:
        sent = wire.dumps(encoder.encode(value))
    except wire.Unencodable as error:
        raise Wrong(f"took what is never sent: {error}") from None
    again = _without_calls(wire.decode(wire.loads(sent), encoder.body))
    require(identical(again, plain), "encodes to something else")


def tree_of(choices: Choices, depth: int = 0) -> Any:
    """A tree of the format, or nearly one."""
    kind = choices.below(12)
    if kind < 2 or depth > 70 or not choices.left:
        return choices.pick(_SCALARS)
    inner = [tree_of(choices, depth + 1) for _ in range(choices.below(4))] if kind > 6 else []
    match kind:
        case 2:
            shape = [choices.size() for _ in range(choices.below(4))]
            return {"a": [choices.pick(_DTYPES), shape, choices.size()]}
        case 3:
            return {choices.pick("fi"): choices.pick(_NUMERALS)}
        case 4:
            return {"c": [choices.pick(_NUMERALS), choices.pick(_NUMERALS)]}
        case 5:
            return {choices.text(3): choices.pick(_SCALARS)}
        case 6:
            return {choices.pick("lt"): [tree_of(choices, depth + 1)]}
        case 7:
            return {"d": [[choices.text(3), item] for item in inner]}
        case 8:
            return {"call": [choices.text(3), inner]}
        case 9:
            return inner
    return {choices.pick("ltda"): inner}


def _without_calls(value: Any) -> Any:
    """A call stands for itself on the wire; what it is of must be as plain as all else."""
    if type(value) is wire.Call:
        require(type(value.function) is str, "a function's name that is no text")
        return (value.function, *map(_without_calls, value.args))
    if type(value) in (list, tuple):
        return type(value)(map(_without_calls, value))
    if type(value) is dict:
        return {key: _without_calls(item) for key, item in value.items()}
    return value
