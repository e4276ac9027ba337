"""How the entries of a feed are read: the fields stand in the order in which the append script writes them."""

from collections.abc import Iterable, Sequence
from typing import Any

from service.adapters.keys import stream_named
from service.application.ports import FeedEntry


def feed_entry(partition: int, entry_id: bytes, fields: Sequence[bytes]) -> FeedEntry:
    """Returns an entry from its id and its names and values in a row."""
    _, stream, _, first, _, version, _, types, _, due, *rest = fields
    return FeedEntry(
        partition=partition,
        entry_id=entry_id.decode(),
        stream=stream_named(stream.decode()),
        first_version=int(first),
        version=int(version),
        types=tuple(types.decode().split(" ")),
        due=due.decode(),
        head=rest[1].decode() if rest else "",  # entries stored by an earlier release end here
    )


def place(entry_id: str) -> tuple[int, int]:
    """Returns an id as milliseconds and sequence, which compare as ids do.

    >>> place("1700000000000-3")
    (1700000000000, 3)
    """
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence)


def pairs(reply: Any) -> Iterable[tuple[Any, Any]]:
    """Returns what a reply maps to what: RESP3 has maps, RESP2 lists of pairs, or pairs in a row.

    >>> list(pairs([b"name", b"bots", b"pending", 2]))
    [(b'name', b'bots'), (b'pending', 2)]
    """
    if not reply:
        return ()
    if isinstance(reply, dict):
        return tuple(reply.items())
    if isinstance(reply[0], list):
        return tuple((key, value) for key, value in reply)
    return tuple(zip(reply[::2], reply[1::2], strict=True))
