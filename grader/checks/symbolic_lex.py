"""The words of a formula: text → tokens, for `symbolic_parse`.

Knows the many spellings of one thing (``·``, ``\\cdot``, ``*``; ``²``, ``^2``; ``ε``,
``\\varepsilon``, ``eps``), and keeps the place of each word in the text, for messages.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "name", "mark", "fraction", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its kind, its plain spelling, and where it starts in the text."""

    kind: Kind
    text: str
    at: int


class Unreadable(Exception):
    """Raised and caught inside reading: what cannot be read, and where in the text."""

    def __init__(self, reason: str, at: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


_MARKS = {
    **dict.fromkeys("-−–—‒﹣－", "-"), **dict.fromkeys("+＋", "+"),
    **dict.fromkeys("*·⋅∙•×✕✖∗⁎⨯＊", "*"), **dict.fromkeys("/÷∕⁄／", "/"), "^": "^", "√": "√",
    **{bracket: bracket for bracket in "()[]{}"}, "（": "(", "）": ")", ",": ",",
}  # fmt: skip
_COMMAND_MARKS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "lbrack": "[", "rbrack": "]",
    "lbrace": "{", "rbrace": "}",
}  # fmt: skip
_SILENT_COMMANDS = frozenset({
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr",
    "Biggl", "Biggr", "quad", "qquad", "displaystyle", "textstyle",
})  # fmt: skip
_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac"})
_RAISED = {
    **dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)), "⁺": "+", "⁻": "-", "⁽": "(", "⁾": ")",
    "ⁿ": "n", "ᵐ": "m", "ᵏ": "k", "ˣ": "x", "ʸ": "y", "ᵗ": "t", "ᵈ": "d", "ⁱ": "i", "ʲ": "j",
}  # fmt: skip

_SILENT = re.compile(r"[\s$`]|\\[,;:! ()]|(?:np|numpy|math)\.(?=[A-Za-z])")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_UPRIGHT = re.compile(r"\\(?:mathrm|operatorname\*?|text|mathit|mathop)\s*\{\s*([A-Za-z]+)\s*\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*|[\u0370-\u03ff]")
_SUBSCRIPT = re.compile(
    r"\\?_(?:\{[A-Za-z0-9, ]{1,20}\}|[A-Za-z0-9]+)|[\u2080-\u209c\u1d62-\u1d6a\u2c7c]+"
)
_CLOSING = " \t\r\n$`.,;。"
"""What may follow a formula: the end of its sentence, of its code or of its mathematics."""
_LUNATE = {"ɛ": "ε", "∊": "ε", "µ": "μ"}


def tokens(text: str) -> list[Token]:
    """Split a formula into words, the last of kind ``end``.

    Raises:
        Unreadable: at a character that no formula has.
    """
    plain = "".join(map(_plain, text))
    found: list[Token] = []
    at, end = 0, len(plain.rstrip(_CLOSING))
    while at < end:
        words, at = _next(plain, at)
        found += words
    return [*found, Token("end", "", end)]


def _plain(character: str) -> str:
    """One character for one: mathematical alphabets and wide forms as the letter they show."""
    if character in _MARKS or character in _RAISED or character.isascii():
        return character
    if unicodedata.category(character) == "Cf" or character.isspace():
        return " "  # invisible, as pasted from a web page
    if unicodedata.decomposition(character).startswith(("<font>", "<wide>", "<noBreak>")):
        shown = unicodedata.normalize("NFKC", character)
        return shown if len(shown) == 1 else character
    return _LUNATE.get(character, character)


def _next(text: str, at: int) -> tuple[list[Token], int]:
    if silent := _SILENT.match(text, at):
        return [], silent.end()
    if number := _NUMBER.match(text, at):
        return [Token("number", number[0], at)], number.end()
    if text.startswith("**", at):
        return [Token("mark", "^", at)], at + 2
    if text[at] in _MARKS:
        return [Token("mark", _MARKS[text[at]], at)], at + 1
    if text[at] in _RAISED:
        return _raised(text, at)
    if text[at] == "\\":
        return _command(text, at)
    if word := _WORD.match(text, at):
        return _name(text, at, word[0], word.end())
    raise Unreadable(_unexpected(text[at]), at)


