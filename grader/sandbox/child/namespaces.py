"""Namespaces: the zygote leaves the machine's network, IPC and file tree behind, before it forks.

Done once, so that no child pays for it.  An extra layer where the kernel allows it: Landlock and
the system call filter, which every child gets, do not rely on it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

_NEW_MOUNT, _NEW_UTS, _NEW_IPC, _NEW_USER, _NEW_NETWORK = (
    0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x40000000,
)  # fmt: skip
_MS_NOSUID, _MS_BIND, _MS_REC, _MS_PRIVATE = 0x2, 0x1000, 0x4000, 1 << 18
_MNT_DETACH = 2
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE = 442, -100, 0x8000
_ATTR_RDONLY, _ATTR_NOSUID = 0x1, 0x2
_ROOT = "/proc"
"""Where the new root is put together: a folder that every machine has, and no path lies in."""

_libc = ctypes.CDLL(None, use_errno=True)


def _check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def leave_machine() -> bool:
    """Enter namespaces of our own, if the kernel lets us; says whether it did."""
    uid, gid = os.geteuid(), os.getegid()
    flags = _NEW_MOUNT | _NEW_UTS | _NEW_IPC | _NEW_NETWORK
    if uid == 0:
        return bool(_libc.unshare(flags) == 0)
    if _libc.unshare(flags | _NEW_USER) != 0:
        return False
    with contextlib.suppress(OSError):
        # Without an id of its own in there, a process cannot make the folders of its own root.
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    return True


def take_own_root(shown: Iterable[Path], covered: Iterable[Path]) -> bool:
    """Make a read-only root of the `shown` paths alone; says whether it could be done.

    Of them, what is `covered` is left out, unless it is shown itself.  Nothing else has a name in
    there: Landlock forbids to read it, but not to ask whether it exists and how large it is.  Call
    it behind `leave_machine`, when /proc is no longer needed.
    """
    try:
        _check(_libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None), "mount /")
        _mount_empty(_ROOT)
    except OSError:
        return False
    try:
        _fill(set(shown), set(covered))
        _enter()
    except OSError:
        _libc.umount2(_ROOT.encode(), _MNT_DETACH)
        return False
    return True


def _mount(source: bytes, target: str, kind: bytes | None, flags: int, data: bytes | None) -> None:
    result = _libc.mount(source, os.fsencode(target), kind, ctypes.c_ulong(flags), data)
    _check(result, f"mount {target}")


def _mount_empty(target: str) -> None:
    _mount(b"grader", target, b"tmpfs", _MS_NOSUID, b"mode=755,size=64k")


def _fill(shown: set[Path], covered: set[Path]) -> None:
    there: dict[Path, bool] = {}
    """Path → whether what lies in it is there with it."""
    # Sorted, a folder comes before what lies in it.
    for path in sorted({each for given in shown | covered for each in (given, _real(given))}):
        within = next((there[parent] for parent in path.parents if parent in there), False)
        if not path.exists() or (path in covered) is not within:
            continue
        if within:
            _mount_empty(f"{_ROOT}{path}")
        else:
            _show(path)
        there[path] = not within


def _real(path: Path) -> Path:
    """The path itself without a link at its end, or what the link leads to."""
    return path.resolve() if path.is_symlink() else path


def _show(path: Path) -> None:
    """Give a path its place in the new root."""
    place = Path(f"{_ROOT}{path}")
    place.parent.mkdir(parents=True, exist_ok=True)
    if path.is_symlink():
        place.symlink_to(path.readlink())
        return
    if path.is_dir():
        place.mkdir(exist_ok=True)
    else:
        place.touch()
    _mount(os.fsencode(path), str(place), None, _MS_BIND | _MS_REC, None)


def _enter() -> None:
    """Make the new root read-only as a whole, and leave the old one."""
    attributes = struct.pack("=4Q", _ATTR_RDONLY | _ATTR_NOSUID, 0, 0, 0)
    size = ctypes.c_size_t(len(attributes))
    where = (_AT_FDCWD, _ROOT.encode(), _AT_RECURSIVE)
    _check(_libc.syscall(_MOUNT_SETATTR, *where, attributes, size), "mount_setattr")
    before = os.open("/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.chdir(_ROOT)
        # The old root ends up on top of the new one, in the same place, and is taken off.
        if _libc.pivot_root(b".", b".") != 0:
            number = ctypes.get_errno()
            os.fchdir(before)
            raise OSError(number, f"pivot_root: {os.strerror(number)}")
    finally:
        os.close(before)
    _libc.umount2(b".", _MNT_DETACH)
    os.chdir("/")
