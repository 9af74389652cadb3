"""Running submissions: what comes back, for every way in which a call can end."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from running import QUICK, Runner

from grader.evidence import Ending, Stimulus
from grader.problem import Limits
from grader.value import Opaque, same

CALL = Stimulus("f", ())


def test_values_come_back_plain(run: Runner) -> None:
    code = "import numpy as np\ndef f(x): return x"
    values = [
        None, True, 3, -(2**70), 1.5, math.inf, math.nan, 2 + 3j, "é\ud800", [1, [2.0, None]],
        (1, "a"), {"k": [1]}, np.arange(6.0).reshape(2, 3), np.array([True, False]),
        np.array([], dtype=np.float32), np.array(4.0), np.array([1 + 2j]), np.array([1], np.int8),
    ]  # fmt: skip
    seen = run(code, [Stimulus("f", (value,)) for value in values]).observations
    for value, observation in zip(values, seen, strict=True):
        assert observation.ending is Ending.RETURNED
        assert same(observation.value, value, rtol=0, atol=0), (observation.value, value)
        assert type(observation.value) is type(value)


def test_numpy_scalars_and_subclasses_lose_their_class(run: Runner) -> None:
    code = """
import numpy as np
class Always(float):
    def __eq__(self, other): return True
    __hash__ = None
class Sneaky(np.ndarray):
    def __array_ufunc__(self, *a, **k): return True
def f(which):
    if which == 0: return np.float32(2)
    if which == 1: return Always(2)
    if which == 2: return np.ones(3).view(Sneaky)
    if which == 3: return np.matrix([[1, 2]])
    if which == 4: return np.bool_(True)
"""
    seen = run(code, [Stimulus("f", (i,)) for i in range(5)]).observations
    assert [type(o.value) for o in seen] == [np.ndarray, float, np.ndarray, np.ndarray, np.ndarray]
    assert seen[0].value.shape == ()
    assert seen[1].value == 2
    assert seen[1].value != 3
    assert seen[3].type_name == "numpy.matrix"


@pytest.mark.parametrize(
    "expression",
    [
        "object()", "(i for i in ())", "{1, 2}", "open", "np.array([object()])",
        "np.array(['a'])", "np.zeros(3, dtype=[('a', 'i4')])", "{1: 2}", "b'bytes'", "10**20000",
        "[object()]", "np.datetime64('2020-01-01')",
    ],
)  # fmt: skip
def test_what_is_not_plain_is_named_and_never_crosses(run: Runner, expression: str) -> None:
    (seen,) = run(f"import numpy as np\ndef f(): return {expression}").observations
    assert seen.ending is Ending.UNREADABLE
    assert isinstance(seen.value, Opaque)
    assert "not plain data" in seen.note


def test_a_value_far_too_large_is_refused(run: Runner) -> None:
    (seen,) = run("import numpy as np\ndef f(): return np.zeros(10**6)").observations
    assert seen.ending is Ending.UNREADABLE
    assert "8,000," in seen.note


def test_deep_nesting_is_refused(run: Runner) -> None:
    code = "def f():\n    x = []\n    for _ in range(900): x = [x]\n    return x"
    assert run(code).observations[0].ending is Ending.UNREADABLE
    endless = "def f():\n    x = []\n    x.append(x)\n    return x"
    assert run(endless).observations[0].ending is Ending.UNREADABLE


def test_exceptions_keep_type_message_and_own_lines(run: Runner) -> None:
    code = "def g(x):\n    raise KeyError('ka')\n\ndef f():\n    return g(1)\n"
    (seen,) = run(code).observations
    assert seen.ending is Ending.RAISED
    assert seen.error is not None
    assert (seen.error.type, seen.error.message) == ("KeyError", "'ka'")
    assert [(t.line, t.function) for t in seen.error.trace] == [(5, "f"), (2, "g")]
    assert seen.error.where is not None
    assert seen.error.where.text == "raise KeyError('ka')"


def test_an_exception_of_the_students_own_whose_message_raises(run: Runner) -> None:
    code = """
class Odd(Exception):
    def __str__(self): raise ValueError
