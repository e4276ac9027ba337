"""Server-sent events as bytes. Each carries its place in the table's history as its id, from which a client resumes."""

from typing import Final

from domain.kernel import Viewer
from domain.tables import Recorded
from domain.words import Seating
from service.application.history import Place
from service.application.tables import LoadedTable
from service.http.messages.answers import encode, event_record, place_text, table_answer

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


def event_frame(game: str, recorded: Recorded, viewer: Viewer, seating: Seating | None = None) -> bytes:
    """Returns an event as the viewer may know it, in words, too, if told who sits where.

    Nothing if it is another seat's alone.
    """
    event = event_record(game, recorded, viewer, seating)
    if event is None:
        return b""
    return b"id: %b\ndata: %b\n\n" % (_id(Place(recorded.version, recorded.hash)), encode(event))


def end_frame(place: Place) -> bytes:
    """Returns the last word of a stream: the table is over."""
    return b'id: %b\nevent: end\ndata: {"version":%d}\n\n' % (_id(place), place.version)


def _id(place: Place) -> bytes:
    return place_text(place).encode()
