"""The trusted side's hold on one zygote and its children.

Spawns the fork server by exec with a clean environment, passes it descriptors, and kills.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grader.errors import SandboxError
from grader.sandbox.clock import Stopwatch, Waits
from grader.sandbox.memory import Hidden, memory_file

_READ = 1 << 16
_NEEDED = ("SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Without these some Pythons do not start."""
_START_TIME_S = 60.0
_REAP_TIME_S = 60.0
"""Both by the clock on the wall, and far longer than a busy machine takes: behind them stands an
error of ours, which costs nobody points."""


def clean_environment() -> dict[str, str]:
    """The whole environment of a zygote: nothing of the grader's own."""
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    # Hints that OpenBLAS needs on some machines to compute right; they tell nothing.
    kept |= {k: v for k, v in os.environ.items() if k.startswith("OPENBLAS_")}
    one_thread = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return (
        kept
        | dict.fromkeys(one_thread, "1")
        | {
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
            "PYTHONHASHSEED": "0",
            "PYTHONUTF8": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
    )


@dataclass(frozen=True)
class Death:
    """How a child ended: its exit code, or the signal that killed it; and the CPU time it used."""

    exit_code: int | None = None
    signal: int | None = None
    cpu_s: float = 0.0
    by_us: bool = False
    """Whether it went on until it was killed from here."""


class Child:
    """A running child: its output streams, its clock, and the means to end it."""

    def __init__(
        self,
        zygote: Zygote,
        pid: int,
        pidfd: int,
        streams: Mapping[str, int],
        hidden: Hidden | None = None,
    ) -> None:
        self._zygote = zygote
        self._pidfd = pidfd
        self._hidden = hidden
        self._waits = Waits(pid, pidfd)
        # A process's CPU clock, as clock_getcpuclockid(3) makes it.
        self._clock = (~pid << 3) | 2
        self._selector = selectors.DefaultSelector()
        for name, fd in streams.items():
            os.set_blocking(fd, False)
            self._selector.register(fd, selectors.EVENT_READ, name)

    def read(self, timeout_s: float) -> Iterator[tuple[str, bytes]]:
        """Wait for output; yields (stream, data), with b"" when a stream has ended."""
        for key, _ in self._selector.select(max(timeout_s, 0.0)):
            try:
                data = os.read(key.fd, _READ)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(key.fd)
                os.close(key.fd)
            yield key.data, data

    def drain(self, name: str) -> Iterator[bytes]:
        """What one stream holds at this moment, without waiting."""
        for key in list(self._selector.get_map().values()):
            if key.data == name:
                with contextlib.suppress(BlockingIOError):
                    while data := os.read(key.fd, _READ):
                        yield data

    def hand_over(self) -> None:
        """Give it the hidden calls."""
        assert self._hidden is not None
        self._hidden.hand_over()

    def cpu_s(self) -> float:
        """CPU seconds the child has used."""
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return 0.0

    def waited_s(self) -> float:
        """Seconds for which the child was ready to run and had no processor."""
        return self._waits.seconds()

    def _ends_within(self, grace_s: float) -> bool:
        """Whether it ends by itself, given so long besides its waits for a processor."""
        watch, left_s = Stopwatch(self), grace_s
        while not select.select([self._pidfd], [], [], max(left_s, 0.0))[0]:
            left_s = grace_s - watch.awake_s(grace_s)
            if left_s <= 0:
                return False
        return True

    def end(self, grace_s: float = 0.0) -> Death:
        """Kill the child unless it ends by itself within `grace_s`; reap it, release everything."""
        ended = self._ends_within(grace_s)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        os.close(self._pidfd)
        self._waits.close()
        if self._hidden is not None:
            self._hidden.close()
        for key in list(self._selector.get_map().values()):
            os.close(key.fd)
        self._selector.close()
        return replace(self._zygote.reap(), by_us=not ended)


def has_fork_server() -> bool:
    """Whether this platform has what the zygote needs."""
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


class Zygote:
    """One fork server.  Used by one thread; one child at a time."""

    def __init__(self, preload: Sequence[str], *, landlock: bool, namespaces: bool) -> None:
        parent, child = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        config = {
            "parent": os.getpid(),
            "preload": list(preload),
            "landlock": landlock,
            "namespaces": namespaces,
        }
        command = [sys.executable, "-I", "-m", "grader.sandbox.child", str(child.fileno())]
        self._process = subprocess.Popen(
            [*command, json.dumps(config)],
            env=clean_environment(),
            pass_fds=(child.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd="/",
            start_new_session=True,  # Ctrl-C at the terminal is the grader's to handle
        )
        child.close()
        self._channel = parent
        self._preload = tuple(preload)
        self._hello: dict[str, Any] | None = None

    @property
    def hello(self) -> dict[str, Any]:
        """What the zygote says of itself once it is ready; waits for that.

        Raises:
            SandboxError: if it did not start.
        """
        if self._hello is None:
            self._channel.settimeout(_START_TIME_S)
            self._hello = self._first_words()
        return self._hello

    def _first_words(self) -> dict[str, Any]:
        try:
            hello = self._receive()
        except SandboxError as error:
            if not self._preload:
                raise
            raise SandboxError(f"{error} (while preloading {', '.join(self._preload)})") from None
        if "fault" in hello:
            raise SandboxError(f"{hello['fault']} (it is named by preload in problem.toml)")
        if hello["tasks"] != 1:
            raise SandboxError("the sandbox's fork server has more than one thread")
        return hello

    def _receive(self) -> dict[str, Any]:
        try:
            message = self._channel.recv(_READ)
        except OSError as error:
            raise SandboxError(f"the sandbox's fork server does not answer: {error}") from None
        if not message:
            raise SandboxError(f"the sandbox's fork server died: {self._last_words()}")
        reply: dict[str, Any] = json.loads(message)
        return reply

    def _last_words(self) -> str:
        self._process.kill()
        self._process.wait()
        assert self._process.stderr is not None
        words: bytes = b"" if self._process.stderr.closed else self._process.stderr.read()
        return words.decode(errors="replace").strip()[-500:] or "it left no message"

    def fork(
        self, request: Mapping[str, Any], work: bytes, stimuli: bytes, hidden: bytes = b""
    ) -> Child:
        """Fork a child that performs `work`; `request` says how to confine it.

        What is `hidden` it gets when it is handed over.

        Raises:
            SandboxError: if the zygote does not answer.
        """
        assert self.hello
        work_fd, stimuli_fd = memory_file("work", work), memory_file("stimuli", stimuli)
        pipes = {name: os.pipe() for name in ("reply", "out", "err")}
        later = Hidden(hidden) if hidden else None
        fds = [work_fd, stimuli_fd, *(write for _, write in pipes.values())]
        fds += later.for_child() if later else []
        message = json.dumps({**request, "hidden_bytes": len(hidden)}).encode()
        try:
            socket.send_fds(self._channel, [message], fds)
            message, received, _, _ = socket.recv_fds(self._channel, _READ, 1)
        except OSError as error:
            raise SandboxError(f"the sandbox's fork server does not answer: {error}") from None
        finally:
            for fd in fds:
                os.close(fd)
        if not message or not received:
            raise SandboxError(f"the sandbox's fork server died: {self._last_words()}")
        streams = {name: read for name, (read, _) in pipes.items()}
        return Child(self, json.loads(message)["pid"], received[0], streams, later)

    def reap(self) -> Death:
        """Collect the child's exit status, after it was killed or ended by itself."""
        self._channel.settimeout(_REAP_TIME_S)
        ended = self._receive()
        status, cpu_s = ended["status"], ended["cpu_s"]
        if os.WIFSIGNALED(status):
            return Death(signal=os.WTERMSIG(status), cpu_s=cpu_s)
        return Death(exit_code=os.waitstatus_to_exitcode(status), cpu_s=cpu_s)

    def kill(self) -> None:
        """Kill the zygote; its children die with it."""
        self._process.kill()

    def close(self) -> None:
        """End the zygote; its children die with it.  Closing twice is closing once."""
        if self._channel.fileno() < 0:
            return
        self._channel.close()
        self._process.kill()
        self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()


_ahead: list[Zygote] = []


def start_ahead() -> None:
    """Start the fork server that the next sandbox will take, before the grader's own imports.

    Both sides load numpy; on two cores they then do it at the same time.
    """
    if has_fork_server() and not _ahead:
        _ahead.append(Zygote((), landlock=True, namespaces=True))
        atexit.register(_close_ahead)


def take_ahead() -> Zygote | None:
    """The fork server that was started ahead, if there is one and nobody took it."""
    return _ahead.pop() if _ahead else None


def _close_ahead() -> None:
    while _ahead:
        _ahead.pop().close()
