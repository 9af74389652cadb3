"""Entries 58–63, 66 and 68: what is handed in besides code that attacks when it runs: archives,
links, notebooks, formulas, words and names."""

from __future__ import annotations

import io
import json
import os
import socket
import stat
import struct
import warnings
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.attack.model import Outcomes

RIGHT_CODE = b"def double(x): return 2 * x\ndef half(x): return x / 2\ndef managed(): return ''\n"
WRONG_CODE = RIGHT_CODE.replace(b"2 * x", b"0 * x")
PASSED: Outcomes = {"doubles": "passed", "arrays": "passed", "managed": "passed"}
NOT_READ: Outcomes = {"doubles": "error", "arrays": "error"}


@dataclass(frozen=True)
class Places:
    """Where an attack of this kind aims."""

    root: Path
    reference: Path

    def canary(self, name: str) -> Path:
        """A file that only an attack would make."""
        return self.root / "canaries" / name


Make = Callable[[Path, Places], None]
"""Writes a submission to a path (without suffix) of its own."""


@dataclass(frozen=True)
class HandedIn:
    """One submission; its path is its name, so `name` ends up in an id."""

    entry: int
    name: str
    make: Make
    deserves: Outcomes = field(default_factory=lambda: PASSED)
    suffix: str = ""
    only_root: bool = False

    @property
    def id(self) -> str:
        return f"{self.entry:02}-{self.name}"


# --- makers --------------------------------------------------------------------------------------


def files(**named: bytes) -> Make:
    """A folder with work.py and more; `__` in a name stands for a dot."""

    def make(path: Path, places: Places) -> None:
        path.mkdir(parents=True)
        for name, data in {"work__py": RIGHT_CODE, **named}.items():
            target = path / name.replace("__", ".")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    return make


def answers(text: str, code: bytes = RIGHT_CODE) -> Make:
    """A folder with work.py and answers.md."""

    def make(path: Path, places: Places) -> None:
        written = text.replace("CANARY", str(places.canary("formula")))
        files(work__py=code, answers__md=written.encode("utf-8", "surrogatepass"))(path, places)

    return make


Entries = list[tuple[zipfile.ZipInfo | str, bytes]]


def zip_of(entries: Callable[[Places], Entries] | Entries, damage: Callable[[bytes], bytes] = bytes) -> Make:  # fmt: skip
    """A zip of entries in this order, made without complaint."""

    def make(path: Path, places: Places) -> None:
        given = entries(places) if callable(entries) else entries
        path.with_name(path.name + ".zip").write_bytes(damage(zipped(given)))

    return make


def zipped(entries: Entries) -> bytes:
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for info, data in entries:
                archive.writestr(info, data)
    return buffer.getvalue()


def special(name: str, mode: int) -> zipfile.ZipInfo:
    """An entry that claims to be a link, a device or a pipe."""
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    return info


def notebook(*cells: str, **top: object) -> Make:
    """A notebook of code cells, one of which is right."""

    def make(path: Path, places: Places) -> None:
        path.mkdir(parents=True)
        sources = [c.replace("CANARY", str(places.canary("notebook"))) for c in cells]
        made = [
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
            for source in (*sources, RIGHT_CODE.decode())
        ]
        document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made, **top}
        (path / "work.ipynb").write_text(json.dumps(document))

    return make