def f(): raise Odd
"""
    error = run(code).observations[0].error
    assert error is not None
    assert error.type == "Odd"


@pytest.mark.parametrize(
    ("body", "ending"),
    [
        ("while True: pass", Ending.TIMEOUT),
        ("import time; time.sleep(1000)", Ending.TIMEOUT),
        ("return bytearray(10**10)", Ending.MEMORY_LIMIT),
        ("import numpy as np; return np.zeros(10**10)", Ending.MEMORY_LIMIT),
        ("print('x' * 10**6)", Ending.OUTPUT_LIMIT),
        ("while True: print()", Ending.OUTPUT_LIMIT),
        ("import os; os._exit(0)", Ending.EXITED),
        ("import sys; sys.exit(0)", Ending.EXITED),
        ("raise SystemExit", Ending.EXITED),
        ("import ctypes; ctypes.string_at(0)", Ending.CRASHED),
        ("import os; os.abort()", Ending.CRASHED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", Ending.CRASHED),
        ("pass", Ending.STUB),
        ("...", Ending.STUB),
        ("'''Only a docstring.'''", Ending.STUB),
        ("raise NotImplementedError", Ending.STUB),
        ("raise NotImplementedError('later')", Ending.STUB),
        ("return None", Ending.STUB),
        ("x = 1", Ending.RETURNED),
    ],
)
def test_endings(run: Runner, body: str, ending: Ending) -> None:
    other = [Stimulus("other", ())]
    seen = run(f"def f():\n    {body}\ndef other(): return 7\n", [CALL], other).observations
    assert seen[0].ending is ending, seen[0]
    assert seen[1].value == 7, "one call's end costs no other group"


def test_a_timeout_is_not_an_exception(run: Runner) -> None:
    code = """
def f():
    while True:
        try:
            while True: pass
        except BaseException: pass
