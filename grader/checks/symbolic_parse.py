"""Reading a formula: text → `symbolic_tree`, by a grammar of its own and nothing else.

Runs inside the judge's worker.  What can be read in two ways is not read at all: a student is
asked to write it again rather than graded on a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grader.checks.symbolic_lex import Token, Unreadable, close_to, glued, key, tokens
from grader.checks.symbolic_tree import (
    ARITY,
    Call,
    Constant,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Variable,
)
from grader.checks.symbolic_verdict import MAX_LENGTH

_MAX_DEPTH = 40
_MAX_DIGITS = 40
_MAX_TEN_POWER = 40
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_CONSTANTS = frozenset({"e", "pi"})
_FUNCTIONS = {**{name: name for name in ARITY}, "ln": "log", "loge": "log"}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a formula was not read: a sentence, and where in the text (a character's index).

    `unknown` is the name that was not known, if that is why; `meant` a known one close to it.
    """

    reason: str
    at: int
    unknown: str = ""
    meant: str = ""


class _UnknownName(Unreadable):
    def __init__(self, name: str, meant: str, at: int) -> None:
        self.name = name
        self.meant = meant
        super().__init__(f"`{name}` is not a name that this formula may use", at)


def read(text: str, spellings: Mapping[str, str]) -> Node | Refusal:
    """Read a formula over variables given as `key` of a spelling → declared name."""
    if len(text) > MAX_LENGTH:
        return Refusal(f"it has {len(text)} characters; at most {MAX_LENGTH} are read", MAX_LENGTH)
    try:
        return _Reader(tokens(text), spellings).whole()
    except _UnknownName as refused:
        return Refusal(refused.reason, refused.at, refused.name, refused.meant)
    except Unreadable as refused:
        return Refusal(refused.reason, refused.at)


