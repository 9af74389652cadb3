"""From a graded class to clusters: the answer keys made again, as they were, variant by variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grader.errors import GraderError
from grader.gradebook import Gradebook
from grader.mine.attempts import Attempt, attempts
from grader.mine.clusters import Cluster, Keys, clusters
from grader.pipeline.prepare import prepare
from grader.pipeline.variants import for_variant
from grader.problem import Pack
from grader.variant import Variant


@dataclass(frozen=True)
class Mined:
    """A cluster with the answer keys that its members were graded by."""

    cluster: Cluster
    keys: Keys
    pack: Pack


def mine(book: Gradebook, pack: Pack) -> list[Mined]:
    """Every cluster of a graded class, the largest first.

    Raises:
        SpecError: if the pack's own functions fail.
        GraderError: if the class was graded by another version of the pack, so that its results
            cannot be compared.
    """
    found: list[Mined] = []
    for seed, variant, members in _by_inputs(book):
        own = for_variant(pack, variant)
        keys = prepare(own, seed).keys
        _require_the_same_cases(members, keys)
        found += [Mined(each, keys, own) for each in clusters(members, keys, own.reference)]
    return sorted(_merged(found), key=lambda m: (-len(m.cluster.members), m.cluster.function))


def _by_inputs(book: Gradebook) -> Iterator[tuple[int, Variant, list[Attempt]]]:
    """Attempts that had the same inputs: those of one seed and one variant."""
    groups: dict[tuple[int, str], tuple[Variant, list[Attempt]]] = {}
    for grade in book.grades():
        key = grade.seed, repr(sorted(grade.variant.items()))
        groups.setdefault(key, (grade.variant, []))[1].extend(attempts(grade, book))
    for (seed, _), (variant, members) in groups.items():
        if members:
            yield seed, variant, members


def _require_the_same_cases(members: Sequence[Attempt], keys: Keys) -> None:
    for attempt in members:
        for criterion, outputs in attempt.outputs.items():
            if criterion not in keys or len(keys[criterion].stimuli) != len(outputs):
                raise GraderError(
                    f"{attempt.submission_id} was graded before {criterion} was changed: run "
                    "`grader grade` again with the pack as it is now"
                )


def _merged(found: Sequence[Mined]) -> list[Mined]:
    """One cluster of what the same explanation fits, whatever the variants."""
    merged: dict[tuple[str, str], Mined] = {}
    alone: list[Mined] = []
    for each in found:
        explanation = each.cluster.explanation
        if explanation is None:
            alone.append(each)
            continue
        key = (each.cluster.function, explanation.code)
        if key in merged:
            before = merged[key].cluster
            together = replace(before, members=(*before.members, *each.cluster.members))
            merged[key] = replace(merged[key], cluster=together)
        else:
            merged[key] = each
    return [*merged.values(), *alone]
