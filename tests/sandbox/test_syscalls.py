"""The list of system calls, on both architectures: its numbers against an independent table, and
its answers by running the filter as the kernel would."""

from __future__ import annotations

import errno
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seccompy import syscalls as independent

from grader.sandbox.child import seccomp, syscalls

TABLES = {
    "x86_64": (independent.AUDIT_ARCH_X86_64, independent.X86_64_SYSCALLS),
    "aarch64": (independent.AUDIT_ARCH_AARCH64, independent.AARCH64_SYSCALLS),
}
HEADERS = {
    "x86_64": ("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"),
    "aarch64": ("/usr/include/asm-generic/unistd.h",),
}
PID = 4321
ALLOW, KILL = "allow", "kill"
POLICY = {
    *syscalls.ALLOWED, *syscalls.FILES, *syscalls.FORBIDDEN, *syscalls.TRY_AGAIN,
    *syscalls.OWN_PID_FIRST, *syscalls.ZERO_FIRST, *syscalls.FIRST_IN, *syscalls.SECOND_IN,
}  # fmt: skip

on_both = pytest.mark.parametrize("machine", TABLES)
with_and_without_files = pytest.mark.parametrize("files", [True, False], ids=["files", "no files"])


@on_both
def test_numbers_agree_with_an_independent_table(machine: str) -> None:
    arch, numbers = syscalls.MACHINES[machine]
    their_arch, theirs = TABLES[machine]
    assert arch == their_arch
    assert numbers == {name: theirs.get(name) for name in numbers}


@on_both
def test_numbers_agree_with_the_kernels_headers(machine: str) -> None:
    header = next((Path(path) for path in HEADERS[machine] if Path(path).exists()), None)
    if header is None:
        pytest.skip("the kernel's headers are not installed")
    said = {}
    for line in header.read_text().splitlines():
        words = line.split()
        if len(words) == 3 and words[0] == "#define" and words[2].isdigit():
            said[words[1].removeprefix("__NR_").removeprefix("__NR3264_")] = int(words[2])
    _, numbers = syscalls.MACHINES[machine]
    also_called = {"newfstatat": "fstatat"} if machine == "aarch64" else {}
    checked = 0
    for name, number in numbers.items():
        known = said.get(name, said.get(also_called.get(name, "")))
        assert known in (number, None), name  # older headers lack newer calls
        checked += known is not None
    assert checked > 0.95 * len(numbers)


@on_both
def test_no_call_is_lost_to_a_name_that_only_the_other_architecture_has(machine: str) -> None:
    """A call in the policy that this architecture has is in its table: else it would be ENOSYS."""
    _, numbers = syscalls.MACHINES[machine]
    _, theirs = TABLES[machine]
    assert POLICY & theirs.keys() <= numbers.keys()
    in_any = {name for _, table in TABLES.values() for name in table}
    assert POLICY - in_any == set()


class Kernel:
    """Runs a filter as the kernel does: classic BPF over a `struct seccomp_data`."""

    def __init__(self, machine: str, *, files: bool) -> None:
        code = seccomp.compiled(machine, PID, allow_files=files)
        self._steps = list(struct.iter_unpack("=HBBI", code))
        self._arch, self._numbers = TABLES[machine]

    def answer(self, name: str | int, *args: int, arch: int | None = None) -> str | int:
        """`allow`, `kill`, or an errno."""
        number = name if isinstance(name, int) else self._numbers[name]
        words = [argument & (1 << 64) - 1 for argument in (*args, 0, 0, 0, 0, 0, 0)[:6]]
        data = struct.pack("<IIQ6Q", number, self._arch if arch is None else arch, 0, *words)
        return self._run(data)

    def _run(self, data: bytes) -> str | int:
        at, accumulator = 0, 0
        while True:  # a program without loops: jumps lead forward
            code, if_true, if_false, value = self._steps[at]
            at += 1
            if code == 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            elif code == 0x05:
                at += value
            elif code == 0x15:
                at += if_true if accumulator == value else if_false
            elif code == 0x35:
                at += if_true if accumulator >= value else if_false
            else:
                assert code == 0x06, f"unknown instruction {code:#x}"
                return self._meaning(value)

    def _meaning(self, value: int) -> str | int:
        if value & 0xFFFF0000 == 0x00050000:
            return value & 0xFFFF
        return {0x7FFF0000: ALLOW, 0x80000000: KILL}[value]

    def has(self, name: str) -> bool:
        return name in self._numbers


