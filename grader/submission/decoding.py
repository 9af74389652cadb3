"""Turns the bytes of a written text into characters, whatever editor saved them."""

from __future__ import annotations

import codecs
import re

from grader.submission.source_text import utf16_of

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def decode(data: bytes) -> tuple[str, str]:
    """Decode a text, and name the encoding if it had to be guessed; never fails.

    UTF-8 with or without a mark and UTF-16 with one are certain; other wide or Chinese encodings
    are told by their look; all else is read as Windows-1252.
    """
    text, guessed = _decoded(data)
    return _clean(text), guessed


def _decoded(data: bytes) -> tuple[str, str]:
    wide = utf16_of(data)
    if wide in ("UTF-16", "UTF-32"):
        return data.decode(wide, "replace"), ""
    if wide:
        return data.decode(wide, "replace"), wide
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode(), ""
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        text = ""
    # Chinese decoders accept much that is not Chinese; what comes out must look like it.
    if len(_CHINESE.findall(text)) > 0.7 * max(len(_BEYOND_ASCII.findall(text)), 4):
        return text, "GB18030"
    return data.decode("cp1252", "replace"), "Windows-1252"


def _clean(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text.encode("utf-8", "replace").decode())
