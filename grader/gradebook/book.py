"""The gradebook: SQLite, one transaction a submission, nothing ever overwritten.

Every grade that was given stays as a row; the current one of a submission is marked.  A person's
decisions are rows of their own and are applied whenever a grade is read, so that regrading does
not lose them: a decision holds as long as what it was about (its `basis`) is the same.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType

from grader.document import from_document, to_document
from grader.errors import GradebookError
from grader.gradebook import wrong
from grader.gradebook.records import Decision, Entry, Pending, Wrong, now
from grader.result import Grade, Outcome

FILE_NAME = "gradebook.sqlite"
_FORMAT = "1"
_WAIT_FOR_LOCK_S = 20.0
_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS grades (
    id INTEGER PRIMARY KEY,
    submission TEXT NOT NULL,
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    bases TEXT NOT NULL,
    document TEXT NOT NULL,
    graded_at TEXT NOT NULL,
    current INTEGER NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS one_current ON grades (submission) WHERE current;
CREATE TABLE IF NOT EXISTS reviews (
    id INTEGER PRIMARY KEY,
    submission TEXT NOT NULL,
    criterion TEXT NOT NULL,
    basis TEXT NOT NULL,
    fraction TEXT NOT NULL,
    who TEXT NOT NULL,
    comment TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS by_submission ON reviews (submission, criterion);
"""


