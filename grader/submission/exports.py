"""Bulk downloads of learning management systems: the files of each student, under their own names.

`layout` asks here first.  A folder counts as a download only if nearly all that it holds is named
as one system names it, and what was recognised is said; any other folder is left to the rules of
`layout`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.errors import SubmissionError
from grader.problem import Files
from grader.submission.found import Found, Layout
from grader.submission.lms import LmsName, System, read_name, uploaded_again
from grader.submission.names import Kind, folded, kind_of, listed, same_name, shown, stem_of
from grader.submission.places import File, Listing, Unreadable
from grader.submission.survey import Survey

_GRADESCOPE_LIST = "submission_metadata.yml"
_GRADESCOPE = re.compile(r"submission_[0-9]{1,20}")
_CLASSROOM = "-submissions"
_RECEIPT = "receipt"
_STRAYS = 10
"""One name in so many may be of something else, as when a submission came by mail."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A file or a folder of a download."""

    said: LmsName
    file: File | None = None
    folder: Survey | None = None

    @property
    def later(self) -> tuple[int, str]:
        """Sorts the uploads of one student by time."""
        return len(self.said.attempt), self.said.attempt


def from_download(survey: Survey, files: Files) -> Layout:
    """The students of a folder that is a bulk download; none if it is no such folder.

    Raises SubmissionError for a folder that is half a class's download and half one student's work.
    """
    try:
        listing = survey.folder.listing().without_junk()
    except (Unreadable, SubmissionError):  # told by the survey itself
        return Layout()
    return _of_folders(survey, listing) or _Names(survey, listing, files).layout()


def _of_folders(survey: Survey, listing: Listing) -> Layout | None:
    """Gradescope and GitHub Classroom give each submission a folder."""
    names = [folder.name for folder in listing.folders]
    slug = stem_of(survey.folder.name).removesuffix(_CLASSROOM)
    if any(file.name == _GRADESCOPE_LIST for file in listing.files):
        system, fits = System.GRADESCOPE, all(map(_GRADESCOPE.fullmatch, names))
    else:
        system, fits = System.CLASSROOM, all(name.startswith(f"{slug}-") for name in names)
        fits = fits and slug != stem_of(survey.folder.name) and not survey.work
    if not names or not fits:
        return None
    found = [Found((sub.folder.name,), sub.folder, fault=sub.fault) for sub in survey.subs]
    return Layout(found, [_recognised(survey, system, f"{len(found)} submissions")])


def _recognised(survey: Survey, system: System, what: str) -> str:
    return f"{shown(survey.folder.name)} was read as a bulk download from {system}: {what}."


