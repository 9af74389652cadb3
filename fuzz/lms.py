"""Target: the reader of names that learning management systems give, and of whole folders of them.

The input is a list of names, one a line: the table of contents of a download.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from pathlib import Path

from fuzz.choices import Choices, built
from fuzz.oracle import require, timely
from fuzz.pack import PROBLEM
from grader.errors import SubmissionError
from grader.submission import exports, lms, names, survey
from grader.submission.places import Listing

_SLOW_S = 0.2
_LONG = 20_000
_MOST_NAMES = 12
_FRAGMENTS = (
    "_", "_", "_", "doejane", "1001", "50001", "50002", "LATE", "late", "anon", "Ab3dE", "hw.py",
    "answers.md", "text.html", "link.html", "attention-1.py", "attention-2.tar.gz", "Jane Doe",
    "2001", "assignsubmission", "file", "onlinetext", "_assignsubmission_file_", "HW 1", "jdoe01",
    "attempt", "poging", "2024-02-29-23-59-59", "_attempt_2024-02-29-23-59-59", ".txt", "-1", "..",
    ".", "é", "e\u0301", "\u202e", "\0", " ", "-", "٣", "0" * 30, "_1_" * 20, "Participant",
    "submission_7001", "\ud800", "CON",
)  # fmt: skip


@dataclass(frozen=True)
class _File:
    name: str

    @property
    def key(self) -> str:
        return self.name

    def read(self, limit_bytes: int) -> bytes:
        raise AssertionError(f"a name is enough; asked to read {limit_bytes} bytes")


@dataclass(frozen=True)
class _Folder:
    """A folder that holds empty files of these names."""

    files: tuple[str, ...]
    name: str = "submissions"
    disk: Path = Path("submissions")
    inside: tuple[str, ...] | None = None
    zips: int = 0

    def listing(self) -> Listing:
        return Listing([_File(name) for name in self.files], ())


def check(data: bytes) -> None:
    """Read names one by one, in linear time, and together: no file is lost, none counts twice."""
    choices = built(data)
    if choices and choices.below(16) == 15:
        part = _piece(choices) + _piece(choices) + _piece(choices)
        _check_name((part * (_LONG // max(len(part), 1)))[:_LONG])
        return
    text = _names(choices) if choices else data.decode("utf-8", "surrogateescape")
    listed = [names.readable(name) for name in text.split("\n")[:_MOST_NAMES]]
    for name in listed:
        _check_name(name)
    _check_folder(_Folder(tuple(dict.fromkeys(filter(None, listed)))))


def _check_name(name: str) -> None:
    said = timely(_SLOW_S, lambda: lms.read_name(name))
    if said is None:
        return
    require(bool(said.student) and bool(said.id), "a student without a name")
    require(said.original == "" or name.endswith(said.original), "a file's name not in the name")
    require(said.id in said.student and said.display in name, "an id that is not in the name")
    left = [said.display, said.id, said.attempt, said.original]
    require(sum(map(len, left)) < len(name), "more than the name holds")
    own, times = timely(_SLOW_S, lambda: lms.uploaded_again(said.original))
    require(not times or said.original == _joined(own, times), "another name comes of it")
    _check_id(names.safe_id(said.student))


def _joined(own: str, times: int) -> str:
    """Put the number of an upload back; spelled with zeros it is no number of Canvas's."""
    stem, dot, suffix = own.partition(".")
    return f"{stem}-{times}{dot}{suffix}"


def _check_id(id_: str) -> None:
    require(0 < len(id_.encode()) <= 120, "an id without end")
    require(not set(id_) & set('<>:"/\\|?*\0'), f"an id that is no file name: {id_!r}")
    require(id_[0] not in ".-=+@~ " and id_[-1] not in ". ", f"an id that is no file name: {id_!r}")
    unseen = [c for c in id_ if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
    require(not unseen, f"unseen characters in {id_!r}")
    require(names.safe_id(id_) == id_, "an id of an id is another")


def _check_folder(folder: _Folder) -> None:
    surveyed = survey.Surveyor(PROBLEM.files).survey(folder)
    try:
        layout = timely(_SLOW_S, lambda: exports.from_download(surveyed, PROBLEM.files))
    except SubmissionError:
        return
    taken = [file.name for found in layout.found for file in found.members]
    require(len(set(taken)) == len(taken), "a file of two students")
    for found in layout.found:
        require(len(found.as_names) in (0, len(found.members)), "a file without a name")
        own = [names.folded(name) for name in found.as_names]
        require(len(set(own)) == len(own), "two files of one name")
        _check_one_student(found.members)
    if layout.found:
        _check_none_lost(surveyed, taken)


def _check_one_student(files: tuple[object, ...]) -> None:
    said = [lms.read_name(getattr(file, "name", "")) for file in files]
    students = {names.folded(one.student) for one in said if one}
    require(len(students) <= 1, f"files of {len(students)} students in one submission")


def _check_none_lost(surveyed: survey.Survey, taken: list[str]) -> None:
    """Every student with work keeps some of it: the latest attempt, at least."""
    of = {file.name: lms.read_name(file.name) for file in surveyed.work}
    known = {names.folded(s.student) for name in taken if (s := lms.read_name(name))}
    for name, said in of.items():
        kept = name in taken or (said and names.folded(said.student) in known)
        require(bool(kept), f"{name!r} was lost")


def _names(choices: Choices) -> str:
    lines: list[str] = []
    while choices.left and len(lines) < _MOST_NAMES:
        form = choices.below(6)
        number = choices.below(4)
        lines.append(
            (
                f"doejane_{1000 + number}_{50_000 + len(lines)}_{_piece(choices)}",
                f"Jane Doe_{2000 + number}_assignsubmission_file_{_piece(choices)}",
                f"HW 1_jdoe{number}_attempt_2024-02-29-23-59-5{number}_{_piece(choices)}",
            )[form]
            if form < 3
            else "".join(_piece(choices) for _ in range(1 + choices.below(9)))
        )
    return "\n".join(lines)


def _piece(choices: Choices) -> str:
    return choices.text(6) if choices.below(8) == 7 else choices.pick(_FRAGMENTS)
