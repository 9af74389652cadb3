"""One request served in a fresh process, from files, where fork servers do not exist.

Imports nothing that only Linux has.  There is no confinement: the trusted side says so.
"""

from __future__ import annotations

import json
import os
import sys

from grader.sandbox.child import perform, warm
from grader.sandbox.child.later import Later


def main() -> None:
    """Read the configuration from the command line, perform, and end."""
    config = json.loads(sys.argv[1])
    fd = os.open(config["reply"], os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    replies = perform.Replies(fd, config["body_limit"])
    try:
        warm.warm_up(config["preload"], files=True)
    except warm.NotPreloaded as error:
        replies.send(perform.SETUP_FAILED, {"message": str(error)})
        os._exit(0)
    with open(config["work"], "rb") as work, open(config["stimuli"], "rb") as stimuli:
        request, calls = json.loads(work.read()), bytearray(stimuli.read())
    hidden_fd = os.open(config["hidden"], os.O_RDONLY | getattr(os, "O_BINARY", 0))
    later = Later(hidden_fd, _take_input(), config["hidden_bytes"])
    perform.perform(request, calls, replies, later)
    os._exit(0)


def _take_input() -> int:
    """Put the pipe that tells of what comes later where student code does not read from it."""
    ready_fd = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return ready_fd


main()
