"""Takes what only a notebook understands out of a code cell, and keeps every line's number."""

from __future__ import annotations

import re

# `%%time` and its like run their body as it stands; the body of any other is no Python, or not run.
_KEEP_BODY = frozenset({"time", "timeit", "capture", "prun"})
_CELL_MAGIC = re.compile(r"%%(\w*)")
_TIMED = re.compile(r"(?:%time[ \t]+(?=\S))*")
_SHELL = re.compile(
    r"[%!?]"
    r"|(?:pip3?|conda|mamba)[ \t]+install\b"
    r"|[A-Za-z_][\w.\[\], \t]*=[ \t]*[%!]"
    r"|[\w.*\[\]]+\?{1,2}[ \t]*\Z"
)
_MARK = re.compile(r"""\\.?|'''|\"""|['"#()\[\]{}]""")


def plain_python(source: str) -> tuple[str, str]:
    """Return a cell as plain Python, and the name of the cell magic if that makes it no Python.

    Magics and shell lines become ``pass`` or blank lines, so that line numbers stay true.
    """
    lines = source.split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    magic = _CELL_MAGIC.match(lines[first].strip())
    if magic:
        if magic[1] not in _KEEP_BODY:
            return "", f"%%{magic[1]}"
        lines[first] = ""
    return "\n".join(_without_magics(lines)), ""


def _without_magics(lines: list[str]) -> list[str]:
    plain = []
    scan = _Scan()
    dropping = False
    for line in lines:
        code = line.lstrip(" \t")
        indent = line[: len(line) - len(code)]
        if dropping:
            dropping = line.rstrip().endswith("\\")
            plain.append("")
        elif scan.inside:
            scan.advance(line)
            plain.append(line)
        elif _SHELL.match(code := _TIMED.sub("", code, count=1)):
            dropping = line.rstrip().endswith("\\")
            plain.append(f"{indent}pass")
        else:
            scan.advance(code)
            plain.append(indent + code)
    return plain


class _Scan:
    """Follows brackets, strings and continued lines, to know where a statement can begin."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def inside(self) -> bool:
        """Whether the next line goes on with a statement or string begun before."""
        return bool(self._depth or self._quote or self._continued)

    def advance(self, line: str) -> None:
        """Take in one line."""
        self._continued = False
        for mark in _MARK.findall(line):
            if mark == "\\":
                self._continued = True
            elif mark[0] == "\\":
                continue
            elif self._quote:
                self._in_string(mark)
            elif mark == "#":
                break
            elif mark[0] in "'\"":
                self._quote = mark
            else:
                self._depth = max(self._depth + (1 if mark in "([{" else -1), 0)
        if len(self._quote) == 1 and not self._continued:
            self._quote = ""

    def _in_string(self, mark: str) -> None:
        # Three quote marks in a string of single ones close it, open another and close that.
        if mark == self._quote or (len(self._quote) == 1 and mark == self._quote * 3):
            self._quote = ""
