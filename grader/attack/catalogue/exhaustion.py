"""Entries 52, 53, 56 and 57: using up time, memory and output, and taking the process down."""

from __future__ import annotations

from grader.attack.model import RIGHT, Attack, Outcomes, all_of

_HALF = "def half(x): return x / 2\n"
# A process killed by SIGKILL may have been out of memory: nothing tells.
_DIED = {"doubles": "error|memory_limit", "arrays": "error|memory_limit"}
_TIMEOUT = {"doubles": "timeout", "arrays": "timeout"}


def _call(entry: int, name: str, body: str, deserves: Outcomes, control: str, **more: object) -> Attack:
    """Something that a call does."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return Attack(entry, name, "import numpy as np\n", deserves=deserves, control=control,
                  answers=f"def double(x):\n{lines}{_HALF}", **more)  # type: ignore[arg-type]  # fmt: skip


_DEAF = """
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
"""
_LOOPS = {
    "python": "while True: pass",
    "caught": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "deque": "import collections, itertools\ncollections.deque(itertools.count(), 0)",
    "power": "return 7 ** 10 ** 9",
    "regex": "import re\nre.match('(a+)+b', 'a' * 60)",
    "sum": "return sum(range(10 ** 15))",
    "array": "a = np.ones(1000)\nwhile True: a = a * 1.0",
    "digits": "import decimal\ndecimal.getcontext().prec = 10 ** 7\nreturn decimal.Decimal(2).sqrt()",
    "json": "import json, itertools\nwhile True: json.loads('[' * 500 + ']' * 500)",
}
_SLEEPS = {
    "sleep": "time.sleep(1000)",
    "read-an-empty-pipe": "os.read(os.pipe()[0], 1)",
    "stop-oneself": "os.kill(os.getpid(), 19)\ntime.sleep(1000)",
    "lock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
}
_MEMORY = {
    "bytes": "return str(len(bytearray(50 << 20)))",
    "list": "return str(len([0] * (6 << 20)))",
    "array": "import numpy\nreturn str(numpy.zeros(50 << 20, numpy.uint8).nbytes)",
    "map": "import mmap\nreturn str(len(mmap.mmap(-1, 50 << 20)))",
    "shared-map": "import mmap\nreturn str(len(mmap.mmap(-1, 50 << 20, mmap.MAP_SHARED)))",
    "malloc": "LIBC.malloc.restype = ctypes.c_void_p\n"
              "return str(LIBC.malloc(ctypes.c_size_t(50 << 20)) or '')",
    "text": "return str(len('é' * (50 << 20)))",
    "integer": "return str((1 << (50 << 23)).bit_length())",
    "many-small": "return str(len([bytearray(1 << 20) for _ in range(50)]))",
    "compressed": "import zlib\nreturn str(len(zlib.decompress(zlib.compress(bytes(50 << 20)))))",
    "pipes": "import fcntl\nreturn str(fcntl.fcntl(os.pipe()[1], 1031, 1 << 20))",
    "descriptors": "return str(max(os.dup(0) for _ in range(200)))",
}  # fmt: skip
_DEATHS = {
    "segfault": "ctypes.string_at(0)",
    "abort": "os.abort()",
    "kill-oneself": "os.kill(os.getpid(), 9)",
    "terminate-oneself": "os.kill(os.getpid(), 15)",
    "illegal-instruction": "os.kill(os.getpid(), 4)",
    "overwritten-code": "ctypes.memset(ctypes.cast(LIBC.malloc, ctypes.c_void_p).value, 0, 64)",
    "overwritten-heap": "ctypes.memset(id(os.__dict__), 255, 4096)\nimport gc\ngc.collect()\nos.sep",
    "jump-to-nowhere": "ctypes.CFUNCTYPE(None)(16)()",
    "fatal-error": "ctypes.pythonapi.Py_FatalError(b'x')",
    "bad-free": "LIBC.free(ctypes.c_void_p(id(x) + 8))\nLIBC.free(ctypes.c_void_p(12345))",
}
_SOURCES = {
    "minus": f"x = {'-' * 100_000}1",
    "lambdas": f"x = {'lambda: ' * 20_000}1",
    "attributes": f"x = x{'.a' * 100_000}",
    "brackets": "[" * 100_000,
    "indents": "".join(" " * i + "if 1:\n" for i in range(150)),
    "blocks": "".join("  " * i + "for x in x:\n" for i in range(60)) + "  " * 60 + "pass",
    "not": f"x = {'not ' * 50_000}1",
    "decorators": "@x\n" * 50_000,
}
"""What is hard to compile."""
_FLOODS = {
    "lines": "while True: print('x' * 99)",
    "no-newline": "while True: print('x', end='')",
    "stderr": "while True: print('x' * 99, file=sys.stderr)",
    "empty-lines": "while True: print()",
    "descriptor": "while True: os.write(1, b'x' * 65536)",
    "warnings": "import warnings\nwarnings.simplefilter('always')\nwhile True: warnings.warn('x' * 99)",
}

ATTACKS = (
    *(_call(52, f"loop-{name}", body, _TIMEOUT, "runs_on") for name, body in _LOOPS.items()),
    *(_call(52, f"wait-{name}", body, _TIMEOUT, "runs_on") for name, body in _SLEEPS.items()),
    _call(52, "deaf-loop", _DEAF + "while True: pass", _TIMEOUT, "ignores_signals"),
    _call(52, "deaf-machine-code", _DEAF + """
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes([0xEB, 0xFE]) if os.uname().machine == "x86_64" else bytes([0, 0, 0, 0x14]))
ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()""",
          _TIMEOUT, "ignores_signals"),
    _call(52, "alarm", "import signal\nsignal.signal(14, lambda *_: signal.alarm(1))\n"
          "signal.alarm(1)\nwhile True: pass", _TIMEOUT, "runs_on"),
    Attack(52, "loop-at-import", "while True: pass", deserves=all_of("timeout"),
           control="runs_on"),
    Attack(52, "loop-in-iterator", """
