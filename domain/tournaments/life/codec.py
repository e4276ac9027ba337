"""Decodes the events of tournaments; they are encoded like those of tables."""

from collections.abc import Mapping

import msgspec

from hoodwink.domain.tables import codec
from hoodwink.domain.tables.codec import Fields, UnknownEvent, Upcasts, upcast
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS, TournamentEvent
from hoodwink.domain.tournaments.life.setup import read_fraction

_KINDS: Mapping[str, type[TournamentEvent]] = {kind.wire: kind for kind in TOURNAMENT_EVENTS}
_DECODERS = {wire: msgspec.json.Decoder(kind, dec_hook=read_fraction) for wire, kind in _KINDS.items()}


def _opened_before_outside_bots(fields: Fields) -> Fields:
    setup = fields.get("setup")
    return fields | {"setup": setup | {"outside_bots": False}} if isinstance(setup, dict) else fields


_UPCASTS: Upcasts = {"tournament.opened@2": ("tournament.opened@3", _opened_before_outside_bots)}


def current_wire(wire: str) -> str:
    """Returns the current wire name of events that were stored under this name."""
    return codec.current_wire(wire, _UPCASTS)


def decode_event(wire: str, data: bytes) -> TournamentEvent:
    """Returns the event with that wire name, upcast to the current schema; raises `UnknownEvent`."""
    decoder = _DECODERS.get(wire)
    if decoder is None and wire not in _UPCASTS:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(data) if decoder else _upcast(wire, data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None


def _upcast(wire: str, data: bytes) -> TournamentEvent:
    wire, fields = upcast(wire, data, _UPCASTS)
    return msgspec.convert(fields, _KINDS[wire], dec_hook=read_fraction)