"""
    assert run(code).observations[0].ending is Ending.TIMEOUT


def test_after_a_killed_call_its_group_is_not_tried_again(run: Runner) -> None:
    code = "def f(x):\n    while x: pass\n    return x"
    seen = run(code, [Stimulus("f", (x,)) for x in (0, 1, 0)], [Stimulus("f", (0,))]).observations
    assert [o.ending for o in seen] == [
        Ending.RETURNED, Ending.TIMEOUT, Ending.TIMEOUT, Ending.RETURNED,
    ]  # fmt: skip
    assert "Not tried" in seen[2].note


def test_a_submission_that_always_hangs_ends_in_bounded_time(run: Runner) -> None:
    groups = [[CALL] for _ in range(20)]
    ran = run("def f():\n    while True: pass", *groups)
    assert {o.ending for o in ran.observations} == {Ending.TIMEOUT}
    assert ran.cpu_s < (QUICK.restarts + 2) * QUICK.call_time_s * 2


def test_a_function_that_hangs_keeps_no_other_from_its_turn(run: Runner) -> None:
    code = "def f():\n    while True: pass\ndef g(*_): return 1"
    nested = Stimulus("g", (CALL,))
    groups = [*[[CALL] for _ in range(QUICK.restarts)], [nested], [Stimulus("g", ())]]
    *hanging, last = run(code, *groups).observations
    assert {o.ending for o in hanging} == {Ending.TIMEOUT}
    assert (last.ending, last.value) == (Ending.RETURNED, 1)


def test_slow_calls_together_use_up_the_submission(run: Runner) -> None:
    limits = QUICK.model_copy(update={"submission_time_s": 0.5})
    code = "import time\ndef f():\n    t = time.process_time()\n" \
           "    while time.process_time() - t < 0.2: pass\n    return 1"  # fmt: skip
    seen = run(code, *[[CALL]] * 12, limits=limits).observations
    assert seen[0].ending is Ending.RETURNED
    assert seen[-1].ending is Ending.TIMEOUT


def test_calls_that_sleep_use_up_the_submission_too(run: Runner) -> None:
    """Sleeping uses no CPU time, so a clock on the wall stands behind it."""
    limits = QUICK.model_copy(update={"submission_time_s": 0.2, "call_time_s": 0.4})
    code = "import time\ndef f():\n    time.sleep(0.3)\n    return 1"
    started_s = time.monotonic()
    seen = run(code, *[[CALL]] * 40, limits=limits).observations
    assert seen[0].ending is Ending.RETURNED
    assert seen[-1].ending is Ending.TIMEOUT
    assert time.monotonic() - started_s < 6


def test_a_child_that_ends_itself_has_its_time_counted(run: Runner) -> None:
    code = (
        "import os, time\nt = time.process_time()\n"
        "while time.process_time() - t < 0.2: pass\nos._exit(0)\n"
    )
    assert run(code).cpu_s >= 0.2


def test_missing_functions_and_what_there_is_instead(run: Runner) -> None:
    ran = run("import math\nfrom os import path\nf = [1]\nclass G: pass\ndef h(): pass\n_x = 1")
    assert ran.observations[0].ending is Ending.MISSING
    assert ran.defined == {"f": "list", "G": "class", "h": "function"}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (b"def f(:\n", "SyntaxError"),
        (b"print 'x'\n", "SyntaxError"),
        (b"  x = 1\n y = 2\n", "IndentationError"),
        (b"x = '\xe9'\n", "SyntaxError"),
        (b"raise ValueError('at import')\n", "ValueError"),
        (b"import scipy\n", "ModuleNotFoundError"),
        (b"input()\n", "EOFError"),
        (b"def g(): return g()\ng()\n", "RecursionError"),
    ],
)
def test_code_that_does_not_load(run: Runner, source: bytes, kind: str) -> None:
    ran = run(source)
    assert ran.load.ending is Ending.RAISED
    assert ran.load.error is not None
    assert ran.load.error.type == kind
    assert ran.load.error.where is not None
    assert ran.load.error.where.line >= 1
    assert ran.observations[0].ending is Ending.RAISED


@pytest.mark.parametrize(
    ("source", "ending"),
    [
        (b"import os; os._exit(0)", Ending.EXITED),
        (b"import sys; sys.exit(0)", Ending.EXITED),
        (b"while True: pass", Ending.TIMEOUT),
        (b"x = [0] * 10**10", Ending.MEMORY_LIMIT),
        (b"while True: print('y' * 9999)", Ending.OUTPUT_LIMIT),
    ],
)
def test_code_that_stops_at_import(run: Runner, source: bytes, ending: Ending) -> None:
    ran = run(source + b"\ndef f(): return 1")
    assert ran.load.ending is ending
    assert ran.observations[0].ending is ending


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbfdef f(): return '\xc3\xa9'\n",
        b"# -*- coding: latin-1 -*-\ndef f(): return '\xe9'\n",
        b"def f():\r    return '\xc3\xa9'\r",
        "def f(): return 'é'\r\n".encode(),
    ],
)
def test_encodings_that_python_reads(run: Runner, source: bytes) -> None:
    assert run(source).observations[0].value == "é"


def test_a_notebooks_failing_cell_leaves_the_others(run: Runner) -> None:
    ran = run(["x = 1", "1 / 0", "def f(): return x"])
    assert ran.observations[0].value == 1
    assert list(ran.failed_chunks) == ["cell 1"]
    assert ran.failed_chunks["cell 1"].type == "ZeroDivisionError"


def test_main_guard_and_further_modules(run: Runner) -> None:
    modules = {"mine": b"def g(): return 5", "random": b"1 / 0", "numpy": b"1 / 0"}
    code = """
