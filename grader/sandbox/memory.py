"""Files in memory: how a submission and its calls reach a child that may open nothing."""

from __future__ import annotations

import contextlib
import os
import tempfile


def memory_file(name: str, content: bytes) -> int:
    """A sealed file in memory: readable through its descriptor, changeable by nobody.

    The caller closes the descriptor.  Where the platform has no memory files, an unlinked
    temporary file stands in.
    """
    if not hasattr(os, "memfd_create"):
        with tempfile.TemporaryFile() as file:
            file.write(content)
            file.flush()
            return os.dup(file.fileno())
    import fcntl

    fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return fd


class Hidden:
    """What a child gets only later: a file in memory, empty so far, and a pipe that tells it."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._file_fd = _empty_file()
        self._ready_fd, self._tell_fd = os.pipe()

    def for_child(self) -> list[int]:
        """The descriptors to pass to the child: the file's, and the pipe's end to read from.

        The caller closes them.
        """
        return [os.dup(self._file_fd), self._ready_fd]

    def hand_over(self) -> None:
        """Fill the file, and tell so: a byte, for which the empty pipe has room."""
        # The child reads from where the descriptor stands, which it shares: that stays as it is.
        view, done = memoryview(self._content), 0
        while done < len(view):
            done += os.pwrite(self._file_fd, view[done:], done)
        with contextlib.suppress(BrokenPipeError):  # the child may have ended
            os.write(self._tell_fd, b"!")
        self.close()

    def close(self) -> None:
        """Let go of both; closing twice is closing once."""
        for fd in {self._file_fd, self._tell_fd} - {-1}:
            os.close(fd)
        self._file_fd = self._tell_fd = -1


def _empty_file() -> int:
    # No seals may be put on it: a child that held it shut would only be told of an error of ours.
    if hasattr(os, "memfd_create"):
        return os.memfd_create("hidden", os.MFD_CLOEXEC)
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