def raw_notebook(text: str | bytes) -> Make:
    def make(path: Path, places: Places) -> None:
        path.mkdir(parents=True)
        (path / "work.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())

    return make


def on_disk(place: Callable[[Path, Places], object]) -> Make:
    """A folder in whose work.py something other than a file is put."""

    def make(path: Path, places: Places) -> None:
        path.mkdir(parents=True)
        (path / "answers.md").write_text("## c\nnothing\n")
        place(path / "work.py", places)

    return make


def _socket(path: Path, places: Places) -> None:
    # A path longer than an address may be is given from its folder.
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


def _sparse(path: Path, places: Places) -> None:
    with open(path, "wb") as file:
        file.truncate(1 << 40)


def _many(path: Path, places: Places) -> None:
    path.write_bytes(RIGHT_CODE)
    for i in range(2500):
        (path.parent / f"{i}.py").write_bytes(b"")


def _deep(path: Path, places: Places) -> None:
    path.write_bytes(RIGHT_CODE)
    (path.parent / "/".join("d" * 60)).mkdir(parents=True)


def _overlapping(data: bytes) -> bytes:
    """Many entries of the table of contents that share one compressed megabyte."""
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    entry, body = data[start:end], data[:start]
    tables = b"".join(entry.replace(b"big0000", f"big{i:04}".encode()) for i in range(3000))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 3000, 3000, len(tables), len(body), 0)
    return body + tables + tail


def _claims(size: int) -> Callable[[bytes], bytes]:
    """The table of contents claims a size for the first entry."""

    def damage(data: bytes) -> bytes:
        at = data.index(b"PK\x01\x02") + 24
        return data[:at] + struct.pack("<L", size) + data[at + 4 :]

    return damage


