"""Entries 32–35 and 54–55: writing, changing and leaving files."""

from __future__ import annotations

from grader.attack.model import Attack, changes_folder, says_anything

_WRITES = {
    "append": "open(folder + '/writable', 'a').write('x')",
    "truncate-by-open": "open(folder + '/writable', 'w')",
    "create": "open(folder + '/new', 'x').write('x')",
    "create-exclusively": "os.close(os.open(folder + '/new', os.O_CREAT | os.O_EXCL | os.O_RDWR))",
    "temporary-file": """
import tempfile
tempfile.NamedTemporaryFile(dir=folder, delete=False).write(b"x")""",
    "unnamed-file": """
fd = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
os.write(fd, b"x")
call("linkat", -100, f"/proc/self/fd/{fd}".encode(), -100, (folder + "/new").encode(), 0x400)""",
    "truncate": "os.truncate(folder + '/writable', 0)",
    "ftruncate": "os.ftruncate(os.open(folder + '/writable', os.O_RDWR), 0)",
    "rename": "os.rename(folder + '/writable', folder + '/renamed')",
    "replace": "os.replace(folder + '/writable', folder + '/secret')",
    "exchange": """
call("renameat2", -100, (folder + "/writable").encode(), -100, (folder + "/secret").encode(), 2)""",
    "remove": "os.unlink(folder + '/writable')",
    "remove-tree": "import shutil\nshutil.rmtree(folder + '/sub')",
    "make-folder": "os.mkdir(folder + '/new')",
    "remove-folder": "os.rmdir(folder + '/sub')",
    "make-pipe": "os.mkfifo(folder + '/new')",
    "make-socket-file": "os.mknod(folder + '/new', 0o140600)",
    "memory-map": """
import mmap
with open(folder + "/writable", "r+b") as file:
    mmap.mmap(file.fileno(), 0)[:2] = b"xx" """,
    "numpy-save": "import numpy\nnumpy.save(folder + '/new.npy', numpy.ones(2))",
    "numpy-memmap": "import numpy\nnumpy.memmap(folder + '/writable', 'u1', 'r+')[:] = 1",
    "sqlite": """
import sqlite3
with sqlite3.connect(folder + "/new.sqlite") as db: db.execute("create table a (b)")""",
    "shelve": "import shelve\nshelve.open(folder + '/new')",
    "logging": """
import logging
logging.FileHandler(folder + "/new.log").emit(logging.makeLogRecord({"msg": "x"}))""",
    "trace": "import faulthandler\nfaulthandler.dump_traceback(open(folder + '/new', 'w'))",
    "libc-fopen": "LIBC.fopen((folder + '/new').encode(), b'w')",
    "raw-creat": "call('openat', -100, (folder + '/new').encode(), 0o101, 0o600)",
    "copy-range": """
source = os.open(folder + "/secret", os.O_RDONLY)
os.copy_file_range(source, os.open(folder + "/writable", os.O_WRONLY), 4)""",
    "lock": "import fcntl\nfcntl.flock(os.open(folder + '/writable', os.O_WRONLY), 2)\n"
            "os.utime(folder + '/writable', (1, 1))",
    "chdir-and-write": "os.chdir(folder)\nopen('writable', 'w')",
    "proc-cwd-write": "open('/proc/self/cwd/new', 'w')",
}  # fmt: skip
_CHANGES = {
    "chmod": "os.chmod(folder + '/writable', 0o600)",
    "chmod-of-folder": "os.chmod(folder, 0o700)",
    "fchmod": "os.fchmod(os.open(folder + '/writable', os.O_RDONLY), 0o600)",
    "fchmodat2": "call('fchmodat2', -100, (folder + '/writable').encode(), 0o600, 0)",
    "chmod-by-path-fd": "os.chmod(f\"/proc/self/fd/{os.open(folder + '/writable', os.O_PATH)}\", 0o600)",
    "chown": "os.chown(folder + '/writable', os.getuid(), os.getgid())\nos.chmod(folder + '/writable', 0o640)",
    "utime": "os.utime(folder + '/writable', (1, 1))",
    "futimes": "os.utime(os.open(folder + '/writable', os.O_RDONLY), (1, 1))",
    "touch": "import pathlib\npathlib.Path(folder, 'writable').touch()",
    "setxattr": "os.setxattr(folder + '/writable', 'user.x', b'x')",
    "removexattr": "os.removexattr(folder + '/writable', 'user.mark')",
    "fsetxattr": "os.setxattr(os.open(folder + '/writable', os.O_RDONLY), 'user.x', b'x')",
}  # fmt: skip
_POISON = {
    "bytecode": """
import importlib.util, marshal
code = marshal.dumps(compile("raise SystemExit", "module.py", "exec"))
os.makedirs(folder + "/site/__pycache__", exist_ok=True)
open(importlib.util.cache_from_source(folder + "/site/module.py"), "wb").write(code)""",
    "source": "open(folder + '/site/module.py', 'a').write('raise SystemExit')",
    "pth": "open(folder + '/site/evil.pth', 'w').write('import os')",
    "sitecustomize": "open(folder + '/site/sitecustomize.py', 'w').write('import os')",
    "compileall": "import compileall\ncompileall.compile_dir(folder + '/site', quiet=2)",
    "import-writes-bytecode": """
sys.dont_write_bytecode = False
sys.path.insert(0, folder + "/site")
import module""",
}
_LINKS = {
    "symlink": "os.symlink(folder + '/secret', folder + '/new')",
    "hard-link": "os.link(folder + '/secret', folder + '/new')",
    "hard-link-of-fd": """
call("linkat", os.open(folder + "/secret", os.O_PATH), b"", -100,
     (folder + "/new").encode(), 0x1000)
if not os.path.exists(folder + "/new"): os.link(folder + "/secret", folder + "/new")""",
}


