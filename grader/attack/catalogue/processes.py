"""Entries 36–51: the network, other processes, and the kernel's own doors."""

from __future__ import annotations

from grader.attack.model import RIGHT, Attack, all_of, changes_folder, is_received, touches_victim

_SENDS = {
    (36, "tcp"): """
import socket
socket.create_connection(("127.0.0.1", WORLD["tcp"])).sendall(mark)""",
    (36, "udp"): """
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(mark, ("127.0.0.1", WORLD["udp"]))""",
    (36, "url"): """
import urllib.request
urllib.request.urlopen(f"http://127.0.0.1:{WORLD['tcp']}/{mark.decode()}", timeout=1)""",
    (36, "asyncio"): """
import asyncio
async def send():
    _, writer = await asyncio.open_connection("127.0.0.1", WORLD["tcp"])
    writer.write(mark)
    await writer.drain()
    writer.close()
asyncio.run(send())""",
    (36, "raw-calls"): """
import socket, struct
fd, _ = call("socket", 2, 1, 0)
address = struct.pack("=H", 2) + struct.pack(">H", WORLD["tcp"]) + bytes([127, 0, 0, 1]) + bytes(8)
call("connect", fd, address, 16)
os.write(fd, mark)""",
    (36, "multipath-tcp"): """
import socket
try: s = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262)
except OSError as error:
    if error.errno in REFUSED: raise
    s = socket.socket()
s.connect(("127.0.0.1", WORLD["tcp"]))
s.sendall(mark)""",
    (37, "unix-stream"): """
import socket
s = socket.socket(socket.AF_UNIX)
s.connect(WORLD["unix"])
s.sendall(mark)""",
    (37, "unix-datagram"): """
import socket
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(mark, WORLD["unix_datagram"])""",
    (38, "socketpair-sendto"): """
import socket
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
a.sendto(mark, WORLD["unix_datagram"])""",
    (38, "socketpair-raw"): """
fds = (ctypes.c_int * 2)()
import socket, struct
call("socketpair", 1, 2, 0, fds)
address = struct.pack("=H", 1) + WORLD["unix_datagram"].encode() + b"\\0"
call("sendto", fds[0], mark, len(mark), 0, address, len(address))""",
    (39, "abstract-stream"): """
import socket
s = socket.socket(socket.AF_UNIX)
s.connect("\\0" + WORLD["abstract"])
s.sendall(mark)""",
    (39, "abstract-datagram"): """
import socket
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(mark, "\\0" + WORLD["abstract_datagram"])""",
}
_SOCKETS = {
    "netlink": ("socket.AF_NETLINK, socket.SOCK_RAW", False),
    "packet": ("socket.AF_PACKET, socket.SOCK_RAW", True),
    "raw": ("socket.AF_INET, socket.SOCK_RAW, 1", True),
    "ipv6": ("socket.AF_INET6, socket.SOCK_STREAM", True),
    "vsock": ("socket.AF_VSOCK, socket.SOCK_STREAM", True),
    "crypto": ("socket.AF_ALG, socket.SOCK_SEQPACKET", True),
    "bluetooth": ("socket.AF_BLUETOOTH, socket.SOCK_RAW, 1", True),
    "can": ("socket.AF_CAN, socket.SOCK_RAW, 1", True),
    "tipc": ("30, socket.SOCK_RDM", True),
    "xdp": ("44, socket.SOCK_RAW", True),
}
_STARTS = {
    "fork": "pid = os.fork()\nif pid == 0: os._exit(0)\nreturn str(os.waitpid(pid, 0))",
    "forkpty": "import pty\npid, fd = pty.fork()\nif pid == 0: os._exit(0)\nreturn str(pid)",
    "subprocess": "import subprocess\nreturn str(subprocess.run(['true']).returncode)",
    "shell": "return 'ran' if os.system('true') == 0 else ''",
    "popen": "return os.popen('echo ran').read()",
    "spawn": "return str(os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0))",
    "spawnv": "return 'ran' if os.spawnv(os.P_WAIT, '/bin/true', ['true']) == 0 else ''",
    "multiprocessing": """
import multiprocessing
process = multiprocessing.get_context("fork").Process(target=int)
process.start()
process.join()
return str(process.exitcode)""",
    "libc-fork": """
pid = LIBC.fork()
if pid == 0: os._exit(0)
return str(pid) if pid > 0 else ''""",
    "clone": """
pid = LIBC.syscall(WORLD["numbers"]["clone"], 17, 0, 0, 0, 0)
if pid == 0: LIBC._exit(0)
return str(pid) if pid > 0 else ''""",
    "clone3": """
import struct
how = struct.pack("8Q", 0, 0, 0, 0, 17, 0, 0, 0)
pid = LIBC.syscall(435, how, len(how))
if pid == 0: LIBC._exit(0)
return str(pid) if pid > 0 else ''""",
    "fork-bomb": """
started = 0
for _ in range(20):
    pid = os.fork()
    if pid == 0: os._exit(0)
    started += 1
    os.waitpid(pid, 0)
return str(started)""",
    "library-that-forks": """
LIBC.popen.restype = ctypes.c_void_p
return 'ran' if LIBC.popen(b"true", b"r") else '' """,
}
_THREADS = {
    "thread": "import threading\nt = threading.Thread(target=int)\nt.start()\nt.join()\nreturn 'ran'",
    "start-new-thread": "import _thread\nreturn str(_thread.start_new_thread(int, ()))",
    "pool": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool: return str(pool.submit(int).result())""",
    "pthread": """
thread = ctypes.c_ulong()
start = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(lambda _: None)
if LIBC.pthread_create(ctypes.byref(thread), None, start, None): return ''
LIBC.pthread_join(thread, None)
return 'ran'""",
    "timer": "import threading\nt = threading.Timer(0, int)\nt.start()\nt.join()\nreturn 'ran'",
    "bomb": """
import threading
threads = [threading.Thread(target=time.sleep, args=(0.05,)) for _ in range(50)]
for t in threads: t.start()
for t in threads: t.join()
return str(len(threads))""",
}
_SIGNALS = {
    (43, "kill"): "os.kill(pid, 10)",
    (43, "kill-group"): "os.killpg(os.getpgid(pid), 10)",
    (43, "tgkill"): "call('tgkill', pid, pid, 10)",
    (43, "tkill"): "call('tkill', pid, 10)",
    (43, "sigqueue"): """
info = ctypes.create_string_buffer(128)
ctypes.c_int.from_buffer(info, 0).value = 10
ctypes.c_int.from_buffer(info, 8).value = -1
call("rt_sigqueueinfo", pid, 10, info)""",
    (43, "pidfd"): "import signal\nsignal.pidfd_send_signal(os.pidfd_open(pid), 10)",
    (43, "kill-with-high-bits"): "LIBC.syscall(ctypes.c_long(WORLD['numbers']['kill']),"
                                 " ctypes.c_long(pid | 1 << 32), ctypes.c_long(10))",
    (44, "set-owner"): """
import fcntl
left, right = os.pipe()
fcntl.fcntl(left, 8, pid)
fcntl.fcntl(left, 4, os.O_ASYNC | os.O_NONBLOCK)
os.write(right, b"x")""",
    (44, "set-signal"): """
import fcntl
left, right = os.pipe()
fcntl.fcntl(left, 10, 10)
fcntl.fcntl(left, 8, pid)
fcntl.fcntl(left, 4, os.O_ASYNC | os.O_NONBLOCK)
os.write(right, b"x")""",
    (44, "set-owner-by-ioctl"): """
import fcntl, struct
left, right = os.pipe()
fcntl.ioctl(left, 0x5452, struct.pack("i", 1))
fcntl.fcntl(left, 8, pid)
os.write(right, b"x")""",
    (45, "prlimit"): "import resource\nresource.prlimit(pid, resource.RLIMIT_NOFILE, (40, 40))",
    (45, "affinity"): "os.sched_setaffinity(pid, {max(os.sched_getaffinity(pid))})",
    (45, "priority"): "os.setpriority(os.PRIO_PROCESS, pid, 7)",
    (45, "scheduler"): "os.sched_setscheduler(pid, os.SCHED_BATCH, os.sched_param(0))",
    (45, "priority-of-everybody"): """
import signal
os.setpriority(os.PRIO_PROCESS, pid, 8)
LIBC.setpriority(1, os.getpgid(pid), 8)""",
}  # fmt: skip
_PROBES = {
    (43, "probe-everybody"): ("return 'sent' if os.kill(-1, 0) is None else ''", False),
    (43, "probe-parent"): ("return 'sent' if os.kill(os.getppid(), 0) is None else ''", False),
    (43, "probe-group"): ("return 'sent' if os.killpg(0, 0) is None else ''", False),
    (46, "io-uring"): ("return through('io_uring_setup', 8, bytes(120))", True),
    (46, "io-uring-register"): ("return through('io_uring_register', -1, 0, 0, 0)", False),
    (46, "aio"): ("""
context = ctypes.c_ulong()
if LIBC.syscall({"x86_64": 206, "aarch64": 0}[os.uname().machine], 8, ctypes.byref(context)):
    return ''
return str(context.value)""", True),
    (47, "user-namespace"): ("return through('unshare', 0x10000000)", True),
    (47, "network-namespace"): ("return through('unshare', 0x40000000)", True),
    (47, "join-namespace"): ("return through('setns', -1, 0)", False),
    (47, "bpf"): ("return through('bpf', 0, bytes(128), 128)", True),
    (47, "perf"): ("return through('perf_event_open', bytes(120), 0, -1, -1, 0)", True),
    (47, "userfaultfd"): ("return through('userfaultfd', 1)", True),
    (47, "keyctl"): ("return through('keyctl', 0, -3, 1)", True),
    (47, "add-key"): ("return through('add_key', b'user\\0', b'x\\0', b'x', 1, -2)", True),
    (47, "request-key"): ("return through('request_key', b'user\\0', b'none\\0', None, -2)", True),
    (47, "mount"): ("return through('mount', b'x\\0', b'/nowhere\\0', b'tmpfs\\0', 0, 0)", True),
    (47, "unmount"): ("return through('umount2', b'/nowhere\\0', 0)", True),
    (47, "new-mount-calls"): ("""
for number in (428, 430, 432):
    ctypes.set_errno(0)
    if LIBC.syscall(number, -1, 0, 0, 0) == -1 and ctypes.get_errno() not in REFUSED:
        return str(number)""", True),
    (47, "chroot"): ("return through('chroot', b'/nowhere\\0')", True),
    (47, "pivot-root"): ("return through('pivot_root', b'/nowhere\\0', b'/nowhere\\0')", True),
    (47, "personality"): ("return through('personality', 0x0040000)", False),
    (47, "fanotify"): ("return through('fanotify_init', 0, 0)", True),
    (47, "inotify"): ("return through('inotify_init1', 0)", False),
    (47, "open-by-handle"): ("return through('open_by_handle_at', -1, bytes(16), 0)", True),
    (47, "kernel-log"): ("return through('syslog', 10, 0, 0)", True),
    (47, "accounting"): ("return through('acct', b'/nowhere\\0')", True),
    (47, "module"): ("return through('finit_module', -1, b'\\0', 0)", True),
    (47, "reboot"): ("return through('reboot', 0, 0, 0, 0)", True),
    (47, "swap"): ("return through('swapon', b'/nowhere\\0', 0)", True),
    (47, "timer"): ("return through('timer_create', 1, 0, bytes(8))", False),
    (47, "own-capabilities"): ("return through('capset', bytes(8), bytes(24))", False),
    (47, "own-user"): ("return through('setuid', os.getuid())", False),
    (47, "own-filter"): ("return through('seccomp', 2, 0, bytes(4))", False),
    (47, "own-landlock"): ("return through('landlock_create_ruleset', 0, 0, 1)", True),
    (47, "affinity-of-self"): ("return through('sched_setaffinity', 0, 8, bytes([255] * 8))", False),
    (47, "priority-of-self"): ("return str(os.nice(1))", False),
    (48, "int-80"): ("""
import mmap
if os.uname().machine != "x86_64": return ""
# mov eax, 20 (getpid of the 32-bit table); int 0x80; ret
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))
run = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
return str(run())""", True),
    (48, "x32"): ("""
