"""The rules between the keys of a problem, which no single key can break by itself.

Each looks at the outline, which may be full of other mistakes: what has the wrong type is told
elsewhere, and passed over here.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from pydantic import TypeAdapter, ValidationError

from grader.errors import SpecFault
from grader.fields import Points
from grader.spec.outline import Entry, Outline
from grader.spec.wording import did_you_mean, listed, quoted

CODE_KINDS = ("matches", "property")

_HEADING_WORDS = frozenset(
    ("part", "subpart", "question", "q", "problem", "exercise", "ex", "task", "section", "answer")
)
"""Words that stand before a part's id in a heading."""
_COLUMNS = frozenset(("submission", "status", "score", "pending", "max_score"))
"""The gradebook's other columns, beside one for each part."""
_POINTS: TypeAdapter[Fraction] = TypeAdapter(Points)


def broken_rules(outline: Outline) -> list[SpecFault]:
    """Everything that the keys of a problem, each fine by itself, get wrong together."""
    return [
        *_repeated_ids("part", outline.parts),
        *_repeated_ids("criterion", outline.criteria),
        *_repeated_ids("misconception", outline.misconceptions),
        *_part_ids(outline),
        *_reveals(outline),
        *_points(outline),
        *_keywords(outline),
        *_symbols(outline),
        *_domains(outline),
        *_misconceptions(outline),
    ]


# --- ids -----------------------------------------------------------------------------------


def _repeated_ids(noun: str, entries: Sequence[Entry]) -> Iterator[SpecFault]:
    first: dict[str, Entry] = {}
    for entry in entries:
        own = entry.text("id")
        other = first.setdefault(_bare(own), entry)
        if not own or other is entry:
            continue
        if own == other.text("id"):
            problem = f"another {noun} has this id too{_whereabouts(other, entry)}"
        else:
            problem = f"differs from the {noun} {other.text('id')} in capitals, - or _ only"
        yield SpecFault(entry.at("id"), problem, f"give each {noun} of the problem its own id")


def _bare(name: str) -> str:
    """What is left of a name where case and punctuation do not count, as in students' headings."""
    return re.sub("[-_]", "", name).casefold()


def _whereabouts(one: Entry, other: Entry) -> str:
    """In which parts two criteria stand, if in two."""
    parts = one.names[1], other.names[1]
    return f", in part {parts[0]}" if len(one.names) > 2 and parts[0] != parts[1] else ""


def _part_ids(outline: Outline) -> Iterator[SpecFault]:
    for part in outline.parts:
        own = part.text("id")
        singular = _bare(own).removesuffix("s")
        if singular in _HEADING_WORDS or own.casefold() in _COLUMNS:
            taken = "in a heading" if singular in _HEADING_WORDS else "in the gradebook"
            yield SpecFault(
                part.at("id"),
                f"{own} means something else {taken}",
                "name the part as its question is numbered, like ii, b or q3",
            )


# --- what students see ---------------------------------------------------------------------


def _reveals(outline: Outline) -> Iterator[SpecFault]:
    """A forgotten `visibility` would show every student what was meant to be hidden."""
    for criterion in outline.criteria:
        if "reveal" in criterion.keys and criterion.text("visibility", "public") == "public":
            yield SpecFault(
                criterion.at("reveal"),
                "is about hidden criteria, and this one is public: its students see everything",
                'add visibility = "hidden", or take reveal out',
            )


# --- points --------------------------------------------------------------------------------


def _points(outline: Outline) -> Iterator[SpecFault]:
    printed = _exact(outline.keys.get("points"))
    parts = [_exact(part.keys.get("points")) for part in outline.parts]
    known = [points for points in parts if points is not None]
    if printed is None or len(known) < len(parts) or not known:
        return
    total, policy = sum(known, Fraction(0)), outline.keys.get("points_policy")
    terms = f"{' + '.join(map(_shown, known))} = " if len(known) > 1 else ""
    if printed != total and policy is None:
        yield SpecFault(
            "points",
            f"the printed total is {_shown(printed)}, but the parts add up to {terms}"
            f"{_shown(total)}",
            f'make them agree, or add points_policy = "scale" (a perfect {_shown(total)} counts as '
            f'{_shown(printed)}), "cap" (points above {_shown(printed)} are cut off) or "sum" (the '
            f"parts' {_shown(total)} count)",
        )
    if policy == "cap" and printed > total:
        yield SpecFault(
            "points_policy",
            f"a cap of {_shown(printed)} is out of reach: the parts add up to {_shown(total)}",
            'use "scale", or lower points',
        )


