"""Hidden calls come last: nothing that a student will be shown can quote their arguments."""

from __future__ import annotations

import json
import runpy
import secrets
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import QUICK

from grader.evidence import Chunk, Ending, Run, Stimulus, Submission
from grader.problem import Limits
from grader.sandbox import server
from grader.sandbox.batch import Batch, make_batch
from grader.sandbox.server import Sandbox

SCANNER = runpy.run_path(str(Path(__file__).parents[1] / "hostile" / "scanner.py"))
ENOUGH = Limits(import_time_s=60, call_time_s=60, submission_time_s=200, memory_mb=512)


def perform(
    sandbox: Sandbox,
    code: str,
    public: list[Stimulus],
    hidden: list[Stimulus],
    limits: Limits = QUICK,
) -> Run:
    """Run code on calls, each of which is a group."""
    submission = Submission("x", "x", (Chunk("a.py", code.encode()),), {}, {}, "digest")
    groups = [[stimulus] for stimulus in (*public, *hidden)]
    return sandbox.run(submission, make_batch(groups, limits, public_groups=len(public)))


def shown(run: Run, public: int) -> str:
    """Everything of a run that a student may come to see."""
    seen = run.observations[:public]
    return repr((seen, run.load, run.defined, run.failed_chunks, run.stdout, run.stderr))


# --- searching -------------------------------------------------------------------------------

SEARCHES = f"""{SCANNER["SCANNER"]}
def found(*ways):
    search = Search()
    for way in ways: getattr(search, way)()
    print(search.found)
    print(search.found, file=sys.stderr)
    return sorted(search.found)
at_load = found("objects")
def public(x): return [at_load, found("objects"), found("memory", "files")]
def hidden(x): return [at_load, found("objects"), found("memory")]
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as on Linux")
def test_a_search_finds_hidden_arguments_when_their_turn_has_come_and_not_before(
    sandbox: Sandbox,
) -> None:
    number = secrets.randbits(32)
    told = f"MARK-{secrets.token_hex(8)}"
    kept = [f"MARK-{secrets.token_hex(8)}", f"float-{number}"]
    array = np.full(4, SCANNER["secret_float"](number))
    ran = perform(
        sandbox,
        SEARCHES,
        [Stimulus("public", (told,))],
        [Stimulus("hidden", ([kept[0], array],))],
        ENOUGH,
    )
    public, hidden = ran.observations
    at_load, *then = hidden.value
    assert all(told in found for found in public.value)
    for secret in kept:
        assert secret not in shown(ran, 1)
        assert secret not in at_load
        assert all(secret in found for found in then), "the same searches find it now"


def test_what_every_child_is_given_does_not_hold_them() -> None:
    word, array = "a hidden word", np.arange(500.0)
    groups = [[Stimulus("f", ("a public word",))], [Stimulus("f", (word, array))]]
    batch = make_batch(groups, QUICK, public_groups=1)
    assert b"a public word" in batch.encoded
    assert word.encode() not in batch.encoded
    assert array.tobytes() not in batch.encoded
    assert word.encode() in batch.hidden
    all_public = make_batch(groups, QUICK)
    assert word.encode() in all_public.encoded
    assert all_public.hidden == b""


# --- telling what was hidden --------------------------------------------------------------------

_FRAMES = """
import os, struct, sys
frame = sys._getframe()
while "request" not in frame.f_locals: frame = frame.f_back
MARK = bytes.fromhex(frame.f_locals["request"]["mark"])
LATER = frame.f_locals["later"]
REPLIES = frame.f_locals["replies"]
"""
WITHHOLDS_MARKS = f"""{_FRAMES}
saved = os.dup(1)
os.dup2(os.pipe()[1], 1)
def public(): return 1
def hidden(word):
    for _ in range(5): os.write(saved, word.encode() + MARK)
    os.write(2, word.encode())
    return 1
"""
PRINTS_EARLY_MARKS = f"""{_FRAMES}
for _ in range(9): os.write(1, MARK)
def public(): return 1
def hidden(word):
    print(word, flush=True)
    os.write(2, word.encode())
    return 1
"""
ANSWERS_TWICE = f"""{_FRAMES}
def public(): return 1
def hidden(word):
    REPLIES.send(-1, {{"failures": [], "defined": {{word: "function"}}}})
    REPLIES.send(0, {{"end": "returned", "type": "str", "value": word, "mutated": []}})
    return 1
