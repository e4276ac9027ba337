"""The entries of a log: events as they are stored, alone and together with the decoded event."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.actor import Actor

Decode: TypeAlias = Callable[[str, bytes], Event]
"""Returns the event with this wire name and data; raises `UnknownEvent`."""


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One event as stored: a line of an exported log.

    Attributes:
        version: counts from 1.
        at: in ms since the epoch.
        cmd: the id of the command, which all its events share.
        data: the event's fields, byte for byte as they were hashed.
        hash: chains the event to the one before (docs/FAIRNESS.md).
    """

    version: int
    type: str
    at: int
    by: Actor
    cmd: str
    # Raw, so that it is never encoded again: another version of msgspec could write bytes that differ from those hashed.
    data: msgspec.Raw
    hash: str


class Recorded(msgspec.Struct, frozen=True, gc=False):
    """An entry of a log with its event, decoded and upcast to the current schema."""

    entry: Entry
    event: Event


def decoded(entries: Iterable[Entry], decode: Decode) -> tuple[Recorded, ...]:
    """Returns entries with their events; raises `UnknownEvent`."""
    return tuple([Recorded(entry, decode(entry.type, entry.data)) for entry in entries])
