"""System call numbers per architecture, and what the sandbox makes of each call.

Data only, read by `seccomp` on the child's side.  The numbers are the kernel's own
(`asm/unistd_64.h`, `asm-generic/unistd.h`).
"""

from __future__ import annotations

ALLOWED = frozenset(
    """
    read write readv writev pread64 pwrite64 close close_range lseek fsync fdatasync fadvise64
    dup dup2 dup3 pipe pipe2 select pselect6 poll ppoll
    epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2
    mmap mprotect munmap brk madvise mremap mbind get_mempolicy membarrier
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait sigaltstack
    getpid gettid getppid getpgrp getuid geteuid getgid getegid getgroups
    getresuid getresgid uname getcwd getrandom umask
    nanosleep gettimeofday time times getrusage
    alarm setitimer getitimer sysinfo getrlimit getcpu
    sched_yield
    futex set_robust_list rseq restart_syscall exit exit_group
    """.split()
)
"""What Python and numpy need once they are loaded, and what cannot reach outside the process."""

FILES = frozenset(
    """
    open openat access faccessat faccessat2 readlink readlinkat getdents getdents64
    fstat newfstatat stat lstat statx chdir fchdir
    """.split()
)
"""Reading by path: allowed where Landlock decides which paths, refused with EACCES where not."""

OWN_PID_FIRST = frozenset({"kill", "tgkill"})
"""Allowed when the first argument is the child's own process id."""

ZERO_FIRST = frozenset(
    """
    prlimit64 getpgid getsid sched_getaffinity sched_getparam sched_getscheduler get_robust_list
    """.split()
)
"""Allowed when the first argument is 0, which means oneself."""

SECOND_IN = {
    "ioctl": (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451),
    "fcntl": (0, 1, 2, 3, 4, 5, 1030, 1032),
    "getpriority": (0,),
}
"""Allowed for these values of the second argument.  ioctl: TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO,
FIONCLEX, FIOCLEX.  fcntl: DUPFD, GETFD, SETFD, GETFL, SETFL, GETLK, DUPFD_CLOEXEC, GETPIPE_SZ.
getpriority: oneself."""

_CLOCKS = tuple(range(12))
FIRST_IN = {
    "prctl": (15, 16, 0x53564D41),
    "clock_gettime": _CLOCKS,
    "clock_getres": _CLOCKS,
    "clock_nanosleep": _CLOCKS,
}
"""Allowed for these values of the first argument.  prctl: SET_NAME, GET_NAME and SET_VMA (how
allocators label their memory).  The clocks are the machine's and one's own: every process has one
besides, and how long the grader computes is not for students to see."""

TRY_AGAIN = frozenset({"clone", "fork", "vfork"})
"""EAGAIN: "no more processes", which libraries report well."""

FORBIDDEN = frozenset(
    """
    execve execveat unshare setns ptrace process_vm_readv process_vm_writev
    pidfd_open pidfd_getfd pidfd_send_signal tkill rt_sigqueueinfo rt_tgsigqueueinfo
    socket socketpair connect bind listen accept accept4 sendto recvfrom sendmsg recvmsg
    chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
    utime utimes utimensat futimesat
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
    rename renameat renameat2 unlink unlinkat link linkat symlink symlinkat
    mkdir mkdirat rmdir mknod mknodat truncate creat ftruncate
    chroot pivot_root mount umount2
    setuid setgid setresuid setresgid setreuid setregid setgroups setfsuid setfsgid capset
    sched_setaffinity sched_setscheduler sched_setparam sched_setattr setpriority ioprio_set
    setpgid setsid setrlimit
    io_uring_setup io_uring_enter io_uring_register bpf perf_event_open userfaultfd
    keyctl add_key request_key memfd_create memfd_secret
    shmget shmat shmctl semget semop msgget msgsnd mq_open mlock mlock2 mlockall
    seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self
    kcmp reboot kexec_load init_module finit_module delete_module swapon acct syslog
    name_to_handle_at open_by_handle_at inotify_init1 fanotify_init personality
    timer_create
    """.split()
)
"""EPERM, so that the reason is plain.  Everything named nowhere here gets ENOSYS, which makes
libc fall back to an older call; `clone3` is one of those on purpose."""

