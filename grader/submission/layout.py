"""Layout: decides which files and folders of one input are whose.  The rules, in order:

0.  A folder that is a bulk download of a learning management system holds what `exports` finds.
1.  *Work* is a `.py`, `.ipynb` or archive, and a file named as the problem's answers.  What systems
    and tools leave behind, virtual environments and problem packs count for nothing.
2.  Folders that hold one folder and no work are wrappers; the rules start at the first that is not,
    the *top*.
3.  A top that holds the very file names the problem asks for is one student, with all that is in
    it.  (If two folders in it hold them as well, it may as well be a class with a stray file: that
    is refused with an explanation.)
4.  A top with work but no folders of work is one student if it holds one file of work, or if all
    files but one are imported by the others; else it is a class of files: one student each, with
    the `.md` or `.txt` of the same stem.  A sole zip is opened: it may hold a class.
5.  A top with folders of work is a class.  Going down, the first level where a folder directly
    holds work (or where one is empty and none branches) is the level of students: each folder of
    it is one student, with up to a few wrappers inside.  Levels above only group them.  Loose
    files of work beside such folders are students too.
6.  A folder without any work in a class is a student who handed in nothing.

One student alone is named after the input; students of a class after their file or folder, or by
the path to it where the name alone is not unique or may be a wrapper's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.errors import SubmissionError
from grader.problem import Problem
from grader.submission import limits
from grader.submission.archive import open_inner
from grader.submission.exports import from_download
from grader.submission.found import Found, Layout
from grader.submission.names import Kind, folded, kind_of, listed, shown, stem_of
from grader.submission.places import File, Folder, Unreadable
from grader.submission.source_text import definitions
from grader.submission.survey import Survey, Surveyor

_WRAPPERS = 2
"""How many wrappers a student's work may well lie in."""
_LINKED_FILES = 20
_IMPORT = re.compile(
    r"""(?m)(?:^|["';])[ \t]*(?:from|import)[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)"""
)


def arrange(root: Folder, problem: Problem) -> Layout:
    """Find the students of an input; raises SubmissionError if there are none to be told."""
    survey = Surveyor(problem.files).survey(root)
    if survey.fault:
        raise SubmissionError(survey.fault)
    chain = [survey]
    while not chain[-1].work and len(chain[-1].subs) == 1:
        chain.append(chain[-1].subs[0])
    return _Arranger(problem, chain).layout()


