"""Entries 22–25: replies that were not asked for, lie, never end, or are no replies at all.

The grader's end of the pipe cannot be kept from receiving what a student writes to it, so what is
shown without the sandbox is only that it arrives; what counts is what the grader makes of it.
"""

from __future__ import annotations

from grader.attack.model import Attack, Outcomes, Side, all_of

_TOOLS = """
import json, struct
FD = 5
CALLS = WORLD.get('calls', 8)
LOADED, DONE, SETUP_FAILED, READY = -1, -2, -3, -4
WELL = {"failures": [], "defined": {"double": "function"}}

def frame(index, tree, body=b""):
    text = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    return struct.pack("<4siIQ", b"grd1", index, len(text), len(body)) + text + body

def send(data):
    while data:
        data = data[os.write(FD, data):]

def returned(value, **more):
    return {"end": "returned", "type": "float", "mutated": [], "value": value, **more}

def answer(tree, body=b""):
    send(frame(LOADED, WELL) + b"".join(frame(i, tree, body) for i in range(CALLS)))

def deep(levels):
    return b"[" * levels + b"]" * levels
"""
_WRONG = "def double(x): return 0 * x\ndef half(x): return 0\n"
_ZERO = "def double(x): return 0.0\n"
_CRASHED = all_of("error")
_JUDGED = {"doubles": "failed", "arrays": "error"}
"""What it claims to have returned is judged; hidden calls cannot be answered before they come."""
_UNREADABLE = {"doubles": "error", "arrays": "error|timeout"}


def _forges(
    entry: int, name: str, code: str, deserves: Outcomes = _CRASHED, honest: str = _ZERO
) -> Attack:
    """Replies that it was not asked for; `honest` returns what they claim, "" if no code would."""
    # What the sandboxed child says last is not asked: its word is what is forged.
    return Attack(entry, name, _TOOLS + code, _arrives, deserves, answers=_WRONG,
                  control="replies", honest=honest)


def _arrives(side: Side, secret: str) -> bool:
    """Without the sandbox it arrives; in it there is no goal beyond the grade, which is judged."""
    return "bytes" in side.managed