import random, numpy, mine
if __name__ == '__main__': 1 / 0
def f(): return [mine.g(), random.__name__, int(numpy.ones(2).sum())]
"""
    assert run(code, modules=modules).observations[0].value == [5, "random", 2]


@pytest.mark.parametrize("name", ["html.parser", "xml.etree.ElementTree", "sqlite3"])
def test_all_of_the_standard_library_can_be_imported(run: Runner, name: str) -> None:
    pytest.importorskip(name)  # a Python may be built without one of them
    seen = run(f"import {name} as m\ndef f(): return m.__name__").observations[0]
    assert (seen.value, seen.error) == (name, None)


def test_mutation_is_seen_and_costs_no_later_call(run: Runner) -> None:
    code = "def f(a, b):\n    b[:] = 0\n    return a + b"
    call = Stimulus("f", (np.ones(2), np.ones(2)))
    seen = run(code, [call, call]).observations
    assert [o.mutated for o in seen] == [(1,), (1,)]
    assert all(same(o.value, np.ones(2)) for o in seen)


def test_nested_calls_use_the_students_own_functions(run: Runner) -> None:
    code = "def g(x): return x + 1\ndef f(a, b): return a * b"
    nested = Stimulus("f", (Stimulus("g", (2,)), 10))
    (seen,) = run(code, [nested]).observations
    assert (seen.value, seen.args) == (30, (3, 10))
    (missing,) = run("def f(a, b): return a", [nested]).observations
    assert (missing.ending, missing.note) == (Ending.MISSING, "g")
    for stub in ("pass", "raise NotImplementedError"):
        (empty,) = run(f"def f(a, b): return a\ndef g(x): {stub}", [nested]).observations
        assert (empty.ending, empty.note) == (Ending.STUB, "g")


def test_output_is_kept_with_its_call_and_bounded(run: Runner) -> None:
    code = "print('at import')\ndef f(x):\n    print('call', x)\n    return x"
    ran = run(code, [Stimulus("f", (i,)) for i in range(3)])
    assert [o.stdout for o in ran.observations] == ["call 0\n", "call 1\n", "call 2\n"]
    assert ran.stdout.startswith("at import\ncall 0")
    loud = run("def f():\n    print('a' * 90_000 + 'the end')\n    return 1")
    assert loud.observations[0].value == 1
    assert len(loud.stdout) < 50_000
    assert "left out" in loud.stdout
    assert loud.stdout.endswith("the end\n")


def test_a_print_is_never_told_of_another_call(run: Runner) -> None:
    """The child does not wait between calls, so what several printed may arrive together."""
    code = "def f(x):\n    print('call', x)\n    return x"
    for _ in range(5):
        ran = run(code, [Stimulus("f", (i,)) for i in range(30)])
        assert [o.stdout for o in ran.observations] == [f"call {i}\n" for i in range(30)]
    assert ran.stdout == "".join(f"call {i}\n" for i in range(30))


def test_a_closed_standard_output_costs_only_what_is_printed(run: Runner) -> None:
    code = "import os\nos.close(1)\ndef f(x): return x"
    ran = run(code, [Stimulus("f", (i,)) for i in range(3)])
    assert [(o.value, o.stdout) for o in ran.observations] == [(0, ""), (1, ""), (2, "")]


def test_bytes_that_are_no_text_are_shown(run: Runner) -> None:
    code = r"import sys" "\n" r"def f(): sys.stdout.buffer.write(b'\xff\x00ok'); return 1"
    ran = run(code)
    assert ran.observations[0].value == 1
    assert "\ufffd\x00ok" in ran.stdout


def test_state_does_not_leak_between_submissions(run: Runner) -> None:
    run("import numpy as np, builtins\nnp.exp = None\nbuiltins.sum = None\ndef f(): return 1")
    code = "import numpy as np\ndef f(): return float(np.exp(0)) + sum([1])"
    assert run(code).observations[0].value == 2


def test_random_state_is_fresh_in_each_child(run: Runner) -> None:
    code = "import numpy as np, random\ndef f(): return [np.random.rand(), random.random()]"
    first, second = (run(code).observations[0].value for _ in range(2))
    assert first != second


def test_threads_and_processes_are_refused_with_a_plain_error(run: Runner) -> None:
    for body in ("threading.Thread(target=print).start()", "subprocess.run(['true'])",
                 "os.fork()", "socket.socket()", "open('/etc/passwd')"):  # fmt: skip
        code = f"import os, socket, subprocess, threading\ndef f():\n    {body}\n    return 1"
        (seen,) = run(code).observations
        assert seen.ending is Ending.RAISED, body


def test_a_busy_machine_is_not_the_students_fault(run: Runner) -> None:
    """A call may wait for a core longer than its limit, as long as it does not compute so long."""
    code = "import time\ndef f():\n    time.sleep(0.8)\n    return 1"
    assert run(code, limits=Limits(call_time_s=0.4)).observations[0].value == 1
