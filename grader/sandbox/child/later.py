"""What a child gets to know only later: the calls of hidden criteria.

The trusted side writes them to an empty file that the child has, and then a byte to a pipe, when
nothing is left that the student will be shown.
"""

from __future__ import annotations

import os


class Later:
    """A file that is still empty, the pipe that tells when it is not, and room for its content.

    The room is made before student code runs, and before its memory is counted.
    """

    def __init__(self, file_fd: int, ready_fd: int, size: int) -> None:
        self._file_fd = file_fd
        self._ready_fd = ready_fd
        self._room = bytearray(size)

    def wait(self) -> memoryview | None:
        """The content, once it is there; None if the trusted side is gone."""
        ready = os.read(self._ready_fd, 1)
        os.close(self._ready_fd)
        view, done = memoryview(self._room), 0
        with open(self._file_fd, "rb", buffering=0) as file:
            while ready and done < len(view) and (more := file.readinto(view[done:])):
                done += more
        return view if ready and done == len(view) else None
