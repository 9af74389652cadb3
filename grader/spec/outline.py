"""What can be made out of a problem file that may be full of mistakes.

The rules between keys look at this outline rather than at a `Problem`, so that one mistyped key
does not hide every other fault from the instructor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.spec.wording import key_path


def name_of(item: object, index: int) -> str:
    """What an item of a list is called in messages: its id, or ``#3`` where it has none."""
    own = item.get("id") if isinstance(item, dict) else None
    return own if isinstance(own, str) and own else f"#{index + 1}"


@dataclass(frozen=True)
class Entry:
    """A table of the file, with its path of ids."""

    names: tuple[str, ...]
    keys: Mapping[str, Any]

    @property
    def where(self) -> str:
        """The path of ids: ``parts.ii.criteria.margin``."""
        return key_path(self.names)

    def at(self, *names: str) -> str:
        """The path of something inside this table."""
        return key_path((*self.names, *names))

    def text(self, key: str, default: str = "") -> str:
        """The text under a key; the default where there is none, or something else."""
        value = self.keys.get(key, default)
        return value if isinstance(value, str) else default

    def table(self, key: str) -> Entry:
        """The table under a key; an empty one where there is none."""
        value = self.keys.get(key)
        return Entry((*self.names, key), value if isinstance(value, dict) else {})

    def tables(self, key: str) -> list[Entry]:
        """The tables of a list of tables; whatever else the list holds is left out."""
        value = self.keys.get(key)
        items = value if isinstance(value, list) else []
        return [
            Entry((*self.names, key, name_of(item, index)), item)
            for index, item in enumerate(items)
            if isinstance(item, dict)
        ]

    def texts(self) -> Iterator[tuple[str, str]]:
        """The keys of this table whose values are texts."""
        return ((key, value) for key, value in self.keys.items() if isinstance(value, str))


class Outline(Entry):
    """The whole file."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__((), data)

    @property
    def parts(self) -> list[Entry]:
        """The parts, in the order of the file."""
        return self.tables("parts")

    @property
    def criteria(self) -> list[Entry]:
        """The criteria of all parts, in the order of the file."""
        return [criterion for part in self.parts for criterion in part.tables("criteria")]

    def criteria_of(self, *kinds: str) -> list[Entry]:
        """The criteria of these kinds."""
        return [criterion for criterion in self.criteria if criterion.text("kind") in kinds]

    @property
    def misconceptions(self) -> list[Entry]:
        """The misconceptions, in the order of the file."""
        return self.tables("misconceptions")
