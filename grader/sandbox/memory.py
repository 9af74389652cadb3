"""Files in memory: how a submission and its calls reach a child that may open nothing."""

from __future__ import annotations

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
