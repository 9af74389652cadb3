"""Text that a student wrote, made safe to look at: on a terminal, in a page, in a log."""

from __future__ import annotations

import re

_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    """Replace what a browser or terminal would obey, hide or refuse by something to look at.

    Control characters become their pictures (ESC is ␛), direction overrides and invisible
    characters their code (⟨U+202E⟩), lone surrogates U+FFFD.  Line ends become ``\\n``.
    """
    if not _ODD.search(text):
        return text
    return _ODD.sub(_picture, text.replace("\r\n", "\n"))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"⟨U+{code:04X}⟩"
