"""The catalogue's entries 1–57, as code that is handed in."""

from __future__ import annotations

from attack import Attack
from attacks import exhaustion, files, processes, protocol, reading, scoring

ATTACKS: tuple[Attack, ...] = (
    *reading.ATTACKS,
    *scoring.ATTACKS,
    *protocol.ATTACKS,
    *files.ATTACKS,
    *processes.ATTACKS,
    *exhaustion.ATTACKS,
)
