"""Decodes the events of tournaments; they are encoded like those of tables."""

from collections.abc import Callable, Mapping
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


def _opened_without_pace(data: bytes) -> bytes:
    fields = msgspec.json.decode(data, type=dict[str, Any])
    # Not the defaults of today: at those tables bots moved and rounds followed without a pause.
    setup = {"bot_delay": 0, "round_pause": 0} | fields["setup"]
    return msgspec.json.encode(fields | {"setup": setup})


_UPCASTS: Mapping[str, tuple[str, Callable[[bytes], bytes]]] = {
    "tournament.opened": ("tournament.opened@2", _opened_without_pace),
    "tournament.entered": ("tournament.entered@2", without_name_field),
}
"""For each old wire name the present one, and the function that makes its fields, as JSON, from the old ones."""


def current_wire(wire: str) -> str:
    """Returns the present wire name of an event that was stored under `wire`."""
    return _UPCASTS[wire][0] if wire in _UPCASTS else wire


def decode_event(wire: str, data: bytes) -> TournamentEvent:
    """Returns the event with that wire name, as it is written today; raises `UnknownEvent`."""
    decoder = _DECODERS.get(current_wire(wire))
    if decoder is None:
        raise UnknownEvent(f"there is no event {wire!r}")
    try:
        return decoder.decode(_UPCASTS[wire][1](data) if wire in _UPCASTS else data)
    except (msgspec.DecodeError, LookupError, TypeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None
