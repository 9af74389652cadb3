"""Reading a process's own memory from inside, as code that is handed in.

Nothing of `/proc` is needed: memory is read through a pipe, which refuses what is not mapped, from
every address that the process can learn of.
"""

WALK = r'''
import ctypes, gc, os, sys

STEP = 1 << 16
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)

class Walk:
    """Hands every piece of memory that it finds to `look`, which whoever derives from it defines."""
    def __init__(self):
        self.bytes = 0
        self.read_end, self.write_end = os.pipe()

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
        aims |= self.buffers()
        aims |= {ctypes.addressof(ctypes.c_char.from_buffer(bytearray(1 << 20)))}
        for aim in sorted(aims):
            if aim // STEP * STEP not in seen: self.region(aim, seen, 512 << 20)

    def buffers(self):
        """Where the contents of arrays and of large byte strings and texts lie."""
        import numpy
        near, frame = gc.get_objects(), sys._getframe()
        while frame:
            near += [*frame.f_locals.values(), *frame.f_globals.values()]
            frame = frame.f_back
        addresses = set()
        for thing in (*near, *gc.get_referents(*near)):
            if type(thing) is memoryview: thing = numpy.frombuffer(thing.cast("B"), numpy.uint8)
            if type(thing) is numpy.ndarray: addresses.add(thing.ctypes.data)
            elif type(thing) is bytearray and thing:
                addresses.add(numpy.frombuffer(thing, numpy.uint8).ctypes.data)
            elif type(thing) in (bytes, str) and len(thing) > 4096: addresses.add(id(thing))
        return addresses

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

SEARCH = WALK + r'''
import numpy as np

class Search(Walk):
    """Looks for words of 8 bytes that it knows only in disguise: each is multiplied by an odd number,
    so that no secret is in this process unless somebody else put it there.  Secrets of one word end
    in zeros."""

    def __init__(self, factors, disguised):
        super().__init__()
        self.factors = factors
        self.disguised = disguised[np.argsort(disguised[:, 0], kind="stable")]
        self.numbers = np.argsort(disguised[:, 0], kind="stable")
        self.first = np.ascontiguousarray(self.disguised[:, 0])
        self.table = np.zeros(1 << 20, bool)
        self.table[self.first >> np.uint64(44)] = True
        self.found = set()

    def look(self, data):
        self.bytes += len(data)
        for shift in range(min(8, len(data) // 8)):
            words = np.frombuffer(data, "<u8", (len(data) - shift) // 8, shift) * self.factors[0]
            likely = np.flatnonzero(self.table[words >> np.uint64(44)])
            places = np.searchsorted(self.first, words[likely])
            same = self.first[np.minimum(places, len(self.first) - 1)] == words[likely]
            for at, place in zip(likely[same], places[same]):
                self.compare(data, shift + 8 * int(at), int(place))

    def compare(self, data, at, place):
        more = self.factors[1:]
        first = self.first[place]
        whole = len(data) >= at + 8 + 8 * len(more)
        after = np.frombuffer(data, "<u8", len(more), at + 8) * more if whole else None
        while place < len(self.first) and self.first[place] == first:
            rest = self.disguised[place, 1:]
            if not rest.any() or (whole and (after == rest).all()):
                self.found.add(int(self.numbers[place]))
            place += 1

def search(text):
    """The numbers of the secrets that were found, and before them how many bytes were read."""
    words = np.frombuffer(bytes.fromhex(text), "<u8").reshape(-1, 5)
    it = Search(words[0], words[1:])
    it.memory()
    it.files()
    return f"{it.bytes} " + " ".join(map(str, sorted(it.found)))
'''
"""Defines `search`, which takes the factors and the disguised secrets, five words of 8 bytes each."""
