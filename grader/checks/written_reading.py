"""An answer as tokens: folded to plain lower-case letters and signs, each with its place in the
answer, so that what was found can be quoted in the student's own words.

`k_{j}^{\\top} q`, `𝑘𝑗𝑇𝑞`, `kⱼᵀq` and `kj⊤ q` all read `k_j ^t q`.  Knows how people write words and
formulas, nothing of any exercise; `written_search` looks for phrases in the tokens.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from grader.checks.written_assembly import Assembly
from grader.checks.written_pieces import Kind, Piece
from grader.checks.written_symbols import (
    CHARACTERS,
    COMMANDS,
    ENTITIES,
    GREEK,
    INVISIBLE,
    OPERATORS,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a Han character, a piece of a formula, a punctuation mark, or a sentence's end."""

    text: str
    kind: Kind
    start: int
    end: int
    """Place in the answer, as of a slice."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer, read."""

    tokens: tuple[Token, ...]
    sentences: int
    words: int
    """Han characters count as words."""
    foreign: bool
    """Whether some letters are neither Latin, Greek nor Han."""


def read(text: str, symbols: Sequence[str] = ()) -> Reading:
    """Read an answer; `symbols` are one-letter names whose glued index is split off (kj → k_j)."""
    folded, origins = _fold(text)
    pieces = Assembly(_scan(folded), frozenset(symbols)).run()
    tokens = tuple(Token(p.text, p.kind, origins[p.start], origins[p.end - 1] + 1) for p in pieces)
    return Reading(tokens, _sentences(tokens), _words(text), _foreign(folded))


def _sentences(tokens: Sequence[Token]) -> int:
    count, said = 0, False
    for token in tokens:
        if token.kind == "end":
            count, said = count + said, False
        elif token.kind != "mark":
            said = True
    return count + said


_HAN: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_BETWEEN_WORDS: Final = re.compile(rf"\s+|([{_HAN}])")


def _words(text: str) -> int:
    pieces = (piece for piece in _BETWEEN_WORDS.split(text) if piece)
    return sum(any(map(str.isalnum, piece)) for piece in pieces)


_KNOWN_SCRIPTS: Final = ("LATIN", "GREEK", "CJK", "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT")


def _foreign(folded: str) -> bool:
    letters = {char for char in folded if ord(char) > 127 and char.isalpha()}
    return any(not unicodedata.name(c, "").startswith(_KNOWN_SCRIPTS) for c in letters)


# --- folding characters --------------------------------------------------------------------


_AS_IS: Final = frozenset(map(chr, range(32, 127))) - CHARACTERS.keys()


def _fold(text: str) -> tuple[str, list[int]]:
    """Fold each character; for each folded character, the index of the one it came from."""
    out: list[str] = []
    origins: list[int] = []
    for at, char in enumerate(text):
        plain = char if char in _AS_IS else _plain(char)
        out.append(plain)
        origins.extend([at] * len(plain))
    return "".join(out), origins


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char in CHARACTERS:
        return CHARACTERS[char]
    if char in "\n\r\u2028\u2029":
        return "\n"
    category = unicodedata.category(char)
    if category in ("Cf", "Mn", "Me"):
        return ""
    if category == "Cc":
        return " "
    parts = unicodedata.decomposition(char)
    if category == "Sm" and not parts.startswith("<"):
        return unicodedata.normalize("NFC", char)  # ≠ must not fall apart into = and a stroke
    letters = (c for c in unicodedata.normalize("NFKD", char) if unicodedata.category(c) != "Mn")
    plain = "".join(CHARACTERS.get(c, c) for c in letters)
    script = {"<sub>": "_", "<super>": "^"}.get(parts.split(" ")[0])
    return f"{script}{{{plain}}}" if script else plain


# --- scanning ------------------------------------------------------------------------------


