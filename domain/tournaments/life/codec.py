"""Decodes the events of tournaments; they are encoded like those of tables."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from domain.kernel import without_name_field
from domain.tables.codec import UnknownEvent
from domain.tournaments.life.events import TOURNAMENT_EVENTS, TournamentEvent


def _read(kind: type, value: Any) -> Any:
    assert kind is Fraction, "events hold nothing else that JSON does not know"
    try:
        return Fraction(value)
    except (TypeError, ZeroDivisionError) as error:
        raise ValueError(str(error)) from None


_KINDS: Mapping[str, type[TournamentEvent]] = {kind.wire: kind for kind in TOURNAMENT_EVENTS}
_DECODERS = {wire: msgspec.json.Decoder(kind, dec_hook=_read) for wire, kind in _KINDS.items()}


_CURRENT: Mapping[str, str] = {
    "tournament.opened": "tournament.opened@2",  # its settings had no pace; the defaults say the same
    "tournament.entered": "tournament.entered@2",
}
"""For each old wire name the present one."""

_NAMED = frozenset({"tournament.entered"})
"""Old wire names under which a field `name` was stored, too, which is dropped."""


def current_wire(wire: str) -> str:
    """Returns the present wire name of an event that was stored under `wire`."""
    return _CURRENT.get(wire, wire)


def decode_event(wire: str, data: bytes) -> TournamentEvent:
    """Returns the event with that wire name, as it is written today; raises `UnknownEvent`."""
    decoder = _DECODERS.get(current_wire(wire))
    if decoder is None:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(without_name_field(data) if wire in _NAMED else data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None
