"""What submissions' functions gave where they lost points: two tables of the gradebook."""

from __future__ import annotations

import sqlite3
import zlib

from grader.gradebook.records import Entry, Wrong

SCHEMA = """
CREATE TABLE IF NOT EXISTS wrong (
    submission TEXT NOT NULL,
    criterion TEXT NOT NULL,
    function TEXT NOT NULL,
    cases BLOB NOT NULL,
    PRIMARY KEY (submission, criterion)
);
CREATE TABLE IF NOT EXISTS code (submission TEXT PRIMARY KEY, source BLOB NOT NULL);
"""


def keep(db: sqlite3.Connection, submission: str, entry: Entry) -> None:
    """Keep what belongs to the current grade; what came out before is of no use to anybody."""
    db.execute("DELETE FROM wrong WHERE submission = ?", (submission,))
    db.execute("DELETE FROM code WHERE submission = ?", (submission,))
    if not entry.wrong:
        return
    rows = [(submission, w.criterion, w.function, _packed(w.cases)) for w in entry.wrong]
    db.executemany("INSERT INTO wrong VALUES (?, ?, ?, ?)", rows)
    db.execute("INSERT INTO code VALUES (?, ?)", (submission, _packed(entry.code)))


def kept(db: sqlite3.Connection, submission: str) -> tuple[tuple[Wrong, ...], str]:
    """What was kept of a submission: results, and its code."""
    rows = db.execute(
        "SELECT criterion, function, cases FROM wrong WHERE submission = ? ORDER BY rowid",
        (submission,),
    ).fetchall()
    wrong = tuple(Wrong(criterion, function, _unpacked(c)) for criterion, function, c in rows)
    row = db.execute("SELECT source FROM code WHERE submission = ?", (submission,)).fetchone()
    return wrong, _unpacked(row[0]) if row else ""


def _packed(text: str) -> bytes:
    return zlib.compress(text.encode(), 1)


def _unpacked(packed: bytes) -> str:
    return zlib.decompress(packed).decode()