class _Arranger:
    def __init__(self, problem: Problem, chain: list[Survey]) -> None:
        self._problem = problem
        self._chain = chain
        self._root, self._top = chain[0], chain[-1]
        self._layout = Layout()

    def layout(self) -> Layout:
        top = self._top
        if not any(s.work or s.texts or s.fault for s in self._root.walk()):
            raise SubmissionError(self._nothing())
        if self._is_download():
            return self._layout
        busy = any(sub.has_work for sub in top.subs)
        if top.exact:
            self._refuse_stray()
            self._one_student()
        elif top.work and not busy:
            self._files_only()
        elif top.work and not any(s.has_exact for s in top.subs) and _is_one(top.work):
            self._one_student()
        elif busy or (top.subs and not top.texts):
            self._students_of(top, ())
            self._name_chains()
        else:
            self._one_student()
        return self._layout

    def _is_download(self) -> bool:
        """Take the students of a bulk download, if the top or a folder above it is one."""
        if len(self._top.work) > 1 and _is_one(self._top.work):
            return False  # files that import one another bear the names that their author gave them
        for survey in self._chain:
            layout = from_download(survey, self._problem.files)
            self._layout.warnings += layout.warnings
            self._layout.found += layout.found
            if layout.found:
                return True
        return False

    def _one_student(self) -> None:
        """Take the whole input as one student's, and say so where a class is as likely."""
        names = [survey.folder.name for survey in self._chain]
        if self._problem.id in names[:-1]:
            # Submissions are kept as <problem>/<group>/<student>: the last name is the student's.
            self._layout.found.append(Found((names[-1],), self._top.folder))
            return
        if len(names) > _WRAPPERS + 1:
            self._layout.found.append(Found((names[-1],), self._top.folder))
            return
        self._layout.found.append(Found((), self._root.folder))
        if len(names) > 1 and self._root.folder.inside is None:
            self._warn(
                f"{shown(names[0])} was taken as the work of one student. If it is a class in"
                f" which {shown(names[1])} is the only student yet, name that folder instead."
            )

    def _files_only(self) -> None:
        """Tell one student's files from a class of files, where no folder holds work."""
        top = self._top
        if len(top.work) == 1 and self._opens_as_class(top.work[0]):
            return
        stems = {stem_of(file.name) for file in top.work}
        paired = any(stem_of(text.name) in stems for text in top.texts)
        is_zip = kind_of(top.work[0].name) is Kind.ZIP
        if _is_one(top.work) and not (len(top.work) == 1 and (paired or is_zip)):
            self._one_student()
        elif len(top.work) == 1:
            self._layout.found.append(Found((*stems,), top.folder, (*top.work, *top.texts)))
        else:
            self._students_of(top, ())
            self._doubt()

    def _doubt(self) -> None:
        """Say so if a class of files looks much like one student's files."""
        work, functions = self._top.work, self._problem.functions
        if len(work) <= _LINKED_FILES and sum(_defines(file, functions) for file in work) < 2:
            self._warn(
                f"Each of {listed([file.name for file in work])} was taken as a student's. If they"
                f" are one student's, name the one to grade {self._problem.files.code}."
            )

    def _opens_as_class(self, file: File) -> bool:
        """Take the students in a sole zip, if it holds more than one."""
        folder = self._top.folder
        if kind_of(file.name) is not Kind.ZIP or folder.inside is not None:
            return False
        try:
            inner = arrange(open_inner(file, folder.zips), self._problem)
        except (Unreadable, SubmissionError):
            # A zip that cannot be opened is one student's fault, explained when it is read.
            return False
        if len(inner.found) < 2:
            return False
        self._layout = inner
        return True

    def _students_of(self, group: Survey, names: tuple[str, ...]) -> None:
        self._loose_files(group, names)
        subs = group.subs
        level = any(_is_student(sub) for sub in subs) or (
            any(not sub.has_work for sub in subs) and not any(_branches(sub) for sub in subs)
        )
        for sub in subs:
            path = (*names, sub.folder.name)
            if not (level or _is_student(sub)) and sub.has_work:
                self._students_of(sub, path)
                continue
            self._layout.found.append(Found(path, sub.folder, fault=sub.fault))
            self._explain(sub)

    def _name_chains(self) -> None:
        """Name students by their whole path where each lies alone in a folder of the class.

        Nothing tells then which of the folders bears the student's name and which is a wrapper
        (unless the class lies in a folder of the problem's name, as our own samples do).
        """
        found = self._layout.found
        groups = {entry.names[0] for entry in found}
        chained = all(len(entry.names) > 1 for entry in found) and len(groups) == len(found)
        if chained and self._problem.id not in [survey.folder.name for survey in self._chain]:
            self._layout.found = [replace(e, names=("-".join(e.names),)) for e in found]

    def _loose_files(self, group: Survey, names: tuple[str, ...]) -> None:
        """Take each file of work as a student, with the texts of the same stem."""
        texts: dict[str, list[File]] = {}
        for text in group.texts:
            texts.setdefault(stem_of(text.name), []).append(text)
        stems = {stem_of(file.name) for file in group.work}
        for file in group.work:
            stem = stem_of(file.name)
            members = (file, *texts.get(stem, ()))
            self._layout.found.append(Found((*names, stem), group.folder, members))
        alone = {stem: files for stem, files in texts.items() if stem not in stems}
        if len(alone) < len(texts):
            # Where answers come in pairs with code, a lone one is a student without code.
            for stem, files in alone.items():
                self._layout.found.append(Found((*names, stem), group.folder, tuple(files)))
            alone = {}
        skipped = [text.name for files in alone.values() for text in files]
        skipped += [name for name in group.other if kind_of(name) is Kind.DOCUMENT]
        if skipped:
            self._warn(
                f"Not graded, being neither code nor a folder: {listed(sorted(skipped))}."
                " Put what belongs to a student into a folder of that student's name."
            )

    def _explain(self, sub: Survey) -> None:
        name = shown(sub.folder.name)
        if not any(s.work or s.texts or s.other or s.fault for s in sub.walk()):
            self._warn(f"{name} is empty; it counts as handed in without anything in it.")
        elif not sub.work and _branches(sub):
            self._warn(
                f"{name} holds several folders with work and was taken as one student, like the"
                " folders beside it. If these are several students, grade that folder by itself."
            )

    def _refuse_stray(self) -> None:
        rivals = [sub.folder.name for sub in self._top.subs if sub.exact]
        if len(rivals) > 1:
            code = self._problem.files.code
            raise SubmissionError(
                f"{shown(self._top.folder.name)} holds a submission of its own and folders that"
                f" hold one as well ({listed(rivals)}): it may be one student's or a class's."
                f" For a class, move {code} and its like out of it; for one student, name the"
                " file or a folder that holds nothing else."
            )

    def _nothing(self) -> str:
        other = sorted({name for survey in self._root.walk() for name in survey.other})
        seen = f" Found were: {listed(other)}." if other else ""
        files = self._problem.files
        if self._root.is_of_tools:
            return (
                f"{shown(self._root.folder.name)} is a problem pack, a folder of reports or a"
                " virtual environment. Name the folder with the students' work."
            )
        return (
            f"{shown(self._root.folder.name)} holds nothing to grade: no .py, .ipynb or .zip and"
            f" no {files.answers}.{seen} Name the folder that holds {files.code}, or one folder"
            " with a folder or file for each student."
        )

    def _warn(self, text: str) -> None:
        self._layout.warnings.append(text)


