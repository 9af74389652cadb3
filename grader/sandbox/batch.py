"""What every submission of a run is asked, made ready once: the stimuli on the wire, the limits.

The signature cannot carry an expected value into the child: a batch holds calls and nothing else.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from grader.evidence import Stimulus
from grader.problem import Limits
from grader.sandbox.child import wire

_MIN_BODY_LIMIT = 1 << 20


@dataclass(frozen=True)
class Batch:
    """All calls of a run, in groups (a criterion each), and their encoding.

    A call that has to be killed costs the rest of its own group, never another group's.
    `body_limit` caps the bytes of arrays in one reply.
    """

    groups: tuple[tuple[Stimulus, ...], ...]
    limits: Limits
    body_limit: int
    encoded: bytes

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """Every call, flat, in the order of the groups."""
        return tuple(stimulus for group in self.groups for stimulus in group)

    def group_of(self) -> tuple[int, ...]:
        """For each call of `stimuli`, the position of its group."""
        return tuple(i for i, group in enumerate(self.groups) for _ in group)


def make_batch(
    groups: Sequence[Sequence[Stimulus]], limits: Limits, largest_reply_bytes: int = 0
) -> Batch:
    """Encode the stimuli of a run.

    `largest_reply_bytes` is the size of the largest value that the reference returns; a student's
    may be eight times that.

    Raises:
        TypeError: if an argument is not plain data (a fault of the pack).
    """
    encoder = wire.Encoder()
    trees = [encoder.encode(stimulus) for group in groups for stimulus in group]
    text = wire.dumps(trees)
    return Batch(
        groups=tuple(tuple(group) for group in groups),
        limits=limits,
        body_limit=max(_MIN_BODY_LIMIT, 8 * largest_reply_bytes),
        encoded=struct.pack("<Q", len(text)) + text + encoder.body,
    )