result = LIBC.syscall(0x40000000 + 39)
return str(result) if result > 0 else ''""", True),
    (50, "death-signal"): ("""
if LIBC.prctl(1, 0, 0, 0, 0): return ''
return 'cleared'""", False),
    (50, "dumpable"): ("return 'set' if LIBC.prctl(4, 1, 0, 0, 0) == 0 else ''", False),
    (50, "tracer"): ("return 'set' if LIBC.prctl(0x59616D61, -1, 0, 0, 0) == 0 else ''", True),
    (50, "subreaper"): ("return 'set' if LIBC.prctl(36, 1, 0, 0, 0) == 0 else ''", False),
    (50, "timer-slack"): ("return 'set' if LIBC.prctl(29, 1, 0, 0, 0) == 0 else ''", False),
    (50, "limits-up"): ("""
import resource
kinds = [getattr(resource, n) for n in dir(resource) if n.startswith("RLIMIT_")]
raised = []
for kind in kinds:
    soft, hard = resource.getrlimit(kind)
    if soft != hard or hard == -1:
        if kind in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NOFILE): return "unbounded"
    try: resource.setrlimit(kind, (-1, -1))
    except (OSError, ValueError): continue
    if hard != -1: raised.append(kind)
return str(raised) if raised else '' """, False),
}  # fmt: skip
_KILLED = {(48, "int-80"): all_of("error")}
"""What the kernel answers by killing the process, and not with an error."""
_LATE = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.3)
        with open(WORLD["folder"] + "/late", "w") as file: file.write("here")
        os._exit(0)
    os._exit(0)"""