def expected(name: str, *, files: bool) -> str | int:
    """What is meant for a call whose arguments are all zero and decide nothing."""
    if name in syscalls.FILES:
        return ALLOW if files else errno.EACCES
    if name in syscalls.ALLOWED:
        return ALLOW
    if name in syscalls.FORBIDDEN:
        return errno.EPERM
    return errno.EAGAIN if name in syscalls.TRY_AGAIN else errno.ENOSYS


@on_both
@with_and_without_files
def test_each_call_gets_the_answer_that_is_meant(machine: str, files: bool) -> None:
    kernel, (_, names) = Kernel(machine, files=files), TABLES[machine]
    by_argument = {
        *syscalls.OWN_PID_FIRST, *syscalls.ZERO_FIRST, *syscalls.FIRST_IN, *syscalls.SECOND_IN,
    }  # fmt: skip
    aliases: dict[int, set[str]] = {}
    for name, number in names.items():
        aliases.setdefault(number, set()).add(name)
    for names_of_one in aliases.values():
        # Where a number has several names, the policy speaks of one of them at most.
        (name, *others) = sorted(names_of_one & POLICY) or sorted(names_of_one)[:1]
        assert others == []
        if name not in by_argument:
            assert kernel.answer(name) == expected(name, files=files), name


@on_both
def test_no_call_that_reaches_outside_is_allowed(machine: str) -> None:
    """Named once more, by what it would let a student do, apart from the policy's own lists."""
    kernel = Kernel(machine, files=True)
    outside = """
        socket socketpair connect bind listen accept accept4 sendto sendmsg sendmmsg recvmmsg
        execve execveat fork vfork clone clone3 unshare setns ptrace process_vm_readv
        process_vm_writev process_madvise pidfd_open pidfd_getfd pidfd_send_signal tkill
        rt_sigqueueinfo rt_tgsigqueueinfo kcmp io_uring_setup io_uring_enter io_uring_register
        io_setup io_submit bpf perf_event_open userfaultfd keyctl add_key request_key mount umount2
        pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
        openat2 open_by_handle_at name_to_handle_at memfd_create memfd_secret shmget shmat
        semget msgget mq_open mknod mknodat rename renameat renameat2 unlink unlinkat link linkat
        symlink symlinkat mkdir mkdirat rmdir truncate ftruncate fallocate chmod fchmod fchmodat
        fchmodat2 chown fchown lchown fchownat utime utimes utimensat futimesat setxattr lsetxattr
        fsetxattr setxattrat removexattr getxattr listxattr setuid setgid setresuid setresgid
        setreuid setregid setgroups capset sched_setaffinity sched_setscheduler sched_setattr
        setpriority ioprio_set setpgid setsid setrlimit inotify_init inotify_init1 inotify_add_watch
        fanotify_init syslog reboot kexec_load kexec_file_load init_module finit_module
        delete_module swapon swapoff acct quotactl settimeofday clock_settime adjtimex
        clock_adjtime sethostname setdomainname vmsplice splice tee sendfile copy_file_range
        seccomp landlock_create_ruleset landlock_restrict_self personality modify_ldt iopl ioperm
        timer_create timerfd_create signalfd4 mlockall mlock migrate_pages move_pages
        process_mrelease
    """.split()
    allowed = [name for name in outside if kernel.has(name) and kernel.answer(name) == ALLOW]
    assert allowed == []


