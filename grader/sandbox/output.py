"""What a child printed: cut to size, and told apart by the call that printed it."""

from __future__ import annotations

from collections import deque

_HEAD, _TAIL = 32 << 10, 8 << 10


class Output:
    """The beginning and the end of what a stream printed; the middle is only counted."""

    def __init__(self) -> None:
        self.size = 0
        self._head = bytearray()
        self._tail: deque[int] = deque(maxlen=_TAIL)

    def add(self, data: bytes) -> None:
        """Take in more output."""
        self.size += len(data)
        room = _HEAD - len(self._head)
        self._head += data[:room]
        self._tail.extend(data[max(room, 0) :][-_TAIL:])

    def text(self) -> str:
        """What was printed, as text, with a note where the middle is left out."""
        left_out = self.size - len(self._head) - len(self._tail)
        gap = f"\n… {left_out:,} bytes left out …\n".encode() if left_out else b""
        return (bytes(self._head) + gap + bytes(self._tail)).decode("utf-8", errors="replace")


class Steps:
    """Standard output, step by step: loading first, then each call.

    The child prints a mark of random bytes after each step, because it does not wait between
    steps: what two of them printed may arrive in one piece.
    """

    def __init__(self, mark: bytes) -> None:
        self._mark = mark
        self._unread = b""
        self._current = bytearray()
        self._ended: deque[bytes] = deque()

    def add(self, data: bytes) -> bytes:
        """Take in more output; returns what of it is no mark, as far as that is known yet."""
        *ended, rest = (self._unread + data).split(self._mark)
        shown = b""
        for piece in ended:
            self._keep(piece)
            self._ended.append(bytes(self._current))
            self._current.clear()
            shown += piece
        # A mark may have arrived in part: what could begin one waits for more.
        self._unread = rest[len(rest) - _overlap(rest, self._mark) :]
        piece = rest[: len(rest) - len(self._unread)]
        self._keep(piece)
        return shown + piece

    def _keep(self, piece: bytes) -> None:
        self._current += piece[: _HEAD - len(self._current)]

    def next(self) -> str:
        """What the next step printed; "" if its mark did not arrive."""
        printed = self._ended.popleft() if self._ended else b""
        return printed.decode("utf-8", errors="replace")

    @property
    def ended(self) -> bool:
        """Whether the next step's mark has arrived."""
        return bool(self._ended)

    def rest(self) -> bytes:
        """What waited for the rest of a mark that never came."""
        unread, self._unread = self._unread, b""
        return unread


class Printed:
    """All that a child prints, up to its limit exactly: what comes behind that is dropped."""

    def __init__(self, mark: bytes, limit_bytes: int) -> None:
        self._limit_bytes = limit_bytes
        self.out, self.err = Output(), Output()
        """What the student may be shown."""
        self._later: Output | None = None
        self.steps = Steps(mark)
        self.flooded_by = ""
        """The stream on which more came than may be printed; "" if none did."""

    def keep_the_rest(self) -> None:
        """What comes from now on may quote hidden calls: it is counted, and not shown."""
        self._later = Output()

    def add(self, stream: str, data: bytes) -> None:
        """Take in what came on a stream, "out" or "err"."""
        while data and not self.flooded_by:
            room = self._limit_bytes + 1 - self._size()
            piece, data = data[:room], data[room:]
            shown = self.out if stream == "out" else self.err
            (self._later or shown).add(self.steps.add(piece) if stream == "out" else piece)
            if self._size() > self._limit_bytes:
                self.flooded_by = stream

    def _size(self) -> int:
        return self.out.size + self.err.size + (self._later.size if self._later else 0)

    def close(self) -> None:
        """Nothing more will come."""
        if self._later is None:
            self.out.add(self.steps.rest())


def _overlap(data: bytes, mark: bytes) -> int:
    """Length of the longest end of the data with which a mark begins."""
    longest = min(len(data), len(mark) - 1)
    return next((n for n in range(longest, 0, -1) if data.endswith(mark[:n])), 0)
