"""Server-sent events as bytes. Each carries a table's version as its id, from which a client resumes."""

from typing import Final

from domain.kernel import Viewer
from domain.tables import Recorded, redact_event
from service.application.tables import Loaded
from service.http.messages.answers import EventRecord, encode, table_answer

HEARTBEAT: Final = b":\n\n"

OPENING: Final = b"retry: 1000\n\n"
"""Sent first, so that the head of the answer leaves at once."""


def snapshot_frame(loaded: Loaded, viewer: Viewer) -> bytes:
    """Returns the table as the viewer sees it."""
    return b"id: %d\nevent: snapshot\ndata: %b\n\n" % (
        loaded.table.version,
        encode(table_answer(loaded, viewer)),
    )


def event_frame(game: str, recorded: Recorded, viewer: Viewer) -> bytes:
    """Returns an event as the viewer may know it; nothing if it is another seat's alone."""
    shown = redact_event(game, recorded.event, viewer)
    if shown is None:
        return b""
    event = EventRecord(recorded.version, shown.wire, recorded.at, recorded.by, shown)
    return b"id: %d\ndata: %b\n\n" % (recorded.version, encode(event))


def end_frame(version: int) -> bytes:
    """Returns the last word of a stream: the table is over."""
    return b'id: %d\nevent: end\ndata: {"version":%d}\n\n' % (version, version)
