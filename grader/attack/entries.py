"""The entries of the catalogue: what each tries, what stands against it, where that is promised.

`docs/security.md` says the same of the tiers, in its table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from grader.attack.model import Attack
from grader.evidence import Tier


class Kind(StrEnum):
    """What an attack is after."""

    SCORE = "score"
    READING = "reading"
    HOST = "host"
    EXHAUSTION = "exhaustion"
    PIPELINE = "pipeline"


TITLES = {
    Kind.SCORE: "Score integrity: points for answers that are not right",
    Kind.READING: "Reading: the answers, other people's work, other processes",
    Kind.HOST: "Host and siblings: files, network, processes, the kernel",
    Kind.EXHAUSTION: "Exhaustion: time, memory, output, disk",
    Kind.PIPELINE: "Pipeline: replies that lie, never end, or are no replies",
}

_EVERYWHERE = "A B C D E"
_WHERE_LIMITS_ARE = "A B C D"
_WHERE_CONFINED = "A B C"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: many attacks that try the same in different ways."""

    kind: Kind
    tries: str
    against: str = ""
    """What stands against it where no error number and no limit tells."""
    tiers: str = _WHERE_CONFINED


_COMPARED = "comparison outside"
_PLAIN = "plain-data replies"
_APART = "a process apart"


def _score(tries: str, against: str = _COMPARED) -> Entry:
    return Entry(Kind.SCORE, tries, against, _EVERYWHERE)


ENTRIES: dict[int, Entry] = {
    1: Entry(Kind.READING, "read the reference, the gradebook, another's work, any file"),
    2: Entry(Kind.READING, "import the reference, or the grader"),
    3: Entry(Kind.READING, "list the pack's folder"),
    4: Entry(Kind.READING, "learn that a file is there, its size or its age"),
    5: Entry(
        Kind.READING, "find an expected value in its own frames and objects", _APART, _EVERYWHERE
    ),
    7: Entry(Kind.READING, "look into processes through /proc"),
    8: Entry(Kind.READING, "read the grader's environment", "clean environment", _EVERYWHERE),
    9: Entry(Kind.READING, "use what the grader has open", "closed descriptors", _EVERYWHERE),
    10: Entry(Kind.READING, "look into another process by system calls"),
    11: _score("replace what a grader compares with"),
    12: _score("return an object that calls itself equal"),
    13: _score("return an array that takes a hand in the comparison"),
    14: _score("return nan where an error is measured"),
    15: _score("return a shape that a comparison would stretch"),
    16: _score("return nothing at all, which differs nowhere"),
    17: _score("return odd bytes, or objects, as an array"),
    18: _score("end the process as if all had passed", _APART),
    19: _score("have the last word while the process ends", _PLAIN),
    20: _score("write the file of results itself", _PLAIN),
    21: _score("print a result", _PLAIN),
    22: Entry(Kind.PIPELINE, "forge replies to the grader", _PLAIN, _EVERYWHERE),
    23: Entry(Kind.PIPELINE, "answer with a pickle", _PLAIN, _EVERYWHERE),
    24: Entry(Kind.PIPELINE, "answer with what breaks or bloats a reader", _PLAIN, _EVERYWHERE),
    25: Entry(Kind.PIPELINE, "answer more slowly than the limits", _PLAIN, _EVERYWHERE),
    26: _score("set the clock that it is measured with", "clock outside"),
    29: _score("predict random inputs", "seed outside"),
    31: _score("know the public cases by heart", "hidden criteria"),
    32: Entry(Kind.HOST, "create, write, rename or remove files"),
    33: Entry(Kind.HOST, "change files' modes, times and attributes"),
    34: Entry(Kind.HOST, "poison what is imported later"),
    35: Entry(Kind.HOST, "make links"),
    36: Entry(Kind.HOST, "open a socket, reach the network"),
    37: Entry(Kind.HOST, "reach a service by its Unix socket"),
    38: Entry(Kind.HOST, "send out of a socket pair"),
    39: Entry(Kind.HOST, "reach an abstract Unix socket"),
    40: Entry(Kind.HOST, "start a process"),
    41: Entry(Kind.HOST, "start a thread"),
    42: Entry(Kind.HOST, "outlive its own grading"),
    43: Entry(Kind.HOST, "signal other processes"),
    44: Entry(Kind.HOST, "have signals sent to others, watch files"),
    45: Entry(Kind.HOST, "change another process's limits and priority"),
    46: Entry(Kind.HOST, "hand work to the kernel around the filter"),
    47: Entry(Kind.HOST, "use calls of the kernel that nobody needs"),
    48: Entry(Kind.HOST, "use another table of system calls"),
    49: Entry(Kind.HOST, "become another program"),
    50: Entry(Kind.HOST, "take back what confines it"),
    51: Entry(Kind.HOST, "type into the terminal"),
    52: Entry(Kind.EXHAUSTION, "run for ever, deaf to signals", "time limit", _EVERYWHERE),
    53: Entry(
        Kind.EXHAUSTION, "use up memory, the stack, the compiler", _APART, _WHERE_LIMITS_ARE
    ),
    54: Entry(Kind.EXHAUSTION, "keep shared memory, queues, semaphores"),
    55: Entry(Kind.EXHAUSTION, "fill the disk"),
    56: Entry(Kind.EXHAUSTION, "flood with output, long names, long values", _PLAIN,
              _WHERE_LIMITS_ARE),
    57: Entry(Kind.EXHAUSTION, "take its process down", _APART, _WHERE_LIMITS_ARE),
}  # fmt: skip


def entry_of(attack: Attack) -> Entry:
    """The entry that an attack is a variant of."""
    return ENTRIES[attack.entry]


def is_promised(attack: Attack, tier: Tier) -> bool:
    """Whether a tier promises that the attack does not reach its goal."""
    if tier <= Tier.C:
        return str(tier) in attack.needs.split()
    return str(tier) in entry_of(attack).tiers.split()


KNOWN_LIMITS = (
    (
        "see the inputs of hidden checks when their turn has come",
        "what its student is shown is final by then; expected values are never there",
    ),
    (
        "tell that it is being graded, and remember earlier calls",
        "what it returns is graded, whatever made it so",
    ),
    ("know public cases by heart", "hidden criteria on other inputs"),
    (
        "lie about itself: whether it changed an argument, what it raised, what a call within a "
        "call returned, which call printed what",
        "only criteria about that very thing believe it",
    ),
    (
        "return what a check in checks.py raises on",
        "the criterion is ungraded, loudly, and its points stay open",
    ),
    ("learn, at tier B, that a file exists, its size and times", "tiers A and C refuse that too"),
    ("use its whole time on every call", "submission_time_s bounds all calls together"),
)
"""What code that runs in a sandbox can do all the same → what limits the damage."""
