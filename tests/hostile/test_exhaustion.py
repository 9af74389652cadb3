"""Exhaustion by a whole class: 200 submissions that hang, one after the other, each in one of many
ways.  The run ends on time, the grader does not grow, and nothing is left of it.  HOSTILE_HANGS sets
how many there are."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from grading import outcomes, results
from pack import write_pack

pytestmark = pytest.mark.skipif("sys.platform != 'linux'", reason="processes are watched in /proc")

COUNT = int(os.environ.get("HOSTILE_HANGS", "200"))
CALL_S, IMPORT_S, WALL_FACTOR = 0.04, 0.1, 5
GROWTH_BYTES = 4 << 20
"""A gradebook's pages in memory, and what an allocator keeps; a leak of 32 KB each would be more."""
DESCRIPTORS = 16
"""What a few submissions more under way may need; a leak of one each would be more."""
JOBS = 8
"""Some of them only sleep."""

_DEAF = (
    "import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
    "    except (OSError, ValueError): pass\n"
)
_FOREVER = "\nwhile True:\n    try: {}\n    except (OSError, MemoryError, RuntimeError): pass"
HANGS = {
    "loops": "while True: pass",
    "is deaf": f"{_DEAF}while True: pass",
    "is deaf in C": f"{_DEAF}sum(range(10 ** 15))",
    "sleeps": "import time\nwhile True: time.sleep(1000)",
    "waits for a pipe": "import os\nos.read(os.pipe()[0], 1)",
    "waits for a lock": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
    "stops": "import os, time\nos.kill(os.getpid(), 19)\ntime.sleep(1000)",
    "adds": "sum(range(10 ** 15))",
    "multiplies": "7 ** 10 ** 9",
    "matches": "import re\nre.match('(a+)+b', 'a' * 60)",
    "forks": "import os" + _FOREVER.format("os.fork()"),
    "starts threads": "import threading" + _FOREVER.format("threading.Thread(target=int).start()"),
    "takes memory": "a = []" + _FOREVER.format("a.append(bytearray(1 << 20))"),
    "recurses": "def deep():\n    try: deep()\n    finally: deep()\ndeep()",
    "unpacks": (
        "import zlib\nbomb = zlib.compress(bytes(1 << 22), 9)"
        + _FOREVER.format("zlib.decompress(bomb) * 99")
    ),
    "fills disks": (
        "i = 0\nwhile True:\n    i += 1\n    for d in ('/tmp', '/dev/shm', '.'):\n"
        "        try: open(f'{d}/hostile{i}', 'w').write('x' * 99999)\n        except OSError: pass"
    ),
    "makes folders": (
        "import os\ni = 0\nwhile True:\n    i += 1\n    for d in ('/tmp', '/dev/shm', '.'):\n"
        "        try: os.mkdir(f'{d}/hostile{i}')\n        except OSError: pass"
    ),
    "opens descriptors": "import os" + _FOREVER.format("os.dup(0)"),
    "shares memory": (
        "import ctypes\nlibc = ctypes.CDLL(None)\n"
        "while True: libc.shmget(0, 1 << 20, 0o1600), libc.memfd_create(b'x', 0)"
    ),
    "answers half": (
        "import os, struct, time\nos.write(5, struct.pack('<4siIQ', b'grd1', -1, 100, 0))\n"
        "while True: time.sleep(1000)"
    ),
    "prints a little": "import time\nwhile True:\n    print('x', flush=True)\n    time.sleep(0.01)",
    "floods": "while True: print('x' * 99)",
}
FORMULAS = ("9^9^9^9^n", "(n + eps)^(10^6)", "exp(exp(exp(exp(n))))", "(" * 5000 + "n" + ")" * 5000)
"""Handed in beside some of them: what a reader of formulas could be kept busy with."""
_FAST = "def double(x): return 2 * x\ndef half(x): return x / 2\ndef managed(): return ''\n"


def hangs_at_import(index: int) -> bool:
    """Of each way, every third."""
    return index // len(HANGS) % 3 == 0


def code(index: int) -> str:
    """The submission of this number."""
    hang = list(HANGS.values())[index % len(HANGS)]
    if hangs_at_import(index):
        return f"{hang}\n{_FAST}"
    lines = "".join(f"    {line}\n" for line in hang.splitlines())
    return f"{_FAST}def double(x):\n{lines}"


def longest_s(count: int) -> float:
    """How long the class may take, by its limits alone; and some for what is done besides."""
    slowest = [IMPORT_S if hangs_at_import(i) else CALL_S for i in range(count)]
    return WALL_FACTOR * sum(slowest) / JOBS + 0.4 * count + 15


