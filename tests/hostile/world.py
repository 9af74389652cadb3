"""What attacks are aimed at: files, listeners, processes, secrets, set up by the test itself.

Every attack has a folder of its own on each side, the sandbox's and the control's; everybody may
read and write in it, so that nothing but the sandbox protects it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from attack import Attack, Side
from pack import write_pack

from grader.sandbox.child import syscalls

HERE = Path(__file__).parent
SIDES = ("control", "sandbox")


def snapshot(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything about a folder that an attack could change."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        status = path.lstat()
        is_file = stat.S_ISREG(status.st_mode)
        marks = ()
        with contextlib.suppress(OSError):
            marks = tuple(os.listxattr(path, follow_symlinks=False))
        about = (status.st_mode, status.st_nlink, status.st_uid, status.st_size, marks)
        times = status.st_mtime_ns if is_file else 0
        with open(path, "rb") if is_file else contextlib.nullcontext(io.BytesIO()) as content:
            found[str(path)] = (*about, times, content.read(99))
    return found


class Victim:
    """A process that must not be touched."""

    def __init__(self, secret: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(HERE / "victim.py"), secret],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        self._before: dict[str, Any] | None = None
        self._facts: dict[str, int] | None = None

    @property
    def facts(self) -> dict[str, int]:
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
        self._process.kill()
        self._process.communicate()


class Listeners:
    """Sockets of every family that one could send to; notes what arrived."""

    def __init__(self, folder: Path) -> None:
        tag = secrets.token_hex(8)
        self.facts: dict[str, Any] = {
            "unix": str(folder / "stream"), "unix_datagram": str(folder / "datagram"),
            "abstract": f"hostile-{tag}", "abstract_datagram": f"hostile-datagram-{tag}",
        }  # fmt: skip
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
            os.chmod(self.facts[name], 0o777)

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

    def _start(self, work: Any) -> None:
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
        return mark.encode() in self._got

    def close(self) -> None:
        self._open = False


class World:
    """Both sides of every attack; a context manager."""

    def __init__(self) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="hostile-"))
        self.root.chmod(0o755)
        self.secret = f"SECRET-{secrets.token_hex(12)}"
        self.pack = write_pack(self.root / "pack", self.secret)
        neighbour = self.root / "neighbour" / "work.py"
        neighbour.parent.mkdir()
        neighbour.write_text(f"# {self.secret}\n")
        (self.root / "link").symlink_to(self.pack / "reference.py")
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.sqlite")) as book, book:
            book.execute("create table grades (id)")
        self.setuid = Path(shutil.copy(shutil.which("touch") or "/bin/touch", self.root / "touch"))
        self.setuid.chmod(0o4755)
        self.variable = f"HOSTILE_{secrets.token_hex(6)}"
        """Of the environment in which the grader is started."""
        self.listeners = Listeners(self.root)
        self.inherited = os.open(neighbour, os.O_RDONLY)
        self._victims: dict[tuple[str, str], Victim] = {}
        self._shared_victim: Victim | None = None
        self._before: dict[tuple[str, str], dict[str, tuple[object, ...]]] = {}

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.listeners.close()
        for victim in {*self._victims.values()}:
            victim.close()
        os.close(self.inherited)
        shutil.rmtree(self.root, ignore_errors=True)

    def folder(self, attack: Attack, side: str) -> Path:
        return self.root / side / attack.id

    def mark(self, attack: Attack, side: str) -> str:
        return f"<{side}-{attack.id}>"

    def furnish(self, attack: Attack, side: str) -> None:
        """Make an attack's folder, and the process that it is to hit."""
        folder = self.folder(attack, side)
        folder.mkdir(parents=True)
        if attack.uses_folder:
            self._fill(folder)
        if attack.victim:
            # What happens to one of them without a sandbox must not be laid to another attack.
            shared = side == "sandbox"
            key = (side, "" if shared else attack.id)
            if key not in self._victims:
                self._victims[key] = Victim(self.secret)

    def _fill(self, folder: Path) -> None:
        for name in ("sub", "site"):
            (folder / name).mkdir(parents=True)
        (folder / "secret").write_text(self.secret)
        (folder / "writable").write_text("untouched")
        (folder / "site" / "module.py").write_text("x = 1\n")
        with contextlib.suppress(OSError):
            os.setxattr(folder / "writable", "user.mark", b"1")
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o777 if path.is_dir() else 0o666)

    def facts(self, attack: Attack, side: str) -> dict[str, Any]:
        """What an attack is told of its aims."""
        _, numbers = syscalls.MACHINES[os.uname().machine]
        told: dict[str, Any] = {
            "folder": str(self.folder(attack, side)),
            "mark": self.mark(attack, side),
            "reference": str(self.pack / "reference.py"),
            "pack": str(self.pack),
            "neighbour": str(self.root / "neighbour" / "work.py"),
            "gradebook": str(self.root / "gradebook.sqlite"),
            "link": str(self.root / "link"),
            "variable": self.variable,
            "setuid": str(self.setuid),
            "home": os.path.expanduser("~"),
            "grader": str(HERE.parents[1]),
            "pid": os.getpid(),
            "shared": f"hostile-{os.getpid()}-{side}",
            "numbers": numbers,
            **self.listeners.facts,
        }
        if attack.victim:
            told["victim"] = self._victim(attack, side).facts
        self._before[attack.id, side] = snapshot(self.folder(attack, side))
        return told

    def _victim(self, attack: Attack, side: str) -> Victim:
        return self._victims[side, "" if side == "sandbox" else attack.id]

    def seen(self, attack: Attack, side: str, managed: str) -> Side:
        """What an attack left behind; call it when it is over."""
        folder = self.folder(attack, side)
        return Side(
            folder=folder,
            changed=snapshot(folder) != self._before[attack.id, side],
            received=self.listeners.got(self.mark(attack, side)),
            managed=managed,
            victim=self._victim(attack, side).what_happened() if attack.victim else "",
        )
