"""Events are read as they were written, and nothing else is."""

from fractions import Fraction

import pytest

from hoodwink.domain.tables.codec import UnknownEvent, encode_event
from hoodwink.domain.tournaments.life import current_wire, decode_event
from hoodwink.domain.tournaments.life.events import TOURNAMENT_EVENTS, ByeAssigned, TournamentOpened
from hoodwink.domain.tournaments.life.setup import Setup, Sitting
from hoodwink.domain.tournaments.terms import Format

SETUP = Setup(name="Cup", format=Format.SWISS, game="blindside", seats=2, sittings=(Sitting(rounds=3),))


def test_fractions_are_exact_strings():
    event = ByeAssigned("ada", 2, Fraction(1, 2), "ill")
    data = encode_event(event)
    assert data == b'{"entrant":"ada","round":2,"score":"1/2","reason":"ill"}'
    assert decode_event(event.wire, data) == event


@pytest.mark.parametrize("score", [b'"1/0"', b'"half"', b"[]"])
def test_a_malformed_fraction_is_refused(score):
    data = b'{"entrant":"ada","round":2,"score":' + score + b',"reason":"ill"}'
    with pytest.raises(UnknownEvent):
        decode_event(ByeAssigned.wire, data)


def test_a_tournament_opened_before_bots_of_players_admits_none():
    opened = TournamentOpened("cup", "olga", SETUP, "c", "00", 3)
    data = encode_event(opened)
    before = data.replace(b'"outside_bots":false,', b"")
    assert before != data
    assert decode_event("tournament.opened@2", before) == opened
    assert current_wire("tournament.opened@2") == opened.wire


@pytest.mark.parametrize("data", [b"{}", b"[]", b'{"setup":null}', b'{"setup":{}}'])
def test_a_malformed_old_event_is_refused(data):
    with pytest.raises(UnknownEvent):
        decode_event("tournament.opened@2", data)


def test_unknown_events_are_refused():
    with pytest.raises(UnknownEvent, match="no event"):
        decode_event("tournament.burned_down", b"{}")
    with pytest.raises(UnknownEvent, match="more"):
        decode_event("tournament.resumed", b'{"more":1}')


def test_every_kind_of_event_has_its_own_wire_name():
    wires = [kind.wire for kind in TOURNAMENT_EVENTS]
    assert len(set(wires)) == len(wires)
    assert all(wire.startswith("tournament.") for wire in wires)
