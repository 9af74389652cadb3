"""Selection: which of a student's files is the code, and which others it may import."""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.evidence import Chunk
from grader.problem import Problem
from grader.submission import limits
from grader.submission.names import Kind, listed, same_name, shown, stem_of
from grader.submission.notebook import Notebook, read_notebook
from grader.submission.places import Unreadable
from grader.submission.source_text import Definitions, definitions, not_python, utf16_of
from grader.submission.student import Haul, Item, beside

_SIDE_FILES = ("test_", "conftest", "setup", "__init__", "__main__")
_STARTERS = frozenset(
    {"starter", "template", "skeleton", "handout", "original", "given", "old", "backup", "archive"}
    | {"test", "tests"}
)


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a submission; `problem` says why there is none that can be read."""

    chunks: tuple[Chunk, ...] = ()
    modules: Mapping[str, bytes] = field(default_factory=dict)
    notebook: bool = False
    warnings: tuple[str, ...] = ()
    problem: str = ""
    chosen: Item | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    item: Item
    definitions: Definitions
    digest: bytes
    fault: str = ""

    @property
    def rank(self) -> tuple[int, int]:
        return len(self.definitions.finished), len(self.definitions.defined)


def select(haul: Haul, problem: Problem, *, named: bool) -> Code:
    """Choose and read the code.

    `named` says that the very file was handed over by name, so that another name is no surprise.
    """
    return _Selector(haul, problem, named=named).select()


class _Selector:
    def __init__(self, haul: Haul, problem: Problem, *, named: bool) -> None:
        self._haul = haul
        self._problem = problem
        self._named = named
        self._warnings: list[str] = []

    def select(self) -> Code:
        items = self._haul.of(Kind.CODE, Kind.NOTEBOOK)
        if not items:
            return self._nothing()
        if len(items) > limits.CANDIDATES:
            self._warnings.append(f"Only the first {limits.CANDIDATES} code files were looked at.")
        # However many files there are, the one that was asked for is among those looked at.
        items = sorted(items, key=self._is_exact, reverse=True)
        candidates = [self._look(item) for item in items[: limits.CANDIDATES]]
        chosen = self._choose(candidates)
        if chosen is None:
            return Code(problem=self._undecided(candidates))
        try:
            return self._read(chosen.item)
        except Unreadable as fault:
            return Code(problem=str(fault), warnings=tuple(self._warnings), chosen=chosen.item)

    # --- choosing ------------------------------------------------------------------------------

    def _choose(self, candidates: list[_Candidate]) -> _Candidate | None:
        exact = [c for c in candidates if self._is_exact(c.item)]
        if exact:
            chosen = _best([c for c in exact if not _is_aside(c.item)] or exact, by_depth=True)
            others = [c for c in candidates if c not in exact]
            better = _best([c for c in others if c.definitions.finished])
            if chosen and chosen.definitions.unfinished and not chosen.fault and better:
                self._warnings.append(
                    f"{chosen.item.shown} is an unfinished starter; {better.item.shown} was graded"
                    " instead."
                )
                return better
            return chosen
        chosen = _best([c for c in candidates if not _is_aside(c.item)] or candidates)
        is_sole_notebook = len(candidates) == 1 and candidates[0].item.kind is Kind.NOTEBOOK
        if chosen and not (self._named or is_sole_notebook):  # a notebook may have any name
            self._warnings.append(
                f"{chosen.item.shown} was graded as {self._problem.files.code}, the name asked for."
            )
        return chosen

    def _is_exact(self, item: Item) -> bool:
        return same_name(item.path[-1], self._problem.files.code)

    def _look(self, item: Item) -> _Candidate:
        try:
            if item.kind is Kind.NOTEBOOK:
                data = item.file.read(limits.NOTEBOOK_BYTES)
                text = read_notebook(data, item.path[-1], self._problem.functions).code
            else:
                data = _python(item)
                text = data.decode(_encoding(data), "replace")
        except Unreadable as fault:
            nothing = Definitions(frozenset(), frozenset(), blank=False)
            return _Candidate(item, nothing, item.shown.encode(), str(fault))
        found = definitions(text, self._problem.functions)
        return _Candidate(item, found, hashlib.sha256(data).digest())

    def _undecided(self, candidates: Sequence[_Candidate]) -> str:
        names = listed([candidate.item.shown for candidate in candidates])
        return (
            f"Several files may be the one to grade: {names}."
            f" Name the one that is meant {self._problem.files.code} and take out its copies."
        )

    def _nothing(self) -> Code:
        """No code: nobody's fault if nothing was handed in, else said what was found."""
        faults = list(self._haul.faults)
        code = self._problem.files.code
        if others := self._haul.of(Kind.OTHER_ARCHIVE):
            faults.append(
                f"{others[0].shown} is an archive that is not read. Hand in {code} or a .zip."
            )
        if documents := self._haul.of(Kind.DOCUMENT):
            names = listed([item.shown for item in documents])
            faults.append(f"There is no Python file beside {names}. Hand in {code}.")
        return Code(problem=" ".join(faults))

    # --- reading -------------------------------------------------------------------------------

    def _read(self, item: Item) -> Code:
        name = item.path[-1]
        notebook: Notebook | None = None
        if item.kind is Kind.NOTEBOOK:
            data = item.file.read(limits.NOTEBOOK_BYTES)
            notebook = read_notebook(data, name, self._problem.functions)
            self._warnings += notebook.warnings
            chunks = notebook.chunks
        else:
            chunks = (Chunk(shown(name), _python(item)),)
        modules = self._modules(item)
        return Code(chunks, modules, notebook is not None, tuple(self._warnings), "", item)

    def _modules(self, chosen: Item) -> dict[str, bytes]:
        """The files that the chosen one may import, by the name it would import them under."""
        modules: dict[str, bytes] = {}
        size = 0
        for item in beside(self._haul.of(Kind.CODE), chosen):
            name = stem_of(item.path[-1])
            if not name.isidentifier() or item.path[-1].endswith(".txt"):
                continue
            try:
                source = _python(item)
            except Unreadable as fault:
                self._warnings.append(f"Not passed on for import: {fault}")
                continue
            size += len(source)
            if len(modules) == limits.MODULES or size > limits.MODULES_BYTES:
                self._warnings.append(
                    f"Only {len(modules)} modules were passed on for import; the limits are"
                    f" {limits.MODULES} files and {limits.size(limits.MODULES_BYTES)}."
                )
                break
            modules[name] = source
        return modules