X86_64 = {
    "read": 0, "write": 1, "readv": 19, "writev": 20, "pread64": 17, "pwrite64": 18,
    "close": 3, "close_range": 436, "fstat": 5, "newfstatat": 262, "stat": 4, "lstat": 6,
    "statx": 332, "lseek": 8, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12,
    "madvise": 28, "mremap": 25, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15,
    "rt_sigpending": 127, "rt_sigtimedwait": 128, "sigaltstack": 131, "ioctl": 16,
    "fcntl": 72, "dup": 32, "dup2": 33, "dup3": 292, "pipe": 22, "pipe2": 293, "select": 23,
    "pselect6": 270, "poll": 7, "ppoll": 271, "epoll_create1": 291, "epoll_ctl": 233,
    "epoll_wait": 232, "epoll_pwait": 281, "eventfd2": 290, "getpid": 39, "gettid": 186,
    "getppid": 110, "getpgrp": 111, "getpgid": 121, "getsid": 124, "getuid": 102,
    "geteuid": 107, "getgid": 104, "getegid": 108, "getgroups": 115, "getresuid": 118,
    "getresgid": 120, "uname": 63, "getcwd": 79, "getrandom": 318, "clock_gettime": 228,
    "clock_getres": 229, "clock_nanosleep": 230, "nanosleep": 35, "gettimeofday": 96,
    "time": 201, "times": 100, "getrusage": 98, "sysinfo": 99, "sched_yield": 24,
    "sched_getaffinity": 204, "sched_getparam": 143, "sched_getscheduler": 145,
    "getpriority": 140, "getcpu": 309, "futex": 202, "set_robust_list": 273,
    "get_robust_list": 274, "rseq": 334, "restart_syscall": 219, "exit": 60,
    "exit_group": 231, "open": 2, "openat": 257, "access": 21, "faccessat": 269,
    "faccessat2": 439, "readlink": 89, "readlinkat": 267, "getdents": 78, "getdents64": 217,
    "kill": 62, "tgkill": 234, "prlimit64": 302, "getrlimit": 97, "setrlimit": 160,
    "membarrier": 324, "mbind": 237, "get_mempolicy": 239, "prctl": 157, "umask": 95,
    "fadvise64": 221, "fsync": 74, "fdatasync": 75, "flock": 73, "ftruncate": 77, "alarm": 37,
    "setitimer": 38, "getitimer": 36, "timer_create": 222, "timer_settime": 223,
    "timer_delete": 226, "clone": 56, "clone3": 435, "fork": 57, "vfork": 58, "execve": 59,
    "execveat": 322, "unshare": 272, "setns": 308, "ptrace": 101, "process_vm_readv": 310,
    "process_vm_writev": 311, "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424,
    "tkill": 200, "rt_sigqueueinfo": 129, "rt_tgsigqueueinfo": 297, "socket": 41,
    "socketpair": 53, "connect": 42, "bind": 49, "listen": 50, "accept": 43, "accept4": 288,
    "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "chmod": 90, "fchmod": 91,
    "fchmodat": 268, "chown": 92, "fchown": 93, "lchown": 94, "fchownat": 260, "utime": 132,
    "utimes": 235, "utimensat": 280, "futimesat": 261, "setxattr": 188, "lsetxattr": 189,
    "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199,
    "rename": 82, "renameat": 264, "renameat2": 316, "unlink": 87, "unlinkat": 263,
    "link": 86, "linkat": 265, "symlink": 88, "symlinkat": 266, "mkdir": 83, "mkdirat": 258,
    "rmdir": 84, "mknod": 133, "mknodat": 259, "truncate": 76, "creat": 85, "openat2": 437,
    "chdir": 80, "fchdir": 81, "chroot": 161, "pivot_root": 155, "mount": 165, "umount2": 166,
    "setuid": 105, "setgid": 106, "setresuid": 117, "setresgid": 119, "setreuid": 113,
    "setregid": 114, "setgroups": 116, "setfsuid": 122, "setfsgid": 123, "capset": 126,
    "sched_setaffinity": 203, "sched_setscheduler": 144, "sched_setparam": 142,
    "sched_setattr": 314, "setpriority": 141, "ioprio_set": 251, "setpgid": 109,
    "setsid": 112, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "bpf": 321, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250, "add_key": 248,
    "request_key": 249, "memfd_create": 319, "memfd_secret": 447, "shmget": 29, "shmat": 30,
    "shmctl": 31, "semget": 64, "semop": 65, "msgget": 68, "msgsnd": 69, "mq_open": 240,
    "mlock": 149, "mlock2": 325, "mlockall": 151, "seccomp": 317,
    "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446,
    "kcmp": 312, "reboot": 169, "kexec_load": 246, "init_module": 175, "finit_module": 313,
    "delete_module": 176, "swapon": 167, "acct": 163, "syslog": 103, "name_to_handle_at": 303,
    "open_by_handle_at": 304, "inotify_init1": 294, "fanotify_init": 300, "personality": 135,
    "fchmodat2": 452,
}  # fmt: skip

