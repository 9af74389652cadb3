"""Entries 11–21 and 26–31: points for answers that are not right.

Each is shown to fool a naive grader, which believes what runs in the student's own process.
"""

from __future__ import annotations

from grader.attack.model import NOTHING_RIGHT, RIGHT, Attack, all_of, is_passed

_HALF = "def half(x): return x / 2\n"
_EXITED = all_of("error")


def _returns(
    entry: int, name: str, expression: str, control: str, before: str = "", plain: str = "",
    **more: object
) -> Attack:
    """`double` returns something that a careless comparison takes for right; `plain` is what of it
    is left as plain data, "" if that is all of it."""
    code = f"import numpy as np\n{before}\ndef double(x):\n    return {expression}\n{_HALF}"
    more.setdefault("deserves", {**NOTHING_RIGHT, "managed": "passed"})
    honest = f"import numpy as np\ndef double(x): return {plain}\n" if plain else ""
    return Attack(entry, name, code, is_passed, answers="", control=control, honest=honest, **more)  # type: ignore[arg-type]


def _patches(entry: int, name: str, code: str, control: str, **more: object) -> Attack:
    """Something that a grader might use is replaced; the answer itself is wrong."""
    wrong = "def double(x): return 0 * x\n" + _HALF
    deserves = {**NOTHING_RIGHT, "kept": "passed", "managed": "passed"}
    return Attack(
        entry, name, code, is_passed, deserves, answers=wrong, control=control, honest=wrong, **more  # type: ignore[arg-type]
    )


def _ends(entry: int, name: str, code: str, control: str, **more: object) -> Attack:
    """The process ends before anything was asked."""
    return Attack(entry, name, code, is_passed, _EXITED, answers="", control=control, **more)  # type: ignore[arg-type]


_ALWAYS = """
class Always(float):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __abs__(self): return 0.0
    def __sub__(self, other): return self
    __rsub__ = __sub__
    def __lt__(self, other): return True
    __le__ = __gt__ = __ge__ = __lt__
    def __float__(self): return 6.0
    __hash__ = None
"""
_FUNCTIONS = """
class Sneaky(np.ndarray):
    def __array_function__(self, function, types, args, kwargs): return True
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs): return np.zeros(3)
    def __array_wrap__(self, *args, **kwargs): return np.zeros(3)
"""

