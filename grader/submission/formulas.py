"""Finds the formulas in a written answer: lines ``NAME = FORMULA`` in any common dress."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, islice

from grader.problem import Part, SymbolicCriterion

_LINE_CHARACTERS = 1_000
_LONGEST_FORMULA = 2_000
"""Longer than any that is judged, so that what is cut here is left to a person."""
_SPANS = 500
"""So many formulas in the sentences of one part are looked at."""
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi",
    "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "φ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega",
}  # fmt: skip

_START = re.compile(r"[\s>]*(?:[-*+•][ \t]+|\(?\d{1,2}[.)][ \t]+)?")
_LEAD_IN = re.compile(
    r"(?:(?:so|thus|hence|therefore|then|answer|formula)\b[,:]?|[A-Za-z ]{1,30}:(?!=))\s*", re.I
)
_WRAPPERS = (
    ("```", "```"), ("$$", "$$"), ("$", "$"), ("``", "``"), ("`", "`"), ("\\(", "\\)"),
    ("\\[", "\\]"), ("**", "**"), ("__", "__"), ("*", "*"), ("_", "_"),
)  # fmt: skip
_EQUATION = re.compile(r"(?P<name>[^=<>≤≥≠≈~!:]{1,80}):?={1,2}(?!=)(?P<formula>.*)")
_INEQUALITY = re.compile(r"(?P<name>[^=<>≤≥≠≈~!:]{1,80}?)(?:[<>]=?|[≤≥]|\\[lg]eq?(?![a-z])).")
_COMMANDS = re.compile(
    r"\\(?:left|right|mathrm|mathit|mathbf|boldsymbol|text|operatorname)(?![a-z])"
)
_ARGUMENTS = re.compile(r"\([^()]{0,60}\)\Z")
_DECORATION = re.compile(r"[\\{}_$`*\[\]\s]")
_SPAN = re.compile(
    r"\$\$?([^$\n]{1,400})\$|`([^`\n]{1,400})`|\\\(((?:[^\n\\]|\\[^()\n]){1,400})\\\)"
)
_PLACEHOLDER = re.compile(
    r"(?:[.…_?\s-]*|<[^<>]*>|\[[^\[\]]*\]|todo.*|none|fixme.*|your (?:answer|formula).*)", re.I
)
_WORD = re.compile(r"(?<![\w\\])[A-Za-z]{3,}(?![\w(^])")
_MATHS_WORDS = frozenset(
    {"log", "exp", "sqrt", "frac", "max", "min", "sum", "abs", "eps", "left", "right", "over"}
    | {"sin", "cos", "tan", "sinh", "cosh", "tanh", "for", "if", *_GREEK.values()}
)


class FormulaReader:
    """Reads the formulas that one part asks for."""

    def __init__(self, part: Part) -> None:
        asked = [c for c in part.criteria if isinstance(c, SymbolicCriterion)]
        keys: dict[str, set[str]] = {}
        for criterion in asked:
            keys.setdefault(_key(criterion.symbol), set()).add(criterion.symbol)
        self._symbols = {key: same.pop() for key, same in keys.items() if len(same) == 1}
        variables = [(name, *d.aliases) for c in asked for name, d in c.variables.items()]
        self._known = _MATHS_WORDS | {name.casefold() for names in variables for name in names}

    def line(self, line: str) -> tuple[str, str] | None:
        """The symbol and formula that a line consists of; the formula is empty if left open."""
        if not self._symbols or "=" not in line.replace("＝", "="):
            return None
        if len(line.strip()) > _LINE_CHARACTERS:
            return self._long(line.strip())
        text = _bare(line.strip()).replace("\\coloneqq", ":=").replace("＝", "=").replace("&", "")
        for candidate in (text, _unwrapped(_LEAD_IN.sub("", text, count=1))):
            match = _EQUATION.fullmatch(candidate)
            symbol = match and self._symbols.get(_key(match["name"]))
            if match and symbol:
                formula = _unwrapped(match["formula"])
                if _PLACEHOLDER.fullmatch(formula):
                    return symbol, ""
                return None if self._is_prose(formula) else (symbol, formula)
        return None

    def _long(self, line: str) -> tuple[str, str] | None:
        """A formula of a line too long to look through: too long to be judged, but not missing.

        White space is folded before anything is cut off, so that what is left is never a short
        formula that a longer one only begins with.
        """
        found = self.line(line[:_LINE_CHARACTERS].rstrip())
        if found is None or not found[1]:
            return None
        formula = " ".join(line.replace("＝", "=").partition("=")[2].split())
        return found[0], formula[:_LONGEST_FORMULA]

    def inline(self, text: str) -> Iterator[tuple[str, str]]:
        """The formulas within sentences, where they are set as formulas or as code."""
        for match in islice(_SPAN.finditer(text), _SPANS):
            found = self.line(next(filter(None, match.groups()), ""))
            if found and found[1]:
                yield found

    def bounds(self, text: str) -> set[str]:
        """The symbols that a line of the text bounds instead of giving them."""
        lines = map(_bare, text.split("\n"))
        spans = (next(filter(None, m.groups()), "") for m in islice(_SPAN.finditer(text), _SPANS))
        found = map(_INEQUALITY.match, chain(lines, spans))
        return {self._symbols.get(_key(match["name"]), "") for match in found if match} - {""}

    def _is_prose(self, formula: str) -> bool:
        """Tell words from a formula, and a formula in a sentence from one that is all."""
        words = [word for word in _WORD.findall(formula) if word.casefold() not in self._known]
        return len(words) > 1 or "$" in formula or "`" in formula


def _key(name: str) -> str:
    """One spelling for ``\\alpha_{j}``, ``α_j``, ``αⱼ``, ``alpha_j`` and ``alpha_j(m, n)``."""
    text = unicodedata.normalize("NFKC", name).replace("ϵ", "ε").replace("ϕ", "φ")
    text = _ARGUMENTS.sub("", _COMMANDS.sub("", text).strip())
    text = "".join(_GREEK.get(character, character) for character in text)
    text = _DECORATION.sub("", text).casefold()
    return text.replace("varepsilon", "epsilon").replace("varphi", "phi").replace("epsilon", "eps")


def _bare(line: str) -> str:
    """A line without bullet and dress; empty if it is too long to be a formula."""
    if len(line) > _LINE_CHARACTERS:
        return ""
    return _unwrapped(_START.sub("", line, count=1))


def _unwrapped(text: str) -> str:
    """Take off dollar signs, backticks, emphasis and a full stop, from outside in."""
    for _ in range(6):
        before = text
        text = text.strip().removesuffix("\\\\").rstrip(" \t.,;")
        for start, end in _WRAPPERS:
            if text.startswith(start) and text.endswith(end) and len(text) > len(start + end):
                text = text[len(start) : -len(end)]
                break
        text = text.removeprefix("$$").removesuffix("$$")
        if text == before:
            break
    return text
