"""Where fork servers do not exist (macOS, Windows): a fresh process per attempt, tier E.

Offers what `zygote` offers, through files instead of pipes.  There is a time limit and a clean
environment, and no protection: the command line says so loudly and wants it confirmed.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from grader.sandbox.zygote import Death, clean_environment

_LOOK_EVERY_S = 0.01


class SpawnedChild:
    """A process that writes its replies and output to files, which are read as they grow."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        folder: tempfile.TemporaryDirectory[str],
        hidden: bytes,
    ) -> None:
        self._process = process
        self._hidden = hidden
        self._folder = folder
        self._started_s = time.monotonic()
        names = ("reply", "out", "err")
        self._files = {name: open(Path(folder.name, name), "rb") for name in names}  # noqa: SIM115

    def read(self, timeout_s: float) -> Iterator[tuple[str, bytes]]:
        """Wait for output; yields (stream, data), with b"" for the reply when the process ended."""
        deadline_s = time.monotonic() + timeout_s
        while True:
            ended = self._process.poll() is not None
            found = False
            # Each is read when its turn comes: whoever takes a reply drains the others himself.
            for name in self._files:
                for data in self.drain(name):
                    found = True
                    yield name, data
            if ended:
                yield "reply", b""
            if found or ended or time.monotonic() >= deadline_s:
                return
            time.sleep(_LOOK_EVERY_S)

    def drain(self, name: str) -> Iterator[bytes]:
        """What one stream holds at this moment."""
        while data := self._files[name].read(1 << 16):
            yield data

    def cpu_s(self) -> float:
        """Wall time stands in for CPU time here."""
        return time.monotonic() - self._started_s

    def waited_s(self) -> float:
        """What nothing tells of here."""
        return 0.0

    def hand_over(self) -> None:
        """Give it the hidden calls."""
        assert self._process.stdin is not None
        Path(self._folder.name, "hidden").write_bytes(self._hidden)
        with contextlib.suppress(OSError):  # it may have ended
            self._process.stdin.write(b"!")
        self._close_input()

    def _close_input(self) -> None:
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def end(self, grace_s: float = 0.0) -> Death:
        """Kill the process unless it ends by itself within `grace_s`, and remove its files."""
        by_us = False
        try:
            code = self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            by_us = True
            self._process.kill()
            code = self._process.wait()
        self._close_input()
        for file in self._files.values():
            file.close()
        self._folder.cleanup()
        if code >= 0:
            return Death(exit_code=code, by_us=by_us)
        return Death(signal=-code, by_us=by_us)


class Spawner:
    """Starts a fresh Python for each attempt."""

    hello: Mapping[str, Any] = {"landlock": False, "network": "", "tasks": 1}

    def __init__(self, preload: Sequence[str]) -> None:
        self._preload = list(preload)

    def fork(
        self, request: Mapping[str, Any], work: bytes, stimuli: bytes, hidden: bytes = b""
    ) -> SpawnedChild:
        """Start a process that performs `work`; what is `hidden` it gets when it is handed over."""
        folder = tempfile.TemporaryDirectory(prefix="grader-", ignore_cleanup_errors=True)
        root = Path(folder.name)
        files = {"work": work, "stimuli": stimuli}
        files |= dict.fromkeys(("hidden", "reply", "out", "err"), b"")
        for name, content in files.items():
            (root / name).write_bytes(content)
        paths = {name: str(root / name) for name in ("work", "stimuli", "hidden", "reply")}
        config = {
            "preload": self._preload,
            "body_limit": request["body_limit"],
            "hidden_bytes": len(hidden),
            **paths,
        }
        command = [sys.executable, "-I", "-m", "grader.sandbox.child.once"]
        with open(root / "out", "ab") as out, open(root / "err", "ab") as err:
            process = subprocess.Popen(
                [*command, json.dumps(config)],
                env=clean_environment(),
                stdin=subprocess.PIPE if hidden else subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                cwd=folder.name,
                start_new_session=os.name == "posix",
            )
        return SpawnedChild(process, folder, hidden)

    def kill(self) -> None:
        """There is no server to kill; an attempt ends by its own limits."""

    def close(self) -> None:
        """Nothing outlives an attempt."""
