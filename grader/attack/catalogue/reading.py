"""Entries 1–10: reading what holds the answers, and looking into other processes."""

from __future__ import annotations

from grader.attack.model import Attack, says_anything, says_secret


def _of_reference(name: str, body: str, entry: int = 1) -> Attack:
    return Attack(entry, name, f"def attack():\n    path = WORLD['reference']\n{body}", says_secret)


def _lines(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.strip().splitlines())


# Each gives the text of the reference, from its path.
_READERS = {
    "open": "return read(path)",
    "os-open": "return os.read(os.open(path, os.O_RDONLY), 4096).decode()",
    "libc-fopen": """
LIBC.fopen.restype = ctypes.c_void_p
file = LIBC.fopen(path.encode(), b"r")
text = ctypes.create_string_buffer(4096)
if not file: return ""
LIBC.fread(text, 1, 4096, ctypes.c_void_p(file))
return text.value.decode()""",
    "raw-openat": """
fd, _ = call("openat", -100, path.encode(), 0)
return os.read(fd, 4096).decode()""",
    "openat2": """
import struct
how = struct.pack("QQQ", 0, 0, 0)
fd, _ = call("openat2", -100, path.encode(), how, len(how))
return os.read(fd, 4096).decode()""",
    "mmap": """
import mmap
with open(path, "rb") as file:
    return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[:].decode()""",
    "numpy-fromfile": "import numpy\nreturn numpy.fromfile(path, numpy.uint8).tobytes().decode()",
    "numpy-memmap": "import numpy\nreturn bytes(numpy.memmap(path, numpy.uint8, 'r')).decode()",
    "numpy-genfromtxt": """
import numpy
return str(numpy.genfromtxt(path, dtype=str, delimiter='~', comments=None))""",
    "linecache": "import linecache\nreturn ''.join(linecache.getlines(path))",
    "tokenize": "import tokenize\nreturn tokenize.open(path).read()",
    "open-code": "import io\nreturn io.open_code(path).read().decode()",
    "pathlib": "import pathlib\nreturn pathlib.Path(path).read_text()",
    "fileinput": "import fileinput\nreturn ''.join(fileinput.input(path))",
    "url": "import urllib.request\nreturn urllib.request.urlopen('file://' + path).read().decode()",
    "runpy": "import runpy\nreturn runpy.run_path(path)['SECRET']",
    "loader": "import zipimport\nreturn __import__('importlib.machinery').machinery"
              ".SourceFileLoader('r', path).get_data(path).decode()",
    "chdir": "os.chdir(os.path.dirname(path))\nreturn read(os.path.basename(path))",
    "folder-fd": """
folder = os.open(os.path.dirname(path), os.O_RDONLY)
return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 4096).decode()""",
    "path-fd": """
folder = os.open(os.path.dirname(path), os.O_PATH)
return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 4096).decode()""",
    "reopen-path-fd": "return read(f\"/proc/self/fd/{os.open(path, os.O_PATH)}\")",
    "dots": "return read(os.path.dirname(os.__file__) + '/../' * 20 + path)",
    "proc-root": "return read('/proc/self/root' + path)",
    "proc-parent-root": "return read(f'/proc/{os.getppid()}/root' + path)",
    "proc-cwd": "os.chdir(os.path.dirname(path))\nreturn read('/proc/self/cwd/reference.py')",
    "cat": "import subprocess\nreturn subprocess.run(['cat', path], capture_output=True).stdout.decode()",
    "popen": "return os.popen(f'cat {path}').read()",
    "config": "import configparser\nparser = configparser.ConfigParser(strict=False)\n"
                      "parser.read_string('[x]\\n' + read(path))\nreturn str(dict(parser['x']))",
    "sendfile": """
source, (left, right) = os.open(path, os.O_RDONLY), os.pipe()
os.sendfile(right, source, 0, 4096)
return os.read(left, 4096).decode()""",
    "signal-handler": """
import signal
text = []
signal.signal(signal.SIGUSR1, lambda *_: text.append(read(path)))
os.kill(os.getpid(), signal.SIGUSR1)
return text[0]""",
    "finalizer": """
class Late:
    def __del__(self): self.text.append(read(path))
Late.text = []
Late()
return Late.text[0]""",
}  # fmt: skip