"""
ANSWERS_AHEAD = f"""{_FRAMES}
print("x")
one = {{"end": "returned", "type": "int", "value": 1, "mutated": []}}
REPLIES.send(-1, {{"failures": [], "defined": {{}}}})
REPLIES.send(0, one)
REPLIES.send(1, one)
word = bytes(LATER.wait())
for _ in range(3): os.write(1, word + MARK); os.write(2, word)
REPLIES.send(-5, {{}})
REPLIES.send(2, one)
"""


@pytest.mark.parametrize(
    "code",
    [WITHHOLDS_MARKS, PRINTS_EARLY_MARKS, ANSWERS_TWICE, ANSWERS_AHEAD],
    ids=["withholds marks", "prints early marks", "answers twice", "answers ahead"],
)
def test_what_comes_after_the_hidden_calls_is_never_shown(sandbox: Sandbox, code: str) -> None:
    public = [Stimulus("public", ())] * 2
    hidden = [Stimulus("hidden", ("the hidden word",))]
    ran = perform(sandbox, code, public, hidden)
    assert [o.value for o in ran.observations[:2]] == [1, 1]
    assert ran.observations[2].ending in (Ending.RETURNED, Ending.CRASHED)
    assert "the hidden word" not in shown(ran, 2)
    if code is not ANSWERS_TWICE and code is not ANSWERS_AHEAD:
        public_too = perform(sandbox, code, [*public, *hidden], [])
        assert "the hidden word" in shown(public_too, 2), "it would have been"


def test_they_do_not_come_before_public_calls_are_answered(sandbox: Sandbox) -> None:
    code = f"{_FRAMES}\ndef public(): return bytes(LATER.wait()).hex()\ndef hidden(x): return x"
    ran = perform(sandbox, code, [Stimulus("public", ())], [Stimulus("hidden", (7,))])
    public, hidden = ran.observations
    assert public.ending is Ending.TIMEOUT
    assert hidden.value == 7, "a fresh process answers them"


@pytest.mark.skipif(sys.platform != "linux", reason="descriptors are numbered as on Linux")
@pytest.mark.parametrize(
    "spoils",
    ["os.write(fd, b'x' * 999)", "os.lseek(fd, 5, 0)", "os.close(fd)", "os.dup2(0, fd)"],
)
def test_spoiling_the_file_that_they_come_in_harms_nobody_else(
    sandbox: Sandbox, spoils: str
) -> None:
    code = f"{_FRAMES}\nfd = LATER._file_fd\n{spoils}\ndef f(x): return x"
    ran = perform(sandbox, code, [Stimulus("f", (1,))], [Stimulus("f", (2,))])
    assert ran.observations[0].value == 1
    assert ran.observations[1].ending is not Ending.RETURNED
    again = perform(sandbox, "def f(x): return x", [Stimulus("f", (1,))], [Stimulus("f", (2,))])
    assert [o.value for o in again.observations] == [1, 2]


# --- whose turn it is --------------------------------------------------------------------------


def asked(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, code: str, *calls: list[Stimulus]
) -> tuple[Run, list[dict[str, Any]]]:
    """Run code; also returns the work of every child that it took."""
    works: list[dict[str, Any]] = []
    fork = sandbox.fork

    def recording(work: bytes, batch: Batch) -> Any:
        works.append(json.loads(work))
        return fork(work, batch)

    monkeypatch.setattr(sandbox, "fork", recording)
    return perform(sandbox, code, *calls), works


def test_one_child_answers_all_where_none_has_to_be_stopped(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def f(x): return x"
    calls = [Stimulus("f", (i,)) for i in range(6)]
    ran, works = asked(sandbox, monkeypatch, code, calls[:4], calls[4:])
    assert [o.value for o in ran.observations] == list(range(6))
    assert [(work["todo"], work["hidden"]) for work in works] == [([0, 1, 2, 3], [4, 5])]


def test_no_child_gets_hidden_calls_while_a_public_call_is_left_for_another(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def f(x):\n    while x: pass\n    return x\ndef g(x): return x"
    public = [Stimulus("f", (1,)), Stimulus("f", (0,)), Stimulus("g", (1,))]
    ran, works = asked(
        sandbox, monkeypatch, code, public, [Stimulus("g", (2,)), Stimulus("f", (0,))]
    )
    assert [o.value for o in ran.observations[1:]] == [0, 1, 2, 0]
    turns = [(work["todo"], work["hidden"]) for work in works]
    assert turns == [([0, 1, 2], [3, 4]), ([2], []), ([1], [3]), ([], [4])]


def test_public_calls_that_hang_keep_no_hidden_one_of_another_function_from_its_turn(
    sandbox: Sandbox,
) -> None:
    code = "def f():\n    while True: pass\ndef g(): return 1"
    hanging = [Stimulus("f", ())] * (QUICK.restarts + 3)
    ran = perform(sandbox, code, hanging, [Stimulus("f", ()), Stimulus("g", ())])
    *stopped, last = ran.observations
    assert {o.ending for o in stopped} == {Ending.TIMEOUT}
    assert last.value == 1
    assert "Not tried" in stopped[-1].note, "it was stopped often enough"


def test_a_later_child_changes_nothing_of_what_was_said_of_loading(sandbox: Sandbox) -> None:
    code = f"""{_FRAMES}