class Gradebook:
    """An open gradebook; a context manager.  Used by one thread."""

    def __init__(self, folder: Path, problem_id: str | None = None) -> None:
        """Open the gradebook in a folder; `problem_id` creates one if there is none.

        Raises:
            GradebookError: if it is missing, damaged, or holds another problem's grades.
        """
        self.path = folder / FILE_NAME
        if problem_id is None and not self.path.exists():
            raise GradebookError(
                f"{folder} holds no {FILE_NAME}: grade into it first, "
                "or name the folder that `grader grade -o` was given"
            )
        try:
            self._db = sqlite3.connect(
                self.path, timeout=_WAIT_FOR_LOCK_S, isolation_level=None, check_same_thread=False
            )
            self._prepare(problem_id)
        except sqlite3.Error as error:
            raise self._unusable(error) from None

    def _prepare(self, problem_id: str | None) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_SCHEMA + wrong.SCHEMA)
        about = dict(self._db.execute("SELECT name, value FROM about"))
        if not about:
            with self._transaction():
                rows = [("format", _FORMAT), ("problem", problem_id or "")]
                self._db.executemany("INSERT OR IGNORE INTO about VALUES (?, ?)", rows)
            about = dict(rows)
        if about.get("format") != _FORMAT:
            raise GradebookError(
                f"{self.path} was written by another version of grader: "
                "grade into a new folder with -o"
            )
        self.problem_id = about["problem"]
        if problem_id is not None and self.problem_id != problem_id:
            self._db.close()
            raise GradebookError(
                f"{self.path} holds the grades of the problem {self.problem_id!r}, "
                f"not of {problem_id!r}: choose another output folder with -o"
            )

    def _unusable(self, error: sqlite3.Error) -> GradebookError:
        text = str(error)
        if "unable to open" in text or "readonly" in text:
            mend = "check that the folder exists and that you may write to it"
        elif "locked" in text:
            mend = "another grader is writing to it; wait until it is done"
        elif "full" in text or "disk I/O" in text:
            mend = "the disk may be full; what was recorded before is safe; free space, run again"
        else:
            mend = "it may be damaged; move it away, or grade into another folder with -o"
        return GradebookError(f"{self.path}: {text}: {mend}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._unusable(error) from None

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._db.close()

    def record(self, entry: Entry) -> bool:
        """Record a grade in one transaction; it becomes the submission's current one.

        A grade that the grader itself failed at never displaces a sound one of the same content:
        it is kept as history, and False is returned.

        Raises:
            GradebookError: if it cannot be written; nothing is half recorded then.
        """
        submission = entry.grade.submission_id
        document = json.dumps(to_document(entry.grade), ensure_ascii=True)
        with self._transaction():
            sound = self._db.execute(
                "SELECT 1 FROM grades WHERE submission = ? AND current AND content = ?"
                " AND json_extract(document, '$.status') != 'ungraded'",
                (submission, entry.content),
            ).fetchone()
            current = not (sound and entry.grade.status == "ungraded")
            if current:
                self._db.execute(
                    "UPDATE grades SET current = 0 WHERE submission = ? AND current", (submission,)
                )
            self._db.execute(
                "INSERT INTO grades (submission, key, content, bases, document, graded_at, current)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (submission, entry.key, entry.content, json.dumps(dict(entry.bases)), document,
                 now(), current),
            )  # fmt: skip
            if current:
                wrong.keep(self._db, submission, entry)
        return current

    def wrong(self, submission_id: str) -> tuple[tuple[Wrong, ...], str]:
        """What a submission's functions gave where it lost points, and its code."""
        return wrong.kept(self._db, submission_id)

    def has(self, submission_id: str, key: str) -> bool:
        """Whether the submission's current grade was made from exactly this, and is sound."""
        found = self._db.execute(
            "SELECT 1 FROM grades WHERE submission = ? AND current AND key = ?"
            " AND json_extract(document, '$.status') != 'ungraded'",
            (submission_id, key),
        ).fetchone()
        return found is not None

    def grade(self, submission_id: str) -> Grade:
        """The current grade, with the decisions that hold.

        Raises:
            KeyError: if there is none.
        """
        return self._current(submission_id)[0]

    def _current(self, submission_id: str) -> tuple[Grade, Mapping[str, str]]:
        row = self._db.execute(
            "SELECT document, bases FROM grades WHERE submission = ? AND current", (submission_id,)
        ).fetchone()
        if row is None:
            raise KeyError(submission_id)
        grade, bases = from_document(json.loads(row[0])), json.loads(row[1])
        rows = self._db.execute(
            "SELECT criterion, basis, fraction, who, comment FROM reviews"
            " WHERE submission = ? AND NOT withdrawn ORDER BY id",
            (submission_id,),
        )
        for criterion, basis, fraction, who, comment in rows.fetchall():
            if bases.get(criterion) == basis:
                grade = grade.decided(criterion, Fraction(fraction), who, comment)
        return grade, bases

    def remember(self, name: str, text: str) -> None:
        """Keep a text of the pack's that reports need when the pack itself is not at hand."""
        with self._transaction():
            self._db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, text))

    def remembered(self, name: str) -> str:
        """A text that was kept, or "" if there is none."""
        row = self._db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def submissions(self) -> tuple[str, ...]:
        """The ids of all submissions that have a grade, sorted."""
        rows = self._db.execute("SELECT submission FROM grades WHERE current ORDER BY submission")
        return tuple(row[0] for row in rows)

    def grades(self) -> Iterator[Grade]:
        """Every current grade, one at a time, in order of submission."""
        for submission_id in self.submissions():
            yield self.grade(submission_id)

    def pending(self) -> Iterator[Pending]:
        """Everything that waits for a person, part by part, like answers next to each other."""
        waiting = []
        for grade in self.grades():
            for position, part in enumerate(grade.parts):
                for criterion in part.criteria:
                    if criterion.result.outcome is Outcome.NEEDS_REVIEW:
                        order = (position, criterion.id, criterion.result.group)
                        waiting.append((order, grade.submission_id))
        for (_, criterion_id, _), submission_id in sorted(waiting):
            with suppress(KeyError):  # another run has graded it by another pack meanwhile
                yield self.criterion(submission_id, criterion_id)

    def criterion(self, submission_id: str, criterion_id: str) -> Pending:
        """One criterion of a submission as it stands now, whether it waits or not.

        Raises:
            KeyError: if there is no such submission, or no such criterion in it.
        """
        grade, bases = self._current(submission_id)
        for part in grade.parts:
            for criterion in part.criteria:
                if criterion.id == criterion_id:
                    return Pending(submission_id, part, criterion, bases.get(criterion_id, ""))
        raise KeyError(criterion_id)

    def decide(self, decision: Decision) -> None:
        """Record a person's decision.

        Raises:
            GradebookError: if it cannot be written, if there is no such submission or criterion, or
                if what it is about has been handed in anew, or differently, meanwhile.
        """
        what = f"{decision.submission_id}, {decision.criterion_id}"
        with self._transaction():
            row = self._db.execute(
                "SELECT bases FROM grades WHERE submission = ? AND current",
                (decision.submission_id,),
            ).fetchone()
            basis = json.loads(row[0]).get(decision.criterion_id) if row else None
            if basis is None:
                raise GradebookError(f"{self.path} has nothing to review there: {what}")
            if basis != decision.basis:
                raise GradebookError(
                    f"{what}: the answer is another one by now, so nothing was decided: review it "
                    "again"
                )
            self._db.execute(
                "INSERT INTO reviews (submission, criterion, basis, fraction, who, comment,"
                " decided_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (decision.submission_id, decision.criterion_id, basis, str(decision.fraction),
                 decision.who, decision.comment, decision.decided_at),
            )  # fmt: skip

    def undo_decision(self, submission_id: str = "", criterion_id: str = "") -> Decision | None:
        """Withdraw the latest decision that is not withdrawn yet, and return it, or None.

        With a submission or a criterion, the latest on that.
        """
        row = self._db.execute(
            "SELECT id, submission, criterion, basis, fraction, who, comment, decided_at"
            " FROM reviews WHERE NOT withdrawn"
            " AND ? IN ('', submission) AND ? IN ('', criterion) ORDER BY id DESC LIMIT 1",
            (submission_id, criterion_id),
        ).fetchone()
        if row is None:
            return None
        with self._transaction():
            self._db.execute("UPDATE reviews SET withdrawn = 1 WHERE id = ?", (row[0],))
        _, submission, criterion, basis, fraction, who, comment, decided_at = row
        return Decision(submission, criterion, basis, Fraction(fraction), who, comment, decided_at)