class _Names:
    """Canvas, Moodle and Blackboard say in each name whose it is."""

    def __init__(self, survey: Survey, listing: Listing, files: Files) -> None:
        self._survey = survey
        self._files = files
        read = [_Entry(said, file=f) for f in listing.files if (said := read_name(f.name))]
        for sub in survey.subs:
            said = read_name(sub.folder.name)
            if said and said.system is System.MOODLE:
                read.append(_Entry(said, folder=sub))
        systems = Counter(entry.said.system for entry in read).most_common(1)
        self._system = systems[0][0] if systems else System.CANVAS
        self._entries = [entry for entry in read if entry.said.system is self._system]
        own = {entry.file.name for entry in self._entries if entry.file}
        self._stray_files = [file for file in survey.work if file.name not in own]
        own = {entry.folder.folder.name for entry in self._entries if entry.folder}
        self._stray_folders = [
            sub for sub in survey.subs if sub.has_work and sub.folder.name not in own
        ]
        self._layout = Layout()

    def layout(self) -> Layout:
        """The students, or none where the names are not those of a download."""
        if not self._entries or not self._are_numbered_apart():
            return self._layout
        strays = [file.name for file in self._stray_files]
        strays += [sub.folder.name for sub in self._stray_folders]
        if strays and len(self._entries) < (_STRAYS - 1) * len(strays):
            self._mixed(strays)
            return self._layout
        students = self._by_student()
        count = f"{len(students)} student{'s' * (len(students) > 1)}"
        self._warn(_recognised(self._survey, self._system, count))
        for student, entries in students.items():
            self._add(student, entries)
        self._say_late_and_typed(students)
        self._add_strays(strays)
        return self._layout

    def _warn(self, text: str) -> None:
        self._layout.warnings.append(text)

    def _are_numbered_apart(self) -> bool:
        """Whether no number of an attachment stands twice, as it never does in Canvas."""
        if self._system is not System.CANVAS:
            return True
        numbers = [entry.said.attempt for entry in self._entries if not entry.said.typed]
        return len(set(numbers)) == len(numbers)

    def _mixed(self, strays: list[str]) -> None:
        """Say that a folder is a download only in part."""
        if len({entry.said.student for entry in self._entries}) < 2:
            return
        text = (
            f"{shown(self._survey.folder.name)} holds {len(self._entries)} names as in a bulk"
            f" download from {self._system}, and others that are not: {listed(strays)}."
        )
        if self._survey.exact:
            raise SubmissionError(
                f"{text} It may be a class's or one student's. Put the download into a folder of"
                " its own and name that."
            )
        self._warn(f"{text} It was not read as one. Put the download into a folder of its own.")

    def _by_student(self) -> dict[str, list[_Entry]]:
        """The entries of each student, under the id of the submission."""
        groups: dict[str, list[_Entry]] = {}
        for entry in self._entries:
            groups.setdefault(folded(entry.said.student), []).append(entry)
        logins = Counter(folded(entries[0].said.id) for entries in groups.values())
        return {_id(entries[0].said, logins): entries for entries in groups.values()}

    def _add(self, student: str, entries: list[_Entry]) -> None:
        handed_in = [entry for entry in entries if not entry.said.typed] or entries
        folders = [entry.folder for entry in handed_in if entry.folder]
        for sub in folders:
            self._layout.found.append(Found((student,), sub.folder, fault=sub.fault))
        if folders:
            return
        if self._system is System.BLACKBOARD:
            latest = max(entry.later for entry in handed_in)
            handed_in = [entry for entry in handed_in if entry.later == latest]
        own = _own_names(handed_in, self._files)
        members = tuple(entry.file for entry in own.values() if entry.file)
        if len(members) < len(handed_in):
            self._warn(f"{shown(student)} handed in a file more than once; the latest counts.")
        found = Found((student,), self._survey.folder, members, tuple(own))
        self._layout.found.append(found)

    def _say_late_and_typed(self, students: Mapping[str, Sequence[_Entry]]) -> None:
        late = [id_ for id_, own in students.items() if any(e.said.late for e in own)]
        typed = [id_ for id_, own in students.items() if all(e.said.typed for e in own)]
        again = [id_ for id_, own in students.items() if self._system is System.BLACKBOARD
                 and len({e.said.attempt for e in own}) > 1]  # fmt: skip
        if late:
            self._warn(f"Handed in late, by their names: {listed(late)}.")
        if again:
            self._warn(f"Handed in more than once, of which the latest counts: {listed(again)}.")
        if typed:
            self._warn(
                f"Nothing but text typed into {self._system}, a link or a receipt, and no file,"
                f" which is not read: {listed(typed)}."
            )

    def _add_strays(self, names: list[str]) -> None:
        folder = self._survey.folder
        for file in self._stray_files:
            self._layout.found.append(Found((stem_of(file.name),), folder, (file,)))
        for sub in self._stray_folders:
            self._layout.found.append(Found((sub.folder.name,), sub.folder, fault=sub.fault))
        if names:
            self._warn(
                f"Not named as {self._system} names things, and each taken as a submission of its"
                f" own: {listed(names)}."
            )


def _id(said: LmsName, logins: Counter[str]) -> str:
    """The login where it is one student's alone, else all of the name that is the student's."""
    if said.system is System.BLACKBOARD and logins[folded(said.id)] == 1:
        return said.id
    return said.student


def _own_names(entries: Sequence[_Entry], files: Files) -> dict[str, _Entry]:
    """The name that each student gave a file → the latest upload of it."""
    own: dict[str, tuple[int, _Entry]] = {}
    for entry in sorted(entries, key=lambda entry: entry.later):
        name, times = _own_name(entry.said, files)
        same = next((other for other in own if same_name(other, name)), name)
        if same not in own or times >= own[same][0]:
            own[same] = (times, entry)
    return {name: entry for name, (_, entry) in own.items()}


def _own_name(said: LmsName, files: Files) -> tuple[str, int]:
    """A file's name without what Canvas adds when it is handed in again, and how often it was.

    ``part-1.py`` may be a student's own name, so the number is only taken off where it hides the
    name asked for, or one that code can be imported by.
    """
    if said.system is not System.CANVAS or said.typed:
        return said.original or _RECEIPT, 0
    name, times = uploaded_again(said.original)
    is_asked = same_name(name, files.code) or same_name(name, files.answers)
    is_module = kind_of(name) is Kind.CODE and stem_of(name).isidentifier()
    return (name, times) if is_asked or is_module else (said.original, 0)
