"""Writes and reads feed entries. Their fields are in the order in which the append script writes them."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from hoodwink.domain.due_times import IMMEDIATELY, NOTHING_DUE, WorkDue
from hoodwink.service.adapters.store.keys import stream_named
from hoodwink.service.adapters.store.packing import unpacked
from hoodwink.service.application.ports import FeedEntry, StreamId

NO_STREAM: Final = StreamId("", "")
"""The stream of malformed entries, which nobody follows."""

_FOR_BOTS: Final = " bots"


def feed_entry(partition: int, entry_id: bytes, fields: Sequence[bytes]) -> FeedEntry:
    """Returns an entry from its id and a flat list of field names and values. A malformed one belongs to `NO_STREAM`."""
    # Not raised: readers would fail again at every attempt, and never reach the entries after it.
    try:
        return _pointer(partition, entry_id, fields)
    except (IndexError, ValueError):
        return FeedEntry(partition, entry_id.decode(), NO_STREAM, 0, 0, (), NOTHING_DUE)


def _pointer(partition: int, entry_id: bytes, fields: Sequence[bytes]) -> FeedEntry:
    _, stream, _, first, _, version, _, types, _, due, *rest = fields
    return FeedEntry(
        partition=partition,
        entry_id=entry_id.decode(),
        stream=stream_named(stream.decode()),
        first_version=int(first),
        version=int(version),
        types=tuple(types.decode().split(" ")),
        due=due_of(due.decode()),
        # Entries of earlier releases end here, or after the hash.
        head=unpacked(rest[1]) if rest else "",
        request=rest[3].decode() if len(rest) > 3 else "",
        said=rest[5] if len(rest) > 5 else b"",
    )


def due_text(due: WorkDue) -> str:
    """Returns due times as text for an entry.

    >>> due_text(WorkDue(5, report_at=7)), due_text(WorkDue(IMMEDIATELY)), due_text(WorkDue(report_at=7))
    ('clock:5 report:7', 'work', ' report:7')
    >>> due_text(WorkDue(5, report_at=7, is_for_bots=True))
    'clock:5 bots report:7'
    """
    work = "" if due.at is None else "work" if due.at == IMMEDIATELY else f"clock:{due.at}"
    if due.is_for_bots:
        work += _FOR_BOTS
    return work if due.report_at is None else f"{work} report:{due.report_at}"


def due_of(text: str) -> WorkDue:
    """Returns the due times from the text in an entry.

    >>> due_of("") == NOTHING_DUE, due_of("clock:5 report:7") == WorkDue(5, report_at=7)
    (True, True)
    >>> due_of("work bots")
    WorkDue(at=0, report_at=None, is_for_bots=True)
    """
    if not text:
        return NOTHING_DUE
    # An empty text before ` report:` means that only a report is due.
    work, _, report_at = text.partition(" report:")
    is_for_bots, work = work.endswith(_FOR_BOTS), work.removesuffix(_FOR_BOTS)
    at = IMMEDIATELY if work == "work" else int(work.removeprefix("clock:")) if work else None
    return WorkDue(at, int(report_at) if report_at else None, is_for_bots)


def id_order(entry_id: str) -> tuple[int, int]:
    """Returns an id as milliseconds and sequence, which sort like ids.

    >>> id_order("1700000000000-3")
    (1700000000000, 3)
    """
    milliseconds, _, sequence = entry_id.partition("-")
    return int(milliseconds), int(sequence)


def pairs(reply: Any) -> Iterable[tuple[Any, Any]]:
    """Returns the keys and values of a reply: RESP3 has maps, RESP2 lists of pairs or flat lists.

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