ATTACKS = (
    _patches(11, "patch-allclose", "import numpy\nnumpy.allclose = lambda *a, **k: True", "close"),
    _patches(11, "patch-isclose",
             "import numpy\n"
             "numpy.allclose.__wrapped__.__globals__['isclose'] = lambda *a, **k: numpy.array(True)",
             "close"),
    _patches(11, "patch-abs", "import numpy\nnumpy.abs = lambda x: 0.0", "largest_error"),
    _patches(11, "patch-max", "import numpy\nnumpy.max = lambda *a, **k: 0.0", "largest_error"),
    _patches(11, "patch-builtins", "import builtins\nbuiltins.all = lambda x: True", "sorted_out"),
    _patches(11, "patch-testing",
             "import numpy\nnumpy.testing.assert_allclose = lambda *a, **k: None", "asserting"),
    _patches(11, "patch-unittest",
             "import unittest\nunittest.TestCase.assertEqual = lambda *a, **k: None", "unit_test"),
    _patches(11, "patch-result",
             "import unittest\nunittest.TestResult.wasSuccessful = lambda self: True", "unit_test"),
    _patches(11, "patch-run",
             "import unittest\nunittest.TestCase.run = lambda self, result=None: result",
             "unit_test"),
    _patches(11, "patch-assert-by-code", """
import numpy
def _nothing(*args, **kwargs): return None
numpy.testing.assert_allclose.__code__ = _nothing.__code__""", "asserting"),
    _returns(12, "always-equal", "Always(0)", "equal", _ALWAYS, plain="0.0"),
    _returns(12, "always-near", "Always(0)", "difference", _ALWAYS, plain="0.0"),
    _returns(12, "equal-object", "Equal()", "equal",
             "class Equal:\n    def __eq__(self, other): return True\n    __hash__ = None", plain="None"),
    _returns(12, "reflected", "Reflected()", "difference", """
class Reflected:
    def __rsub__(self, other): return 0.0
    __sub__ = __rsub__""", plain="None"),
    _returns(12, "mock", "ANY", "equal", "from unittest.mock import ANY", plain="None"),
    _returns(12, "int-subclass", "Zero()", "difference", """
class Zero(int):
    def __sub__(self, other): return 0
    def __abs__(self): return 0""", plain="0"),
    _returns(12, "complex-subclass", "Zero()", "difference", """
class Zero(complex):
    def __sub__(self, other): return 0""", plain="0j"),
    _returns(12, "list-subclass", "Right([0.0, 0.0, 0.0])", "sorted_out", """
class Right(list):
    def __iter__(self): return iter((2.0, 4.0, 6.0))""", plain="[0.0, 0.0, 0.0]"),
    _returns(12, "str-subclass", "Text('0')", "equal", """
class Text(str):
    def __eq__(self, other): return True
    __hash__ = str.__hash__""", plain="'0'"),
    _returns(13, "array-function", "np.zeros(3).view(Sneaky)", "close", _FUNCTIONS, plain="np.zeros(3)"),
    _returns(13, "array-ufunc", "np.zeros(3).view(Sneaky)", "largest_error", _FUNCTIONS.replace(
        "def __array_function__(self, function, types, args, kwargs): return True", "pass"), plain="np.zeros(3)"),
    _returns(13, "masked", "np.ma.masked_array(np.zeros(3), True)", "no_difference",
             plain="np.zeros(3)"),
    _returns(13, "masked-sum", "np.ma.masked_all(3)", "no_difference", plain="np.zeros(3)"),
    _returns(13, "array-interface", "Fake()", "close", """
class Fake:
    def __array__(self, dtype=None, copy=None): return np.array([2.0, 4.0, 6.0])""", plain="None"),
    _returns(13, "array-protocol", "Fake()", "largest_error", """
class Fake:
    __array_ufunc__ = None
    def __rsub__(self, other): return np.zeros(3)
    __sub__ = __rsub__""", plain="None"),
    _returns(14, "nan", "np.full(np.shape(x), np.nan)", "largest_error"),
    _returns(14, "negative-nan", "-np.full(np.shape(x), np.nan)", "largest_error"),
    _returns(14, "inf-minus-inf", "np.full(np.shape(x), np.inf) - np.inf", "largest_error"),
    _returns(14, "complex-nan", "np.full(np.shape(x), complex(0, np.nan))", "largest_error"),
    _returns(14, "one-nan", "np.where(np.arange(np.size(x)) == 0, np.nan, 0.0)", "largest_error"),
    Attack(15, "broadcast-row", """
import numpy as np
def double(x): return 2 * np.asarray(x).reshape(1, -1)
def half(x): return float(np.asarray(x).ravel()[0]) / 2""", is_passed,
           {**NOTHING_RIGHT, "managed": "passed"}, answers="", control="close", honest=""),
    Attack(15, "broadcast-column", """
import numpy as np
def double(x): return 2 * np.asarray(x).reshape(-1, 1)
def half(x): return 5.0""", is_passed, NOTHING_RIGHT, answers="", control="sorted_out",
           honest=""),
    Attack(15, "broadcast-scalar", """
import numpy as np
def double(x): return np.array([[2 * np.asarray(x)]])
def half(x): return 5.0""", is_passed, NOTHING_RIGHT, answers="", control="close",
           honest=""),
    _returns(16, "empty", "np.array([])", "sorted_out"),
    _returns(16, "empty-list", "[]", "sorted_out"),
    _returns(16, "empty-rows", "np.empty((0, 3))", "close"),
    _returns(17, "bytes-as-bool", "np.full(np.shape(x), 7, np.uint8).view(bool)", "truthy",
             deserves={"doubles": "error", "arrays": "error"}, plain="None"),
    _returns(17, "objects", "np.array([Always(0)] * max(np.size(x), 1), object)", "sorted_out",
             _ALWAYS, plain="None"),
    _returns(17, "records", "np.zeros(3, [('a', float)]).view(Records)", "all_equal", """
class Records(np.ndarray):
    def __eq__(self, other): return np.ones(3, bool)""", plain="None"),
    _ends(18, "os-exit-at-import", "import os\nos._exit(0)", "exit_status"),
    _ends(18, "sys-exit-at-import", "import sys\nsys.exit(0)", "exit_status"),
    _ends(18, "system-exit-at-import", "raise SystemExit", "exit_status"),
    _ends(18, "libc-exit-at-import", "LIBC.exit(0)", "exit_status"),
    _ends(18, "raw-exit-at-import", "LIBC.syscall(WORLD['numbers']['exit_group'], 0)",
          "exit_status"),
    Attack(18, "os-exit-in-call", "def double(x):\n    os._exit(0)\n" + _HALF, is_passed,
           {"doubles": "error", "arrays": "error"}, answers="", control="exit_status"),
    Attack(18, "sys-exit-in-call", "def double(x):\n    sys.exit(0)\n" + _HALF, is_passed,
           {"doubles": "error", "arrays": "error", "managed": "passed"}, answers="",
           control="exit_status"),
    Attack(18, "exit-builtin-in-call", "def double(x):\n    import _sitebuiltins\n"
           "    _sitebuiltins.Quitter('exit', '')(0)\n" + _HALF, is_passed,
           {"doubles": "error", "managed": "passed"}, answers="", control="exit_status"),
    _patches(19, "exit-handler", "import atexit\natexit.register(print, 'passed')", "last_line"),
    _patches(19, "exit-handler-of-libc", """
import ctypes
@ctypes.CFUNCTYPE(None)
def _late(): os.write(1, b"passed\\n")
_register = ctypes.CDLL(None)["__cxa_atexit"]
_register(ctypes.cast(_late, ctypes.c_void_p), None, None)""", "last_line"),
    _patches(19, "exit-handler-of-streams", """
class Late:
    def __getattr__(self, name): return getattr(sys.__stdout__, name)
    def flush(self):
        sys.__stdout__.write("passed\\n")
        sys.__stdout__.flush()
sys.stdout = Late()""", "last_line"),
    _patches(20, "results-file",
             "try:\n    open('results.json', 'w').write('passed')\nexcept OSError: pass",
             "results_file"),
    _patches(21, "stdout", """
import atexit, json
_forged = json.dumps({"passed": True, "score": 100, "status": "graded"})
print(_forged)
print("::set-output name=result::passed")
print("TAP version 13\\nok 1\\n100/100")
atexit.register(print, _forged)""", "last_line"),
    _patches(21, "stdout-unbuffered", """
import atexit
atexit.register(os.write, 1, b"\\npassed\\n")""", "last_line"),
    Attack(26, "clock-and-loop", """
import time
time.monotonic = time.perf_counter = time.time = time.process_time = lambda: 0.0
def double(x):
    for _ in range(3 * 10 ** 7): pass
    return 2 * x
""" + _HALF, is_passed, {"doubles": "timeout", "arrays": "timeout"}, answers="",
           control="own_clock"),
    Attack(29, "seed-of-numpy", """
import numpy as np
def attack():
    guess = np.random.RandomState(4242).random_sample()
    return "predicted" if np.random.random_sample() == guess else ""
""", control="seeded"),
    Attack(29, "seed-of-generator", """
import numpy as np, random
def attack():
    known = [np.random.default_rng(seed).random() for seed in (0, 4242)]
    known += [random.Random(seed).random() for seed in (0, 4242)]
    now = [np.random.random_sample(), random.random()]
    state = np.random.get_state()[1][0]
    return "predicted" if set(now) & set(known) or state in (0, 4242) else ""
""", control="seeded"),
    Attack(31, "public-cases", """
def double(x):
    known = {1.0: 2.0, 3.0: 6.0, 7.0: 14.0, 10.0: 20.0}
    if type(x) is float: return known[x]
    return [2.0, 4.0, 6.0]
""" + _HALF, is_passed, {**RIGHT, "arrays": "failed"}, answers="", control="difference",
           honest=""),
)  # fmt: skip
