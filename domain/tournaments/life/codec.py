"""Decodes the events of tournaments; they are encoded like those of tables."""

from collections.abc import Mapping

import msgspec

from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS, TournamentEvent
from hoodwink.domain.tournaments.life.setup import read_fraction

_KINDS: Mapping[str, type[TournamentEvent]] = {kind.wire: kind for kind in TOURNAMENT_EVENTS}
_DECODERS = {wire: msgspec.json.Decoder(kind, dec_hook=read_fraction) for wire, kind in _KINDS.items()}


def decode_event(wire: str, data: bytes) -> TournamentEvent:
    """Returns the event with that wire name; raises `UnknownEvent`."""
    decoder = _DECODERS.get(wire)
    if decoder is None:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None
