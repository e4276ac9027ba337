"""Checksums of stored texts and times that have no second source, so that an audit notices when one was damaged.

A text is stored with a separator and the CRC-32 of its UTF-8 bytes behind it, a time with three digits behind the point.
What earlier releases stored has neither, and nobody can tell whether it is intact.
"""

import re
from typing import Final
from zlib import crc32

_SEPARATOR: Final = "\x1f"
"""No name, JSON text or fingerprint contains it."""

_PRIME: Final = 997
"""It divides no multiple of a power of ten by a digit, so a time with one wrong digit never has the same remainder."""

_LOOKS_CHECKED: Final = re.compile(r"(.*)(.)([0-9a-f]{8})", re.DOTALL)


def with_checksum(text: str) -> str:
    r"""Returns a text as it is stored; an empty one stays empty.

    >>> with_checksum("Ada")
    'Ada\x1fb53dc188'
    """
    return f"{text}{_SEPARATOR}{crc32(text.encode()):08x}" if text else ""


def without_checksum(stored: str) -> str:
    r"""Returns the text without its checksum, which it need not have.

    >>> without_checksum("Ada\x1fb53dc188"), without_checksum("Ada")
    ('Ada', 'Ada')
    """
    return stored.partition(_SEPARATOR)[0]


def is_damaged(stored: bytes) -> bool:
    r"""Returns whether a stored text is not as it was written; one without a checksum counts as intact.

    >>> is_damaged(b"Ada\x1fb53dc188"), is_damaged(b"Ida\x1fb53dc188"), is_damaged(b"Ada")
    (False, True, False)

    If the separator was damaged, the checksum behind it gives that away.

    >>> is_damaged(b"Ada?b53dc188")
    True
    """
    try:
        text, found, checksum = stored.decode().partition(_SEPARATOR)
    except UnicodeDecodeError:
        return True
    if found:
        return checksum != f"{crc32(text.encode()):08x}"
    split = _LOOKS_CHECKED.fullmatch(text)
    return split is not None and f"{crc32(split[1].encode()):08x}" == split[3]


def time_with_checksum(ms: int) -> str:
    """Returns a time in ms as the score of a sorted set; rounded down, it is the time again.

    >>> time_with_checksum(1_700_000_000_000)
    '1700000000000.039'
    """
    return f"{ms}.{ms % _PRIME + 1:03d}"


def score_until(ms: int) -> str:
    """Returns the highest score that a time in ms can have with any checksum."""
    return f"{ms}.999"


def is_damaged_time(score: bytes) -> bool:
    """Returns whether a score is not as it was written; a whole number counts as intact.

    >>> is_damaged_time(b"1700000000000.039"), is_damaged_time(b"1700000010000.039"), is_damaged_time(b"1700000000000")
    (False, True, False)
    """
    ms, _, checksum = f"{float(score):.3f}".partition(".")
    return int(checksum) not in {0, int(ms) % _PRIME + 1}
