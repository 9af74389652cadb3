"""Landlock: which paths the child may read (none but /dev/null may be written).

Made once per zygote: the ruleset is a file descriptor that every fork inherits, so a child pays
only for restricting itself.  Access rights and structures are those of `linux/landlock.h`, up to
ABI 7.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
# How many file-system rights each ABI knows: all of them are handled, so all are refused
# wherever no rule grants them.
_FS_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NET_RIGHTS, _SCOPES = 0b11, 0b11
_LOG_SAME_EXEC_OFF, _ABI_OF_LOG = 1, 7

_NOWHERE = Path("/dev/null")
"""Where code that wants to be quiet prints to: what is written there changes nothing."""
_NOT_LIBRARY = ("site-packages", "dist-packages", "test")

_libc = ctypes.CDLL(None, use_errno=True)


def _syscall(*args: object) -> int:
    result: int = _libc.syscall(*args)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"landlock: {os.strerror(number)}")
    return result


def abi() -> int:
    """The kernel's Landlock ABI version; 0 where there is none."""
    try:
        return _syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _CREATE_RULESET_VERSION)
    except OSError:
        return 0


def readable_paths(packages: Iterable[Path]) -> Iterator[Path]:
    """What Python and the preloaded packages may need to read.

    Never site-packages as a whole, /proc or /tmp.
    """
    for root in library_roots():
        for entry in sorted(root.iterdir()) if root.is_dir() else ():
            if entry.name not in _NOT_LIBRARY:
                yield entry
    yield from beside_library(packages)


def library_roots() -> set[Path]:
    """The folders of the standard library."""
    paths = sysconfig.get_paths()
    return {Path(paths["stdlib"]), Path(paths["platstdlib"])}


def not_library() -> Iterator[Path]:
    """What lies in the standard library's folders and does not belong to it."""
    for root in library_roots():
        yield from (root / name for name in _NOT_LIBRARY)


def beside_library(packages: Iterable[Path]) -> Iterator[Path]:
    """What may be read besides the standard library: the preloaded packages, and the system's."""
    yield from packages
    system = ("/usr/lib", "/lib", "/lib64", "/usr/share/zoneinfo", "/etc/ld.so.cache")
    devices = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
    yield from map(Path, (*system, *devices))


def ruleset(paths: Iterable[Path]) -> int:
    """Make a ruleset that grants reading beneath `paths`, and no more; returns its fd.

    Raises:
        OSError: if the kernel has no Landlock or refuses a rule.
    """
    version = abi()
    if version < 1:
        raise OSError("landlock: not available")
    fs_rights = (1 << _FS_RIGHTS_BY_ABI.get(version, 16)) - 1
    attributes = struct.pack(
        "=QQQ",
        fs_rights,
        _NET_RIGHTS if version >= 4 else 0,
        _SCOPES if version >= 6 else 0,
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    fd = _syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    for path in paths:
        _grant(fd, path, fs_rights)
    return fd


def _grant(ruleset_fd: int, path: Path, known: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a path that this machine does not have needs no rule
    try:
        rights = _EXECUTE | _READ_FILE | (_READ_DIR if path.is_dir() else 0)
        rights |= _WRITE_FILE | _TRUNCATE if path == _NOWHERE else 0
        rule = struct.pack("=Qi", rights & known, beneath)
        _syscall(_ADD_RULE, ruleset_fd, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(beneath)


def restrict(ruleset_fd: int) -> None:
    """Put the calling thread under a ruleset, for good.  Needs no_new_privs.

    Raises:
        OSError: if the kernel refuses.
    """
    # What is refused in a loop must not fill the machine's audit log.
    _syscall(_RESTRICT_SELF, ruleset_fd, _LOG_SAME_EXEC_OFF if abi() >= _ABI_OF_LOG else 0)
