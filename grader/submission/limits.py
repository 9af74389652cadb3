"""How much of a submission is read: the bounds that every reader of this package keeps to.

Nothing is read beyond its bound, so neither a file of 1 GB nor a zip bomb costs memory or time.
"""

from __future__ import annotations

CODE_BYTES = 1_000_000
"""One `.py` file."""
NOTEBOOK_BYTES = 5_000_000
NOTEBOOK_NODES = 200_000
"""Opening brackets in a notebook's JSON: what its objects and lists cost in memory."""
NOTEBOOK_CELLS = 5_000
ANSWERS_BYTES = 1_000_000
ANSWERS_LINES = 20_000
MODULES = 50
"""Further `.py` files of one submission."""
MODULES_BYTES = 2_000_000
"""All of them together."""
CANDIDATES = 50
"""Files of one submission that are looked at as its possible code."""

FOLDER_ENTRIES = 20_000
"""Entries of one folder."""
SURVEYED_FOLDERS = 50_000
"""Folders that are looked into to find out which folders are students."""
SURVEY_DEPTH = 8
STUDENT_FILES = 2_000
"""Files of one student that are looked at."""
STUDENT_DEPTH = 8
"""Folders inside a student's folder."""

ZIP_ENTRIES = 50_000
ZIP_DIRECTORY_BYTES = 6_000_000
"""A zip's table of contents, which has to be in memory at once."""
ZIP_ENTRY_DEPTH = 32
ZIP_TOTAL_BYTES = 500_000_000
"""One student's zip, uncompressed."""
ZIP_RATIO = 200
"""Uncompressed over compressed, from `ZIP_RATIO_FROM_BYTES` on."""
ZIP_RATIO_FROM_BYTES = 20_000_000
INNER_ZIP_BYTES = 20_000_000
"""A zip inside a zip, which has to be in memory at once."""
ZIP_NESTING = 2


def size(count_bytes: int) -> str:
    """Write a size for a reader, in units of 1,000: ``1 MB``, ``1,000 MB``, ``12 kB``."""
    if count_bytes >= 1_000_000:
        return (
            f"{count_bytes / 1e6:,.4g} MB" if count_bytes < 1e9 else f"{count_bytes / 1e6:,.0f} MB"
        )
    return f"{count_bytes / 1e3:.3g} kB" if count_bytes >= 1_000 else f"{count_bytes} bytes"