def _encrypted(data: bytes) -> bytes:
    changed = bytearray(data)
    changed[6] |= 1
    changed[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def _up(places: Places, name: str) -> str:
    return "../" * 20 + str(places.canary(name)).lstrip("/")


GOOD = ("work.py", RIGHT_CODE)
_ZIPS: Mapping[str, Make] = {
    "slip": zip_of(lambda p: [GOOD, (_up(p, "slip"), b"x")]),
    "slip-in-folder": zip_of(lambda p: [GOOD, ("a/b/" + _up(p, "slip"), b"x")]),
    "slip-backslash": zip_of(lambda p: [GOOD, (_up(p, "slip").replace("/", "\\"), b"x")]),
    "absolute": zip_of(lambda p: [GOOD, (str(p.canary("slip")), b"x")]),
    "drive": zip_of([GOOD, ("C:/work.py", b"x")]),
    "encrypted": zip_of([GOOD], _encrypted),
    "cut": zip_of([GOOD], lambda data: data[:-30]),
    "bomb": zip_of([GOOD, *((f"{i}.txt", bytes(9_000_000)) for i in range(4))]),
    "bomb-in-zips": zip_of([("a.zip", zipped([("b.zip", zipped([("c.zip", zipped([GOOD]))]))]))]),
    "link-to-reference": zip_of(
        lambda p: [(special("work.py", stat.S_IFLNK), str(p.reference).encode())]
    ),
    "device": zip_of([(special("work.py", stat.S_IFCHR), b"")]),
    "pipe": zip_of([(special("work.py", stat.S_IFIFO), b"")]),
    "socket": zip_of([(special("work.py", stat.S_IFSOCK), b"")]),
    "twice": zip_of([("work.py", WRONG_CODE), GOOD]),
    "claims-4-gb": zip_of([GOOD], _claims(0xFFFFFFF0)),
    "claims-too-little": zip_of([("work.py", RIGHT_CODE + b"#" * 900_000)], _claims(10)),
    "overlapping": zip_of([("big0000.txt", bytes(1_000_000))], _overlapping),
    "damaged": zip_of([GOOD], lambda data: data.replace(data[40:44], b"\xff\xff\xff\xff", 1)),
}
_HARMLESS_ZIPS: Mapping[str, Make] = {
    # What is not needed is never unpacked.
    "link-beside": zip_of(
        lambda p: [GOOD, (special("answers.md", stat.S_IFLNK), str(p.reference).encode())]
    ),
    "link-to-folder": zip_of(
        lambda p: [GOOD, (special("sub", stat.S_IFLNK), b"/"), ("sub/etc/x.txt", b"x")]
    ),
}
_DISK: Mapping[str, Callable[[Path, Places], object]] = {
    "link-to-reference": lambda path, places: path.symlink_to(places.reference),
    "link-to-device": lambda path, places: path.symlink_to("/dev/zero"),
    "link-to-itself": lambda path, places: path.symlink_to(path.name),
    "link-relative": lambda path, places: path.symlink_to(
        os.path.relpath(places.reference, path.parent)
    ),
    "pipe": lambda path, places: os.mkfifo(path),
    "socket": _socket,
    "terabyte": _sparse,
    "folder": lambda path, places: path.mkdir(),
}
_SHELL = "touch CANARY"
_MAGICS: Mapping[str, Make] = {
    "shell": notebook(f"!{_SHELL}"),
    "shell-assigned": notebook(f"x = !{_SHELL}"),
    "shell-in-function": notebook(f"def f():\n    !{_SHELL}\nf()"),
    "shell-continued": notebook(f"!echo \\\n; {_SHELL}"),
    "system": notebook(f"%system {_SHELL}"),
    "sx": notebook(f"%sx {_SHELL}"),
    "cell-bash": notebook(f"%%bash\n{_SHELL}"),
    "cell-script": notebook(f"%%script bash\n{_SHELL}"),
    "cell-writefile": notebook("%%writefile CANARY\nx"),
    "cell-python": notebook("%%python\nopen('CANARY', 'w')"),
    "cell-capture": notebook(f"%%capture\n!{_SHELL}"),
    "cell-time": notebook("%%time\nopen('CANARY', 'w')"),
    "run": notebook("%run CANARY"),
    "load": notebook("%load CANARY"),
    "time-line": notebook("%time open('CANARY', 'w')"),
    "get-ipython": notebook(f"get_ipython().system('{_SHELL}')"),
    "run-line-magic": notebook(f"get_ipython().run_line_magic('sx', '{_SHELL}')"),
    "python": notebook(f"import os\nos.system('{_SHELL}')"),
    "question": notebook("open?\n??open"),
    "pip": notebook("pip install CANARY\n%pip install CANARY\n%conda install CANARY"),
    "javascript": notebook("%%javascript\nalert(1)"),
}
_NOTEBOOKS: Mapping[str, tuple[Make, Outcomes]] = {
    "format-of-the-future": (notebook(nbformat=999), PASSED),
    "format-as-text": (notebook(nbformat="4\n; rm -rf"), PASSED),
    "format-missing": (notebook(nbformat=None), PASSED),
    "huge-outputs": (
        notebook(metadata={"widgets": {"x": "<script>hostile</script>" * 1000}}), PASSED,
    ),
    "another-language": (notebook(metadata={"kernelspec": {"language": "bash"}}), NOT_READ),
    "no-cells": (raw_notebook('{"nbformat": 4}'), NOT_READ),
    "cells-of-nonsense": (raw_notebook('{"cells": [1, null, {}, {"cell_type": []}]}'),
                          {"doubles": "missing"}),
    "deep": (raw_notebook("[" * 10**5), NOT_READ),
    "deep-cells": (raw_notebook('{"cells": ' + "[" * 5000 + "]" * 5000 + "}"), NOT_READ),
    "no-json": (raw_notebook(b"\xff\xfe\x00"), NOT_READ),
    "a-pickle": (raw_notebook(b"\x80\x04cos\nsystem\n."), NOT_READ),
    "million-brackets": (raw_notebook("[" + "[]," * 400_000 + "[]]"), NOT_READ),
    "source-of-numbers": (raw_notebook(json.dumps(
        {"cells": [{"cell_type": "code", "source": [1, {"a": 2}, None]}]})), {"doubles": "missing"}),
}  # fmt: skip

FORMULAS = (
    "__import__('os').system('touch CANARY')", "exec('open(\"CANARY\", \"w\")')",
    "open('CANARY', 'w')", "eval('1')", "().__class__.__bases__[0].__subclasses__()",
    "[c for c in ().__class__.__base__.__subclasses__()]", "lambda: 1", "n.__class__",
    "f'{n}'", "n if n else eps", "import os", "(yield n)", "n := 1", "print(n)", "globals()",
    "9**9**9", "9^9^9^9", "10^10^10^10", "n**(n**(n**n))", "n^n^n^n^n^n", "(1+1/n)^(10^18)",
    "factorial(10**9)", "factorial(factorial(n))", "(10**9)!", "n!!!!", "(n!)!",
    "binomial(10**9, 5*10**8)", "gamma(10**12)", "zeta(10**9)", "exp(exp(exp(exp(n))))",
    "sin(10^(10^5))", "1e999999999", "10^" + "9" * 300, "1" * 3900, "0." + "0" * 3900 + "1",
    "(n+eps+1)^400 - (n+eps+1)^399", "*".join(["(n+eps)"] * 400), "+".join(["n"] * 1500),
    "(" * 10**5 + "n" + ")" * 10**5, "(" * 450 + "n" + ")" * 450, "(" * 90 + "n" + ")" * 90,
    "-" * 900 + "n", "n^" * 450 + "n", "sqrt(" * 150 + "n" + ")" * 150, "|" * 450 + "n" + "|" * 450,
    "log" * 300 + "n", "\\left(" * 150, "\\frac{n}{eps}" * 70, "n" * 900, "+".join(["n"] * 450),
    "*".join(["(n+eps)"] * 110), "1" * 900, "0." + "0" * 900 + "1", "n!" * 400, "exp(" * 190 + "n", "\\input{/etc/passwd}",
    "\\write18{touch CANARY}", "1/0", "0/0", "nan", "inf", "oo", "zoo", "n;n", "{n}", "x" * 9**4,
    "\x00n", "\x1b[31mn", "n\u202e)n(", "\ud800", "\uff11\uff12", "n\u0301", "sum(range(10**9))",
)  # fmt: skip
WORDS = {
    "letters": "a " * 2400,
    "one-word": "a" * 4900,
    "no-ends": "aa b " * 900 + "deviation",
    "almost": ("deviations " + "a aa b " * 30) * 20,
    "gaps": " ".join(["deviations"] * 400),
    "alternating": "a b " * 1200,
    "negations": "not " * 1200 + "cancel",
    "brackets": "(" * 4900,
    "spaces": "deviations" + " " * 4800 + "cancel",
    "sentences": "a. " * 1600,
    "symbols": "$n$ " * 1200,
    "unicode": "\u0300" * 2400,
    "emphasis": "*a* **b** " * 400,
    "links": "[a](b)" * 700,
    "html": "<" * 4900,
    "code": "`" * 4900,
    "heading": "#" * 4900,
    "long": "a b " * 200_000,
    "lines": "\n" * 19_000,
    "quotes": ">" * 4900,
    "nested-lists": "".join("  " * i + "- a\n" for i in range(60)),
}
_CLEAR = {"spaces": "passed"}
"""What says what was asked, however far apart."""
SCRIPTS = (
    "<script>hostile()</script>", "<img src=x onerror=hostile()>", "\"><svg onload=hostile()>",
    "';hostile()//", "</title><script>hostile()</script>", "<a href=javascript:hostile()>x</a>",
    "javascript:hostile()", "{{hostile()}}", "{% include 'hostile' %}", "${hostile()}",
    "<!--<script>hostile()", "]]><hostile/>", "&lt;script&gt;hostile()", "<iframe srcdoc=hostile>",
    "<style>@import 'hostile'</style>", "<math><mtext></mtext><hostile>",
)  # fmt: skip
"""Text that a page must show and not obey; each holds the word by which it is recognised."""
CONTROLS = (
    "\x1b[31mred", "\x1b]0;title\x07", "\x1b]8;;http://x\x07link\x1b]8;;\x07", "\x1bP+q\x1b\\",
    "\x9b31m", "\rover", "\x08\x08\x08", "\x00", "\x07", "\u202eright", "\u2066x\u2069", "\u200b",
    "\u2028", "\ufeff", "\U000e0041", "\x7f", "\x85",
)  # fmt: skip
"""Text that a terminal would obey."""
CELLS = (
    "=1+1", "=cmd|' C calc'!A0", "+1", "-1+1", "@SUM(1)", "\t=1", " =1", "\uff1d1", "%=1", "'=1",
    "=HYPERLINK(1)", ";=1", ",=1",
)  # fmt: skip
"""Names that a spreadsheet would take for formulas."""


def _obeying(text: str) -> Make:
    """One submission that says a text everywhere where a student can say something."""
    quoted = ascii(text)
    code = (
        f"class Odd(Exception): pass\nOdd.__qualname__ = {quoted}\n"
        f"print({quoted})\n"
        f"def double(x):\n    print({quoted})\n    raise Odd({quoted})\n"
        f"def half(x): return {quoted}\n"
        f"def managed(): return {quoted}\n"
        f"globals()[{quoted}] = double\n"
    ).encode()
    words = f"## b\nm = {text}\n\n## c\n{text}\n"
    return answers(words, code)


def _named(name: str) -> Make:
    """A submission whose folder, or file inside, has a name of its own."""

    def make(path: Path, places: Places) -> None:
        files()(path.with_name(name), places)

    return make


SUBMISSIONS: tuple[HandedIn, ...] = (
    *(HandedIn(58, f"zip-{name}", make, NOT_READ) for name, make in _ZIPS.items()),
    *(HandedIn(58, f"zip-{name}", make, PASSED)
      for name, make in _HARMLESS_ZIPS.items()),
    *(HandedIn(58, f"disk-{name}", on_disk(place), {"doubles": "error|missing"})
      for name, place in _DISK.items()),
    HandedIn(58, "disk-device", on_disk(lambda path, places: os.mknod(
        path, stat.S_IFCHR | 0o666, os.makedev(1, 5))), NOT_READ, only_root=True),
    HandedIn(58, "disk-link-to-pack",
             lambda path, places: path.symlink_to(places.reference.parent), NOT_READ),
    HandedIn(58, "disk-many-files", on_disk(_many)),
    HandedIn(58, "disk-deep-folders", on_disk(_deep)),
    *(HandedIn(59, f"magic-{name}", make) for name, make in _MAGICS.items()),
    *(HandedIn(59, f"notebook-{name}", make, deserves)
      for name, (make, deserves) in _NOTEBOOKS.items()),
    *(HandedIn(60, f"formula-{i:02}", answers(f"## b\nm = {formula}\n"),
               {**PASSED, "formula": "failed|needs_review|missing"})
      for i, formula in enumerate(FORMULAS)),
    *(HandedIn(61, f"script-{i:02}", _obeying(text),
               {"doubles": "error", "managed": "failed", "formula": "failed|needs_review|missing"})
      for i, text in enumerate(SCRIPTS)),
    *(HandedIn(63, f"control-{i:02}", _obeying(text),
               {"doubles": "error", "managed": "failed", "formula": "failed|needs_review|missing"})
      for i, text in enumerate(CONTROLS)),
    *(HandedIn(68, f"words-{name}", answers(f"## c\n{text}\n"),
               {**PASSED, "words": _CLEAR.get(name, "needs_review|missing")}) for name, text in WORDS.items()),
)  # fmt: skip
NAMES: tuple[str, ...] = (
    # The numbers keep apart what becomes one id, which would be refused.
    *(f"{text}{i:02}".replace("/", "\u2215") for i, text in enumerate((*CELLS, *SCRIPTS, *CONTROLS))
      if "\0" not in text), "n" * 255, "con", "nul.txt", "COM1", "trailing.", "a b", "index", "results", "gradebook", "{}", "$(touch x)", "`touch x`",
    "%s%n", "-rf", "--output=x", "é", "名前", "\U0001f600",
)  # fmt: skip
"""Names of folders, which each hold a right submission.  (Those that begin with a dot belong to
tools.)"""
