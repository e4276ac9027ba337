"""Events are encoded and decoded, and old ones are upcast."""

import pytest

from domain.games import GAMES
from domain.tables import Phase, UnknownEvent, codec, decode_event, encode_event
from domain.tables.events import TABLE_EVENTS, SeatTaken, TableOpened
from domain.tournaments.life.codec import decode_event as decode_tournament_event
from domain.tournaments.life.events import Entered
from tests.domain.tables.sitting import Sitting, playing

OPENED_V1 = (
    b'{"table":"t1","game":"blindside","seats":3,"options":{},"host":"holly",'
    b'"commitment":"c","server_seed":"s"}'
)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_event_of_a_table_survives_the_log(game):
    sitting = playing(*("bot",) * GAMES[game].seats[0], game=game)
    for _ in range(30):
        if sitting.table.phase is Phase.PLAYING:
            sitting.step()
    for entry in sitting.entries:
        event = decode_event(entry.type, bytes(entry.data))
        assert event.wire == entry.type
        assert encode_event(event) == bytes(entry.data)


def test_fields_stand_in_declared_order_without_blanks():
    assert encode_event(SeatTaken(0, "ada", None, "é", "")) == (
        '{"seat":0,"player":"ada","policy":null,"seed":"é","seed_commitment":""}'.encode()
    )


def test_wire_names_are_unique():
    wires = [kind.wire for kind in TABLE_EVENTS] + [
        kind.wire for game in GAMES.values() for kind in game.events
    ]
    assert len(wires) == len(set(wires))


def test_a_table_opened_before_there_were_clocks_has_none():
    opened = decode_event("table.opened", OPENED_V1)
    assert isinstance(opened, TableOpened)
    assert (opened.turn_seconds, opened.host, opened.server_seed) == (0, "holly", "s")


def test_a_table_opened_before_there_were_editions_is_of_the_first():
    opened = decode_event("table.opened@2", OPENED_V1.replace(b"{", b'{"turn_seconds":7,', 1))
    assert isinstance(opened, TableOpened)
    assert (opened.edition, opened.seed_commitment, opened.turn_seconds) == (1, "", 7)


def test_a_seat_taken_before_there_were_commitments_has_none():
    taken = decode_event(
        "table.seat_taken", b'{"seat":0,"player":"a","name":"A","policy":null,"seed":"luck"}'
    )
    assert taken == SeatTaken(0, "a", None, "luck", "")


def test_the_name_in_an_event_of_an_earlier_release_is_not_read():
    stored = b'{"seat":0,"player":"a","name":"A","policy":null,"seed":"","seed_commitment":"f"}'
    assert decode_event("table.seat_taken@2", stored) == SeatTaken(0, "a", None, "", "f")
    entered = b'{"entrant":"a","name":"A","policy":null,"seed_commitment":"","number":0,"from_round":1}'
    assert decode_tournament_event("tournament.entered", entered) == Entered("a", None, "", 0, 1)


def test_every_old_wire_name_leads_to_a_current_one(monkeypatch):
    monkeypatch.setitem(codec._UPCASTS, "table.begun", ("table.opened", dict))
    for wire in codec._UPCASTS:
        assert codec.current_wire(wire) in codec._KINDS
    assert codec.current_wire("table.begun") == TableOpened.wire


def test_current_and_unknown_wire_names_are_not_changed():
    assert codec.current_wire(SeatTaken.wire) == SeatTaken.wire
    assert codec.current_wire("table.burned") == "table.burned"


@pytest.mark.parametrize(
    ("wire", "data"),
    [
        ("table.burned", b"{}"),
        ("table.opened@5", b"{}"),
        ("table.opened", b"[]"),
        ("table.opened", OPENED_V1.replace(b'"seats":3,', b"")),
        ("table.opened", OPENED_V1.replace(b"{", b'{"colour":"green",', 1)),
        ("table.opened", b"nonsense"),
        ("table.seat_left", b""),
        ("table.seat_left", b"{}"),
        ("table.seat_left", b'{"seat":"0"}'),
        ("table.seat_left", b'{"seat":0.0}'),
        ("table.seat_left", b'{"seat":true}'),
        ("table.seat_left", b'{"seat":0,"by":1}'),
        ("table.seat_left", b'{"seat":' + b"9" * 5_000 + b"}"),
        ("table.seat_taken", b'{"seat":0,"player":"\xff","name":"","policy":null,"seed":""}'),
        ("table.opened@2", b'{"table":"t","options":{"deep":' + b"[" * 100_000 + b"]" * 100_000 + b"}}"),
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
