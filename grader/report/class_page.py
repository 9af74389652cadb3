"""The class's page: a summary as HTML, its histogram and bars as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from urllib.parse import quote

from markupsafe import Markup

from grader.report.class_summary import (
    Bin,
    ClassSummary,
    CriterionCount,
    Row,
    faults,
    mean,
    median,
)
from grader.report.files import file_stem
from grader.report.outcomes import GROUPS
from grader.report.pages import render
from grader.report.text import points

_WIDTH, _HEIGHT, _BASE = 720, 200, 160


def page(summary: ClassSummary, misconceptions: Mapping[str, str]) -> str:
    """Render the class's page; `misconceptions` gives titles by id, where known."""
    scores = summary.scores
    bins = summary.distribution()
    return render(
        "class.html",
        {
            "summary": summary,
            "facts": _facts(summary, scores),
            "ungraded": faults(summary.with_status("ungraded")),
            "bins": bins,
            "histogram": _histogram(bins) if scores else None,
            "bar": _bar,
            "misconceptions": [
                (misconceptions.get(key, key), number)
                for key, number in summary.misconceptions.most_common(12)
            ],
            "href": _href,
        },
    )


def _href(row: Row) -> str:
    name = file_stem(row.submission_id) + ".html"
    return quote(name.encode("utf-8", "surrogateescape"), safe="")


def _facts(summary: ClassSummary, scores: Sequence[Fraction]) -> list[tuple[str, str]]:
    average, middle = mean(scores), median(scores)
    so_far = "" if len(summary.with_status("graded")) == len(scores) else " so far"
    of = f"score{so_far}, of {points(summary.max_score)}"
    facts = [
        ("submissions", f"{len(summary.rows):,}"),
        ("final", f"{len(summary.with_status('graded')):,}"),
        ("provisional", f"{len(summary.with_status('provisional')):,}"),
        ("answers to review", f"{summary.reviews:,}"),
    ]
    if average is not None and middle is not None:
        facts += [
            (f"mean {of}", points(round(average, 2))),
            (f"median {of}", points(round(middle, 2))),
        ]
    return facts


def _histogram(bins: Sequence[Bin]) -> Markup:
    """Draw the distribution; final scores solid, provisional ones hatched on top."""
    tallest = max(final + provisional for *_, final, provisional in bins) or 1
    step = _WIDTH / len(bins)
    parts = []
    for number, (low, _, final, provisional) in enumerate(bins):
        x = number * step + 3
        solid, hatched = (n / tallest * (_BASE - 24) for n in (final, provisional))
        parts.append(_column(x, step - 6, solid, hatched, final + provisional))
        parts.append(_tick(number * step, low))
    parts.append(_tick(_WIDTH, bins[-1][1]))
    return Markup(
        '<svg class="histogram" role="img" aria-label="{}" viewBox="-12 0 {} {}">{}'
        '<rect class="base" x="0" y="{}" width="{}" height="1"/></svg>'
    ).format(_spoken(bins), _WIDTH + 24, _HEIGHT - 12, Markup("").join(parts), _BASE, _WIDTH)


def _column(x: float, width: float, solid: float, hatched: float, total: int) -> Markup:
    rect = Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>')
    drawn = Markup("")
    if solid:
        drawn += rect.format("b-passed", x, _BASE - solid, width, solid)
    if hatched:
        drawn += rect.format("b-open", x, _BASE - solid - hatched, width, hatched)
    if total:
        top = _BASE - solid - hatched - 7
        drawn += Markup('<text x="{:.1f}" y="{:.1f}">{}</text>').format(x + width / 2, top, total)
    return drawn


def _tick(x: float, value: Fraction) -> Markup:
    text = Markup('<text class="axis" x="{:.1f}" y="{}">{}</text>')
    return text.format(x, _BASE + 20, points(round(value, 2)))


def _spoken(bins: Sequence[Bin]) -> str:
    counted = [
        f"{points(low)} to {points(high)}: {final + provisional}"
        for low, high, final, provisional in bins
        if final + provisional
    ]
    return f"Histogram of scores. {'; '.join(counted)}."


def _bar(count: CriterionCount) -> Markup:
    """Draw a criterion's shares side by side; the numbers stand in the cells next to it."""
    rect = Markup('<rect class="b-{}" x="{:.2f}%" width="{:.2f}%" height="100%"/>')
    x = 0.0
    parts = []
    for group in GROUPS:
        width = 100 * count.groups[group] / max(count.total, 1)
        if width:
            parts.append(rect.format(group, x, width))
        x += width
    return Markup('<svg class="share" aria-hidden="true">{}</svg>').format(Markup("").join(parts))
