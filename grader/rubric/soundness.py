"""What only a whole rubric can tell: terms that are missing or made of themselves, ids without a
concept, levels without full credit."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic_core import InitErrorDetails, PydanticCustomError

from grader.rubric.phrase import terms

if TYPE_CHECKING:
    from grader.rubric.model import Rubric

_Where: TypeAlias = tuple[int | str, ...]


def faults(rubric: Rubric) -> list[InitErrorDetails]:
    """Everything that is wrong with a rubric whose parts are right, with its place."""
    return [*_term_faults(rubric), *_id_faults(rubric), *_level_faults(rubric)]


def _fault(where: _Where, problem: str, given: Any) -> InitErrorDetails:
    # The message goes in as a value: braces in it would be read as a template's.
    error = PydanticCustomError("rubric", "{problem}", {"problem": problem})
    return InitErrorDetails(type=error, loc=where, input=given)


def _meant(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _phrases(rubric: Rubric) -> Iterator[tuple[_Where, str]]:
    for name, phrases in rubric.vocabulary.items():
        yield from ((("vocabulary", name, k), phrase) for k, phrase in enumerate(phrases))
    for key, phrases in (("stops", rubric.stops), ("harmless", rubric.harmless)):
        yield from (((key, k), phrase) for k, phrase in enumerate(phrases))
    for n, concept in enumerate(rubric.concepts):
        for key, phrases in (("sure", concept.sure), ("likely", concept.likely)):
            yield from ((("concepts", n, key, k), phrase) for k, phrase in enumerate(phrases))
    for n, refusal in enumerate(rubric.refusals):
        for key, phrases in (("phrases", refusal.phrases), ("unless", refusal.unless)):
            yield from ((("refusals", n, key, k), phrase) for k, phrase in enumerate(phrases))


def _term_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    names = rubric.vocabulary.keys()
    for where, phrase in _phrases(rubric):
        for name in sorted(terms(phrase) - names):
            said = f"the vocabulary has no term {name}{_meant(name, names)}"
            yield _fault(where, said, phrase)
    for name in names:
        if name in _reached(rubric, name):
            said = f"the term {name} is made of itself"
            yield _fault(("vocabulary", name), said, rubric.vocabulary[name])


def _reached(rubric: Rubric, name: str) -> set[str]:
    """Every term that a term is made of, directly or through others."""
    found: set[str] = set()
    ahead = [name]
    while ahead:
        phrases = rubric.vocabulary.get(ahead.pop(), ())
        new = {term for phrase in phrases for term in terms(phrase)} - found
        found |= new
        ahead.extend(new)
    return found


def _id_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    concepts = [concept.id for concept in rubric.concepts]
    refusals = [refusal.id for refusal in rubric.refusals]
    for key, ids in (("concepts", concepts), ("refusals", refusals)):
        for n, name in enumerate(ids):
            if name in ids[:n]:
                yield _fault((key, n, "id"), f"there are two {key} called {name}", name)
    for where, name in _named(rubric):
        if name not in concepts:
            yield _fault(where, f"there is no concept {name}{_meant(name, concepts)}", name)
    for n, concept in enumerate(rubric.concepts):
        if not concept.sure and not concept.likely:
            said = "has neither sure nor likely phrases, so it is never found"
            yield _fault(("concepts", n), said, concept.id)


def _named(rubric: Rubric) -> Iterator[tuple[_Where, str]]:
    """Every mention of a concept's id."""
    for n, level in enumerate(rubric.levels):
        yield from ((("levels", n, "needs", k), name) for k, name in enumerate(level.needs))
    for n, refusal in enumerate(rubric.refusals):
        yield from ((("refusals", n, "denies", k), name) for k, name in enumerate(refusal.denies))


def _level_faults(rubric: Rubric) -> Iterator[InitErrorDetails]:
    if all(level.fraction != 1 for level in rubric.levels):
        yield _fault(("levels",), "one level has to be worth everything: fraction = 1", None)
    low, high = rubric.usual_words
    if not 0 <= low <= high:
        yield _fault(("usual_words",), "write the fewest words, then the most", [low, high])