ATTACKS = (
    _forges(22, "wrong-answers", "answer(returned(0.0))\nsend(frame(DONE, {}))\nos._exit(0)",
            {**_JUDGED, "managed": "failed"}),
    _forges(22, "setup-failed", "send(frame(SETUP_FAILED, {'message': 'x'}))\nos._exit(0)"),
    _forges(22, "ready-again", "send(frame(READY, {}))"),
    _forges(22, "done-at-once", "send(frame(DONE, {}))\ntime.sleep(9)"),
    _forges(22, "loaded-twice", "send(frame(LOADED, WELL) * 2)", _CRASHED),
    _forges(22, "out-of-order", "send(frame(LOADED, WELL))\nsend(frame(CALLS - 1, returned(0.0)))"),
    _forges(22, "one-call-often", "send(frame(LOADED, WELL))\nsend(frame(0, returned(2.0)) * 9)"),
    _forges(22, "no-such-call", "send(frame(LOADED, WELL))\nsend(frame(2**31 - 1, returned(2.0)))"),
    _forges(22, "negative-call", "send(frame(LOADED, WELL))\nsend(frame(-77, returned(2.0)))"),
    _forges(22, "grader-error", "answer({'end': 'grader_error', 'fraction': 1})"),
    _forges(22, "needs-review", "answer({'end': 'needs_review', 'suggested_fraction': 1})"),
    _forges(22, "passed", "answer({'end': 'passed', 'outcome': 'passed', 'fraction': 1})"),
    _forges(22, "extra-keys",
            "answer(returned(0.0, outcome='passed', fraction=1, expected=0.0, rtol=9))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED),
    _forges(22, "own-arguments",  # a predicate that compares the value with its arguments
            "answer(returned(0.0, given=[[0, 0.0]]))\nsend(frame(DONE, {}))\nos._exit(0)",
            {**_CRASHED, "chain": "failed"}),
    _forges(22, "claims-float32",
            "answer(returned({'a': ['<f8', [], 0]}, type='numpy.float32'), struct.pack('<d', 9.0))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(22, "a-call-as-value", "answer(returned({'call': ['double', [1.0]]}))"),
    _forges(22, "an-object-as-value", "answer(returned({'o': 'grader.result.Grade'}))"),
    _forges(22, "half-a-frame", "send(frame(LOADED, WELL)[:11])\nos._exit(0)"),
    _forges(22, "closed-pipe", "send(b'g')\nos.close(FD)"),
    _forges(22, "closes-the-pipe-and-goes-on", "send(b'g')\nos.close(FD)\ntime.sleep(9)"),
    _forges(22, "no-frame", "send(b'passed\\n' * 100)"),
    _forges(22, "another-magic", "send(struct.pack('<4siIQ', b'grd2', -1, 2, 0) + b'{}')"),
    _forges(22, "text-of-terminals",
            "answer({'end': 'raised', 'error': {'type': 'x\\x1b]0;t\\x07', 'message':"
            " '\\u202e\\x00\\ud800</script>', 'trace': [['work.py', 1, '=cmd|x']]}})\n"
            "send(frame(DONE, {}))\nos._exit(0)"),
    _forges(23, "pickle", "import pickle\nsend(pickle.dumps(2.0))"),
    _forges(23, "pickle-in-a-frame", "import pickle\nanswer(pickle.dumps(2.0))"),
    Attack(23, "pickle-that-runs", """
import pickle
class Run:
    def __reduce__(self): return (eval, ("6.0",))
REPLY = pickle.dumps(Run())
try: os.write(5, REPLY)
except OSError: pass
""", lambda side, secret: side.managed == "passed", _CRASHED, answers=_WRONG, control="pickled",
           honest=_ZERO),
    _forges(24, "body-of-100-gb", "send(struct.pack('<4siIQ', b'grd1', -1, 2, 10**11) + b'{}')"),
    _forges(24, "body-beyond-64-bits", "send(struct.pack('<4siIQ', b'grd1', -1, 2, 2**64 - 1))"),
    _forges(24, "json-of-4-gb", "send(struct.pack('<4siIQ', b'grd1', -1, 2**32 - 1, 0))"),
    _forges(24, "shape-overflows", "answer(returned({'a': ['<f8', [2**32, 2**32], 0]}))"),
    _forges(24, "shape-of-nothing", "answer(returned({'a': ['<f8', [0] + [2**40] * 31, 0]}))\n"
            "send(frame(DONE, {}))\nos._exit(0)"),
    _forges(24, "shape-of-65-dimensions", "answer(returned({'a': ['<f8', [1] * 65, 0]}), b'8' * 8)"),
    _forges(24, "arrays-over-one-another",  # 1 MB of JSON that would unfold to gigabytes
            "answer(returned({'l': [{'a': ['|u1', [2**15], 0]}] * 40000}), bytes(2**15))"),
    _forges(24, "negative-offset", "answer(returned({'a': ['<f8', [1], -8]}), b'8' * 8)"),
    _forges(24, "offset-beyond", "answer(returned({'a': ['<f8', [1], 2**62]}), b'8' * 8)"),
    _forges(24, "dtype-of-objects", "answer(returned({'a': ['|O', [1], 0]}), b'8' * 8)"),
    _forges(24, "dtype-with-names", "answer(returned({'a': [[['a', '<f8']], [1], 0]}), b'8' * 8)"),
    _forges(24, "bool-of-7", "answer(returned({'a': ['|b1', [8], 0]}), bytes([7] * 8))"),
    _forges(24, "deep-json", "answer(deep(10**5))"),
    _forges(24, "deep-value",
            "answer(b'{\"end\":\"returned\",\"type\":\"x\",\"mutated\":[],\"value\":'"
            " + b'{\"l\":[' * 200 + b'1' + b']}' * 200 + b'}')"),
    _forges(24, "deep-and-allowed",
            "tree = 1\nfor _ in range(110): tree = {'l': [tree]}\nanswer(returned(tree))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _UNREADABLE),
    _forges(24, "deep-dicts",
            "tree = 1\nfor _ in range(110): tree = {'d': [['</script>', tree]]}\n"
            "answer(returned(tree))\nsend(frame(DONE, {}))\nos._exit(0)", _UNREADABLE),
    _forges(24, "many-keys",
            "answer(returned({'d': [[f'{i}', i] for i in range(50000)]}))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "many-items",
            "answer(returned({'l': [0] * 100000}))\nsend(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "one-long-text-among-many",  # as an array, each would be as long as the longest
            "answer(returned({'l': ['x' * 400000] + [''] * 100000}))\n"
            "send(frame(DONE, {}))\nos._exit(0)", {"doubles": "failed|timeout", "arrays": "error|timeout"}, ""),
    _forges(24, "integer-of-4000-digits",
            "answer(returned({'i': '9' * 4000}))\nsend(frame(DONE, {}))\nos._exit(0)", _UNREADABLE),
    _forges(24, "integers-of-4000-digits",
            "answer(returned({'l': [{'i': '9' * 4000}] * 200}))\nsend(frame(DONE, {}))\nos._exit(0)",
            _UNREADABLE),
    _forges(24, "array-of-32-dimensions",
            "answer(returned({'a': ['<f8', [1] * 32, 0]}), b'8' * 8)\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "odd-floats",
            "answer(returned({'a': ['<f8', [3], 0]}), struct.pack('<3Q', 0x7ff0000000000001,"
            " 0xfff8dead00000000, 1))\nsend(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "dtype-of-dates", "answer(returned({'a': ['<M8[ns]', [1], 0]}), b'8' * 8)"),
    _forges(24, "unhashable-tags", "answer(returned({'f': [1]}))"),
    _forges(24, "complex-of-text", "answer(returned({'c': ['1e999', 'nan']}))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "complex-of-letters", "answer(returned({'c': ['x' * 39, '1']}))"),
    _forges(24, "text-of-surrogates", "answer(returned('\\ud800' * 999))\n"
            "send(frame(DONE, {}))\nos._exit(0)", _JUDGED, ""),
    _forges(24, "deep-where-text-is-meant", "answer(b'{\"end\":\"exited\",\"code\":' + deep(700) + b'}')"),
    _forges(24, "infinite-line",
            "answer(b'{\"end\":\"raised\",\"error\":{\"type\":\"x\",\"message\":\"y\","
            "\"trace\":[[\"work.py\",Infinity,\"f\"]]}}')"),
    _forges(24, "infinite-size", "answer(b'{\"end\":\"unreadable\",\"size\":1e999}')"),
    _forges(24, "infinite-load",
            "send(frame(LOADED, b'{\"defined\":{},\"failures\":[[\"work.py\",{\"type\":\"x\","
            "\"message\":\"y\",\"trace\":[[\"work.py\",1e999,\"f\"]]}]]}'))"),
    _forges(24, "huge-integer", "answer(b'{\"end\":\"returned\",\"value\":' + b'9' * 10**6 + b'}')"),
    _forges(24, "nan-literal", "answer(b'{\"end\":\"returned\",\"type\":\"x\",\"mutated\":[],"
            "\"value\":NaN}')"),
    _forges(24, "same-key-often", "answer(b'{' + b'\"end\":\"raised\",' * 60000 + b'\"end\":1}')"),
    _forges(24, "not-utf8", "answer(b'\\xff\\xfe{}')"),
    _forges(24, "many-names", "send(frame(LOADED, {'failures': [], 'defined':"
            " {f'n{i}': 'function' for i in range(40000)}}))\ntime.sleep(9)",
            all_of("timeout")),
    _forges(24, "frames-without-end",
            "send(frame(LOADED, WELL))\nwhile True: send(frame(0, returned(2.0), bytes(1 << 20)))"),
    _forges(24, "bytes-without-end", "while True: send(bytes(1 << 16))"),
    _forges(25, "slow-drip", """
send(frame(LOADED, WELL))
for _byte in frame(0, returned(2.0)):
    os.write(FD, bytes([_byte]))
    time.sleep(0.2)""", all_of("timeout")),
    _forges(25, "starts-and-sleeps",
            "send(frame(LOADED, WELL) + frame(0, returned(2.0))[:7])\ntime.sleep(99)",
            all_of("timeout")),
)  # fmt: skip