def statuses() -> Iterator[tuple[int, int, str]]:
    """Every process: its id, its parent's, and when it began, which tells it from a later one."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        yield int(path.parent.name), int(after_name[1]), after_name[19]


class Watched:
    """A run of the grader, with what was seen of it from outside."""

    def __init__(self, command: list[str], environment: dict[str, str], output: Path) -> None:
        self.offspring: set[tuple[int, str]] = set()
        self.killed_first: set[bool] = set()
        """Whether, when memory runs out, the kernel takes each of its offspring before others."""
        self.sizes: list[tuple[int, int, int]] = []
        """How many were graded by then, the grader's memory in bytes, its open descriptors."""
        self._output = output
        began_s = time.monotonic()
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self._pid = process.pid
        while process.poll() is None:
            self._look_for_offspring(process.pid)
            for _ in range(3):  # which is quicker done
                self._measure(process.pid)
                time.sleep(0.02)
        self.elapsed_s = time.monotonic() - began_s
        self.returncode = process.returncode
        self.said = "".join(process.communicate())

    def _look_for_offspring(self, pid: int) -> None:
        all_ = list(statuses())
        family = {pid}
        for _ in range(4):
            family |= {child for child, parent, _ in all_ if parent in family}
        self.offspring |= {(child, began) for child, _, began in all_ if child in family - {pid}}
        for child in family - {pid}:
            with contextlib.suppress(OSError):
                score = int(Path(f"/proc/{child}/oom_score_adj").read_text())
                # The worker that judges formulas runs no student's code.
                if b"sandbox" in Path(f"/proc/{child}/cmdline").read_bytes():
                    self.killed_first.add(score == 1000)

    def _measure(self, pid: int) -> None:
        try:
            pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return
        descriptors = 0
        with contextlib.suppress(OSError):  # the grader hides them from all but root
            descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        done = len(list(self._output.glob("s*.html")))
        self.sizes.append((done, pages * os.sysconf("SC_PAGE_SIZE"), descriptors))

    def left(self) -> set[int]:
        """What of its offspring still runs: whom we saw, and who was forked by its fork servers,
        which are told whose they are."""
        alive = {(pid, began) for pid, _, began in statuses()}
        left = {pid for pid, began in self.offspring & alive}
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if f'"parent": {self._pid},'.encode() in path.read_bytes():
                    left.add(int(path.parent.name))
        return left


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("hangs")
    pack = write_pack(folder / "pack", "x", answers=True)
    problem = (pack / "problem.toml").read_text()
    for name, limit_s in (("call_time_s", CALL_S), ("import_time_s", IMPORT_S)):
        problem, found = re.subn(rf"(?m)^{name} = .*", f"{name} = {limit_s}", problem)
        assert found == 1
    (pack / "problem.toml").write_text(problem)
    for index in range(COUNT):
        home = folder / "class" / f"s{index:03}"
        home.mkdir(parents=True)
        (home / "work.py").write_text(code(index))
        if index % 10 == 0:
            formula = FORMULAS[index // 10 % len(FORMULAS)]
            (home / "answers.md").write_text(f"## b\nm = {formula}\n")
    temporary = folder / "temporary"
    temporary.mkdir()
    temporary.chmod(0o1777)
    before = _shared()
    command = [sys.executable, "-m", "grader", "grade", str(pack), str(folder / "class"),
               "-o", str(folder / "out"), "-j", str(JOBS)]  # fmt: skip
    watched = Watched(command, {**os.environ, "TMPDIR": str(temporary)}, folder / "out")
    assert watched.returncode == 0, watched.said
    return {
        "watched": watched,
        "results": results(folder / "out"),
        "temporary": sorted(path.name for path in temporary.rglob("*")),
        "shared": _shared() - before,
    }


def _shared() -> set[str]:
    """Shared memory, queues and semaphores of the machine that a student could have made."""
    found = {f"/dev/shm/{name}" for name in os.listdir("/dev/shm") if name.startswith("hostile")}
    for kind in ("shm", "sem", "msg"):
        table = Path("/proc/sysvipc", kind)
        if table.exists():
            found |= {f"{kind} {line.split()[1]}" for line in table.read_text().splitlines()[1:]}
    return found | {str(path) for path in Path("/tmp").glob("hostile[0-9]*")}


def test_the_run_ends_on_time(run: dict[str, Any]) -> None:
    assert run["watched"].elapsed_s < longest_s(COUNT)


def test_every_one_is_stopped_and_graded(run: dict[str, Any]) -> None:
    assert len(run["results"]) == COUNT
    stopped = {"timeout", "output_limit", "memory_limit"}
    for result in run["results"].values():
        seen = outcomes(result)
        assert seen["doubles"] in stopped, result
        assert seen["formula"] in {"missing", "failed", "needs_review"}
        assert result["status"] != "ungraded"


def test_every_way_is_tried_at_import_and_in_a_call(run: dict[str, Any]) -> None:
    tried = {(i % len(HANGS), hangs_at_import(i)) for i in range(COUNT)}
    assert COUNT < 2 * len(HANGS) or len(tried) == 2 * len(HANGS)


def test_the_grader_does_not_grow(run: dict[str, Any]) -> None:
    """From when a quarter of the class is graded until the class page is made."""
    sizes = [each for each in run["watched"].sizes if each[0] < COUNT]
    early = [each for each in sizes if each[0] <= COUNT // 4]
    late = [each for each in sizes if each[0] > COUNT // 4]
    assert early
    assert late
    for position, growth in ((1, GROWTH_BYTES), (2, DESCRIPTORS)):
        largest = max(each[position] for each in early)
        assert max(each[position] for each in late) <= largest + growth


def test_when_memory_runs_out_they_go_before_the_grader(run: dict[str, Any]) -> None:
    assert True in run["watched"].killed_first


def test_nothing_is_left(run: dict[str, Any]) -> None:
    watched = run["watched"]
    assert len(watched.offspring) > JOBS, "its fork servers and some of their children were seen"
    deadline_s = time.monotonic() + 5
    while watched.left() and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert watched.left() == set()
    assert run["temporary"] == []
    assert run["shared"] == set()