class Endless(list):
    def __iter__(self):
        while True: pass
""", deserves=_TIMEOUT, control="judging_runs_on",
           answers="def double(x): return Endless([1])\n" + _HALF),
    Attack(52, "loop-in-finalizer", """
class Endless:
    def __del__(self):
        while True: pass
def double(x):
    Endless()
    return 2 * x
""" + _HALF, deserves=_TIMEOUT, control="runs_on", answers=""),
    Attack(52, "loop-in-exit-handler", """
import atexit
def endless():
    while True: pass
atexit.register(endless)
""", control="never_exits"),
    *(Attack(53, f"memory-{name}", "def attack():\n" + "".join(
        f"    {line}\n" for line in body.splitlines())) for name, body in _MEMORY.items()),
    Attack(53, "memory-at-import", "_all = [bytearray(1 << 20) for _ in range(50)]",
           deserves=all_of("memory_limit"), control="survives"),
    Attack(53, "memory-in-call", "", deserves={"doubles": "memory_limit", "chain": "memory_limit"},
           answers="def double(x):\n    return [bytearray(1 << 20) for _ in range(50)]\n" + _HALF,
           control="survives"),
    Attack(53, "recursion", "def deep(n): return deep(n + 1)\n",
           deserves={"doubles": "error", "arrays": "error", "managed": "passed"},
           answers="def double(x): return deep(0)\n" + _HALF, control="raises"),
    Attack(53, "recursion-without-limit",
           "sys.setrecursionlimit(10 ** 9)\ndef deep(n): return deep(n + 1)\n",
           deserves={"doubles": "memory_limit|timeout|error"}, control="runs_on",
           answers="def double(x): return deep(0)\n" + _HALF),
    Attack(53, "recursion-in-c", """
sys.setrecursionlimit(10 ** 9)
def double(x):
    a = []
    for _ in range(10 ** 5): a = [a]
    import json
    return json.dumps(a, check_circular=False)
""" + _HALF, deserves={"doubles": "error", "arrays": "error"}, answers="", control="dies"),
    Attack(53, "deep-source", f"x = {'(' * 300}1{')' * 300}", deserves=all_of("error"),
           control="raises"),
    *(Attack(53, f"source-{name}", source, deserves=all_of("error|memory_limit"), control="raises|dies")
      for name, source in _SOURCES.items()),
    Attack(53, "long-expression", f"x = {'1+' * 20000}1", deserves=all_of("error"),
           control="raises"),
    *(_call(56, f"flood-{name}", body, {"doubles": "output_limit", "arrays": "output_limit"},
            "printed") for name, body in _FLOODS.items()),
    Attack(56, "flood-at-import", "while True: print('x' * 99)", deserves=all_of("output_limit"),
           control="printed"),
    Attack(56, "long-message", """
def double(x): raise ValueError("x" * 10 ** 6)
""" + _HALF, deserves={"doubles": "error", "managed": "passed"}, answers="", control="raises"),
    Attack(56, "long-name", """
double = type("x" * 10 ** 6, (), {"__call__": lambda self, x: self})()
""" + _HALF, deserves={"doubles": "failed", "managed": "passed"}, answers="", control="survives"),
    Attack(56, "many-names", "for _i in range(50000): globals()[f'n{_i}'] = _i\n",
           control="survives", deserves=RIGHT),
    Attack(56, "long-value", """
def double(x): return "x" * (3 << 20)
""" + _HALF, deserves={"doubles": "failed", "managed": "passed"}, answers="", control="survives", honest=""),
    Attack(56, "large-array", """
import numpy as np
def double(x): return np.zeros(1 << 20)
""" + _HALF, deserves={"doubles": "failed", "managed": "passed"}, answers="", control="survives", honest=""),
    *(_call(57, f"die-{name}", body, _DIED, "dies")
      for name, body in _DEATHS.items()),
    Attack(57, "die-at-import", "ctypes.string_at(0)", deserves=all_of("error"), control="dies"),
)  # fmt: skip
