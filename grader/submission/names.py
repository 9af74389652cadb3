"""Names: what students call their files and folders, made readable, safe and sorted into kinds.

Every other module of the package sees names only as they come out of `readable`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from enum import Enum, auto

_ID_BYTES = 120

_UNSAFE_CHARACTERS = frozenset('<>:"/\\|?*#%')
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_UNSAFE_FIRST = "-=+@~"

# Windows cannot make files of these names, whatever stands after the first dot ...
_DEVICES = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])[ ]*(?:\.|\Z)", re.I
)
# ... and a report of one of these would take the place of the class's own.
_OWN_FILES = frozenset({"index", "results", "gradebook"})

_JUNK = frozenset(
    {"__macosx", "__pycache__", "node_modules", "site-packages", "venv", "virtualenv", "thumbs.db"}
    | {"desktop.ini"}
)


class Kind(Enum):
    """What a file's name says that it is."""

    CODE = auto()
    NOTEBOOK = auto()
    ZIP = auto()
    OTHER_ARCHIVE = auto()
    TEXT = auto()
    DOCUMENT = auto()
    OTHER = auto()


_SUFFIXES = {
    # `.py.txt` is what a mailer or Windows makes of `.py`; it must come before `.txt`.
    ".py.txt": Kind.CODE,
    ".py": Kind.CODE,
    ".ipynb": Kind.NOTEBOOK,
    ".zip": Kind.ZIP,
    **dict.fromkeys(
        (".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar", ".gz", ".rar", ".7z"), Kind.OTHER_ARCHIVE
    ),
    **dict.fromkeys((".md", ".markdown", ".txt"), Kind.TEXT),
    **dict.fromkeys(
        (".pdf", ".docx", ".doc", ".odt", ".rtf", ".tex", ".html", ".htm", ".pages"), Kind.DOCUMENT
    ),
}
WORK = frozenset({Kind.CODE, Kind.NOTEBOOK, Kind.ZIP, Kind.OTHER_ARCHIVE})
"""Kinds that make a student of the folder they lie in."""


def kind_of(name: str) -> Kind:
    """Tell a file's kind by its name."""
    lower = name.lower()
    return next((kind for suffix, kind in _SUFFIXES.items() if lower.endswith(suffix)), Kind.OTHER)


def stem_of(name: str) -> str:
    """The name without the suffix that tells its kind: ``hw.v2`` of ``hw.v2.py``."""
    lower = name.lower()
    suffix = next((s for s in _SUFFIXES if lower.endswith(s) and len(lower) > len(s)), "")
    return name[: len(name) - len(suffix)]


def is_junk(name: str) -> bool:
    """Tell whether a name belongs to a tool or a system, never to the work: ``._hw.py``."""
    return name.startswith(".") or name.casefold() in _JUNK


def same_name(a: str, b: str) -> bool:
    """Tell whether two names would be one file on a disk that ignores case."""
    return folded(a) == folded(b)


def folded(name: str) -> str:
    """The form under which names are compared: no case, one Unicode form."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def readable(raw: str) -> str:
    """Turn a name as the system gave it into NFC text without surrogates.

    A name that is not UTF-8 (it arrives with surrogate escapes) is read as Windows-1252.
    """
    if any("\ud800" <= character <= "\udfff" for character in raw):
        try:
            data = raw.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            data = raw.encode("utf-8", "replace")
        raw = data.decode("cp1252", "replace")
    return unicodedata.normalize("NFC", raw)


def shown(name: str, *, at_most: int = 120) -> str:
    """A name fit for a message: no control, format or unassigned characters, and not endless."""
    name = readable(name)
    text = "".join("�" if unicodedata.category(c) in _UNSAFE_CATEGORIES else c for c in name)
    return text if len(text) <= at_most else f"{text[: at_most - 1]}…"


def listed(names: list[str], at_most: int = 8) -> str:
    """Names in a row for a message, the first few of many."""
    rest = len(names) - at_most
    row = ", ".join(map(shown, names[:at_most]))
    return f"{row} and {rest} more" if rest > 0 else row


def safe_id(name: str) -> str:
    """Turn a name into an id that is a safe file name on every system; idempotent.

    At most 120 bytes of UTF-8 in NFC, with no separator, control character, leading dot or dash,
    and none of the names that Windows or the class's own report files reserve.
    """
    text = "".join("_" if _is_unsafe(c) else c for c in readable(name))
    text = unicodedata.normalize("NFC", " ".join(text.split())).strip(". ")
    if text[:1] and text[0] in _UNSAFE_FIRST:
        text = f"_{text[1:]}"
    if not text:
        return "submission"
    if _DEVICES.match(text) or text.casefold() in _OWN_FILES:
        text = f"_{text}"
    return _shortened(text)


def _is_unsafe(character: str) -> bool:
    return character in _UNSAFE_CHARACTERS or unicodedata.category(character) in _UNSAFE_CATEGORIES


def _shortened(text: str) -> str:
    """Cut what is too long; the hash keeps apart what begins alike."""
    encoded = text.encode()
    if len(encoded) <= _ID_BYTES:
        return text
    tag = hashlib.sha256(encoded).hexdigest()[:8]
    head = encoded[: _ID_BYTES - len(tag) - 1].decode(errors="ignore")
    return f"{head}-{tag}"