AARCH64 = {
    "read": 63, "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68,
    "close": 57, "close_range": 436, "fstat": 80, "newfstatat": 79, "statx": 291, "lseek": 62,
    "mmap": 222, "mprotect": 226, "munmap": 215, "brk": 214, "madvise": 233, "mremap": 216,
    "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "rt_sigpending": 136,
    "rt_sigtimedwait": 137, "sigaltstack": 132, "ioctl": 29, "fcntl": 25, "dup": 23,
    "dup3": 24, "pipe2": 59, "pselect6": 72, "ppoll": 73, "epoll_create1": 20,
    "epoll_ctl": 21, "epoll_pwait": 22, "eventfd2": 19, "getpid": 172, "gettid": 178,
    "getppid": 173, "getpgid": 155, "getsid": 156, "getuid": 174, "geteuid": 175,
    "getgid": 176, "getegid": 177, "getgroups": 158, "getresuid": 148, "getresgid": 150,
    "uname": 160, "getcwd": 17, "getrandom": 278, "clock_gettime": 113, "clock_getres": 114,
    "clock_nanosleep": 115, "nanosleep": 101, "gettimeofday": 169, "times": 153,
    "getrusage": 165, "sysinfo": 179, "sched_yield": 124, "sched_getaffinity": 123,
    "sched_getparam": 121, "sched_getscheduler": 120, "getpriority": 141, "getcpu": 168,
    "futex": 98, "set_robust_list": 99, "get_robust_list": 100, "rseq": 293,
    "restart_syscall": 128, "exit": 93, "exit_group": 94, "openat": 56, "faccessat": 48,
    "faccessat2": 439, "readlinkat": 78, "getdents64": 61, "kill": 129, "tgkill": 131,
    "prlimit64": 261, "getrlimit": 163, "setrlimit": 164, "membarrier": 283, "mbind": 235,
    "get_mempolicy": 236, "prctl": 167, "umask": 166, "fadvise64": 223, "fsync": 82,
    "fdatasync": 83, "flock": 32, "ftruncate": 46, "setitimer": 103, "getitimer": 102,
    "timer_create": 107, "timer_settime": 110, "timer_delete": 111, "clone": 220,
    "clone3": 435, "execve": 221, "execveat": 281, "unshare": 97, "setns": 268, "ptrace": 117,
    "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_open": 434, "pidfd_getfd": 438,
    "pidfd_send_signal": 424, "tkill": 130, "rt_sigqueueinfo": 138, "rt_tgsigqueueinfo": 240,
    "socket": 198, "socketpair": 199, "connect": 203, "bind": 200, "listen": 201,
    "accept": 202, "accept4": 242, "sendto": 206, "recvfrom": 207, "sendmsg": 211,
    "recvmsg": 212, "fchmod": 52, "fchmodat": 53, "fchown": 55, "fchownat": 54,
    "utimensat": 88, "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14,
    "lremovexattr": 15, "fremovexattr": 16, "renameat": 38, "renameat2": 276, "unlinkat": 35,
    "linkat": 37, "symlinkat": 36, "mkdirat": 34, "mknodat": 33, "truncate": 45,
    "openat2": 437, "chdir": 49, "fchdir": 50, "chroot": 51, "pivot_root": 41, "mount": 40,
    "umount2": 39, "setuid": 146, "setgid": 144, "setresuid": 147, "setresgid": 149,
    "setreuid": 145, "setregid": 143, "setgroups": 159, "setfsuid": 151, "setfsgid": 152,
    "capset": 91, "sched_setaffinity": 122, "sched_setscheduler": 119, "sched_setparam": 118,
    "sched_setattr": 274, "setpriority": 140, "ioprio_set": 30, "setpgid": 154, "setsid": 157,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "bpf": 280,
    "perf_event_open": 241, "userfaultfd": 282, "keyctl": 219, "add_key": 217,
    "request_key": 218, "memfd_create": 279, "memfd_secret": 447, "shmget": 194, "shmat": 196,
    "shmctl": 195, "semget": 190, "semop": 193, "msgget": 186, "msgsnd": 189, "mq_open": 180,
    "mlock": 228, "mlock2": 284, "mlockall": 230, "seccomp": 277,
    "landlock_create_ruleset": 444, "landlock_add_rule": 445, "landlock_restrict_self": 446,
    "kcmp": 272, "reboot": 142, "kexec_load": 104, "init_module": 105, "finit_module": 273,
    "delete_module": 106, "swapon": 224, "acct": 89, "syslog": 116, "name_to_handle_at": 264,
    "open_by_handle_at": 265, "inotify_init1": 26, "fanotify_init": 262, "personality": 92,
    "fchmodat2": 452,
}  # fmt: skip

MACHINES = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
"""`os.uname().machine` → the audit architecture constant and the table."""
