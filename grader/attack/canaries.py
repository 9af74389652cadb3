"""What attacks try to reach that is alive: a process beside them, and listeners on every family of
sockets."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_VICTIM = Path(__file__).with_name("victim.py")


class Victim:
    """A process that must not be touched; it holds the secret.

    `tag` is in its command line, and `environment` is its environment.
    """

    def __init__(self, secret: str, tag: str, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_VICTIM), secret, tag],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=environment,
        )
        self._before: dict[str, Any] | None = None
        self._facts: dict[str, int] | None = None

    @property
    def facts(self) -> dict[str, int]:
        """Its process id, and where its secret lies."""
        if self._facts is None:
            assert self._process.stdout is not None
            self._facts = json.loads(self._process.stdout.readline())
            self._before = self._state()
        return self._facts

    def _state(self) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("?\n")
        self._process.stdin.flush()
        state: dict[str, Any] = json.loads(self._process.stdout.readline())
        return state

    def what_happened(self) -> str:
        """What is another than it was at first; "" if nothing."""
        try:
            now = self._state()
        except (OSError, ValueError):
            return "it is dead"
        assert self._before is not None
        return " ".join(f"{k} {v}" for k, v in now.items() if v != self._before[k])

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


class Listeners:
    """Sockets of every family that one could send to; notes what arrived."""

    def __init__(self, folder: Path) -> None:
        tag = secrets.token_hex(8)
        self.facts: dict[str, Any] = {
            "unix": str(folder / "stream"),
            "unix_datagram": str(folder / "datagram"),
            "abstract": f"hostile-{tag}",
            "abstract_datagram": f"hostile-datagram-{tag}",
        }
        self._got = bytearray()
        self._open = True
        tcp = self._listen(socket.AF_INET, ("127.0.0.1", 0))
        udp = self._datagrams(socket.AF_INET, ("127.0.0.1", 0))
        self.facts |= {"tcp": tcp.getsockname()[1], "udp": udp.getsockname()[1]}
        self._listen(socket.AF_UNIX, self.facts["unix"])
        self._datagrams(socket.AF_UNIX, self.facts["unix_datagram"])
        self._listen(socket.AF_UNIX, "\0" + self.facts["abstract"])
        self._datagrams(socket.AF_UNIX, "\0" + self.facts["abstract_datagram"])
        for name in ("unix", "unix_datagram"):
            os.chmod(self.facts[name], 0o777)  # noqa: S103 - only the sandbox may protect it

    def _listen(self, family: int, address: Any) -> socket.socket:
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen(16)
        listener.settimeout(0.2)
        self._start(lambda: self._serve(listener))
        return listener

    def _datagrams(self, family: int, address: Any) -> socket.socket:
        receiver = socket.socket(family, socket.SOCK_DGRAM)
        receiver.bind(address)
        receiver.settimeout(0.2)
        self._start(lambda: self._receive(receiver))
        return receiver

    def _start(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, daemon=True).start()

    def _serve(self, listener: socket.socket) -> None:
        with listener:
            while self._open:
                with contextlib.suppress(OSError):
                    connection, _ = listener.accept()
                    with connection:
                        connection.settimeout(1.0)
                        self._got += connection.recv(4096)

    def _receive(self, receiver: socket.socket) -> None:
        with receiver:
            while self._open:
                with contextlib.suppress(OSError):
                    self._got += receiver.recv(4096)

    def got(self, mark: str) -> bool:
        """Whether a mark arrived at any of them."""
        return mark.encode() in self._got

    def close(self) -> None:
        """Stop listening."""
        self._open = False
