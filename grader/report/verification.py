"""The page of a verification: the verdict, what was asked and found, and every table behind it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from grader.report.outcomes import icon
from grader.report.pages import Inline, percent, render
from grader.report.text import count
from grader.report.tolerance_plot import plot
from grader.verification import Aspect, Fate, Finding, Kill, Level, Mutant, Spread, Verification

_GROUPS = {Level.ERROR: "failed", Level.WARNING: "partial", Level.NOTE: "missing"}
_WORDS = {Level.ERROR: "Error", Level.WARNING: "Warning", Level.NOTE: "Note"}
_ICONS = {Level.ERROR: "failed", Level.WARNING: "ungraded", Level.NOTE: "hint"}


def page(found: Verification) -> str:
    """Render the page of a verification, complete in itself."""
    return render(
        "verification.html",
        {
            "found": found,
            "style": Inline("page.css", "verification.css"),
            "verdict": _verdict(found),
            "figures": [*_figures(found)],
            "pill": _pill,
            "aspect_pill": _aspect_pill,
            "told": _told,
            "matrix": _matrix(found.misconceptions),
            "mutants": _by_fate(found.mutants),
            "changed": _changed,
            "plot": plot(found.spreads) if found.spreads else None,
            "spreads": [_row(spread) for spread in found.spreads],
            "costs": sorted(found.costs, key=lambda cost: -cost.cpu_s),
            "seconds": _seconds,
        },
    )


# --- the verdict --------------------------------------------------------------------------------


def _verdict(found: Verification) -> str:
    """One sentence: is the pack sound, and why not."""
    levels = Counter(finding.level for finding in found.findings)
    skipped = [aspect for aspect in found.aspects if aspect.skipped]
    but = f" {count(len(skipped), 'question')} could not be asked." if skipped else ""
    quick = " This was a quick look, at a part of everything." if found.quick else ""
    if found.sound:
        return f"No error and no warning was found.{but}{quick}"
    wrong = [
        count(levels[level], level.value) for level in (Level.ERROR, Level.WARNING) if levels[level]
    ]
    return f"{' and '.join(wrong)} to mend before a class sees this problem.{but}{quick}"


def _figures(found: Verification) -> Iterator[tuple[str, str]]:
    if found.mutation_score is not None:
        counted = [m for m in found.mutants if m.fate is not Fate.EQUIVALENT]
        yield f"mutation score, of {count(len(counted), 'mutant')}", percent(found.mutation_score)
    if found.misconceptions:
        caught = sum(bool(kill.lost) for kill in found.misconceptions)
        yield "misconceptions lose points", f"{caught} of {len(found.misconceptions)}"
    levels = Counter(finding.level for finding in found.findings)
    for level in (Level.ERROR, Level.WARNING):
        number = levels[level]
        yield level.value if number == 1 else f"{level.value}s", str(number)
    yield "took", _seconds(found.took_s)


def _seconds(value: float) -> str:
    if value >= 1:
        return f"{value:.3g} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def _pill(level: Level) -> Markup:
    pill = Markup('<span class="outcome {}">{}{}</span>')
    return pill.format(_GROUPS[level], icon(_ICONS[level]), _WORDS[level])


def _aspect_pill(aspect: Aspect) -> Markup:
    pill = Markup('<span class="outcome {}">{}{}</span>')
    if aspect.skipped:
        return pill.format("missing", icon("missing"), "Not asked")
    if aspect.sound:
        return pill.format("passed", icon("passed"), "Sound")
    worst = Level.ERROR if any(f.level is Level.ERROR for f in aspect.findings) else Level.WARNING
    return _pill(worst)


def _told(aspect: Aspect) -> tuple[list[Finding], list[Finding]]:
    """What must be mended, and notes."""
    grave = [f for f in aspect.findings if f.level is Level.ERROR]
    grave += [f for f in aspect.findings if f.level is Level.WARNING]
    return grave, [f for f in aspect.findings if f.level is Level.NOTE]


# --- the kill matrix ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Criteria across, wrong answers down."""

    criteria: list[str]
    kills: tuple[Kill, ...]

    def caught(self, criterion: str) -> int:
        """How many wrong answers a criterion takes points from."""
        return sum(criterion in kill.lost for kill in self.kills)


def _matrix(kills: tuple[Kill, ...]) -> _Matrix:
    return _Matrix(_merged(kill.lost for kill in kills), kills)


def _merged(lists: Iterable[Sequence[str]]) -> list[str]:
    """All items of lists that are each in one and the same order, in an order that fits them.

    An item goes behind the one before it in its list, else before the one that follows, else last.
    """
    merged: list[str] = []
    for items in lists:
        known = [item for item in items if item in merged]
        at = merged.index(known[0]) if known else len(merged)
        for item in items:
            if item in known:
                at = merged.index(item) + 1
            else:
                merged.insert(at, item)
                at += 1
    return merged


# --- mutants ------------------------------------------------------------------------------------


def _by_fate(mutants: Sequence[Mutant]) -> dict[str, list[Mutant]]:
    return {fate.value: [m for m in mutants if m.fate is fate] for fate in Fate}


def _changed(mutant: Mutant) -> str:
    """The lines that a mutant takes away and puts in, without the rest of its diff."""
    lines = mutant.diff.splitlines()
    changed = [line for line in lines if line[:1] in ("+", "-") and line[:3] not in ("+++", "---")]
    return "\n".join(changed) or mutant.diff


# --- tolerances ---------------------------------------------------------------------------------


def _row(spread: Spread) -> dict[str, str]:
    """A row of the table of tolerances, in words."""
    wrong = "none is near" if spread.wrong is None else _times(spread.wrong)
    return {
        "criterion": spread.criterion,
        "precision": spread.precision,
        "tolerance": f"rtol {_short(spread.rtol)}, atol {_short(spread.atol)}",
        "honest": _times(spread.honest),
        "honest_by": spread.honest_by,
        "wrong": wrong,
        "wrong_by": spread.wrong_by,
        "proposal": spread.proposal,
    }


def _times(distance: float | None) -> str:
    return "beyond any" if distance is None else _short(float(f"{distance:.2g}"))


def _short(value: float) -> str:
    """``1e-7``, not ``1e-07``; plain where that is short."""
    if value == 0 or 1e-3 <= value < 1e5:
        return f"{value:,.6g}"
    digits, _, power = f"{value:.2e}".partition("e")
    return f"{float(digits):g}e{int(power)}"
