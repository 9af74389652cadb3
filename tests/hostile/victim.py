"""A process that attacks try to hit: it says where its secret lies, and what happened to it."""

import ctypes
import json
import os
import resource
import signal
import sys

PR_SET_PTRACER, ANYBODY = 0x59616D61, ctypes.c_ulong(-1)

secret = sys.argv[1].encode()
buffer = ctypes.create_string_buffer(secret)
read_end, write_end = os.pipe()
os.write(write_end, secret)
# Where the kernel lets only relatives trace, everybody is one.
ctypes.CDLL(None).prctl(PR_SET_PTRACER, ANYBODY, 0, 0, 0)

seen: list[str] = []
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGIO):
    signal.signal(number, lambda number, frame: seen.append(signal.Signals(number).name))


def state() -> dict[str, object]:
    return {
        "signals": seen,
        "affinity": sorted(os.sched_getaffinity(0)),
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
        "policy": os.sched_getscheduler(0),
        "files": resource.getrlimit(resource.RLIMIT_NOFILE),
    }


facts = {"pid": os.getpid(), "address": ctypes.addressof(buffer), "fd": read_end}
print(json.dumps(facts), flush=True)
for _ in sys.stdin:
    print(json.dumps(state()), flush=True)
