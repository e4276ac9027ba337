"""Checksums of stored texts and times that exist only once, so that an audit notices damage.

A text is followed by a separator and the CRC-32 of its UTF-8 bytes, a time by three digits after the decimal point.
Data of earlier releases have neither, so damage to them cannot be noticed.
"""

import re
from typing import Final
from zlib import crc32

_SEPARATOR: Final = "\x1f"
"""No name, JSON text or fingerprint contains it."""

_PRIME: Final = 997
"""A prime that divides no digit times a power of ten, so a time with one wrong digit always has another remainder."""

_LOOKS_CHECKED: Final = re.compile(r"(.*)(.)([0-9a-f]{8})", re.DOTALL)


def with_checksum(text: str) -> str:
    r"""Returns a text as it is stored; an empty one stays empty.

    >>> with_checksum("Ada")
    'Ada\x1fb53dc188'
    """
    return f"{text}{_SEPARATOR}{crc32(text.encode()):08x}" if text else ""


def without_checksum(stored: str) -> str:
    r"""Returns the text without its checksum, if it has one.

    >>> without_checksum("Ada\x1fb53dc188"), without_checksum("Ada")
    ('Ada', 'Ada')
    """
    return stored.partition(_SEPARATOR)[0]


def is_damaged(stored: bytes) -> bool:
    r"""Returns whether a stored text differs from what was written. A text without a checksum counts as intact.

    >>> is_damaged(b"Ada\x1fb53dc188"), is_damaged(b"Ida\x1fb53dc188"), is_damaged(b"Ada")
    (False, True, False)

    The checksum also reveals a damaged separator.

    >>> is_damaged(b"Ada?b53dc188")
    True
    """
    try:
        text, found, checksum = stored.decode().partition(_SEPARATOR)
    except UnicodeDecodeError:
        return True
    if found:
        return checksum != f"{crc32(text.encode()):08x}"
    # Without this, a text whose separator was damaged would pass as one of an earlier release.
    split = _LOOKS_CHECKED.fullmatch(text)
    return split is not None and f"{crc32(split[1].encode()):08x}" == split[3]


def time_with_checksum(ms: int) -> str:
    """Returns a time (ms) as the score of a sorted set. Rounded down, it is the time again.

    >>> time_with_checksum(1_700_000_000_000)
    '1700000000000.039'
    """
    return f"{ms}.{ms % _PRIME + 1:03d}"  # never .000, which marks a time of an earlier release


def score_until(ms: int) -> str:
    """Returns the highest score of a time (ms) with any checksum."""
    return f"{ms}.999"


def is_damaged_time(score: bytes) -> bool:
    """Returns whether a score differs from what was written. A whole number counts as intact.

    >>> is_damaged_time(b"1700000000000.039"), is_damaged_time(b"1700000010000.039"), is_damaged_time(b"1700000000000")
    (False, True, False)
    """
    ms, _, checksum = f"{float(score):.3f}".partition(".")
    return int(checksum) not in {0, int(ms) % _PRIME + 1}
