"""Which tier of isolation this machine gives, told by what probes were seen refused.

A  strong+   B, and the machine's network, IPC and file tree are left behind
B  strong    seccomp, Landlock, limits
C  reduced   no Landlock: reading by path is refused altogether
D  limits    time and memory only
E  none      a fresh process with a clean environment and a clock
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from grader.errors import SandboxError
from grader.evidence import Isolation, Protection, Tier
from grader.problem import Limits
from grader.sandbox.child import perform, syscalls, wire
from grader.sandbox.zygote import Zygote

Layers = dict[str, bool]

_PROBE_TIME_S = 60.0
"""By the clock on the wall: a busy machine must not be taken for a weak one."""

FULL: Layers = {"limits": True, "landlock": True, "seccomp": True}
WITHOUT_LANDLOCK: Layers = {"limits": True, "landlock": False, "seccomp": True}
WITHOUT_SECCOMP: Layers = {"limits": True, "landlock": True, "seccomp": False}
ONLY_LIMITS: Layers = {"limits": True, "landlock": False, "seccomp": False}

TIER_NAMES = {
    Tier.A: "strong+",
    Tier.B: "strong",
    Tier.C: "reduced",
    Tier.D: "limits only",
    Tier.E: "none",
}

_LIMITS = ("memory limit", "time limit")
_STDLIB = "standard library readable"
_NAMES = "see names outside"
_NETWORK = "own network namespace"
_SOCKETS = "network sockets"

HOW_TRIED = {
    "read files outside": "read a file open to all",
    "write files outside": "append to a file open to all",
    "create files": "make a file in a folder open to all",
    "list folders outside": "list a folder open to all",
    _NAMES: "ask for a file's size",
    "change permissions": "change the mode of a file",
    _SOCKETS: "open an internet socket",
    "unix sockets": "open a local socket",
    "new processes": "fork",
    "run programs": "execute a file",
    "signal other processes": "send its parent the null signal",
    "trace other processes": "look into its parent with ptrace",
    "limits of other processes": "ask for its parent's limits",
    "new namespaces": "make a user namespace",
    "memory limit": "ask for its own limit",
    "time limit": "ask for its own limit",
    _STDLIB: "read its library, as it must",
    _NETWORK: "compare its network namespace",
}
"""What a sandboxed process tries, to find out whether each protection holds."""

_NAMESPACES_NEEDED = (
    "run as root, or allow unprivileged user namespaces; containers mostly refuse both, "
    "and tier B does without"
)
_LANDLOCK_NEEDED = (
    "Linux 5.13 or newer with Landlock switched on (`cat /sys/kernel/security/lsm` names it); "
    "in a container, also a runtime whose seccomp profile knows it"
)
_SECCOMP_NEEDED = "a kernel, and in a container a profile, that let a process set a seccomp filter"
_KNOWN_NEEDED = "a machine with an x86-64 or ARM64 processor: the filter is not made for this one's"
_LIMITS_NEEDED = "a system that lets a process limit its own memory and time"
_BEYOND_SECCOMP = {
    _NETWORK: _NAMESPACES_NEEDED,
    _NAMES: _NAMESPACES_NEEDED,
    _STDLIB: _LANDLOCK_NEEDED,
}
_BEYOND_SECCOMP |= dict.fromkeys(_LIMITS, _LIMITS_NEEDED)


def measure(zygote: Zygote) -> tuple[Isolation, Layers]:
    """Find the strongest layers that work here, by trying canaries in a child.

    Raises:
        SandboxError: if not even limits can be set.
    """
    landlock = zygote.hello["landlock"]
    attempts = [FULL, WITHOUT_LANDLOCK, WITHOUT_SECCOMP, ONLY_LIMITS]
    last = ""
    for layers in attempts:
        if layers["landlock"] and not landlock:
            continue
        try:
            found = _probe(zygote, layers)
        except SandboxError as error:
            last = str(error)
            continue
        found[_NETWORK] = _own_network(zygote)
        isolation = Isolation(_tier(found, layers), _protections(found))
        if isolation.tier <= _promised(layers):
            return isolation, layers
        last = f"{', '.join(isolation.missing)} not refused"
    raise SandboxError(f"no isolation could be set up: {last}")


def nothing() -> Isolation:
    """Tier E: what a platform without fork servers gives."""
    names = ("read files outside", "write files outside", _SOCKETS, *_LIMITS)
    seen = "not protected on this platform"
    remedy = "grade on Linux, for example in a container or in WSL 2"
    return Isolation(Tier.E, tuple(Protection(name, False, seen, remedy) for name in names))


def _promised(layers: Layers) -> Tier:
    """The weakest tier at which these layers are worth having."""
    if not layers["seccomp"]:
        return Tier.D
    return Tier.B if layers["landlock"] else Tier.C


def _own_network(zygote: Zygote) -> tuple[bool, str]:
    theirs = zygote.hello["network"]
    try:
        ours = os.readlink("/proc/self/ns/net")
    except OSError:
        return False, "namespaces cannot be seen here"
    held = bool(theirs) and theirs != ours
    # No numbers of namespaces: a result says the same whenever it is made.
    return held, "another than the machine's" if held else "the machine's own"


def _probe(zygote: Zygote, layers: Layers) -> dict[str, tuple[bool, str]]:
    # The canaries are open to every user, so that what refuses is the sandbox and nothing else.
    with tempfile.TemporaryDirectory(prefix="grader-probe-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        for file in ("secret", "writable"):
            (folder / file).write_text("canary")
            (folder / file).chmod(0o666)
        paths = {file: str(folder / file) for file in ("secret", "writable", "new", "nothing")}
        return _ask(zygote, layers, paths | {"folder": name})


def _ask(zygote: Zygote, layers: Layers, paths: dict[str, str]) -> dict[str, tuple[bool, str]]:
    request = child_request(layers, Limits(), body_limit=1 << 16, serial=0) | {"probe": paths}
    child = zygote.fork(request, b"{}", b"")
    data, ended = bytearray(), False
    while not ended:
        events = list(child.read(_PROBE_TIME_S))
        if not events:
            break
        for stream, piece in events:
            if stream == "reply":
                data += piece
                ended = not piece
    child.end()
    if len(data) < perform.HEADER.size:
        raise SandboxError("the probe did not answer")
    _, index, size, _ = perform.HEADER.unpack_from(data)
    reply = wire.loads(bytes(data[perform.HEADER.size :][:size]))
    if index == perform.SETUP_FAILED:
        raise SandboxError(str(reply.get("message")))
    return {str(name): (bool(held), str(seen)) for name, (held, seen) in reply.items()}


def child_request(
    layers: Layers, limits: Limits, *, body_limit: int, serial: int, needed_cpu_s: float = 0.0
) -> dict[str, object]:
    """What a zygote must know to fork and confine a child.

    `needed_cpu_s` is what all its limits add up to.  A child can read the limit that the kernel
    keeps for it: doubled until it is enough, it tells next to nothing of how long the reference
    takes.
    """
    cpu_s = int(limits.submission_time_s + limits.import_time_s + limits.call_time_s) + 2
    while cpu_s < needed_cpu_s:
        cpu_s *= 2
    return {
        "layers": layers,
        "memory_bytes": limits.memory_mb << 20,
        "cpu_s": cpu_s,
        "body_limit": body_limit,
        "serial": serial,
    }


def _tier(found: dict[str, tuple[bool, str]], layers: Layers) -> Tier:
    held = {name for name, (refused, _) in found.items() if refused}
    attempts = set(found) - {*_LIMITS, _STDLIB, _NETWORK, _NAMES}
    if not held.issuperset(_LIMITS):
        return Tier.E
    if not held.issuperset(attempts):
        return Tier.D
    if not layers["landlock"]:
        return Tier.C
    return Tier.A if held.issuperset((_NETWORK, _NAMES)) else Tier.B


def _protections(found: dict[str, tuple[bool, str]]) -> tuple[Protection, ...]:
    return tuple(
        Protection(name, held, seen, "" if held else _remedy(name))
        for name, (held, seen) in found.items()
    )


def _remedy(name: str) -> str:
    known = os.uname().machine in syscalls.MACHINES
    return _BEYOND_SECCOMP.get(name, _SECCOMP_NEEDED if known else _KNOWN_NEEDED)


def describe(isolation: Isolation) -> str:
    """A line such as ``tier B (strong)``."""
    return f"tier {isolation.tier} ({TIER_NAMES[isolation.tier]})"
