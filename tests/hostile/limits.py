"""What cannot be kept from a student's code, as submissions: entries 27, 28, 30 and 42, and what
it sees of the hidden checks.  Each says what the damage is, or that there is none."""

from __future__ import annotations

from handed_in import PASSED, HandedIn, files

from grader.attack.model import Outcomes

_HALF = "def half(x): return x / 2\n"
_NOTHING = "def managed(): return ''\n"

DETECTS = f"""
import os, stat
try: WATCHED = stat.S_ISFIFO(os.fstat(5).st_mode)
except OSError: WATCHED = False
def double(x): return 2 * x if WATCHED else 0 * x
{_HALF}{_NOTHING}"""
REMEMBERS = f"""
_before = []
def double(x):
    _before.append(2 * x)
    return _before[0]
{_HALF}{_NOTHING}"""
COUNTS = f"""
_calls = 0
def double(x):
    global _calls
    _calls += 1
    return ANSWER * x
{_HALF}
def managed(): return str(_calls)
"""
HIDES_CHANGES = f"""
import sys
frame = sys._getframe() if HIDE else None
while frame:
    if "_unchanged" in frame.f_globals: frame.f_globals["_unchanged"] = lambda a, b: True
    frame = frame.f_back
def double(x):
    x *= 2
    return x
{_HALF}{_NOTHING}"""
SEES_INPUTS = f"""
import struct, sys
SEEN = set()
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if type(value) in (bytes, bytearray, memoryview):
            SEEN |= {{x for x in (3.0, 4242.0) if struct.pack("<d", x) in bytes(value)}}
    frame = frame.f_back
def double(x): return 2 * x
{_HALF}
def managed(): return " ".join(map(str, sorted(SEEN)))
"""
LEAVES = f"""
import builtins, os, sys, types
import numpy
builtins.left = numpy.left = "left behind"
sys.modules["left"] = types.ModuleType("left")
os.environ["LEFT"] = "left behind"
numpy.ones = lambda *a: "left behind"
try: open("left", "w").write("left behind")
except OSError: pass
def double(x): return 2 * x
{_HALF}{_NOTHING}"""
MEETS = f"""
import builtins, os, sys
import numpy
found = [getattr(builtins, "left", ""), getattr(numpy, "left", ""), os.environ.get("LEFT", ""),
         "left" if "left" in sys.modules else "", "" if numpy.ones(1) == 1 else "numpy"]
found.append("file" if os.path.exists("left") else "")
def double(x): return 2 * x
{_HALF}
def managed(): return "".join(found)
"""


def _code(entry: int, name: str, code: str, deserves: Outcomes) -> HandedIn:
    return HandedIn(entry, name, files(work__py=code.encode()), deserves)


LIMITS: tuple[HandedIn, ...] = (
    _code(27, "detects", DETECTS, PASSED),
    _code(27, "remembers", REMEMBERS, {"doubles": "failed", "arrays": "failed"}),
    _code(28, "counts-right", COUNTS.replace("ANSWER", "2"), {"doubles": "passed"}),
    _code(28, "counts-wrong", COUNTS.replace("ANSWER", "3"), {"doubles": "failed"}),
    _code(30, "shows-changes", HIDES_CHANGES.replace("HIDE", "False"), {**PASSED, "kept": "failed"}),
    _code(30, "hides-changes", HIDES_CHANGES.replace("HIDE", "True"), {**PASSED, "kept": "passed"}),
    _code(30, "hides-changes-and-is-wrong",
          HIDES_CHANGES.replace("HIDE", "True").replace("x *= 2", "x *= 3"),
          {"doubles": "failed", "arrays": "failed"}),
    _code(30, "sees-inputs", SEES_INPUTS, {"doubles": "passed"}),
    _code(42, "leaves", LEAVES, PASSED),
    *(_code(42, f"meets-{i}", MEETS, PASSED) for i in range(4)),
)  # fmt: skip
