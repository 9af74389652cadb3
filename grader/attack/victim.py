"""A process that attacks try to hit: it says where its secret lies, and what happened to it.

Run by path, without the rest of the package.
"""

import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_PTRACER, ANYBODY = 0x59616D61, ctypes.c_ulong(-1)


def state(signals: list[str]) -> dict[str, object]:
    """What others could have changed about this process."""
    return {
        "signals": signals,
        "affinity": sorted(os.sched_getaffinity(0)),
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "policy": os.sched_getscheduler(0),
        "files": resource.getrlimit(resource.RLIMIT_NOFILE),
    }


def main() -> None:
    """Hold the secret, and answer each line with the state."""
    secret = sys.argv[1].encode()
    buffer = ctypes.create_string_buffer(secret)
    read_end, write_end = os.pipe()
    os.write(write_end, secret)
    # Where the kernel lets only relatives trace, everybody is one.
    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)
    seen: list[str] = []
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGIO):
        signal.signal(number, lambda number, _: seen.append(signal.Signals(number).name))
    facts = {"pid": os.getpid(), "address": ctypes.addressof(buffer), "fd": read_end}
    print(json.dumps(facts), flush=True)
    for _ in sys.stdin:
        print(json.dumps(state(seen)), flush=True)


if __name__ == "__main__":
    main()
