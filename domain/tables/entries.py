"""A stored event, byte for byte as it was hashed."""

import msgspec


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One event as stored: a line of an exported log.

    Attributes:
        data: the event's fields, byte for byte as they were hashed.
    """

    version: int
    type: str
    at: int
    by: str
    cmd: str
    data: msgspec.Raw
    hash: str