_IMPORTS = {
    "sys-path": "sys.path.insert(0, os.path.dirname(path))\nimport reference\nreturn reference.SECRET",
    "spec": """
import importlib.util
spec = importlib.util.spec_from_file_location('reference', path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
return module.SECRET""",
    "own-finder": "sys.path_hooks.clear()\nsys.path_importer_cache.clear()\n"
                "from importlib.machinery import FileFinder, SourceFileLoader\n"
                "sys.path_hooks.append(FileFinder.path_hook((SourceFileLoader, ['.py'])))\n"
                "sys.path[:] = [os.path.dirname(path)]\nimport reference\nreturn reference.SECRET",
}  # fmt: skip
_GRADER = {
    "import": "def attack():\n    import grader.checks.matches as m\n    return m.__name__",
    "import-module": "def attack():\n    import importlib\n"
                     "    return importlib.import_module('grader.pipeline.prepare').__name__",
    "import-by-path": "def attack():\n    sys.path.insert(0, WORLD['grader'])\n"
                      "    import grader.scoring\n    return grader.scoring.__name__",
}  # fmt: skip
_LISTS = {
    "listdir": "return ' '.join(os.listdir(folder))",
    "scandir": "return ' '.join(entry.name for entry in os.scandir(folder))",
    "glob": "import glob\nreturn ' '.join(glob.glob(folder + '/*'))",
    "walk": "return ' '.join(name for _, _, names in os.walk(folder) for name in names)",
    "rglob": "import pathlib\nreturn ' '.join(map(str, pathlib.Path(folder).rglob('*')))",
    "opendir": """
LIBC.opendir.restype = ctypes.c_void_p
return 'opened' if LIBC.opendir(folder.encode()) else ''""",
    "listdir-fd": "return ' '.join(os.listdir(os.open(folder, os.O_RDONLY)))",
    "getdents": """
buffer = ctypes.create_string_buffer(4096)
size, _ = call('getdents64', os.open(folder, os.O_RDONLY), buffer, 4096)
return 'read' if size > 0 else ''""",
    "walk-up": """
for start in (os.getcwd(), os.path.dirname(os.__file__), '/tmp', os.path.expanduser('~')):
    if 'home' in os.listdir(os.path.join(start, '/')): return 'listed /'""",
}
_STATS = {
    "size": "return str(os.stat(path).st_size)",
    "exists": "return 'there' if os.path.exists(path) else ''",
    "access": "return 'there' if os.access(path, os.F_OK) else ''",
    "lstat": "return str(os.lstat(path).st_mtime)",
    "link": "return os.readlink(WORLD['link'])",
    "path-fd": "return str(os.fstat(os.open(path, os.O_PATH)).st_size)",
    "chdir": "os.chdir(os.path.dirname(path))\nreturn os.getcwd()",
    "error-of-import": """
said = []
for place in (path, path + "x"):
    try: ctypes.CDLL(place)
    except OSError as error: said.append(str(error).replace(place, ""))
return said[0] if said[0] != said[1] else ''""",
    "mtime": "return str(os.path.getmtime(path))",
    "statvfs": "return str(os.statvfs(path).f_blocks)",
    "getxattr": "return str(os.listxattr(path)) and 'asked'",
}

_NAMES_HIDDEN = "A C"
"""Landlock alone, at tier B, does not hide that a file is there, nor its size."""

