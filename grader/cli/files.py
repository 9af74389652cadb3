"""Writing files that a command makes for somebody: never over what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from grader.errors import GraderError


def write_new(contents: Mapping[Path, bytes]) -> None:
    """Write every file, or none if one of them is there already.

    Raises:
        GraderError: if one is there, or cannot be written.
    """
    taken = [str(path) for path in contents if path.exists()]
    if taken:
        raise GraderError(
            f"Nothing was written, because it would replace {', '.join(taken)}. "
            "Choose another folder, or move those files away."
        )
    try:
        for path, content in contents.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise GraderError(f"{error.filename} cannot be written: {error.strerror}") from None
