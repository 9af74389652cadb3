"""A submission that searches everything it can reach for secrets, as code that is handed in.

Secrets are recognised by their form, so that the search itself holds none: text that begins with
`MARK-` and 16 hexadecimal digits; 8-byte floats that end in four known bytes; Python's own
integers, whose upper digit is known; and either of these numbers written out, whose first digits
are known.
"""

from __future__ import annotations

import struct

from grader.attack.catalogue.memory import WALK

FLOAT_END = bytes.fromhex("de c0 5e 40")
"""The upper half of a double near 123: its lower half tells it from others."""
UPPER_DIGIT = 0x2BADC0DE
"""The upper 30 bits of a Python integer of two digits."""


def secret_float(number: int) -> float:
    """The double whose lower half is `number`."""
    value: float = struct.unpack("<d", struct.pack("<I", number) + FLOAT_END)[0]
    return value


def secret_integer(number: int) -> int:
    """The integer of two digits whose lower one is `number`, below 2**30."""
    return UPPER_DIGIT << 30 | number


SCANNER = WALK + r'''
import re, struct

def written(number, kind):
    """A number that was found written out, under the name of its bytes."""
    if kind == "integer": return f"integer-{int(number) & (1 << 30) - 1}" if int(number) >> 30 == 0x2BADC0DE else ""
    data = struct.pack("<d", float(number))
    return f"float-{int.from_bytes(data[:4], 'little')}" if data[4:] == ENDS[0][1] else ""

WRITTEN = (("float", re.compile(rb"123\.013[0-9]{5,16}")), ("integer", re.compile(rb"786845[0-9]{12}")))
TEXT = re.compile(rb"MARK-[0-9a-f]{16}")
ENDS = (("float", bytes.fromhex("dec05e40")), ("integer", (0x2BADC0DE).to_bytes(4, "little")))

class Search(Walk):
    def __init__(self):
        super().__init__()
        self.found = set()

    def look(self, data):
        self.bytes += len(data)
        self.found |= {m.decode() for m in TEXT.findall(data)}
        for kind, pattern in WRITTEN:
            self.found |= {written(m, kind) for m in pattern.findall(data)} - {""}
        for kind, end in ENDS:
            at = data.find(end)
            while at >= 0:
                self.found.add(f"{kind}-{int.from_bytes(data[max(at - 4, 0):at], 'little')}")
                at = data.find(end, at + 1)

    def objects(self):
        self.look(repr([sorted(os.environ.items()), sys.argv, sys.path, sorted(sys.modules)]).encode())
        todo, seen = list(gc.get_objects()), set()
        frame = sys._getframe()
        while frame:
            todo += [frame.f_locals, frame.f_globals]
            frame = frame.f_back
        while todo:
            thing = todo.pop()
            if id(thing) in seen: continue
            seen.add(id(thing))
            if isinstance(thing, str): self.look(thing.encode("utf-8", "replace"))
            elif isinstance(thing, (bytes, bytearray)): self.look(bytes(thing))
            elif type(thing) is float: self.look(__import__("struct").pack("<d", thing))
            elif type(thing) is int and thing.bit_length() > 31:
                self.look(thing.to_bytes(thing.bit_length() // 8 + 9, "little", signed=True))
                self.look(str(thing).encode()[:99])
            elif type(thing).__module__ == "numpy" and hasattr(thing, "tobytes"): self.look(thing.tobytes())
            elif len(seen) < 2_000_000:
                try: todo += gc.get_referents(thing)
                except Exception: pass
'''
"""Defines `Search`, whose `found` names what was found, and whose `bytes` how much was read."""