ATTACKS = (
    *(_of_reference(f"read-{name}", _lines(body)) for name, body in _READERS.items()),
    Attack(1, "read-other-submission",
           "def attack(): return read(WORLD['neighbour'])", says_secret),
    Attack(1, "read-gradebook",
           "def attack(): return open(WORLD['gradebook'], 'rb').read(6).decode()"),
    Attack(1, "read-passwd", "def attack(): return read('/etc/passwd')"),
    Attack(1, "read-home", "def attack():\n    return ' '.join(os.listdir(WORLD['home']))"),
    *(_of_reference(f"reference-{name}", _lines(body), 2) for name, body in _IMPORTS.items()),
    *(Attack(2, f"grader-{name}", body) for name, body in _GRADER.items()),
    *(Attack(3, f"list-{name}", f"def attack():\n    folder = WORLD['pack']\n{_lines(body)}")
      for name, body in _LISTS.items()),
    *(Attack(4, f"stat-{name}", f"def attack():\n    path = WORLD['reference']\n{_lines(body)}",
             needs="A B C" if name in ("statvfs", "getxattr") else _NAMES_HIDDEN)
      for name, body in _STATS.items()),
    Attack(4, "stat-process", """
def attack():
    return str(os.stat(f"/proc/{WORLD['pid']}").st_uid)""", needs=_NAMES_HIDDEN),
    Attack(5, "frames", """
def attack():
    frame = sys._getframe()
    while frame:
        for value in [*frame.f_locals.values(), *frame.f_globals.values()]:
            if type(value) is str and value.startswith("EXPECTED-"): return value
        frame = frame.f_back""", when="call"),
    Attack(5, "heap", """
def attack():
    import gc
    for thing in gc.get_objects():
        if type(thing) is dict:
            for value in list(thing.values()):
                if type(value) is str and value.startswith("EXPECTED-"): return value
    frames = [o for o in gc.get_referrers(os) if type(o).__name__ == "frame"]
    for frame in [*frames, *sys._current_frames().values()]:
        while frame:
            for value in frame.f_locals.values():
                if type(value) is str and value.startswith("EXPECTED-"): return value
            frame = frame.f_back""", when="call"),
    Attack(5, "trace", """
def attack():
    found = []
    def look(frame, event, argument):
        found.extend(v for v in frame.f_locals.values()
                     if type(v) is str and v.startswith("EXPECTED-"))
        return look
    frame = sys._getframe()
    while frame:
        look(frame, "", None)
        frame = frame.f_back
    return found[0]""", when="call"),
    Attack(7, "environ-of-others", """
def attack():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try: text = open(f"/proc/{pid}/environ", "rb").read()
        except OSError: continue
        name = WORLD["variable"].encode() + b"="
        if name in text: return text.partition(name)[2].partition(b"\\0")[0].decode()""",
           says_secret),
    Attack(7, "environ-of-parent", """
def attack():
    text = open(f"/proc/{WORLD['pid'] if os.getppid() == 1 else os.getppid()}/environ").read()
    return text.partition(WORLD["variable"] + "=")[2].partition("\\0")[0]""", says_secret),
    Attack(7, "command-lines", """
def attack():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        text = open(f"/proc/{pid}/cmdline").read()
        if WORLD["tag"] in text: return text"""),
    Attack(7, "memory-of-victim", """
def attack():
    with open(f"/proc/{WORLD['victim']['pid']}/mem", "rb", 0) as memory:
        memory.seek(WORLD['victim']['address'])
        return memory.read(40).decode(errors="replace")""", says_secret, victim=True),
    Attack(7, "descriptors-of-victim", """
def attack():
    victim = WORLD['victim']
    fd = os.open(f"/proc/{victim['pid']}/fd/{victim['fd']}", os.O_RDONLY | os.O_NONBLOCK)
    return os.read(fd, 40).decode()""", says_secret, victim=True),
    Attack(7, "maps-of-self", "def attack(): return read('/proc/self/maps')"),
    Attack(7, "memory-of-self", """
def attack():
    with open("/proc/self/mem", "rb", 0) as memory:
        memory.seek(id(WORLD))
        return str(len(memory.read(16)))"""),
    Attack(8, "environment", "def attack(): return os.environ.get(WORLD['variable'])", says_secret),
    Attack(8, "environment-in-memory", """
def attack():
    environ = ctypes.POINTER(ctypes.c_char_p).in_dll(LIBC, "environ")
    i = 0
    while environ[i]:
        if environ[i].startswith(WORLD["variable"].encode()): return environ[i].decode()
        i += 1""", says_secret),
    Attack(8, "getenv", """
def attack():
    LIBC.getenv.restype = ctypes.c_char_p
    return (LIBC.getenv(WORLD["variable"].encode()) or b"").decode()""", says_secret),
    Attack(9, "descriptors", """
def attack():
    for fd in range(3, 1024):
        try: text = os.pread(fd, 4096, 0)
        except OSError: continue
        if b"SECRET-" in text: return text.decode(errors="replace")""", says_secret),
    Attack(9, "descriptors-at-import", """
import stat
_sockets = []
for _fd in range(3, 1024):
    try:
        _is_file = stat.S_ISREG(os.fstat(_fd).st_mode)  # one that is still empty tells nothing
        if stat.S_ISSOCK(os.fstat(_fd).st_mode) or _is_file and os.pread(_fd, 4096, 0).strip(b"\\0"):
            _sockets.append(_fd)
    except OSError: pass
def attack(): return str(_sockets) if _sockets else ''""", says_anything),
    Attack(10, "process-vm-readv", """
def attack():
    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    text = ctypes.create_string_buffer(40)
    here = Vector(ctypes.addressof(text), 40)
    there = Vector(WORLD['victim']['address'], 40)
    size, _ = call("process_vm_readv", WORLD['victim']['pid'], ctypes.byref(here), 1,
                   ctypes.byref(there), 1, 0)
    return text.raw[:max(size, 0)].decode(errors="replace")""", says_secret, victim=True),
    Attack(10, "ptrace-attach", """
def attack():
    return through("ptrace", 0x4206, WORLD['victim']['pid'], 0, 0)""", victim=True),
    Attack(10, "pidfd-getfd", """
def attack():
    pidfd = os.pidfd_open(WORLD['victim']['pid'])
    fd, _ = call("pidfd_getfd", pidfd, WORLD['victim']['fd'], 0)
    os.set_blocking(fd, False)
    return os.read(fd, 40).decode()""", says_secret, victim=True),
    Attack(10, "kcmp", """
def attack():
    return through("kcmp", os.getpid(), WORLD['victim']['pid'], 0, 0, 0)""",
           victim=True, at_mercy=True),
    Attack(10, "clock-of-victim", """
def attack():
    return str(time.clock_gettime((~WORLD['victim']['pid'] << 3) | 2))""", victim=True),
    Attack(10, "affinity-of-victim", """
def attack():
    return str(os.sched_getaffinity(WORLD['victim']['pid']))""", victim=True),
    Attack(10, "session-of-victim", """
def attack():
    return str(os.getsid(WORLD['victim']['pid']))""", victim=True),
    Attack(10, "priority-of-victim", """
def attack():
    return str(os.getpriority(os.PRIO_PROCESS, WORLD['victim']['pid']))""", victim=True),
)  # fmt: skip