todo = frame.f_locals["request"]["todo"]
print(todo)
def f(): return 1
def g():
    while True: pass
if not todo:
    def later(): pass
    raise ValueError("later")
"""
    hidden = [Stimulus("g", ()), Stimulus("f", ())]
    ran = perform(sandbox, code, [Stimulus("f", ())], hidden)
    assert ran.load.ending is Ending.RETURNED
    assert ran.load.stdout == "[0]\n"
    assert "later" not in shown(ran, 1)
    assert [o.ending for o in ran.observations] == [
        Ending.RETURNED, Ending.TIMEOUT, Ending.RAISED,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("instead", "ending"),
    [("os._exit(3)", Ending.EXITED), ("bytes(32)", Ending.CRASHED), ("None", Ending.EXITED)],
    ids=["ends", "takes what is none", "takes nothing"],
)
def test_a_child_that_does_not_wait_for_them_harms_itself(
    sandbox: Sandbox, instead: str, ending: Ending
) -> None:
    code = f"{_FRAMES}\ntype(LATER).wait = lambda self: {instead}\ndef f(x): return x"
    ran = perform(sandbox, code, [Stimulus("f", (1,))], [Stimulus("f", (2,))])
    assert ran.observations[0].value == 1
    assert ran.observations[1].ending is ending


def test_only_hidden_calls_and_code_that_does_not_load(sandbox: Sandbox) -> None:
    hidden = [Stimulus("f", (1,))]
    assert perform(sandbox, "def f(x): return x", [], hidden).observations[0].value == 1
    failed = perform(sandbox, "1 / 0", [], hidden)
    assert failed.load.ending is failed.observations[0].ending is Ending.RAISED
    quick = QUICK.model_copy(update={"import_time_s": 0.3})
    assert perform(sandbox, "while True: pass", [], hidden, quick).load.ending is Ending.TIMEOUT


def test_hidden_arguments_take_nothing_of_the_submissions_memory(sandbox: Sandbox) -> None:
    hidden = [Stimulus("f", (np.full(1 << 18, float(i)),)) for i in range(10)]
    limits = QUICK.model_copy(update={"memory_mb": 16, "call_time_s": 5.0})
    ran = perform(sandbox, "def f(x): return x[0]", [Stimulus("f", ([0.0],))], hidden, limits)
    assert [float(o.value) for o in ran.observations] == [0.0, *map(float, range(10))]


def test_without_a_fork_server_they_come_last_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "has_fork_server", lambda: False)
    code = """
import sys
print("loaded")
def f(x):
    print(x, x, file=sys.stderr)
    try: input()
    except EOFError: return x
"""
    with Sandbox() as sandbox:
        ran = perform(
            sandbox, code, [Stimulus("f", ("a",))], [Stimulus("f", ("b",))],
            Limits(call_time_s=5.0),
        )  # fmt: skip
        died = perform(
            sandbox, "def f(x):\n    import os\n    os._exit(0)", [Stimulus("f", ("a",))],
            [Stimulus("f", ("b",))], Limits(call_time_s=5.0, restarts=0),
        )  # fmt: skip
    assert [o.value for o in ran.observations] == ["a", "b"]
    assert (ran.stdout, ran.stderr) == ("loaded\n", "a a\n")
    assert {o.ending for o in died.observations} == {Ending.EXITED}
