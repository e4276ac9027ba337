"""Hex digits as bytes, which take half the memory: hashes, command ids and fingerprints.

Hex digits are stored as a zero byte and the bytes, all other texts as they are. Earlier releases stored the digits.
"""

import re
from typing import Final
from zlib import crc32

from hoodwink.service.adapters.store.checksums import is_damaged, with_checksum, without_checksum

_MARK: Final = b"\0"
_DIGITS: Final = re.compile(r"(?:[0-9a-f]{2}){8,}")

# Compares texts in either form.
IS_SAME: Final = """\
local function digits(stored)
  if string.byte(stored) ~= 0 then return stored end
  return (string.gsub(string.sub(stored, 2), '.', function(c) return string.format('%02x', string.byte(c)) end))
end
local function is_same(one, other) return one == other or digits(one) == digits(other) end
"""


def packed(text: str) -> bytes:
    r"""Returns a text as it is stored.

    >>> packed("00112233445566ff"), packed("~12")
    (b'\x00\x00\x11"3DUf\xff', b'~12')
    """
    return _MARK + bytes.fromhex(text) if _DIGITS.fullmatch(text) else text.encode()


def unpacked(stored: bytes) -> str:
    r"""Returns a stored text.

    >>> unpacked(b'\x00\x00\x11"3DUf\xff'), unpacked(b"00112233445566ff"), unpacked(b"~12")
    ('00112233445566ff', '00112233445566ff', '~12')
    """
    return stored[1:].hex() if stored[:1] == _MARK else stored.decode()


def packed_with_checksum(text: str) -> bytes:
    r"""Returns a text that exists only once as it is stored.

    >>> packed_with_checksum("00112233445566ff")
    b'\x00\x00\x11"3DUf\xff\xeb\xe1\xe5"'
    """
    bytes_ = packed(text)
    return bytes_ + _checksum(bytes_) if bytes_.startswith(_MARK) else with_checksum(text).encode()


def unpacked_without_checksum(stored: bytes) -> str:
    r"""Returns the text without its checksum.

    >>> unpacked_without_checksum(packed_with_checksum("00112233445566ff"))
    '00112233445566ff'
    """
    return stored[1:-4].hex() if stored.startswith(_MARK) else without_checksum(stored.decode())


def is_packed_text_damaged(stored: bytes) -> bool:
    r"""Returns whether a text with a checksum differs from what was written.

    >>> is_packed_text_damaged(packed_with_checksum("00112233445566ff")), is_packed_text_damaged(b"\0damaged")
    (False, True)
    """
    return _checksum(stored[:-4]) != stored[-4:] if stored[:1] == _MARK else is_damaged(stored)


def _checksum(stored: bytes) -> bytes:
    return crc32(stored).to_bytes(4, "big")
