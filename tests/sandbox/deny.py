"""Run a command under a filter that takes kernel features away, as an older kernel or a strict
container would: `python deny.py landlock,seccomp -- COMMAND…`."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable

from seccompy.syscalls import syscall_nr

from grader.sandbox.child import seccomp

LOAD, EQUAL, ANY_BIT, ANSWER = 0x20, 0x15, 0x45, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
NUMBER, FIRST = 0, 16
"""Where a filter finds the call's number and (the lower half of) its first argument."""

Steps = list[tuple[int, int, int, int]]


def refuse(names: str, number: int = errno.EPERM) -> Steps:
    """Every one of these calls."""
    steps: Steps = []
    for name in names.split():
        steps += [(EQUAL, 0, 1, syscall_nr(name)), (ANSWER, 0, 0, ERRNO | number)]
    return steps


def refuse_where(name: str, argument: int, test: int, value: int, number: int) -> Steps:
    """A call whose argument passes a test."""
    refusal = (ANSWER, 0, 0, ERRNO | number)
    back = (LOAD, 0, 0, NUMBER)
    found = [(LOAD, 0, 0, argument), (test, 0, 1, value), refusal, back]
    return [(EQUAL, 0, len(found), syscall_nr(name)), *found]


def refuse_unless(name: str, argument: int, values: Iterable[int]) -> Steps:
    """A call whose argument is none of these."""
    wanted = tuple(values)
    found: Steps = [(LOAD, 0, 0, argument)]
    found += [(EQUAL, len(wanted) - i, 0, value) for i, value in enumerate(wanted)]
    found += [(ANSWER, 0, 0, ERRNO | errno.EPERM), (LOAD, 0, 0, NUMBER)]
    return [(EQUAL, 0, len(found), syscall_nr(name)), *found]


CLONE_NEW = 0x7E020000
"""Every flag of clone(2) that makes a namespace."""
LANDLOCK = "landlock_create_ruleset landlock_add_rule landlock_restrict_self"
PR_SET_SECCOMP = 22


def without_namespaces() -> Steps:
    return [
        *refuse("unshare setns", errno.ENOSYS),
        *refuse_where("clone", FIRST, ANY_BIT, CLONE_NEW, errno.EPERM),
        *refuse("clone3", errno.ENOSYS),
    ]


def without_seccomp() -> Steps:
    # prctl is needed for much else: only its way to a filter is closed.
    way = refuse_where("prctl", FIRST, EQUAL, PR_SET_SECCOMP, errno.ENOSYS)
    return [*refuse("seccomp", errno.ENOSYS), *way]


def container() -> Steps:
    """What container runtimes refuse by default to a container without CAP_SYS_ADMIN.

    Theirs are lists of what is allowed; this is what today's leave out, of what matters here.
    clone3 is ENOSYS, since its flags cannot be looked at, and libc then falls back to clone.
    """
    namespaces = "unshare setns mount umount2 pivot_root mount_setattr open_tree move_mount"
    mounts = "fsopen fsconfig fsmount fspick quotactl quotactl_fd sethostname setdomainname"
    kernel = "bpf perf_event_open userfaultfd kexec_load kexec_file_load reboot syslog acct"
    modules = "init_module finit_module delete_module swapon swapoff vhangup"
    keys = "keyctl add_key request_key"
    others = "ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd process_madvise"
    files = "open_by_handle_at fanotify_init lookup_dcookie"
    memory = "mbind get_mempolicy set_mempolicy migrate_pages move_pages set_mempolicy_home_node"
    clocks = "settimeofday clock_settime"
    rings = "io_uring_setup io_uring_enter io_uring_register"
    return [
        *refuse(f"{namespaces} {mounts} {kernel} {modules} {keys}"),
        *refuse(f"{others} {files} {memory} {clocks} {rings}"),
        *refuse_where("clone", FIRST, ANY_BIT, CLONE_NEW, errno.EPERM),
        *refuse("clone3", errno.ENOSYS),
        *refuse_unless("personality", FIRST, (0, 8, 0x20000, 0x20008, 0xFFFFFFFF)),
        *refuse_where("socket", FIRST, EQUAL, 40, errno.EPERM),  # AF_VSOCK
    ]


FEATURES = {
    "landlock": lambda: refuse(LANDLOCK, errno.ENOSYS),
    "seccomp": without_seccomp,
    "unshare": without_namespaces,
    "container": container,
    # A runtime from before Landlock, whose library knew its numbers and none of its use.
    "old-container": lambda: [*container(), *refuse(LANDLOCK, errno.EPERM)],
}


def program(features: list[str]) -> bytes:
    steps: Steps = [(LOAD, 0, 0, NUMBER)]
    for feature in features:
        steps += FEATURES[feature]()
    steps.append((ANSWER, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def main() -> None:
    features, command = sys.argv[1].split(","), sys.argv[3:]
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.prctl(38, ctypes.c_ulong(1), 0, 0, 0) == 0
    seccomp.apply(program(features))
    os.execvp(command[0], command)


main()
