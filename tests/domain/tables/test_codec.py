"""Events are encoded and decoded, and old ones are upcast."""

from typing import ClassVar

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Event, Public
from hoodwink.domain.tables import codec
from hoodwink.domain.tables.codec import (
    UnknownEvent,
    decode_event,
    encode_event,
)
from hoodwink.domain.tables.events import TABLE_EVENTS, SeatTaken, TableOpened, TableStarted
from hoodwink.domain.tables.state import Phase
from tests.domain.tables.sitting import Sitting, playing

OPENED_V4 = (
    b'{"table":"t1","game":"blindside","seats":3,"options":{},"host":"holly","turn_seconds":7,'
    b'"commitment":"c","server_seed":"s","edition":3,"seed_commitment":"","rated":true,'
    b'"first_dealer":null,"tournament":null,"parent":null}'
)


class LampLit(Event, frozen=True):
    """An event that exists only here. Version 1 had minutes, version 2 no colour."""

    wire: ClassVar[str] = "test.lamp_lit@3"

    seconds: Public[int]
    colour: Public[str]


@pytest.fixture
def lamps(monkeypatch):
    """Makes the codec know the event and the two versions before it."""
    monkeypatch.setattr(codec, "_KINDS", {**codec._KINDS, LampLit.wire: LampLit})
    monkeypatch.setattr(codec, "_DECODERS", {**codec._DECODERS, LampLit.wire: msgspec.json.Decoder(LampLit)})
    upcasts = {
        "test.lamp_lit": ("test.lamp_lit@2", lambda old: {"seconds": 60 * old["minutes"]}),
        "test.lamp_lit@2": ("test.lamp_lit@3", lambda old: old | {"colour": "white"}),
    }
    for wire, upcast in upcasts.items():
        monkeypatch.setitem(codec._UPCASTS, wire, upcast)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_event_round_trips_through_the_log(game):
    sitting = playing(*("bot",) * GAMES[game].seats[0], game=game)
    for _ in range(30):
        if sitting.table.phase is Phase.PLAYING:
            sitting.step()
    for entry in sitting.entries:
        event = decode_event(entry.type, bytes(entry.data))
        assert event.wire == entry.type
        assert encode_event(event) == bytes(entry.data)


def test_fields_are_in_declared_order_without_spaces():
    assert encode_event(SeatTaken(0, "ada", None, "é", "")) == (
        '{"seat":0,"player":"ada","policy":null,"seed":"é","seed_commitment":""}'.encode()
    )


def test_wire_names_are_unique():
    wires = [kind.wire for kind in TABLE_EVENTS] + [
        kind.wire for game in GAMES.values() for kind in game.events
    ]
    assert len(wires) == len(set(wires))


@pytest.mark.parametrize(
    ("wire", "data", "expected"),
    [
        ("test.lamp_lit", b'{"minutes":2}', LampLit(120, "white")),
        ("test.lamp_lit@2", b'{"seconds":5}', LampLit(5, "white")),
        ("test.lamp_lit@3", b'{"seconds":5,"colour":"red"}', LampLit(5, "red")),
    ],
)
@pytest.mark.usefixtures("lamps")
def test_an_old_event_is_upgraded_step_by_step(wire, data, expected):
    assert decode_event(wire, data) == expected
    assert codec.current_wire(wire) == LampLit.wire


@pytest.mark.parametrize(
    ("wire", "data"),
    [
        ("test.lamp_lit@4", b'{"seconds":5,"colour":"red"}'),
        ("test.lamp_lit@2", b"[]"),
        ("test.lamp_lit@2", b"{}"),
        ("test.lamp_lit@2", b"nonsense"),
        ("test.lamp_lit@2", b'{"seconds":"5"}'),
        ("test.lamp_lit@2", b'{"seconds":5,"size":1}'),
    ],
)
@pytest.mark.usefixtures("lamps")
def test_an_old_event_with_other_fields_is_refused(wire, data):
    with pytest.raises(UnknownEvent):
        decode_event(wire, data)


def test_a_table_opened_before_there_was_a_pace_has_none():
    opened = decode_event("table.opened@4", OPENED_V4)
    assert isinstance(opened, TableOpened)
    assert (opened.turn_seconds, opened.bot_delay, opened.round_pause) == (7, 0, 0)
    assert (opened.private, opened.watch, opened.rematch_of) == (False, "everyone", None)
    assert not opened.take_backs
    assert decode_event("table.started", b"{}") == TableStarted(None, None, None)


def test_the_name_in_an_old_event_is_not_read():
    stored = b'{"seat":0,"player":"a","name":"A","policy":null,"seed":"","seed_commitment":"f"}'
    assert decode_event("table.seat_taken@2", stored) == SeatTaken(0, "a", None, "", "f")


def test_every_old_wire_name_leads_to_a_current_one():
    for wire in codec._UPCASTS:
        assert codec.current_wire(wire) in codec._KINDS


def test_current_and_unknown_wire_names_are_not_changed():
    assert codec.current_wire(SeatTaken.wire) == SeatTaken.wire
    assert codec.current_wire("table.burned") == "table.burned"


@pytest.mark.parametrize(
    ("wire", "data"),
    [
        ("table.burned", b"{}"),
        ("table.opened@5", b"{}"),
        ("table.opened@4", b"[]"),
        ("table.opened@4", OPENED_V4.replace(b'"seats":3,', b"")),
        ("table.opened@4", OPENED_V4.replace(b"{", b'{"colour":"green",', 1)),
        ("table.opened@4", b"nonsense"),
        ("table.opened@3", OPENED_V4),
        ("table.seat_left", b""),
        ("table.seat_left", b"{}"),
        ("table.seat_left", b'{"seat":"0"}'),
        ("table.seat_left", b'{"seat":0.0}'),
        ("table.seat_left", b'{"seat":true}'),
        ("table.seat_left", b'{"seat":0,"by":1}'),
        ("table.seat_left", b'{"seat":' + b"9" * 5_000 + b"}"),
        ("table.seat_taken@2", b'{"seat":0,"player":"\xff","policy":null,"seed":"","seed_commitment":""}'),
        ("table.opened@4", b'{"table":"t","options":{"deep":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"),
    ],
)
def test_data_that_fits_no_event_is_refused(wire, data):
    with pytest.raises(UnknownEvent):
        decode_event(wire, data)


def test_a_player_may_have_any_name_that_utf_8_can_encode():
    sitting = Sitting().sit("ада🂡")
    taken = decode_event(sitting.entries[1].type, bytes(sitting.entries[1].data))
    assert isinstance(taken, SeatTaken)
    assert taken.player == "ада🂡"
