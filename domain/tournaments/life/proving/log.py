"""The exported log of a tournament. It is like a table's, but its first line names the tournament."""

from collections.abc import Sequence

import msgspec

from hoodwink.domain.kernel import Names
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import introduced_in_log, named_in, parse_lines, write_lines
from hoodwink.domain.tournaments.life.codec import decode_event
from hoodwink.domain.tournaments.life.editions import LOG_FORMATS
from hoodwink.domain.tournaments.life.events import TournamentOpened


class Header(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The first line of the exported log of a tournament; for `names`, see the header of a table's log."""

    format: str
    tournament: str
    version: int
    head: str
    names: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


def export_log(tournament: str, entries: Sequence[Entry], names: Names | None = None) -> bytes:
    """Returns the log as bytes; `entries` must be all events of a tournament whose seed is revealed."""
    opened = decode_event(entries[0].type, entries[0].data)
    assert isinstance(opened, TournamentOpened), "the first event of a tournament opens it"
    format_ = LOG_FORMATS[opened.edition]
    head, named = entries[-1].hash, named_in(introduced_in_log(entries), names)
    header = Header(format=format_, tournament=tournament, version=len(entries), head=head, names=named)
    return write_lines(header, entries)


def parse_log(log: bytes) -> tuple[Header, tuple[Entry, ...]]:
    """Returns header and entries of an exported log of a tournament; raises `MalformedLog`."""
    return parse_lines(log, Header, LOG_FORMATS.values())
