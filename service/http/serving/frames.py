"""Server-sent events as bytes. Each carries its place in the table's history as its id, from which a client resumes."""

from typing import Final

from domain.kernel import Viewer
from domain.tables import Recorded, redact_event
from service.application.history import Place
from service.application.tables import LoadedTable
from service.http.messages.answers import EventRecord, encode, place_text, table_answer

HEARTBEAT: Final = b":\n\n"

OPENING: Final = b"retry: 1000\n\n"
"""Sent first, so that the head of the answer leaves at once."""


def snapshot_frame(loaded: LoadedTable, viewer: Viewer) -> bytes:
    """Returns the table as the viewer sees it."""
    return b"id: %b\nevent: snapshot\ndata: %b\n\n" % (
        _id(loaded.place),
        encode(table_answer(loaded, viewer)),
    )


def reset_frame(version: int) -> bytes:
    """Returns the word that what was sent before may never have happened; a snapshot follows.

    The empty id makes a client that reconnects now ask for a snapshot, too.
    """
    return b'id:\nevent: reset\ndata: {"version":%d}\n\n' % version


def event_frame(game: str, recorded: Recorded, viewer: Viewer) -> bytes:
    """Returns an event as the viewer may know it; nothing if it is another seat's alone."""
    shown = redact_event(game, recorded.event, viewer)
    if shown is None:
        return b""
    event = EventRecord(recorded.version, shown.wire, recorded.at, recorded.by, shown)
    return b"id: %b\ndata: %b\n\n" % (_id(Place(recorded.version, recorded.hash)), encode(event))


def end_frame(place: Place) -> bytes:
    """Returns the last word of a stream: the table is over."""
    return b'id: %b\nevent: end\ndata: {"version":%d}\n\n' % (_id(place), place.version)


def _id(place: Place) -> bytes:
    return place_text(place).encode()