def _all(entry: int, prefix: str, table: dict[str, str]) -> tuple[Attack, ...]:
    return tuple(
        Attack(entry, f"{prefix}-{name}", _in_folder(body), changes_folder)
        for name, body in table.items()
    )


def _in_folder(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"def attack():\n    folder = WORLD['folder']\n{lines}"


ATTACKS = (
    *_all(32, "write", _WRITES),
    *_all(33, "change", _CHANGES),
    *_all(34, "poison", _POISON),
    *_all(35, "link", _LINKS),
    Attack(32, "write-own-library", """
def attack():
    with open(os.__file__, "r+") as file: return "opened for writing" if file.writable() else ""
""", at_mercy=True),
    Attack(32, "write-device", "def attack(): return str(os.write(os.open('/dev/zero', 1), b'x'))"),
    Attack(54, "memory-file", "def attack(): return str(os.memfd_create('x'))"),
    Attack(54, "shared-memory", """
def attack():
    from multiprocessing import shared_memory
    memory = shared_memory.SharedMemory(create=True, size=4096, name=WORLD["shared"])
    memory.close()
    memory.unlink()
    return memory.name"""),
    Attack(54, "shared-memory-file", """
def attack():
    path = "/dev/shm/" + WORLD["shared"]
    with open(path, "w") as file: file.write("x")
    os.unlink(path)
    return path"""),
    Attack(54, "shm-open", """
def attack():
    name = b"/" + WORLD["shared"].encode()
    fd = LIBC.shm_open(name, os.O_CREAT | os.O_RDWR, 0o600)
    LIBC.shm_unlink(name)
    return str(fd) if fd >= 0 else "" """),
    Attack(54, "sysv-segment", """
def attack():
    id_, _ = call("shmget", 0, 4096, 0o1600)
    if id_ >= 0: call("shmctl", id_, 0, 0)
    return str(id_) if id_ >= 0 else "" """),
    Attack(54, "sysv-semaphore", """
def attack():
    id_, _ = call("semget", 0, 1, 0o1600)
    if id_ >= 0: LIBC.semctl(id_, 0, 0)
    return str(id_) if id_ >= 0 else "" """),
    Attack(54, "sysv-queue", """
def attack():
    id_, _ = call("msgget", 0, 0o1600)
    if id_ >= 0: LIBC.msgctl(id_, 0, 0)
    return str(id_) if id_ >= 0 else "" """),
    Attack(54, "posix-queue", """
def attack():
    name = b"/" + WORLD["shared"].encode()
    fd = ctypes.CDLL("librt.so.1").mq_open(name, os.O_CREAT | os.O_RDWR, 0o600, None)
    ctypes.CDLL("librt.so.1").mq_unlink(name)
    return str(fd) if fd >= 0 else "" """, at_mercy=True),
    Attack(54, "named-semaphore", """
def attack():
    from multiprocessing import Semaphore
    return str(Semaphore(1).acquire())"""),
    Attack(54, "secret-memory", "def attack(): return through('memfd_secret', 0)", at_mercy=True),
    Attack(54, "locked-memory", "def attack(): return through('mlockall', 1)", says_anything,
           at_mercy=True),
    Attack(55, "many-files", """
def attack():
    for i in range(50): open(f"{WORLD['folder']}/{i}", "w").write("x")""", changes_folder),
    Attack(55, "many-folders", """
def attack():
    for i in range(50): os.makedirs(f"{WORLD['folder']}/{i}/{i}")""", changes_folder),
    Attack(55, "large-file", """
def attack():
    with open(WORLD['folder'] + "/new", "wb") as file:
        for _ in range(8): file.write(bytes(1 << 20))""", changes_folder),
    Attack(55, "sparse-file", """
def attack():
    with open(WORLD['folder'] + "/new", "wb") as file: file.truncate(1 << 40)""", changes_folder),
    Attack(55, "fallocate", """
def attack():
    os.posix_fallocate(os.open(WORLD['folder'] + "/writable", os.O_WRONLY), 0, 1 << 20)""",
           changes_folder),
    *(Attack(55, f"file-in-{name}", f"""
def attack():
    path = {place} + "/" + WORLD["shared"]
    with open(path, "w") as file: file.write("x")
    os.unlink(path)
    return path""") for name, place in (("tmp", "'/tmp'"), ("var-tmp", "'/var/tmp'"),
                                         ("cwd", "os.getcwd()"))),
)  # fmt: skip
