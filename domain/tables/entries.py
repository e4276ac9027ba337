"""An event in a log: as it is stored, and together with the event decoded.

`version` counts from 1, `at` is in ms since the epoch, the events of one command share its id `cmd`, and `hash` chains
each event to the one before (docs/FAIRNESS.md).
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.actor import Actor

Decode: TypeAlias = Callable[[str, bytes], Event]
"""Makes an event from its wire name and data; raises `UnknownEvent`."""


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One event as stored: a line of an exported log.

    Attributes:
        data: the event's fields, byte for byte as they were hashed.
    """

    version: int
    type: str
    at: int
    by: Actor
    cmd: str
    # Raw, so that it is never encoded again: another library version could write other bytes than were hashed.
    data: msgspec.Raw
    hash: str


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An entry of a log with its event, decoded and upcast to today's schema."""

    entry: Entry
    event: Event


def decoded(entries: Iterable[Entry], decode: Decode) -> tuple[Recorded, ...]:
    """Returns entries with their events; raises `UnknownEvent`."""
    return tuple([Recorded(entry, decode(entry.type, entry.data)) for entry in entries])