def _body(entry: int, name: str, body: str, **more: object) -> Attack:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    head = "def attack():\n    mark = WORLD['mark'].encode()\n"
    if more.get("victim"):
        head += "    pid = WORLD['victim']['pid']\n"
    return Attack(entry, name, head + lines, **more)  # type: ignore[arg-type]


ATTACKS = (
    *(_body(entry, f"send-{name}", body, goal=is_received)
      for (entry, name), body in _SENDS.items()),
    *(_body(36, f"socket-{name}", f"import socket\nreturn str(socket.socket({which}).fileno())",
            at_mercy=perhaps) for name, (which, perhaps) in _SOCKETS.items()),
    _body(36, "listen", """
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
return str(s.getsockname())"""),
    _body(37, "docker", """
import socket
s = socket.socket(socket.AF_UNIX)
try: s.connect("/var/run/docker.sock")
except FileNotFoundError: return "would connect"
return "connected" """),
    *(_body(40, f"start-{name}", body) for name, body in _STARTS.items()),
    *(_body(41, f"start-{name}", body) for name, body in _THREADS.items()),
    _body(42, "background", _LATE, goal=changes_folder),
    _body(42, "background-thread", """
import threading
def late():
    time.sleep(0.05)
    with open(WORLD["folder"] + "/late", "w") as file: file.write("here")
threading.Thread(target=late).start()
time.sleep(0.1)""", goal=changes_folder),
    *(_body(entry, f"hit-{name}", body, goal=touches_victim, victim=True)
      for (entry, name), body in _SIGNALS.items()),
    _body(44, "lease", """
import fcntl
return str(fcntl.fcntl(os.open(WORLD["folder"] + "/secret", os.O_RDONLY), 1024, 1))""",
          at_mercy=True),
    _body(44, "notify", """
import fcntl
return str(fcntl.fcntl(os.open(WORLD["folder"], os.O_RDONLY), 1026, 2))""", at_mercy=True),
    _body(45, "io-priority", "return through('ioprio_set', 1, pid, 0x4007)", victim=True),
    _body(45, "read-limits", "import resource\nreturn str(resource.prlimit(pid, 0))", victim=True),
    *(_body(entry, f"kernel-{name}", body, at_mercy=perhaps,
            deserves=_KILLED.get((entry, name), RIGHT))
      for (entry, name), (body, perhaps) in _PROBES.items()),
    Attack(49, "run-program", """
def attack():
    os.execv("/bin/sh", ["sh", "-c", f"echo x > {WORLD['folder']}/new"])""", changes_folder),
    Attack(49, "run-setuid-program", """
def attack():
    os.execv(WORLD["setuid"], ["touch", WORLD["folder"] + "/new"])""", changes_folder),
    Attack(49, "run-by-fd", """
def attack():
    fd = os.open("/bin/sh", os.O_PATH)
    arguments = (ctypes.c_char_p * 4)(b"sh", b"-c", f"echo x > {WORLD['folder']}/new".encode(), None)
    call("execveat", fd, b"", arguments, None, 0x1000)""", changes_folder),
    Attack(51, "type-into-terminal", """
def attack():
    import fcntl
    for fd in (0, 1, 2):
        try: fcntl.ioctl(fd, 0x5412, b"x")
        except OSError: continue
        return "typed"
    try: fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x")
    except OSError: return ""
    return "typed" """, control="in_terminal", at_mercy=True),
    Attack(51, "controlling-terminal", """
def attack():
    return str(os.open("/dev/tty", os.O_RDWR))""", control="in_terminal"),
    Attack(51, "select-in-terminal", """
def attack():
    import fcntl
    for fd in (0, 1, 2):
        try: fcntl.ioctl(fd, 0x541C, bytes([6]))
        except OSError as error:
            if error.errno in REFUSED: return ""
            return "asked the terminal"
    return "asked the terminal" """, control="in_terminal", at_mercy=True),
    Attack(47, "every-unlisted-call", """
def attack():
    # What ends or blocks the caller, or does something to the machine, with or without a sandbox.
    blocking = {34, 61, 130, 153, 162, 335, 336}
    known = set(WORLD["numbers"].values()) | blocking
    found = []
    for number in set(range(480)) - known:
        ctypes.set_errno(0)
        result = LIBC.syscall(number, -1, -1, -1, -1, -1, -1)
        if result != -1 or ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
            found.append(number)
    return str(found) if found else '' """),
)  # fmt: skip
