"""Target: the reader of written answers.

The input is the file.  Nothing may come out that does not stand in it, however it is dressed.
"""

from __future__ import annotations

import re
import unicodedata

from fuzz.choices import Choices, built
from fuzz.oracle import require, timely
from fuzz.pack import PROBLEM, SYMBOLS
from grader.submission import answers, decoding

_SLOW_S = 1.0
_LONGEST = 2_000
_FRAGMENTS = (
    "## i", "## ii", "## iii", "# Part (a) ii.", "**iii)**", "(ii)", "ii. ", "i) ", "ii\n---",
    "## iv", "\n", "\n", "\n\n", "m = log((n-1)/eps)", "m=n", "$m = n$", "`m = n`", "\\(m = n\\)",
    "- m = 2", "α_j = 1/n", "αⱼ = 1", "\\alpha_{j} = \\frac{1}{n}", "m >= n", "m := 3", "m ＝ 4",
    "m &= 5", "m = ", "m = your formula here", "so m = 2 * n.", "m = n words and more words",
    "<!-- ", " -->", "<!-->", "```", "~~~", "```\nm = 1\n```", "$$", "**", "> ", "* ", "1. ",
    "Your answer here", " ", "\t", "=", "The key wins.", "(3 points)", "##", "#" * 300, "i", "ii",
    "(" * 40, "_" * 40, "(1)" * 20, "\\", "\u2028", "\ufeff", "\0", "\r", "題", "é", "\ud800",
    "a " * 30, "`" * 50, "Part " * 9, "m = " * 9,
)  # fmt: skip


def check(data: bytes) -> None:
    """Read the answers in one text; each must stand in it, under parts and names that are asked."""
    choices = built(data)
    if choices:
        data = _text(choices).encode("utf-8", "surrogatepass")
    text, _ = timely(_SLOW_S, lambda: decoding.decode(data))
    written = timely(_SLOW_S, lambda: answers.read_answers(text, "answers.md", PROBLEM))
    _check_written(written, text)


def _check_written(written: answers.Written, text: str) -> None:
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    squeezed, undressed = _squeezed(text), _undressed(text)
    for part_id, answer in written.answers.items():
        require(part_id in SYMBOLS, f"a part {part_id} that there is not")
        for line in filter(None, map(str.strip, answer.text.split("\n"))):
            there = line in text or _undressed(line) in undressed
            require(there, f"a line that is not in the file: {line!r}")
        require(answer.formulas.keys() <= SYMBOLS[part_id], "a formula that was not asked for")
        for formula in answer.formulas.values():
            require(bool(formula.strip()), "an empty formula")
            require(_squeezed(formula) in squeezed, f"a formula not in the file: {formula!r}")
    require(not (written.answers and written.problem), "answers, and a fault for want of them")


def _squeezed(text: str) -> str:
    """What is left of a text when white space and the marks of alignment are taken out."""
    text = text.replace("＝", "=").replace("\\coloneqq", ":=").replace("&", "")
    return "".join(text.split())


def _undressed(text: str) -> str:
    """As an answer is read from a heading: without emphasis and points, in plain characters."""
    plain = re.sub(r"[*_`$]", "", unicodedata.normalize("NFKC", text))
    return re.sub(r"\([^()]*(?:points?|pts?|marks?)\)|\s", "", plain, flags=re.IGNORECASE)


def _text(choices: Choices) -> str:
    pieces = []
    while choices.left:
        kind = choices.below(8)
        piece = choices.text(8) if kind == 7 else choices.pick(_FRAGMENTS)
        pieces.append(piece * (choices.byte() * 2 if kind == 6 else 1))
    return "".join(pieces)[:_LONGEST]
