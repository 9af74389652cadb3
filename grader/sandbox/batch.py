"""What every submission of a run is asked, made ready once: the stimuli on the wire, the limits.

The signature cannot carry an expected value into the child: a batch holds calls and nothing else.
How long each may take stays with the trusted side too, for it tells how long the reference took.
"""

from __future__ import annotations

import math
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
    """The public calls, which each child gets from the start."""
    hidden: bytes
    """The hidden ones, empty if there are none.  No child gets them before what it says of the
    public calls is final, so that it cannot quote hidden ones in there."""
    public_calls: int
    """So many of the first calls are public: what comes of them is shown to students."""
    call_limits_s: tuple[float, ...]
    """CPU seconds for each call of `stimuli`."""
    submission_limit_s: float
    """CPU seconds for all of them together, with loading."""

    @property
    def stimuli(self) -> tuple[Stimulus, ...]:
        """Every call, flat, in the order of the groups."""
        return tuple(stimulus for group in self.groups for stimulus in group)

    @property
    def needed_cpu_s(self) -> float:
        """CPU seconds after which no limit is left to reach."""
        longest_s = max(self.call_limits_s, default=0.0)
        return self.submission_limit_s + self.limits.import_time_s + longest_s + 1

    def group_of(self) -> tuple[int, ...]:
        """For each call of `stimuli`, the position of its group."""
        return tuple(i for i, group in enumerate(self.groups) for _ in group)


def make_batch(
    groups: Sequence[Sequence[Stimulus]],
    limits: Limits,
    largest_reply_bytes: int = 0,
    *,
    public_groups: int | None = None,
    reference_s: Sequence[float] = (),
    reference_total_s: float = 0.0,
) -> Batch:
    """Encode the stimuli of a run, and give each its time.

    So many of the groups, the first, are public; all of them, unless it is said.
    `largest_reply_bytes` is the size of the largest value that the reference returns; a student's
    may be eight times that.  `reference_s` is the reference's CPU time for each call in turn, and
    `reference_total_s` that for all of them together; where there is no reference, or none for
    the last calls, the limits are as they stand in the pack.

    Raises:
        TypeError: if an argument is not plain data (a fault of the pack).
    """
    stimuli = [stimulus for group in groups for stimulus in group]
    public_calls = sum(len(group) for group in groups[:public_groups])
    factor = limits.call_time_factor
    times_s = (*reference_s, *[0.0] * (len(stimuli) - len(reference_s)))
    return Batch(
        groups=tuple(tuple(group) for group in groups),
        limits=limits,
        body_limit=max(_MIN_BODY_LIMIT, 8 * largest_reply_bytes),
        encoded=_encoded(stimuli[:public_calls]),
        hidden=_encoded(stimuli[public_calls:]) if stimuli[public_calls:] else b"",
        public_calls=public_calls,
        call_limits_s=tuple(_limit_s(limits.call_time_s, factor * time_s) for time_s in times_s),
        submission_limit_s=_limit_s(limits.submission_time_s, factor * reference_total_s),
    )


def _encoded(stimuli: Sequence[Stimulus]) -> bytes:
    encoder = wire.Encoder()
    text = wire.dumps([encoder.encode(stimulus) for stimulus in stimuli])
    return struct.pack("<Q", len(text)) + text + encoder.body


def _limit_s(floor_s: float, wanted_s: float) -> float:
    """The floor, or what is wanted, rounded up to one digit.

    A measured time is never twice the same; rounded, students mostly read the same limit.
    """
    if wanted_s <= floor_s:
        return floor_s
    unit_s = 10.0 ** math.floor(math.log10(wanted_s))
    return round(math.ceil(wanted_s / unit_s) * unit_s, 9)
