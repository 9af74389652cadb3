"""What an attack is: a piece of a student's code, the goal it has, and the grade it deserves.

An attack's code is put between `HEAD` and `TAIL` and handed in.  The same text can be run without
the sandbox (`unconfined`), where it must reach its goal: an attack that cannot succeed proves
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HEAD = '''
import ctypes, errno, os, sys, time
WORLD = {world!r}
LIBC = ctypes.CDLL(None, use_errno=True)
REFUSED = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EAGAIN)
MET = []

def call(name, *args):
    """A system call by name; arguments are numbers, bytes or pointers."""
    sent = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    ctypes.set_errno(0)
    result = LIBC.syscall(ctypes.c_long(WORLD["numbers"][name]), *sent)
    number = ctypes.get_errno()
    if result == -1: MET.append(number)
    return result, number

def through(name, *args):
    """What the kernel's own code answered, or "" if the call did not get so far."""
    result, number = call(name, *args)
    return "" if result == -1 and number in REFUSED else f"{{name}}: {{result}} {{number}}"

def read(path):
    with open(path) as file:
        return file.read()

def attack():
    return ""
'''

TAIL = '''
_ALREADY = []

def _word(error):
    """What it met: the number of the first call that failed, or what was raised."""
    if MET:
        return errno.errorcode.get(MET[0], "")
    name = type(error).__name__ if error else ""
    while error is not None:
        inner = getattr(error, "reason", None)
        number = getattr(error, "errno", None) or getattr(inner, "errno", None)
        if number in errno.errorcode:
            return errno.errorcode[number]
        error = error.__cause__ or error.__context__
    return name or errno.errorcode.get(ctypes.get_errno(), "")

def _try():
    ctypes.set_errno(0)
    try:
        got = attack()
    except BaseException as error:
        return "", _word(error)
    return got[:300] if type(got) is str else "done" if got else "", _word(None)

def _tried():
    if not _ALREADY:
        _ALREADY.append(_try())
    return _ALREADY[0]

if WHEN == "import":
    _tried()

def managed():
    return _tried()[0]
'''
FOR_THE_COMMAND = """
def what_it_managed(): return _tried()[0]
def what_stopped_it(): return _tried()[1]
"""
"""Asked beside the pack's own functions, by names that no pack's functions have."""
FOR_A_PACK = """
_answer = double
def _as_{name}(x=1.0, *_, **__): return _answer(x)
{name} = _as_{name}
"""
"""Any pack's function, answered as `double` answers; what a criterion of that pack makes of it is
the same with the attack and without."""

DOUBLE = "def double(x): return 2 * x\ndef half(x): return x / 2\n"
WRONG = "def double(x): return 0 * x\ndef half(x): return x / 2\n"
"""Honest answers, of which the first is right."""

Outcomes = Mapping[str, str]
RIGHT = {"doubles": "passed", "arrays": "passed", "kept": "passed", "chain": "passed",
         "managed": "passed"}  # fmt: skip
NOTHING_RIGHT = {"doubles": "failed", "arrays": "failed"}


def all_of(outcome: str) -> dict[str, str]:
    """Every criterion of code comes out like this."""
    return dict.fromkeys(RIGHT, outcome)


@dataclass
class Side:
    """What one run of an attack left: in its own folder, at the listeners, and as its own word."""

    folder: Path
    changed: bool
    """Whether anything in the folder, or about it, is another than before."""
    received: bool
    """Whether the attack's mark arrived at a listener."""
    managed: str
    """What `managed()` returned; for a naive grader of `naive`, its verdict."""
    victim: str = ""
    """What happened to the process beside it; "" if nothing."""


Goal = Callable[[Side, str], bool]
"""Whether a side reached the goal; the second argument is the secret that it must not know."""


def says_secret(side: Side, secret: str) -> bool:
    return secret in side.managed


def says_anything(side: Side, secret: str) -> bool:
    return side.managed != ""


def changes_folder(side: Side, secret: str) -> bool:
    return side.changed


def is_received(side: Side, secret: str) -> bool:
    return side.received


def touches_victim(side: Side, secret: str) -> bool:
    return side.victim != ""


def is_passed(side: Side, secret: str) -> bool:
    """A naive grader was fooled."""
    return side.managed == "passed"


@dataclass(frozen=True)
class Attack:
    """One variant of an entry of the catalogue."""

    entry: int
    name: str
    code: str
    """Behind `HEAD`; defines `attack()`, and the answers unless `answers` does."""
    goal: Goal = says_anything
    deserves: Outcomes = field(default_factory=lambda: RIGHT)
    """Criterion → outcome in an honest grade."""
    answers: str = DOUBLE
    when: str = "import"
    """Whether the attack is made while the code is loaded or in a call."""
    control: str = "managed"
    """How `unconfined` runs it without a sandbox: one of its ways, or several, joined by `|`."""
    victim: bool = False
    """Whether another process is to be hit."""
    honest: str = DOUBLE
    """Answers worth the same without the attack, for packs that know no `deserves`; "" where what
    it returns is plain data as it stands, which leaves nothing to compare it with."""
    needs: str = "A B C"
    """Tiers under which it is refused."""
    at_mercy: bool = False
    """Whether a machine may refuse it by itself: an ordinary user may not do it, or the kernel
    was built without it."""

    @property
    def id(self) -> str:
        return f"{self.entry:02}-{self.name}"

    @property
    def uses_folder(self) -> bool:
        """Whether it does something to the folder that is its own."""
        return "WORLD['folder']" in self.code or 'WORLD["folder"]' in self.code

    @property
    def reads_reference(self) -> bool:
        """Whether it goes for the file of the reference."""
        return self.goal is says_secret and "WORLD['reference']" in self.code

    def source(self, world: Mapping[str, Any], functions: Sequence[str] = ()) -> str:
        """The submission's text; with `functions`, as an answer to the pack that asks for those."""
        code = f"{self.code}\n{self.answers}\nWHEN = {self.when!r}\n{TAIL}"
        return _head(world) + code + _for_a_pack(functions)

    def honest_source(self, world: Mapping[str, Any], functions: Sequence[str]) -> str:
        """As `source`, without the attack."""
        return f"{_head(world)}{self.honest}\nWHEN = 'never'\n{TAIL}" + _for_a_pack(functions)


def _head(world: Mapping[str, Any]) -> str:
    return HEAD.format(world=json.loads(json.dumps(world))) + "\n"


def _for_a_pack(functions: Sequence[str]) -> str:
    return FOR_THE_COMMAND + "".join(FOR_A_PACK.format(name=name) for name in functions)