class _Reader:
    """Recursive descent, one method a rule; `_loose` says what the last factor leaves open."""

    def __init__(self, words: list[Token], spellings: Mapping[str, str]) -> None:
        self._words = words
        self._spellings = spellings
        self._position = 0
        self._depth = 0
        self._loose = ""
        """``log``: a product may belong inside; ``bare``: a function without parentheses;
        ``exponent``: an exponent without parentheses."""

    # --- the words -------------------------------------------------------------------------

    @property
    def _word(self) -> Token:
        return self._words[self._position]

    def _take(self) -> Token:
        word = self._word
        self._position += word.kind != "end"
        return word

    def _ended(self) -> bool:
        return self._word.kind == "end"

    def _at(self, *marks: str) -> bool:
        return self._word.kind == "mark" and self._word.text in marks

    def _starts_factor(self) -> bool:
        return self._word.kind in ("name", "fraction", "number") or self._at("(", "[", "{", "√")

    def _deeper(self, rule: Callable[[], Node]) -> Node:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise Unreadable(f"it is nested more than {_MAX_DEPTH} deep", self._word.at)
        node = rule()
        self._depth -= 1
        return node

    # --- the rules -------------------------------------------------------------------------

    def whole(self) -> Node:
        """A formula and nothing after it."""
        if self._ended():
            raise Unreadable("there is nothing here", 0)
        node = self._sum()
        if self._ended():
            return node
        if self._at(")", "]", "}"):
            raise Unreadable(f"this `{self._word.text}` closes nothing", self._word.at)
        raise Unreadable(f"`{self._word.text}` is not expected here", self._word.at)

    def _sum(self) -> Node:
        sign = -1 if self._at("-") else 1
        if self._at("-", "+"):
            self._take()
        terms = [(sign, self._product())]
        while self._at("+", "-"):
            sign = 1 if self._take().text == "+" else -1
            terms.append((sign, self._product()))
        return terms[0][1] if terms[0][0] > 0 and len(terms) == 1 else Sum(tuple(terms))

    def _product(self) -> Node:
        factors = [(1, self._signed())]
        while True:
            if self._at("*", "/"):
                self._refuse_loose("bare")
                exponent = 1 if self._take().text == "*" else -1
                factors.append((exponent, self._signed()))
            elif self._starts_factor():
                self._refuse_implicit(divided=factors[-1][0] < 0)
                factors.append((1, self._power()))
            else:
                break
        return _product(factors)

    def _refuse_loose(self, *kinds: str) -> None:
        reasons = {
            "log": "it is not clear whether this belongs inside the logarithm: "
            "write `log(a*b)` or `log(a)*b`",
            "bare": "it is not clear whether this belongs to the function before it: "
            "put parentheses around what the function is of",
            "exponent": "it is not clear whether this belongs to the exponent: "
            "write `a^(b*c)` or `a^b*c`",
        }
        if self._loose in kinds:
            raise Unreadable(reasons[self._loose], self._word.at)

    def _refuse_implicit(self, *, divided: bool) -> None:
        if self._word.kind == "number":
            raise Unreadable("an operator is missing before this number", self._word.at)
        if divided:
            raise Unreadable(
                "it is not clear whether this belongs below the division: "
                "write `a/(b*c)` or `a/b*c`",
                self._word.at,
            )
        self._refuse_loose("log", "bare", "exponent")

    def _signed(self) -> Node:
        if self._at("-"):
            self._take()
            return Sum(((-1, self._deeper(self._signed)),))
        if self._at("+"):
            self._take()
            return self._deeper(self._signed)
        return self._power()

    def _power(self) -> Node:
        base = self._primary()
        if not self._at("^"):
            return base
        self._take()
        bracketed = self._at("(", "[", "{")
        exponent = self._deeper(self._signed)
        closed = bracketed or isinstance(exponent, Number)
        self._loose = "" if closed else "exponent"
        if base == Constant("e"):
            return Call("exp", (exponent,))
        return Power(base, exponent)

    def _primary(self) -> Node:
        word = self._take()
        self._loose = ""
        if word.kind == "number":
            return Number(_exact(word))
        if word.kind == "name":
            return self._named(word)
        if word.kind == "fraction":
            return _product([(1, self._braced(word)), (-1, self._braced(word))])
        if word.kind == "mark" and word.text in _CLOSES:
            return self._closed(word, self._sum)
        if word.text == "√":
            return self._call(word, "sqrt")
        if word.kind == "end":
            raise Unreadable("the formula ends here, but something should follow", word.at)
        raise Unreadable(f"something is missing before this `{word.text}`", word.at)

    def _closed(self, opening: Token, rule: Callable[[], Node]) -> Node:
        node = self._deeper(rule)
        self._close(opening)
        return node

    def _close(self, opening: Token) -> None:
        wanted = _CLOSES[opening.text]
        if self._at(wanted):
            self._take()
            self._loose = ""
            return
        if self._ended():
            raise Unreadable(f"this `{opening.text}` is never closed", opening.at)
        if self._at(","):
            raise Unreadable("write decimals with a point, as in 0.5", self._word.at)
        raise Unreadable(f"a `{wanted}` was expected here", self._word.at)

    def _braced(self, fraction: Token) -> Node:
        if not self._at("{"):
            raise Unreadable(f"write \\{fraction.text}{{above}}{{below}} with braces", fraction.at)
        return self._closed(self._take(), self._sum)

    def _named(self, word: Token) -> Node:
        spelling = key(word.text)
        if spelling in self._spellings:
            return Variable(self._spellings[spelling])
        if function := _FUNCTIONS.get(spelling.lower()):
            return self._call(word, function)
        if spelling not in _CONSTANTS:
            raise _UnknownName(word.text, self._meant(word.text), word.at)
        if spelling == "e" and self._at("(", "[", "{"):
            raise Unreadable("write exp(x) or e^x for a power of e, e*x for a product", word.at)
        return Constant(spelling)

    def _meant(self, name: str) -> str:
        """A known name close to an unknown one, a function first where parentheses follow."""
        variables = (*self._spellings.values(), *self._spellings)
        first, second = variables, (*_FUNCTIONS, *_CONSTANTS)
        if self._at("("):
            first, second = second, first
        return glued(name, variables) or close_to(name, first) or close_to(name, second)

    def _call(self, word: Token, function: str) -> Node:
        least, most = ARITY[function]
        if word.text == "\\sqrt" and self._at("["):
            raise Unreadable("write x^(1/3) for a cube root", self._word.at)
        if self._at("(", "[", "{"):
            arguments = self._deeper_arguments(self._take())
            if not least <= len(arguments) <= most:
                wanted = "one value" if most == 1 else f"{least} to {most} values"
                raise Unreadable(f"{word.text} takes {wanted}", word.at)
            self._loose = "log" if function == "log" else ""
            return Call(function, arguments)
        if most > 1 or not self._starts_factor():
            raise Unreadable(f"write {word.text}(…), with parentheses", word.at)
        argument = self._deeper(self._power)
        self._loose = "bare"
        return Call(function, (argument,))

    def _deeper_arguments(self, opening: Token) -> tuple[Node, ...]:
        arguments = [self._deeper(self._sum)]
        while self._at(","):
            self._take()
            arguments.append(self._deeper(self._sum))
        self._close(opening)
        return tuple(arguments)


def _product(factors: list[tuple[int, Node]]) -> Node:
    """A flat product: ``(a*b)/c`` and ``a*b/c`` are one."""
    if len(factors) == 1:
        return factors[0][1]
    first = factors[0][1]
    start = first.factors if isinstance(first, Product) else tuple(factors[:1])
    return Product((*start, *factors[1:]))


def _exact(word: Token) -> Fraction:
    digits, _, ten_power = word.text.lower().partition("e")
    if len(digits) > _MAX_DIGITS or len(ten_power) > 3 or abs(int(ten_power or 0)) > _MAX_TEN_POWER:
        raise Unreadable("this number is too long", word.at)
    return Fraction(word.text)
