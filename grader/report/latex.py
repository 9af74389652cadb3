r"""LaTeX → MathML, for the formulas in a sentence or a statement: ``$k_j^\top q \gg 0$``.

Own code, because the text may be a student's: whatever is not in the tables of `symbols` is refused
(None), and all that comes out is escaped, without attributes that could link, style or fetch.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from markupsafe import Markup, escape

from grader.report import symbols

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_LENGTH = 1000
_DEPTH = 24
_RESERVED = frozenset("}^_&#%$\\")
_THIN = Markup('<mspace width=".17em"/>')


class _NotMath(ValueError):
    """The text is not of the part of LaTeX that is understood here."""


@lru_cache(maxsize=2048)
def to_mathml(source: str, *, block: bool = False) -> Markup | None:
    """Convert a formula; None where it is not LaTeX as understood here.  Never raises."""
    if len(source) > _LENGTH or not "".join(source.split()).isprintable():
        return None
    try:
        body = _Parser(source, block=block).whole()
    except _NotMath:
        return None
    display = Markup(' display="block"') if block else Markup("")
    return Markup('<math alttext="{}"{}><mrow>{}</mrow></math>').format(source, display, body)


def leaf(tag: str, text: str) -> Markup:
    """Make a MathML leaf (`mi`, `mn`, `mo`, `mtext`) with escaped text."""
    return Markup(f"<{tag}>{escape(text)}</{tag}>")  # noqa: S704 - the tags are ours


def wrap(tag: str, *children: Markup) -> Markup:
    """Put MathML elements into another."""
    return Markup(f"<{tag}>{Markup('').join(children)}</{tag}>")  # noqa: S704 - the tags are ours


_STACKED = frozenset(
    [leaf("mo", "∑"), leaf("mo", "∏"), *(leaf("mi", f) for f in ("max", "min", "lim", "argmax"))]
)


class _Parser:
    """One formula, read by recursive descent over its tokens."""

    def __init__(self, source: str, *, block: bool) -> None:
        self._tokens = _TOKEN.findall(source)
        self._at = 0
        self._depth = 0
        self._block = block

    def whole(self) -> Markup:
        """Read everything there is."""
        body = self._row()
        if self._peek():
            raise _NotMath(self._peek())
        if not body:
            raise _NotMath("nothing there")
        return Markup("").join(body)

    def _peek(self) -> str:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._peek()
        if not token or (expected and token != expected):
            raise _NotMath(token)
        self._at += 1
        return token

    def _row(self) -> list[Markup]:
        self._depth += 1
        if self._depth > _DEPTH:
            raise _NotMath("nested too deeply")
        row = []
        while self._peek() not in ("", "}", "&", r"\\", r"\right", r"\end"):
            row += self._spaced() if self._peek()[1:] in symbols.FUNCTIONS else [self._scripted()]
        self._depth -= 1
        return row

    def _spaced(self) -> list[Markup]:
        """A function's name, with a thin space where its argument has no parenthesis."""
        name = self._scripted()
        return [name] if self._peek() in ("(", "[", r"\left", "}", "") else [name, _THIN]

    def _scripted(self) -> Markup:
        base = self._atom()
        scripts: dict[str, Markup] = {}
        while self._peek() in ("^", "_", "'"):
            mark = self._take()
            place = "_" if mark == "_" else "^"
            if place in scripts:
                raise _NotMath("two scripts in one place")
            scripts[place] = leaf("mo", "′") if mark == "'" else self._argument()
        return self._with_scripts(base, scripts)

    def _with_scripts(self, base: Markup, scripts: dict[str, Markup]) -> Markup:
        if not scripts:
            return base
        stacked = self._block and base in _STACKED
        kinds = ("munder", "mover", "munderover") if stacked else ("msub", "msup", "msubsup")
        if len(scripts) == 2:
            return wrap(kinds[2], base, scripts["_"], scripts["^"])
        return wrap(kinds["^" in scripts], base, *scripts.values())

    def _argument(self) -> Markup:
        if self._peek() == "{":
            return self._group()
        if self._peek() in ("", "}", "^", "_"):
            raise _NotMath("an argument is missing")
        return self._atom()

    def _group(self) -> Markup:
        self._take("{")
        row = self._row()
        self._take("}")
        return row[0] if len(row) == 1 else wrap("mrow", *row)

    def _atom(self) -> Markup:
        if self._peek() == "{":
            return self._group()
        token = self._take()
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return leaf("mn", token)
        if token.isalpha():
            return leaf("mi", token)
        if token in _RESERVED:
            raise _NotMath(token)
        return leaf("mo", {"-": "−", "*": "∗", "~": "\u00a0"}.get(token, token))

    def _command(self, name: str) -> Markup:
        if name in _STRUCTURES:
            return _STRUCTURES[name](self)
        if name in symbols.IDENTIFIERS:
            return leaf("mi", symbols.IDENTIFIERS[name])
        if name in symbols.OPERATORS:
            return leaf("mo", symbols.OPERATORS[name])
        if name in symbols.FUNCTIONS:
            return leaf("mi", name)
        if name in symbols.SPACES:
            return Markup('<mspace width="{}"/>').format(symbols.SPACES[name])
        if name in symbols.IGNORED:
            return Markup("")
        if name in symbols.ACCENTS:
            return wrap("mover", self._argument(), leaf("mo", symbols.ACCENTS[name]))
        raise _NotMath(name)

    def _raw(self) -> str:
        """The text of a group that holds no commands."""
        self._take("{")
        end = next((i for i in range(self._at, len(self._tokens)) if self._tokens[i] == "}"), None)
        if end is None:
            raise _NotMath("an open brace")
        text = "".join(self._tokens[self._at : end])
        self._at = end + 1
        if not text or "{" in text or "\\" in text:
            raise _NotMath(text)
        return text

    def fraction(self) -> Markup:
        return wrap("mfrac", self._argument(), self._argument())

    def root(self) -> Markup:
        return wrap("msqrt", self._argument())

    def text(self) -> Markup:
        return leaf("mtext", self._raw())

    def upright(self) -> Markup:
        return leaf("mi", self._raw())

    def bold(self) -> Markup:
        return leaf("mi", "".join(map(_bold, self._letters())))

    def blackboard(self) -> Markup:
        letters = self._letters()
        if letters not in symbols.BLACKBOARD:
            raise _NotMath(letters)
        return leaf("mi", symbols.BLACKBOARD[letters])

    def _letters(self) -> str:
        text = self._raw() if self._peek() == "{" else self._take()
        return symbols.IDENTIFIERS.get(text[1:], text) if text.startswith("\\") else text

    def fenced(self) -> Markup:
        opening = self._fence()
        row = self._row()
        self._take(r"\right")
        return wrap("mrow", opening, *row, self._fence())

    def _fence(self) -> Markup:
        token = self._take()
        text = symbols.OPERATORS.get(token[1:], "") if token.startswith("\\") else token
        if text not in symbols.FENCES:
            raise _NotMath(token)
        return leaf("mo", text) if text != "." else Markup("")

    def environment(self) -> Markup:
        name = self._raw()
        if name not in symbols.ENVIRONMENTS:
            raise _NotMath(name)
        rows = [self._cells()]
        while self._peek() == r"\\":
            self._take()
            rows.append(self._cells())
        self._take(r"\end")
        if self._raw() != name:
            raise _NotMath(name)
        opening, closing = (leaf("mo", c) if c else Markup("") for c in symbols.ENVIRONMENTS[name])
        table = wrap("mtable", *(wrap("mtr", *row) for row in rows if row))
        return wrap("mrow", opening, table, closing)

    def _cells(self) -> list[Markup]:
        cells = [wrap("mtd", *self._row())]
        while self._peek() == "&":
            self._take()
            cells.append(wrap("mtd", *self._row()))
        return cells


def _bold(letter: str) -> str:
    if "A" <= letter <= "Z":
        return chr(0x1D400 + ord(letter) - ord("A"))
    return chr(0x1D41A + ord(letter) - ord("a")) if "a" <= letter <= "z" else letter


_STRUCTURES: dict[str, Callable[[_Parser], Markup]] = {
    **dict.fromkeys(("frac", "dfrac", "tfrac"), _Parser.fraction),
    **dict.fromkeys(("text", "textrm", "mbox", "textbf", "textit"), _Parser.text),
    **dict.fromkeys(("mathrm", "operatorname", "mathsf", "mathtt", "mathit"), _Parser.upright),
    **dict.fromkeys(("mathbf", "boldsymbol", "bm"), _Parser.bold),
    "sqrt": _Parser.root,
    "mathbb": _Parser.blackboard,
    "left": _Parser.fenced,
    "begin": _Parser.environment,
}
