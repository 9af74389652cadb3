"""The names that learning management systems give to what is downloaded from them in bulk.

A name is read field by field, once from left to right, so a hostile one costs no more than its
length.  What the names of a whole folder come to is for `exports` to say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_MOODLE = "_assignsubmission_"
_LEAST_ATTACHMENT_DIGITS = 3
"""Fewer digits are more likely a student's own numbering, as in ``part_1_2_solution.py``."""
_DIGITS = re.compile(r"[0-9]{1,20}")
_CANVAS_NAME = re.compile(r"[\w-]*")
_ANONYMOUS = re.compile(r"[A-Za-z0-9]{1,20}")
_TIME = re.compile(r"[0-9]{4}(?:-[0-9]{2}){5}")
_LETTERS = re.compile(r"[^\W\d_]{2,20}")
_LOWER_LETTERS = re.compile(r"[a-z]{1,40}")
_UPLOADED_AGAIN = re.compile(r"([^.]*[^.-])-([0-9]{1,3})((?:\.[^.]*)+)")


class System(StrEnum):
    """The systems whose downloads are known."""

    CANVAS = "Canvas"
    MOODLE = "Moodle"
    BLACKBOARD = "Blackboard"
    GRADESCOPE = "Gradescope"
    CLASSROOM = "GitHub Classroom"


@dataclass(frozen=True, slots=True)
class LmsName:
    """What one name says."""

    system: System
    student: str
    """Tells the students of one download apart: the whole of the name that is the student's."""
    id: str
    """What the system knows the student by: a number, or a login."""
    display: str = ""
    """The student's name, as far as it is there."""
    original: str = ""
    """The student's own name for the file; empty for a folder and for a receipt."""
    attempt: str = ""
    """Orders the uploads of one student: a time, or a number as text (the longer one is later)."""
    late: bool = False
    typed: bool = False
    """Whether it is no file of the student's: text typed into a form, a link, a receipt."""


def read_name(name: str) -> LmsName | None:
    """Read the name of a file or folder; None if it is of no download that is known."""
    return _moodle(name) or _blackboard(name) or _canvas(name)


def _moodle(name: str) -> LmsName | None:
    """``Jane Doe_2001_assignsubmission_file``: a folder, or with ``_`` and a file's name behind."""
    before, mark, after = name.partition(_MOODLE)
    display, _, number = before.rpartition("_")
    plugin, _, original = after.partition("_")
    if not mark or not _DIGITS.fullmatch(number) or not _LOWER_LETTERS.fullmatch(plugin):
        return None
    return LmsName(System.MOODLE, before, number, display, original, typed=plugin != "file")


def _blackboard(name: str) -> LmsName | None:
    """``HW 1_jdoe01_attempt_2024-02-29-23-59-59_hw.py``, and ``….txt``, the receipt."""
    fields = name.split("_")
    last = len(fields) - 1
    for at in range(3, last + 1):
        is_receipt = at == last and fields[at].endswith(".txt")
        time = fields[at].removesuffix(".txt") if is_receipt else fields[at]
        login = fields[at - 2]
        if not login or not _TIME.fullmatch(time) or not _LETTERS.fullmatch(fields[at - 1]):
            continue
        original = "_".join(fields[at + 1 :])
        # A login may hold a `_` as well; together with the title it is the student's alone.
        student = "_".join(fields[: at - 1])
        if not (original or is_receipt):
            return None
        return LmsName(System.BLACKBOARD, student, login, "", original, time, typed=is_receipt)
    return None


def _canvas(name: str) -> LmsName | None:
    """``doejane_LATE_1001_50001_hw.py``, ``anon_Ab3dE_50001_hw.py``, ``doejane_1001_text.html``."""
    fields = name.split("_")
    last = len(fields) - 1
    for at in range(last):
        behind = at + 1
        if fields[at] == "anon" and _ANONYMOUS.fullmatch(fields[behind]):
            behind += 1
        elif not _DIGITS.fullmatch(fields[at]):
            continue
        typed = behind == last and fields[behind] in ("text.html", "link.html")
        attached = behind < last and _DIGITS.fullmatch(fields[behind])
        if typed or (attached and len(fields[behind]) >= _LEAST_ATTACHMENT_DIGITS):
            # The first place that fits is the only one that is tried: the work stays linear.
            return _canvas_at(fields, at, behind, typed=typed)
    return None


def _canvas_at(fields: list[str], at: int, behind: int, *, typed: bool) -> LmsName | None:
    """Read a name whose student's number is `fields[at:behind]`; None if it cannot be."""
    late = at > 0 and fields[at - 1] in ("LATE", "late")
    display, id_ = "_".join(fields[: at - late]), "_".join(fields[at:behind])
    if not _CANVAS_NAME.fullmatch(display) or display != display.lower():
        return None
    if typed and not display and fields[at] != "anon":
        return None
    student = f"{display}_{id_}" if display else id_
    if typed:
        return LmsName(System.CANVAS, student, id_, display, fields[behind], "", late, typed)
    original = "_".join(fields[behind + 1 :])
    if not original.strip("_"):
        return None
    return LmsName(System.CANVAS, student, id_, display, original, fields[behind], late)


def uploaded_again(original: str) -> tuple[str, int]:
    """Take off the number that Canvas puts into a file's name when it is handed in again.

    ``hw-2.tar.gz`` is ``hw.tar.gz`` and 2; a name without such a number is itself and 0.
    """
    match = _UPLOADED_AGAIN.fullmatch(original)
    return (match[1] + match[3], int(match[2])) if match else (original, 0)