def _best(candidates: list[_Candidate], *, by_depth: bool = False) -> _Candidate | None:
    """The clearly best candidate, if there is one: by what it defines, then by being topmost.

    `by_depth`, being topmost comes first.
    """
    usable = [c for c in candidates if not c.fault] or candidates
    if by_depth:
        usable = _topmost(candidates)
    if usable:
        best = max(candidate.rank for candidate in usable)
        usable = _topmost([candidate for candidate in usable if candidate.rank == best])
    if len({candidate.digest for candidate in usable}) == 1:
        return usable[0]
    # An export of a notebook lies beside it, under the same stem; the notebook is the original.
    notebooks = [c for c in usable if c.item.kind is Kind.NOTEBOOK]
    same_stem = len({stem_of(candidate.item.path[-1]) for candidate in usable}) == 1
    return notebooks[0] if same_stem and len(notebooks) == 1 else None


def _topmost(candidates: list[_Candidate]) -> list[_Candidate]:
    depth = min((len(candidate.item.path) for candidate in candidates), default=0)
    return [candidate for candidate in candidates if len(candidate.item.path) == depth]


def _is_aside(item: Item) -> bool:
    """Tell a file that is hardly meant: tests, packaging, a copy of the starter."""
    name = stem_of(item.path[-1]).casefold()
    if name.startswith(_SIDE_FILES) or name.endswith("_test"):
        return True
    return any(folder.casefold() in _STARTERS for folder in item.folder)


def _python(item: Item) -> bytes:
    """A `.py` file's bytes; raises Unreadable if they cannot be Python."""
    data = item.file.read(limits.CODE_BYTES)
    if why := not_python(data):
        raise Unreadable(f"{shown(item.path[-1])} {why}")
    return data


def _encoding(data: bytes) -> str:
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8-sig"
    return utf16_of(data) or "latin-1"
