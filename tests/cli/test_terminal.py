"""What differs on a terminal: a bar while grading, and keys that were pressed too early."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from mini_pack import RIGHT, SQUARES, command, grader, outcomes, results, write_class, write_pack

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no ptys on Windows")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """The grader on a terminal of its own."""

    def __init__(self, *arguments: str | Path, cwd: Path) -> None:
        import pty

        self._keyboard, screen = pty.openpty()
        self.said = ""
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        self._process = subprocess.Popen(
            command(*arguments), stdin=screen, stdout=screen, stderr=screen, cwd=cwd, env=env
        )
        os.close(screen)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._keyboard, text.encode())

    def wait_for(self, text: str) -> None:
        """Read the screen until it shows a text."""
        give_up_at_s = time.monotonic() + 60
        while text not in self.said:
            assert time.monotonic() < give_up_at_s, self.said
            self._read()

    def end(self) -> int:
        """Read the screen to the end; the exit status."""
        with contextlib.suppress(OSError):  # Linux's word for the end of a terminal's output
            while self._read():
                pass
        os.close(self._keyboard)
        return self._process.wait(60)

    def _read(self) -> bytes:
        piece = os.read(self._keyboard, 65536)
        self.said += _ESCAPES.sub("", piece.decode("utf-8", "replace"))
        return piece


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pack(tmp_path / "pack")
    write_class(tmp_path / "class", {"ada": RIGHT, "bob": SQUARES})
    return tmp_path


def test_a_bar_on_a_terminal_and_plain_lines_when_piped(folder: Path) -> None:
    terminal = Terminal("grade", "pack", "class", "-o", "out", cwd=folder)
    assert terminal.end() == 0
    assert "Grading" in terminal.said
    assert "2/2" in terminal.said
    assert "Graded 2 in" in terminal.said
    piped = grader("grade", "pack", "class", "-o", "out", "--force", cwd=folder)
    assert "\x1b" not in piped.stdout + piped.stderr
    assert "2 of 2: " in piped.stderr


def test_keys_pressed_before_an_answer_is_shown_decide_nothing(folder: Path) -> None:
    for name in ("ada", "bob"):
        (folder / "class" / name / "answers.md").write_text(f"## b\n\nAnswer of {name}\n")
    assert grader("grade", "pack", "class", "-o", "out", cwd=folder).returncode == 0
    terminal = Terminal("review", "-o", "out", "--who", "Jo", cwd=folder)
    terminal.type("f\nf\nf\nf\n")
    terminal.wait_for("q quit): ")
    terminal.type("q\n")
    assert terminal.end() == 0
    assert "0 decided, 2 left" in terminal.said
    for document in results(folder / "out").values():
        assert outcomes(document)["why"] == "needs_review"