def _is_student(survey: Survey) -> bool:
    """Tell whether a folder in a class is a student by what it directly holds."""
    if survey.exact or survey.fault:
        return True
    mixed = any(s.has_exact for s in survey.subs) or sum(s.has_work for s in survey.subs) > 1
    return bool(survey.work) and not mixed


def _branches(survey: Survey) -> bool:
    """Tell whether several students may lie below."""
    busy = [sub for sub in survey.subs if sub.has_work]
    return len(busy) > 1 or any(_branches(sub) for sub in busy if not _is_student(sub))


def _is_one(work: tuple[File, ...]) -> bool:
    """Tell whether files are one student's: one alone, or one that the others were written for."""
    if len(work) == 1:
        return True
    if len(work) > _LINKED_FILES or len({folded(file.name) for file in work}) < len(work):
        return False
    stems = {stem_of(file.name) for file in work}
    imported = {name for file in work for name in _imports(file) if name != stem_of(file.name)}
    return len(stems - imported) == 1


def _text(file: File) -> str:
    """A file's text for a cheap look at it; empty if it has none."""
    try:
        return file.read(limits.CODE_BYTES).decode("utf-8", "replace")
    except (Unreadable, SubmissionError):  # told when it is read to be graded
        return ""


def _defines(file: File, functions: Sequence[str]) -> bool:
    """Tell whether a file may define what is asked for (an archive may)."""
    if kind_of(file.name) is not Kind.CODE:
        return True
    return bool(definitions(_text(file), functions).defined)


def _imports(file: File) -> Iterator[str]:
    """The modules that a file imports."""
    for match in _IMPORT.finditer(_text(file)):
        for name in match[1].split(","):
            yield name.strip().partition(".")[0]
