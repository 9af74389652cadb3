"""The catalogue's entries 1–57, as code that is handed in."""

from __future__ import annotations

from grader.attack.model import Attack
from grader.attack.catalogue import exhaustion, files, processes, protocol, reading, scoring

ATTACKS: tuple[Attack, ...] = (
    *reading.ATTACKS,
    *scoring.ATTACKS,
    *protocol.ATTACKS,
    *files.ATTACKS,
    *processes.ATTACKS,
    *exhaustion.ATTACKS,
)
