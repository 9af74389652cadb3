"""A pack under other seeds, for every aspect that tries it on other inputs."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.errors import SpecError
from grader.pipeline.prepare import Prepared, prepare
from grader.problem import Pack


@dataclass
class Seeds:
    """Makes one pack ready under a seed when that is first asked for, and never again."""

    _ready: dict[int, Prepared | SpecError] = field(default_factory=dict)

    def at(self, pack: Pack, seed: int) -> Prepared:
        """The pack, made ready.

        Raises:
            SpecError: if it cannot be used under this seed.
        """
        if seed not in self._ready:
            self._ready[seed] = _made(pack, seed)
        found = self._ready[seed]
        if isinstance(found, SpecError):
            raise found
        return found


def _made(pack: Pack, seed: int) -> Prepared | SpecError:
    try:
        return prepare(pack, seed)
    except SpecError as error:
        return error
