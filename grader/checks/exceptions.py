"""What a student's exception means, in a sentence beside its exact type and message.

Only frequent and certain explanations are given; an exception that is not known here speaks for
itself.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Mapping

from grader.checks import naming, python2
from grader.evidence import StudentError
from grader.value import cut

_MESSAGE_LIMIT = 500

_ALIASES = {
    "np": "import numpy as np",
    "numpy": "import numpy",
    "math": "import math",
    "random": "import random",
    "sqrt": "from math import sqrt",
    "exp": "from math import exp",
    "log": "from math import log",
}

# type's own name (a pattern), message (a pattern, searched), what to say; {} takes a group.
# Few runs need any of them, so `re` compiles them, and remembers, when one does.
_SENTENCES = (
    (r"EOFError|RuntimeError", r"EOF when reading a line|input\(\): lost sys.stdin",
     "input() was called; there is no keyboard here. Take what you need from the arguments."),
    (r"RecursionError", r"",
     "A function calls itself without end: check the case in which it should stop."),
    (r"TabError", r"", "Tabs and spaces are mixed in the indentation: use spaces only."),
    (r"IndentationError", r"",
     "The indentation is wrong: the lines of a block start in one column; `:` opens a block."),
    (r"SyntaxError", r"invalid (?:non-printable )?character .*\(?U\+",
     "A character copied from a document does not belong to Python: type it again."),
    (r"SyntaxError|ValueError", r"null bytes",
     "The file holds NUL bytes: it may be UTF-16, or no text at all. Save it as UTF-8."),
    (r"SyntaxError", r"codec can't decode byte (0x[0-9a-f]{2})",
     "The file is not UTF-8 text (byte {}): save it as UTF-8, or name its encoding in line 1."),
    (r"SyntaxError", r"Non-UTF-8 code starting with '(\\x[0-9a-f]{2})'",
     "The file is not UTF-8 text (byte {}): save it as UTF-8, or name its encoding in line 1."),
    (r"SyntaxError", r"(?:unknown encoding|encoding problem): ?([\w-]{1,40})",
     "The file's first lines name an encoding that does not fit it ({}): save it as UTF-8."),
    (r"UnicodeDecodeError", r"'([\w-]{1,40})' codec can't decode byte (0x[0-9a-f]{2})",
     "The text is not {} (byte {}): save the file as UTF-8."),
    (r"ModuleNotFoundError", r"^No module named '(\w{1,40})\.([\w.]{1,60})'(?:;|$)",
     "`{}` is there, but no `{}` in it: look at the spelling."),
    (r"ModuleNotFoundError",
     r"No module named '(matplotlib|scipy|pandas|torch|tensorflow|jax|sklearn|seaborn"
     r"|\w{1,40}(?='.*only the author))\b",
     "`{}` is not there when this is graded: leave the import out, and what needs it."),
    (r"ModuleNotFoundError", r"No module named '([\w.]{1,80})'",
     "If `{}` is a file of yours, hand it in too; else do without it: it is not there when "
     "this is graded."),
    (r"FileNotFoundError|PermissionError|OSError", r"",
     "Graded code works on its arguments alone; files and the network are out of its reach."),
    (r"_?UFunc\w*Error|TypeError", r"Cannot cast ufunc .* output from .*float.* to .*int",
     "An array of integers cannot take fractions in place (`x -= …`): write `x = x - …`."),
    (r"UnboundLocalError", r"variable '(\w{1,60})'",
     "`{}` is assigned somewhere in this function, so it is local here, and not set yet."),
    (r"AttributeError", r"'(list|tuple|float|int)' object has no attribute",
     "This is a plain {}, not an array: `np.asarray(…)` makes one."),
    (r"AttributeError|TypeError", r"'?NoneType'?",
     "Something is None here: a function without `return` gives None, and so do methods that "
     "work in place."),
    (r"ValueError", r"does not have enough dimensions",
     "A number stands where an array should, or None from a function without `return`."),
    (r"ValueError", r"math domain error|expected a (?:non-negative|positive) input",
     "A function of `math` was given a number for which it is not defined, as in log(0)."),
    (r"OverflowError", r"",
     "A number grew larger than Python can hold here; exp does above about 709."),
    (r"ValueError", r"could not be broadcast|not aligned|mismatch in its core dimension",
     "The shapes do not fit together: compare the `.shape` of what is combined."),
    (r"IndexError", r"out of (?:bounds|range)", "Indices count from 0, to the size less one."),
    (r"LinAlgError", r"[Ss]ingular",
     "The matrix has no inverse; `np.linalg.lstsq` or `np.linalg.pinv` need none."),
    (r"AssertionError", r"", "An `assert` in your own code did not hold."),
)  # fmt: skip


def headline(error: StudentError) -> str:
    """An exception as Python writes it, ``ValueError: …``, with a long message cut."""
    kind, message = cut(error.type, 100), cut(error.message, _MESSAGE_LIMIT)
    return f"{kind}: {message}" if message else kind


def explanation(
    error: StudentError,
    function: str = "",
    parameters: Iterable[str] = (),
    defined: Mapping[str, str] | None = None,
) -> str:
    """Explain an exception, or return "" where its own message must do.

    `function` with its `parameters` is the call that was made, `defined` what the code defines.
    """
    kind = error.type.rpartition(".")[2]
    message = cut(error.message, _MESSAGE_LIMIT)
    line = error.where.text[:_MESSAGE_LIMIT] if error.where else ""
    changed = python2.change(kind, message, line)
    if changed:
        number = f" (line {error.where.line})" if error.where else ""
        return f"This looks like Python 2{number}: {changed}."
    if kind == "NameError":
        return _unknown_name(message, line, defined or {})
    return _wrong_count(kind, message, function, tuple(parameters)) or _sentence(kind, message)


def _sentence(kind: str, message: str) -> str:
    for kinds, pattern, said in _SENTENCES:
        found = re.search(pattern, message) if re.fullmatch(kinds, kind) else None
        if found:
            return said.format(*found.groups())
    return ""


def _unknown_name(message: str, line: str, defined: Mapping[str, str]) -> str:
    found = re.search(r"name '(\w{1,60})' is not defined", message)
    if not found:
        return ""
    name = found[1]
    if name in _ALIASES:
        return f"`{name}` is not imported: is `{_ALIASES[name]}` missing?"
    meant = naming.suggestion(name, (*defined, *dir(builtins)))
    if meant:
        return meant
    if re.search(rf"\b{name}\s*\(", line):
        return (
            f"There is no `{name}` to call: your code does not define it, or failed before it did."
        )
    return (
        f"`{name}` has no value here: take what you need from the arguments. What stands under "
        '`if __name__ == "__main__":` is not run.'
    )


def _wrong_count(kind: str, message: str, function: str, parameters: tuple[str, ...]) -> str:
    """The student's function takes other arguments than the exercise gives it."""
    if kind != "TypeError" or not function or f"{function}()" not in message:
        return ""
    if not re.search(r"takes .* arguments?|missing \d+ required|unexpected keyword", message):
        return ""
    return f"It is called as `{function}({', '.join(parameters)})`."
