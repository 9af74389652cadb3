"""What attacks are aimed at: files, listeners, processes, secrets, set up for the purpose.

Every attack has a folder of its own on each side, the sandbox's and the one without; everybody may
read and write in it, so that nothing but the sandbox protects it.
"""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import grader
from grader.attack.canaries import Listeners, Victim
from grader.attack.model import Attack, Side
from grader.attack.pack import write_pack
from grader.sandbox.child import syscalls

Which = Literal["control", "sandbox"]
Snapshot = dict[str, tuple[object, ...]]


def snapshot(folder: Path) -> Snapshot:
    """Everything about a folder that an attack could change."""
    found: Snapshot = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        status = path.lstat()
        is_file = stat.S_ISREG(status.st_mode)
        marks: tuple[str, ...] = ()
        with contextlib.suppress(OSError):
            marks = tuple(os.listxattr(path, follow_symlinks=False))
        about = (status.st_mode, status.st_nlink, status.st_uid, status.st_size, marks)
        times = status.st_mtime_ns if is_file else 0
        with open(path, "rb") if is_file else contextlib.nullcontext(io.BytesIO()) as content:
            found[str(path)] = (*about, times, content.read(99))
    return found


class World:
    """Both sides of every attack; a context manager.

    `pack` is the pack to go for in the sandbox; without one it is the pack that ships with the
    attacks, which is written into this world.  `calls` is how many calls the pack makes, where
    that is known.
    """

    def __init__(self, pack: Path | None = None, calls: int | None = None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="hostile-"))
        self.root.chmod(0o755)
        self.secret = f"SECRET-{secrets.token_hex(12)}"
        self._canary_pack = write_pack(self.root / "pack", self.secret)
        self.pack = pack or self._canary_pack
        self.calls = calls
        self.variable = f"HOSTILE_{secrets.token_hex(6)}"
        """Of the environment in which the grader is started."""
        neighbour = self._furnish_root()
        self.listeners = Listeners(self.root)
        self.inherited = os.open(neighbour, os.O_RDONLY)
        """A descriptor that the grader has open."""
        self._victims: dict[tuple[str, Which], Victim] = {}
        self._before: dict[tuple[str, Which], Snapshot] = {}

    def _furnish_root(self) -> Path:
        neighbour = self.root / "neighbour" / "work.py"
        neighbour.parent.mkdir()
        neighbour.write_text(f"# {self.secret}\n")
        (self.root / "link").symlink_to(self.pack / "reference.py")
        with contextlib.closing(sqlite3.connect(self.root / "gradebook.sqlite")) as book, book:
            book.execute("create table grades (id)")
        self.setuid = Path(shutil.copy(shutil.which("touch") or "/bin/touch", self.root / "touch"))
        self.setuid.chmod(0o4755)
        return neighbour

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        self.listeners.close()
        for victim in self._victims.values():
            victim.close()
        os.close(self.inherited)
        shutil.rmtree(self.root, ignore_errors=True)

    @contextlib.contextmanager
    def around_this_process(self) -> Iterator[None]:
        """Put the secret into this process's environment and make the descriptor inheritable."""
        os.environ[self.variable] = self.secret
        os.set_inheritable(self.inherited, True)
        try:
            yield
        finally:
            del os.environ[self.variable]
            os.set_inheritable(self.inherited, False)

    def folder(self, attack: Attack, side: Which) -> Path:
        """The folder that is the attack's own."""
        return self.root / side / attack.id

    def mark(self, attack: Attack, side: Which) -> str:
        """What an attack sends to listeners."""
        return f"<{side}-{attack.id}>"

    def furnish(self, attack: Attack, side: Which) -> None:
        """Make an attack's folder, and the process that it is to hit."""
        folder = self.folder(attack, side)
        folder.mkdir(parents=True)
        if attack.uses_folder:
            self._fill(folder)
        if attack.victim:
            # One each, so that what happens to it is not laid to another attack.
            surroundings = {**os.environ, self.variable: self.secret}
            self._victims[attack.id, side] = Victim(self.secret, self.root.name, surroundings)

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

    def facts(self, attack: Attack, side: Which) -> dict[str, Any]:
        """What an attack is told of its aims."""
        # What runs without the sandbox goes for canaries alone.
        pack = self.pack if side == "sandbox" else self._canary_pack
        _, numbers = syscalls.MACHINES.get(os.uname().machine, (0, {}))
        told: dict[str, Any] = {
            "folder": str(self.folder(attack, side)),
            "mark": self.mark(attack, side),
            "tag": self.root.name,
            "reference": str(pack / "reference.py"),
            "pack": str(pack),
            "neighbour": str(self.root / "neighbour" / "work.py"),
            "gradebook": str(self.root / "gradebook.sqlite"),
            "link": str(self.root / "link"),
            "variable": self.variable,
            "setuid": str(self.setuid),
            "home": os.path.expanduser("~"),
            "grader": str(Path(grader.__file__).parents[1]),
            "pid": os.getpid(),
            "shared": f"hostile-{os.getpid()}-{side}",
            "numbers": numbers,
            **self.listeners.facts,
        }
        if self.calls is not None:
            told["calls"] = self.calls
        if attack.victim:
            told["victim"] = self._victims[attack.id, side].facts
        self._before[attack.id, side] = snapshot(self.folder(attack, side))
        return told

    def seen(self, attack: Attack, side: Which, managed: str) -> Side:
        """What an attack left behind; call it when it is over."""
        folder = self.folder(attack, side)
        victim = self._victims.get((attack.id, side))
        return Side(
            folder=folder,
            changed=snapshot(folder) != self._before[attack.id, side],
            received=self.listeners.got(self.mark(attack, side)),
            managed=managed,
            victim=victim.what_happened() if victim else "",
        )
