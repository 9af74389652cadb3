"""The seal on the calls of hidden criteria: a child has them from the start, and cannot read them.

The trusted side seals them once for all submissions and hands each child the key when nothing is
left of what its student will be shown.  A key stream does: nobody can change what is sealed, and
each key seals one thing.
"""

from __future__ import annotations

import os
from hashlib import shake_256

import numpy as np

KEY_BYTES = 32
_PIECE_BYTES = 1 << 16
"""At a time, so that opening takes little of the memory that student code may use."""


def turn(key: bytes, data: bytearray | memoryview) -> None:
    """Seal what is open, or open what is sealed, in place: XOR with the key's stream (SHAKE256)."""
    whole = np.frombuffer(data, np.uint8)
    for start in range(0, len(whole), _PIECE_BYTES):
        piece = whole[start : start + _PIECE_BYTES]
        stream = shake_256(key + start.to_bytes(8, "little")).digest(len(piece))
        np.bitwise_xor(piece, np.frombuffer(stream, np.uint8), out=piece)


def wait_for_key(fd: int) -> bytes:
    """Read the key from a pipe and close it; what comes is shorter if the other side is gone."""
    key = b""
    while len(key) < KEY_BYTES and (more := os.read(fd, KEY_BYTES - len(key))):
        key += more
    os.close(fd)
    return key