def _unexpected(character: str) -> str:
    meant = {
        "=": "there is a second `=`; write one formula, right of the first",
        "|": "write abs(x) for |x|",
        "<": "a formula has no comparison in it",
        ">": "a formula has no comparison in it",
        "≥": "a formula has no comparison in it",
        "≤": "a formula has no comparison in it",
        "!": "there are no factorials here",
    }
    return meant.get(character, "this character has no place in a formula")


def _raised(text: str, at: int) -> tuple[list[Token], int]:
    """A run of raised characters is a power: ``x⁻²`` reads as ``x^(-2)``."""
    end = at
    while end < len(text) and text[end] in _RAISED:
        end += 1
    inner = "".join(_RAISED[character] for character in text[at:end])
    words = [Token(word.kind, word.text, at + word.at) for word in tokens(inner)[:-1]]
    return [
        Token("mark", "^", at),
        Token("mark", "(", at),
        *words,
        Token("mark", ")", end - 1),
    ], end


def _command(text: str, at: int) -> tuple[list[Token], int]:
    if upright := _UPRIGHT.match(text, at):
        return _name(text, at, upright[1], upright.end())
    command = _COMMAND.match(text, at)
    if not command:  # a backslash that keeps Markdown from seeing the next mark
        if text[at + 1 : at + 2] in (*"*_^{}[]-+", ""):
            return [], at + 1
        raise Unreadable("this backslash stands before nothing known", at)
    word, end = command[1], command.end()
    if word in _SILENT_COMMANDS:
        return [], end
    if word in _FRACTIONS:
        return [Token("fraction", word, at)], end
    if word in _COMMAND_MARKS:
        return [Token("mark", _COMMAND_MARKS[word], at)], end
    return _name(text, at, "\\" + word, end)


def _name(text: str, at: int, word: str, end: int) -> tuple[list[Token], int]:
    if subscript := _SUBSCRIPT.match(text, end):
        word, end = word + subscript[0], subscript.end()
    return [Token("name", word, at)], end


_GREEK_NAMES = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega",
})  # fmt: skip


def key(name: str) -> str:
    """Bring the spellings of one name together: ``\\varepsilon``, ``ε`` and ``eps``; ``α_j``,
    ``αⱼ`` and ``alpha_{j}``."""
    letters = "".join(_latin(character) for character in "".join(map(_plain, name)))
    letters = re.sub(r"[\\_{}, ]", "", letters)
    if letters.startswith("var") and letters[3:] in _GREEK_NAMES:
        letters = letters[3:]
    return "epsilon" if letters == "eps" else letters


def _latin(character: str) -> str:
    if not "\u0370" <= character <= "\u03ff":
        return unicodedata.normalize("NFKC", character)
    words = unicodedata.name(character, "").replace("LAMDA", "LAMBDA").split()
    letter = next((w.lower() for w in words if w.lower() in _GREEK_NAMES), character)
    return letter.capitalize() if "CAPITAL" in words else letter


def glued(name: str, known: tuple[str, ...]) -> str:
    """``n*eps`` for ``neps``, where both halves are known names."""
    halves = ((name[:cut], name[cut:]) for cut in range(1, len(name)))
    return next((f"{a}*{b}" for a, b in halves if a in known and b in known), "")


def close_to(name: str, known: tuple[str, ...]) -> str:
    """The known name that one may be a slip of; ``""`` if there is none."""
    from difflib import get_close_matches

    by_case = {other.lower(): other for other in known}
    found = get_close_matches(key(name).lower(), by_case, n=1, cutoff=0.6)
    return by_case[found[0]] if found else ""
