"""How a Flask handler asks the server for a stream of events: it leaves a `Watch` in the WSGI environment."""

from typing import Final, Protocol

import msgspec

from domain.kernel import Viewer
from service.application.history import Place
from service.application.tables import LoadedTable

DESK: Final = "hoodwink.desk"
WATCH: Final = "hoodwink.watch"

STREAM_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "Vary": "Authorization, Accept",
}


class Watch(msgspec.Struct, frozen=True):
    """A request to follow a table.

    Attributes:
        loaded: the table as it is at least.
        player: who watches, if known; who takes or leaves a seat sees on with other eyes.
        after: the place after which to resume; `None` begins with a snapshot.
        words: whether each event comes with its sentence.
    """

    loaded: LoadedTable
    viewer: Viewer
    player: str | None
    after: Place | None
    words: bool = False


class Desk(Protocol):
    """Where the server takes streams on."""

    def has_room(self) -> bool:
        """Tells whether another stream may begin."""
        ...