_ABBREVIATIONS: Final = (
    r"i\.e\.?|e\.g\.?|w\.r\.t\.?|s\.t\.|(?:etc|resp|vs|cf|approx|eqs?|figs?|ca)\.(?=\s*[a-z0-9(,$])"
)
_LISTED: Final = r"\n[ \t]*(?:[-*+#>•–]+[ \t]+|\(?(?:\d{1,2}|[a-h]|i{1,3}|iv)[.)][ \t]+)"
_SCANNED: Final = re.compile(
    rf"""(?P<listed>{_LISTED}|\n[ \t]*\n\s*)
    |(?P<space>\s+|\\begin\{{[a-z*]+\}}|\\end\{{[a-z*]+\}}|<br\s?/?>)
    |(?P<command>\\(?:[A-Za-z]+|.))
    |(?P<entity>&gt;&gt;|&lt;&lt;|&[a-z]{{2,6}};)
    |(?P<tag></?su[bp]>)
    |(?P<number>\d+(?:\.\d+)?%?)
    |(?P<short>(?<![A-Za-z])(?:{_ABBREVIATIONS}))
    |(?P<word>[A-Za-z]+)
    |(?P<operator>>>>|<<<|===|=/=|-->|---|\.\.\.+|\.\.|>>|<<|>=|=>|<=|=<|!=|/=|~=|=~|~~|≈≈|≈=|=≈|==|->|--|\|\||\*\*|\$\$|:=|\+-)
    |(?P<sign>.)""",
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)  # fmt: skip
_MARKS: Final = frozenset(",:;()[]\"'—?!.")


def _scan(folded: str) -> list[Piece]:
    """Cut folded text into pieces; a space leaves a piece without text."""
    pieces: list[Piece] = []
    # The line break in front lets a list's first item look like the others.
    for match in _SCANNED.finditer("\n" + folded):
        start, end = max(match.start() - 1, 0), match.end() - 1
        if end > 0:
            pieces.extend(_pieces(str(match.lastgroup), match.group(), start, end))
    return _unwrapped(pieces)


def _unwrapped(pieces: list[Piece]) -> list[Piece]:
    r"""Drop commands without meaning, and the braces of what they apply to: \mathbf{k}_j is k_j."""
    kept: list[Piece] = []
    dropped: list[bool] = []
    for k, piece in enumerate(pieces):
        opens = piece.text == "{"
        if opens:
            dropped.append(k > 0 and pieces[k - 1].text == "\\")
        drops = (opens and dropped[-1]) or (piece.text == "}" and bool(dropped) and dropped.pop())
        if not drops and piece.text != "\\":
            kept.append(piece)
    return kept


def _pieces(group: str, text: str, start: int, end: int) -> Iterator[Piece]:
    if group == "space":
        yield Piece("", "mark", start, end)
    elif group == "listed":
        yield Piece("\n", "end", start, end)
    elif group == "command":
        yield from _command(text[1:], start, end)
    elif group == "tag":
        opened = {"<sub>": "_{", "<sup>": "^{"}.get(text.lower(), "}")
        yield from (Piece(char, "mark", start, end) for char in opened)
    elif group in ("word", "number"):
        yield Piece(text, "word" if group == "word" else "math", start, end)
    elif group == "short":
        yield Piece(",", "mark", start, end)
    elif group == "operator":
        sign = "," if text.startswith("..") else OPERATORS.get(text, text)
        yield Piece(sign, "mark" if sign in ("", ",", "—") else "math", start, end)
    else:
        yield _sign(ENTITIES.get(text, text), start, end)


def _command(name: str, start: int, end: int) -> Iterator[Piece]:
    if name in COMMANDS:
        yield (
            _sign(COMMANDS[name], start, end)
            if len(COMMANDS[name]) == 1
            else Piece(COMMANDS[name], "word", start, end)
        )
    elif name in ("frac", "dfrac", "tfrac"):
        yield Piece("\\frac", "math", start, end)
    elif name.isalpha() and name not in INVISIBLE:
        greek = name.lower().removeprefix("var")
        known = greek in GREEK.values()
        yield Piece(greek if known else name, "math" if known else "word", start, end)
    else:
        yield Piece("\\" if name in INVISIBLE else "", "mark", start, end)


def _sign(text: str, start: int, end: int) -> Piece:
    if text in GREEK:
        return Piece(GREEK[text], "math", start, end)
    if text == "。":
        return Piece(".", "end", start, end)
    if re.match(f"[{_HAN}]", text):
        return Piece(text, "han", start, end)
    if text.isalpha():
        return Piece(text.lower(), "word", start, end)
    return Piece(text, "mark" if text in _MARKS else "math", start, end)
