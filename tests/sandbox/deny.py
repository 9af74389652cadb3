"""Run a command where kernel features or rights are missing, as on an older kernel or in a
container: `python deny.py landlock,seccomp -- COMMAND…`."""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

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

LIBC = ctypes.CDLL(None, use_errno=True)
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
NEW_MOUNTS, NEW_USER, PRIVATE, BIND = 0x20000, 0x10000000, 0x44000, 0x1000
PERSONALITY_32_BIT = 8
NOBODY = 65534
CONTAINER_CAPABILITIES = {0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31}
"""chown, dac_override, fowner, fsetid, kill, setgid, setuid, setpcap, net_bind_service, net_raw,
sys_chroot, mknod, audit_write, setfcap: what container runtimes leave to root by default."""


def check(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def keep(capabilities: set[int]) -> None:
    """What a program may have at most, once it is started."""
    for number in range(int(Path("/proc/sys/kernel/cap_last_cap").read_text()) + 1):
        if number not in capabilities:
            check(LIBC.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(number), 0, 0, 0))


def become_user() -> None:
    """An ordinary user, if root asks; else whoever asks is one."""
    if os.geteuid() == 0:
        open_python()
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def open_python() -> None:
    """Let all users run this Python, also where it lies in a folder of root's: for us alone, that
    folder becomes an open one with nothing else in it."""
    home = Path(sys.base_prefix)
    closed = [path for path in home.parents if not path.stat().st_mode & 0o001]
    if closed:
        check(LIBC.unshare(NEW_MOUNTS))
        mount(None, "/", None, PRIVATE)
        mount(str(home), "/mnt", None, BIND)
        mount("none", str(closed[-1]), "tmpfs", 0)
        closed[-1].chmod(0o755)
        home.mkdir(parents=True)
        mount("/mnt", str(home), None, BIND)


def mount(source: str | None, target: str, kind: str | None, flags: int) -> None:
    names = [None if name is None else name.encode() for name in (source, target, kind)]
    check(LIBC.mount(*names, ctypes.c_ulong(flags), None))


def enter_user_namespace() -> None:
    """Root of one, who is nobody outside of it."""
    uid, gid = os.geteuid(), os.getegid()
    check(LIBC.unshare(NEW_USER))
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
    Path("/proc/self/gid_map").write_text(f"0 {gid} 1")


SURROUNDINGS = {
    "few-capabilities": lambda: keep(CONTAINER_CAPABILITIES),
    "no-capabilities": lambda: keep(set()),
    "user": become_user,
    "user-namespace": enter_user_namespace,
    # `uname -m` then tells of a 32-bit processor, for which there is no table of calls.
    "architecture": lambda: check(LIBC.personality(ctypes.c_ulong(PERSONALITY_32_BIT))),
}


def program(features: list[str]) -> bytes:
    steps: Steps = [(LOAD, 0, 0, NUMBER)]
    for feature in features:
        steps += FEATURES[feature]()
    steps.append((ANSWER, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def main() -> None:
    wanted, command = sys.argv[1].split(","), sys.argv[3:]
    for name in wanted:
        if name in SURROUNDINGS:
            SURROUNDINGS[name]()
    features = [name for name in wanted if name not in SURROUNDINGS]
    if features:
        check(LIBC.prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), 0, 0, 0))
        seccomp.apply(program(features))
    os.execvp(command[0], command)


main()
