"""Encodes and decodes events. Events with old wire names are upcast when read; the bytes in the log never change."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event
from hoodwink.domain.tables.events import TABLE_EVENTS

_KINDS: Mapping[str, type[Event]] = {
    kind.wire: kind for kind in (*TABLE_EVENTS, *(kind for game in GAMES.values() for kind in game.events))
}
# Built once per kind, because every event that a process loads goes through one of them.
_DECODERS = {wire: msgspec.json.Decoder(kind) for wire, kind in _KINDS.items()}


def _exact(value: object) -> str:
    assert isinstance(value, Fraction), "events contain no other type that JSON lacks"
    return str(value)


_ENCODER = msgspec.json.Encoder(enc_hook=_exact)

Fields = dict[str, Any]


def _without_name(fields: Fields) -> Fields:
    return {field: value for field, value in fields.items() if field != "name"}


def _opened_before_pace(fields: Fields) -> Fields:
    # Not today's defaults: at those tables nobody waited for a bot or between rounds, and everybody could watch.
    pace = {"bot_delay": 0, "round_pause": 0}
    return fields | pace | {"private": False, "watch": "everyone", "rematch_of": None}


def _opened_before_take_backs(fields: Fields) -> Fields:
    return fields | {"take_backs": False}


def _started_without_pace(fields: Fields) -> Fields:
    return fields | {"turn_seconds": None, "bot_delay": None, "round_pause": None}


Upcasts: TypeAlias = Mapping[str, tuple[str, Callable[[Fields], Fields]]]
"""The next wire name for each old one, and the function that converts the fields."""

_UPCASTS: Upcasts = {
    "table.opened@4": ("table.opened@5", _opened_before_pace),
    "table.opened@5": ("table.opened@6", _opened_before_take_backs),
    "table.started": ("table.started@2", _started_without_pace),
    "table.seat_taken@2": ("table.seat_taken@3", _without_name),
}


class UnknownEvent(ValueError):
    """Raised when no kind of event has this wire name or these fields."""


def current_wire(wire: str, upcasts: Upcasts = _UPCASTS) -> str:
    """Returns the current wire name of events that were stored under this name."""
    while wire in upcasts:
        wire, _ = upcasts[wire]
    return wire


def upcast(wire: str, data: bytes, upcasts: Upcasts) -> tuple[str, Fields]:
    """Returns the current wire name of an event with an old one, and its fields now; raises `msgspec.DecodeError`."""
    fields = msgspec.json.decode(data, type=Fields)
    while wire in upcasts:
        wire, change = upcasts[wire]
        fields = change(fields)
    return wire, fields


def encode_event(event: Event) -> bytes:
    """Returns the fields of any event as compact JSON, in declared order; fractions as strings such as `1/2`."""
    return _ENCODER.encode(event)


def decode_event(wire: str, data: bytes) -> Event:
    """Returns the event with this wire name and data, upcast to the current schema; raises `UnknownEvent`."""
    decoder = _DECODERS.get(wire)
    try:
        return decoder.decode(data) if decoder else _upcast(wire, data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UnknownEvent(f"{wire}: {error}") from None


def _upcast(wire: str, data: bytes) -> Event:
    wire, fields = upcast(wire, data, _UPCASTS) if wire in _UPCASTS else (wire, {})
    if wire not in _KINDS:
        raise UnknownEvent(f"there is no event {wire!r}")
    return msgspec.convert(fields, _KINDS[wire])