def _exact(value: object) -> Fraction | None:
    try:
        return _POINTS.validate_python(value)
    except ValidationError:
        return None


def _shown(points: Fraction) -> str:
    exact = Decimal(points.numerator) / Decimal(points.denominator)
    return f"{exact.normalize():f}" if Fraction(exact) == points else str(points)


# --- names ---------------------------------------------------------------------------------


def _keywords(outline: Outline) -> Iterator[SpecFault]:
    for criterion in outline.criteria_of(*CODE_KINDS):
        for key in ("function", "inputs", "reference", "check"):
            if keyword.iskeyword(criterion.text(key)):
                yield SpecFault(
                    criterion.at(key),
                    f"{criterion.text(key)} is a word of Python's own, so no function has it",
                    "give the function another name",
                )


def _symbols(outline: Outline) -> Iterator[SpecFault]:
    for part in outline.parts:
        first: dict[str, Entry] = {}
        for criterion in part.tables("criteria"):
            symbol = criterion.text("symbol")
            if criterion.text("kind") != "symbolic" or not symbol:
                continue
            other = first.setdefault(_bare(symbol).replace("epsilon", "eps"), criterion)
            if other is not criterion:
                asked = other.text("symbol")
                yield SpecFault(
                    criterion.at("symbol"),
                    f"the criterion {other.text('id')} of this part asks for {asked} too",
                    "a part's answer defines each symbol once: rename one of the two",
                )
            yield from _clashes(criterion, symbol)


def _clashes(criterion: Entry, symbol: str) -> Iterator[SpecFault]:
    """Spellings that could mean two things in one formula."""
    meaning = {symbol: f"the symbol {symbol}"}
    spellings = [
        (domain, spelling) for domain in _variables(criterion) for spelling in _aliases(domain)
    ]
    names = [(domain, domain.names[-1]) for domain in _variables(criterion)]
    for domain, spelling in names + spellings:
        own = f"the variable {domain.names[-1]}"
        if meaning.setdefault(spelling, own) != own:
            alias = (domain, spelling) not in names
            yield SpecFault(
                domain.at("aliases") if alias else domain.where,
                f"{quoted(spelling)} would mean {meaning[spelling]} as well",
                "take out the alias" if alias else "rename the variable or the symbol",
            )


def _variables(criterion: Entry) -> list[Entry]:
    variables = criterion.table("variables")
    return [variables.table(name) for name in variables.keys]


def _aliases(domain: Entry) -> list[str]:
    aliases = domain.keys.get("aliases")
    return [a for a in aliases if isinstance(a, str)] if isinstance(aliases, list) else []


def _domains(outline: Outline) -> Iterator[SpecFault]:
    for criterion in outline.criteria_of("symbolic"):
        for domain in _variables(criterion):
            low, high = _finite(domain.keys.get("min")), _finite(domain.keys.get("max"))
            if low is None or high is None:
                continue
            whole = domain.text("type", "real") == "integer"
            if math.ceil(low) > math.floor(high) if whole else low >= high:
                kind = "whole number from" if whole else "number between"
                yield SpecFault(
                    domain.where,
                    f"there is no {kind} {domain.keys['min']} {'to' if whole else 'and'} "
                    f"{domain.keys['max']}",
                    "make min and max whole numbers, min not above max"
                    if whole
                    else "make min smaller than max (neither of them is in the domain itself)",
                )


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


# --- misconceptions ------------------------------------------------------------------------


def _misconceptions(outline: Outline) -> Iterator[SpecFault]:
    # By their keys rather than by their kind, which may be mistyped.
    called = (criterion.text("function") for criterion in outline.criteria)
    functions = [name for name in dict.fromkeys(called) if name]
    formulas = [c.text("id") for c in outline.criteria if "formula" in c.keys and c.text("id")]
    for entry in outline.misconceptions:
        if not entry.keys.get("functions") and not entry.keys.get("formulas"):
            yield SpecFault(
                entry.where,
                "says nowhere what the mistake looks like",
                'add functions = { a_function = "its_wrong_version" }, or formulas',
            )
        for name in entry.table("functions").keys:
            if name.isidentifier() and name not in functions:
                yield SpecFault(
                    entry.at("functions", name),
                    f"no criterion calls a function {quoted(name)}",
                    did_you_mean(name, functions, f"the criteria call {listed(functions)}"),
                )
        for name in entry.table("formulas").keys:
            if name not in formulas:
                yield SpecFault(
                    entry.at("formulas", name),
                    f"no symbolic criterion has the id {quoted(name)}",
                    did_you_mean(name, formulas, f"the symbolic criteria are {listed(formulas)}"),
                )
