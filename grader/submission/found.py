"""What is found in one input: whose work lies where, and what was guessed on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.submission.places import File, Folder


@dataclass(frozen=True, slots=True)
class Found:
    """A student's place: a folder, or some files of one; `names` lead to it from the top."""

    names: tuple[str, ...]
    folder: Folder
    members: tuple[File, ...] = ()
    as_names: tuple[str, ...] = ()
    """The students' own names of the members, where a learning management system changed them."""
    fault: str = ""
    """Why the folder cannot be looked into."""


@dataclass(slots=True)
class Layout:
    """The students found in one input, and what was left out or guessed."""

    found: list[Found] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
