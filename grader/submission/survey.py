"""A survey of what was handed over: which folders hold work, without reading any of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.errors import SubmissionError
from grader.problem import Files
from grader.submission import limits
from grader.submission.names import WORK, Kind, kind_of, same_name, stem_of
from grader.submission.places import File, Folder, Listing, Unreadable

_NOT_ANSWERS = ("readme", "license", "licence", "changelog", "requirements", "statement")


@dataclass(frozen=True, slots=True)
class Survey:
    """One folder: its own work and that of the folders in it."""

    folder: Folder
    work: tuple[File, ...] = ()
    """Code, notebooks, archives, and what is named as the answers are."""
    texts: tuple[File, ...] = ()
    """Other texts that may be answers."""
    other: tuple[str, ...] = ()
    """Names of everything else."""
    exact: bool = False
    """Whether a file has the very name that the problem gives its code or answers."""
    subs: tuple[Survey, ...] = ()
    fault: str = ""
    """Why the folder could not be looked into."""
    is_of_tools: bool = False

    @property
    def has_work(self) -> bool:
        """Whether there is work in it or below (or what cannot be looked into, and may be)."""
        return bool(self.work or self.fault) or any(sub.has_work for sub in self.subs)

    @property
    def has_exact(self) -> bool:
        """Whether it or a folder below is `exact`."""
        return self.exact or any(sub.has_exact for sub in self.subs)

    def walk(self) -> Iterator[Survey]:
        """This folder and every one below."""
        yield self
        for sub in self.subs:
            yield from sub.walk()


def is_text_for_answers(name: str) -> bool:
    """Tell whether a file may hold written answers, by its name."""
    return kind_of(name) is Kind.TEXT and not stem_of(name).casefold().startswith(_NOT_ANSWERS)


class Surveyor:
    """Looks into folders, into so many and so deep and no further."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._left = limits.SURVEYED_FOLDERS

    def survey(self, folder: Folder, depth: int = 0) -> Survey:
        """Survey a folder; one that cannot be read is a survey with a fault."""
        self._left -= 1
        try:
            listing = folder.listing().without_junk()
        except (Unreadable, SubmissionError) as fault:
            return Survey(folder, fault=str(fault))
        if listing.is_of_tools(self._files.code):
            return Survey(folder, is_of_tools=True)
        return self._sorted(folder, listing, depth)

    def _sorted(self, folder: Folder, listing: Listing, depth: int) -> Survey:
        work, texts, other = [], [], []
        for file in listing.files:
            if self._is_exact(file.name) or kind_of(file.name) in WORK:
                work.append(file)
            elif is_text_for_answers(file.name):
                texts.append(file)
            else:
                other.append(file.name)
        exact = any(self._is_exact(file.name) for file in work)
        # A folder with the very names asked for is a student; one look below tells if that is odd.
        below = limits.SURVEY_DEPTH if exact else depth + 1
        deeper = depth < limits.SURVEY_DEPTH and self._left > 0
        subs = [self.survey(sub, below) for sub in listing.folders] if deeper else []
        own = tuple(sub for sub in subs if not sub.is_of_tools)
        return Survey(folder, tuple(work), tuple(texts), tuple(other), exact, own)

    def _is_exact(self, name: str) -> bool:
        return same_name(name, self._files.code) or same_name(name, self._files.answers)
