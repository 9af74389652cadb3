"""Tiers are told by what is seen: with features taken away, less is claimed and less is allowed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grader.errors import SandboxError
from grader.evidence import Chunk, Ending, Isolation, Protection, Stimulus, Submission, Tier
from grader.pipeline.session import require
from grader.problem import Limits
from grader.sandbox import server
from grader.sandbox.batch import make_batch
from grader.sandbox.child import syscalls

DENY = Path(__file__).with_name("deny.py")
SUBMISSION = "def double(x):\n    return 2 * x\n"


def under(features: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(DENY), features, "--", sys.executable, "-m", "grader"]
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel features are Linux's")
@pytest.mark.parametrize(
    ("features", "tier", "lost"),
    [
        ("unshare", "B", {"own network namespace", "see names outside"}),
        ("landlock", "C", {"standard library readable"}),
        ("seccomp", "D", {"network sockets", "new processes"}),
        ("seccomp,unshare", "D", {"network sockets", "see names outside"}),
        ("landlock,seccomp,unshare", "D", {"read files outside", "write files outside"}),
    ],
)
def test_what_is_taken_away_is_missed(features: str, tier: str, lost: set[str]) -> None:
    found = json.loads(under(features, "doctor", "--json").stdout)
    assert found["tier"] == tier
    not_held = {p["name"] for p in found["protections"] if not p["held"]}
    assert lost <= not_held
    assert all(p["remedy"] for p in found["protections"] if not p["held"])


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel features are Linux's")
def test_an_unknown_processor_gives_a_lower_tier(tmp_path: Path) -> None:
    """Not a crash: what needs no filter of system calls is still there."""
    found = json.loads(under("architecture", "doctor", "--json").stdout)
    assert found["tier"] == "D"
    protections = {p["name"]: p for p in found["protections"]}
    assert protections["read files outside"]["held"]
    assert "ARM64" in protections["network sockets"]["remedy"]
    (tmp_path / "a.py").write_text(SUBMISSION)
    refused = under(
        "architecture", "grade", "attention_copying", str(tmp_path), "-o", str(tmp_path)
    )
    assert refused.returncode == 1
    assert "--min-isolation" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("tier", "weakest", "allowed"),
    [("A", "B", True), ("B", "B", True), ("C", "B", False), ("E", "D", False), ("E", "E", True)],
)
def test_weak_isolation_is_refused(tier: str, weakest: str, allowed: bool) -> None:
    isolation = Isolation(Tier(tier), (Protection("reading", False, "it succeeded", "Linux"),))
    if allowed:
        require(isolation, Tier(weakest))
    else:
        with pytest.raises(SandboxError, match="--allow-unsafe") as refused:
            require(isolation, Tier(weakest))
        assert "reading: it succeeded" in str(refused.value)


def test_without_a_fork_server_it_is_tier_e_and_still_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "has_fork_server", lambda: False)
    code = (
        b"import time\nprint('hello')\ndef f(x):\n    return x + 1\n"
        b"def g():\n    time.sleep(60)\ndef h():\n    raise ValueError('no')\n"
    )
    submission = Submission("x", "x", (Chunk("a.py", code),), {}, {}, "d")
    groups = [[Stimulus("f", (1,))], [Stimulus("g", ())], [Stimulus("h", ())]]
    with server.Sandbox() as sandbox:
        assert sandbox.isolation.tier is Tier.E
        ran = sandbox.run(submission, make_batch(groups, Limits(call_time_s=0.3)))
    assert [o.ending for o in ran.observations] == [
        Ending.RETURNED, Ending.TIMEOUT, Ending.RAISED,
    ]  # fmt: skip
    assert ran.observations[0].value == 2
    assert ran.stdout == "hello\n"


def test_nothing_of_the_graders_is_in_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADER_TEST_SECRET", "s3cr3t")
    code = b"""
import os, sys
def f():
    fds = []
    for fd in range(64):
        try:
            os.fstat(fd); fds.append(fd)
        except OSError: pass
    return [sorted(os.environ), [m for m in sys.modules if m.split('.')[0] == 'grader'], fds]
"""
    submission = Submission("x", "x", (Chunk("a.py", code),), {}, {}, "d")
    with server.Sandbox() as sandbox:
        ran = sandbox.run(submission, make_batch([[Stimulus("f", ())]], Limits()))
    environment, modules, fds = ran.observations[0].value
    assert "GRADER_TEST_SECRET" not in environment
    assert set(environment) <= {
        "PATH", "LC_ALL", "PYTHONHASHSEED", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE",
        "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
        "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "LD_LIBRARY_PATH",
    }  # fmt: skip
    assert modules == []
    assert fds == [0, 1, 2, 5], "nothing, its two outputs, and the reply pipe"


def test_the_tables_agree_with_this_machine() -> None:
    """`syscall(NR_getpid)` must be getpid, and so on, on the architecture that runs the tests."""
    import ctypes

    machine = os.uname().machine
    if machine not in syscalls.MACHINES:
        pytest.skip(f"no table for {machine}")
    _, numbers = syscalls.MACHINES[machine]
    libc = ctypes.CDLL(None)
    for name in ("getpid", "getppid", "getuid", "geteuid", "getgid", "getegid"):
        assert libc.syscall(numbers[name]) == getattr(os, name)()
    known = {*syscalls.ALLOWED, *syscalls.FILES, *syscalls.FORBIDDEN, *syscalls.TRY_AGAIN}
    known |= {*syscalls.OWN_PID_FIRST, *syscalls.ZERO_FIRST}
    known |= {*syscalls.FIRST_IN, *syscalls.SECOND_IN}
    for _, table in syscalls.MACHINES.values():
        unknown = set(table) - known
        assert unknown <= {"clone3", "flock", "openat2", "timer_settime", "timer_delete"}
