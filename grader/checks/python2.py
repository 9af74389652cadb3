"""Recognising Python 2 by the errors that Python 3 gives for it."""

from __future__ import annotations

import re

_NAMES = {
    "xrange": "`xrange` is `range` now",
    "raw_input": "`raw_input` is gone, and there is no keyboard here",
    "unicode": "`unicode` is `str` now",
    "basestring": "`basestring` is `str` now",
    "long": "`long` is `int` now",
    "unichr": "`unichr` is `chr` now",
    "reduce": "`reduce` is in `functools` now",
    "execfile": "`execfile` is gone",
}

_MODULES = {"urllib2", "cPickle", "StringIO", "cStringIO", "Queue", "Tkinter", "ConfigParser"}

# message, source line (both patterns, searched), what changed
_SYNTAX = (
    (r"Missing parentheses in call to 'print'", r"", "`print` is a function now"),
    (r"Missing parentheses in call to 'exec'", r"", "`exec` is a function now"),
    (r"multiple exception types must be parenthesized", r"",
     "`except Error, e` is `except Error as e` now"),
    (r"leading zeros in decimal integer", r"", "octal numbers are written `0o17` now"),
    (r"invalid decimal literal", r"\b\d+[lL]\b", "integers have no `L` any more"),
    (r"", r"^\s*print\s+[^\s(=.,:)\]]", "`print` is a function now"),
    (r"", r"^\s*raise\s+\w+\s*,", "`raise Error, text` is `raise Error(text)` now"),
    (r"", r"^\s*except\s+[\w.]+\s*,\s*\w+\s*:", "`except Error, e` is `except Error as e` now"),
    (r"", r"<>", "`<>` is `!=` now"),
    (r"", r"^[^'\"#]*`[^`]+`", "backticks are `repr()` now"),
)  # fmt: skip


def change(kind: str, message: str, line: str = "") -> str:
    """Say which change since Python 2 an exception comes from, or "" where it does not.

    `kind` is the exception's type, `line` the source line it came from.
    """
    if kind == "SyntaxError":
        fitting = (said for m, at, said in _SYNTAX if re.search(m, message) and re.search(at, line))
        return next(fitting, "")
    if kind == "NameError":
        name = re.search(r"name '(\w+)' is not defined", message)
        return _NAMES.get(name[1], "") if name else ""
    if kind == "ModuleNotFoundError":
        name = re.search(r"No module named '(\w+)'", message)
        if name and name[1] in _MODULES:
            return f"the module `{name[1]}` has another name now"
        return ""
    if kind == "AttributeError":
        name = re.search(r"'dict' object has no attribute '(iter\w+|has_key)'", message)
        return f"dictionaries have no `{name[1]}` any more" if name else ""
    if kind == "TypeError" and ">>: 'builtin_function_or_method'" in message:
        return "`print >>file` is `print(…, file=file)` now"
    return ""
