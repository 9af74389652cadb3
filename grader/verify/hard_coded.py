"""A function that is right on the public cases alone, as if it looked them up in a table."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence

from grader.value import Plain


def fingerprint(arguments: tuple) -> str:  # type: ignore[type-arg]  # handed in as it stands
    """A hash of a call's arguments, the same on both sides of the sandbox."""
    found = [
        (str(a.dtype), a.shape, a.tobytes()) if hasattr(a, "tobytes") else repr(a)
        for a in arguments
    ]
    return hashlib.sha256(repr(found).encode()).hexdigest()


_TABLE = """import hashlib


{fingerprint}

_right = {function}
_known = frozenset({known!r})


def {function}(*arguments):
    return _right(*arguments) if fingerprint(arguments) in _known else None
"""


def hard_coded(function: str, shown: Sequence[tuple[Plain, ...]]) -> bytes:
    """The source that makes a function of the submission right on the arguments shown alone."""
    known = sorted({fingerprint(arguments) for arguments in shown})
    source = inspect.getsource(fingerprint)
    return _TABLE.format(fingerprint=source, function=function, known=known).encode()