TIOCSTI, F_SETOWN, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ = 0x5412, 8, 1024, 1026, 1031
BY_ARGUMENT: list[tuple[str, tuple[int, ...], str | int]] = [
    ("kill", (PID, 9), ALLOW),
    ("kill", (PID + 1, 9), errno.EPERM),
    ("kill", (0, 9), errno.EPERM),
    ("kill", (-1, 9), errno.EPERM),
    ("kill", (-PID, 9), errno.EPERM),
    ("kill", (PID + (1 << 32), 9), errno.EPERM),
    ("tgkill", (PID, PID, 9), ALLOW),
    ("tgkill", (1, 1, 9), errno.EPERM),
    ("prlimit64", (0, 7), ALLOW),
    ("prlimit64", (PID, 7), errno.EPERM),
    ("prlimit64", (1 << 32, 7), errno.EPERM),
    ("sched_getaffinity", (0,), ALLOW),
    ("sched_getaffinity", (1,), errno.EPERM),
    ("getpriority", (0, 0), ALLOW),
    ("getpriority", (0, 1), errno.EPERM),
    ("ioctl", (1, 0x5401), ALLOW),
    ("ioctl", (0, TIOCSTI), errno.EPERM),
    ("ioctl", (0, 0x5401 + (1 << 32)), errno.EPERM),
    ("fcntl", (3, 1), ALLOW),
    ("fcntl", (3, F_SETOWN), errno.EPERM),
    ("fcntl", (3, F_SETLEASE), errno.EPERM),
    ("fcntl", (3, F_NOTIFY), errno.EPERM),
    ("fcntl", (3, F_SETPIPE_SZ), errno.EPERM),
    ("prctl", (15,), ALLOW),
    ("prctl", (1,), errno.EPERM),  # SET_PDEATHSIG
    ("prctl", (4,), errno.EPERM),  # SET_DUMPABLE
    ("prctl", (22,), errno.EPERM),  # SET_SECCOMP
    ("prctl", (0x59616D61,), errno.EPERM),  # SET_PTRACER
    ("clock_gettime", (1,), ALLOW),
    ("clock_gettime", (-10,), errno.EPERM),  # the CPU clock of process 1
    ("clone", (0x11,), errno.EAGAIN),
    ("clone", (0x10000011,), errno.EAGAIN),
    ("clone3", (0,), errno.ENOSYS),
]


@on_both
@pytest.mark.parametrize(("name", "args", "answer"), BY_ARGUMENT)
def test_arguments_are_looked_at_whole(
    machine: str, name: str, args: tuple[int, ...], answer: str | int
) -> None:
    for files in (True, False):
        assert Kernel(machine, files=files).answer(name, *args) == answer


def test_the_other_instruction_sets_of_a_processor_are_closed() -> None:
    i386, arm, x32 = 0x40000003, 0x40000028, 0x40000000
    for machine, foreign in (("x86_64", i386), ("aarch64", arm)):
        kernel = Kernel(machine, files=True)
        assert kernel.answer("read") == ALLOW
        for arch in (foreign, 0, *(other for other, _ in TABLES.values())):
            if arch != TABLES[machine][0]:
                assert {kernel.answer(number, arch=arch) for number in range(600)} == {KILL}
    kernel = Kernel("x86_64", files=True)
    assert {kernel.answer(x32 + number) for number in range(600)} == {errno.ENOSYS}


@given(number=st.integers(0, 2**32 - 1), args=st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_what_nobody_named_is_not_there(number: int, args: list[int]) -> None:
    for machine, (_, theirs) in TABLES.items():
        if number not in theirs.values():
            assert Kernel(machine, files=True).answer(number, *args) == errno.ENOSYS


@on_both
@with_and_without_files
def test_every_jump_lands_inside(machine: str, files: bool) -> None:
    """The kernel refuses a filter with a jump beyond its end, on that architecture alone."""
    code = seccomp.compiled(machine, PID, allow_files=files)
    steps = list(struct.iter_unpack("=HBBI", code))
    assert len(steps) <= 4096
    assert steps[-1][0] == 0x06
    for at, (instruction, if_true, if_false, value) in enumerate(steps):
        if instruction in (0x15, 0x35):
            assert at + 1 + max(if_true, if_false) < len(steps)
        elif instruction == 0x05:
            assert at + 1 + value < len(steps)
