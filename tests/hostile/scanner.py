"""A submission that searches everything it can reach for secrets, as code that is handed in.

Secrets are recognised by their form, so that the search itself holds none: text that begins with
`MARK-` and 16 hexadecimal digits; 8-byte floats that end in four known bytes; Python's own
integers, whose upper digit is known; and either of these numbers written out, whose first digits
are known.
"""

from __future__ import annotations

import struct

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


SCANNER = r'''
import ctypes, gc, os, re, struct, sys

def written(number, kind):
    """A number that was found written out, under the name of its bytes."""
    if kind == "integer": return f"integer-{int(number) & (1 << 30) - 1}" if int(number) >> 30 == 0x2BADC0DE else ""
    data = struct.pack("<d", float(number))
    return f"float-{int.from_bytes(data[:4], 'little')}" if data[4:] == ENDS[0][1] else ""

WRITTEN = (("float", re.compile(rb"123\.013[0-9]{5,16}")), ("integer", re.compile(rb"786845[0-9]{12}")))
TEXT = re.compile(rb"MARK-[0-9a-f]{16}")
ENDS = (("float", bytes.fromhex("dec05e40")), ("integer", (0x2BADC0DE).to_bytes(4, "little")))
STEP = 1 << 16
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)

class Search:
    def __init__(self):
        self.found = set()
        self.bytes = 0
        self.read_end, self.write_end = os.pipe()

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

    def peek(self, address, size):
        """Memory at an address; b"" where nothing is mapped, for a pipe refuses to take it."""
        if LIBC.write(self.write_end, address, size) <= 0: return b""
        return os.read(self.read_end, size)

    def page_by_page(self, address):
        return b"".join(self.peek(address + at, 4096) for at in range(0, STEP, 4096))

    def region(self, start, seen, limit):
        """Everything mapped without a gap around an address."""
        for step in (STEP, -STEP):
            at, last = start // STEP * STEP, b""
            while at > 0 and limit > 0:
                if at not in seen:
                    seen.add(at)
                    data = self.peek(at, STEP)
                    data = data if len(data) == STEP else self.page_by_page(at)
                    if not data: break
                    self.look(data if step < 0 else last[-64:] + data)
                    last = data
                    limit -= STEP
                elif at != start // STEP * STEP: break
                at += step

    def memory(self):
        seen = set()
        stack = ctypes.create_string_buffer(8)
        aims = {id(o) for o in gc.get_objects()} | {id(self), id(sys.modules), ctypes.addressof(stack)}
        aims |= {ctypes.cast(f, ctypes.c_void_p).value for f in
                 (LIBC.malloc, LIBC.environ, ctypes.pythonapi.Py_IsInitialized, ctypes.pythonapi._Py_NoneStruct)}
        LIBC.sbrk.restype = ctypes.c_void_p
        aims.add(LIBC.sbrk(0) - STEP)
        aims |= set(loaded())
        import numpy
        aims |= {o.ctypes.data for o in gc.get_objects() if type(o) is numpy.ndarray}
        aims |= {ctypes.addressof(ctypes.c_char.from_buffer(bytearray(1 << 20)))}
        for aim in sorted(aims):
            if aim // STEP * STEP not in seen: self.region(aim, seen, 512 << 20)

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

    def files(self):
        for fd in range(64):
            if fd in (self.read_end, self.write_end): continue
            try: self.look(os.pread(fd, 1 << 20, 0))
            except OSError: pass
        for path in ("/proc/self/environ", "/proc/self/cmdline", "/proc/self/mem", "/proc/self/maps",
                     f"/proc/{os.getppid()}/environ", f"/proc/{os.getppid()}/cmdline"):
            try: self.look(open(path, "rb").read(1 << 20))
            except OSError: pass

def loaded():
    """The addresses of the parts of every loaded library, as the loader itself knows them."""
    class Header(ctypes.Structure):
        _fields_ = [("type", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("offset", ctypes.c_uint64),
                    ("address", ctypes.c_uint64), ("physical", ctypes.c_uint64),
                    ("in_file", ctypes.c_uint64), ("size", ctypes.c_uint64), ("align", ctypes.c_uint64)]
    class Library(ctypes.Structure):
        _fields_ = [("base", ctypes.c_uint64), ("name", ctypes.c_char_p),
                    ("headers", ctypes.POINTER(Header)), ("count", ctypes.c_uint16)]
    addresses = []
    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Library), ctypes.c_size_t, ctypes.c_void_p)
    def note(library, size, _):
        for i in range(library[0].count):
            header = library[0].headers[i]
            if header.type == 1: addresses.append(library[0].base + header.address)
        return 0
    LIBC.dl_iterate_phdr(note, None)
    return addresses
'''
"""Defines `Search`, whose `found` names what was found, and whose `bytes` how much was read."""
