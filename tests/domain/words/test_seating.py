"""The names of the players in their seats, followed through the events of a table."""

from hoodwink.domain.tables.codec import decode_event
from hoodwink.domain.tables.commands import LeaveSeat
from hoodwink.domain.words import Seating, seating_after, seating_of
from tests.domain.tables.sitting import Sitting


def followed(sitting):
    """Yields the seating after each event, computed from the events alone."""
    seating = Seating(named=str.title)
    for entry in sitting.entries:
        seating = seating_after(seating, decode_event(entry.type, bytes(entry.data)))
        yield seating


def test_events_lead_to_the_seating_of_the_table():
    sitting = Sitting(seats=3).sit("ada", "bob")
    assert list(followed(sitting))[-1] == seating_of(sitting.table, str.title)
    sitting.do(LeaveSeat(0), by="player:0")
    assert list(followed(sitting))[-1] == seating_of(sitting.table, str.title)
    sitting.sit("bot", "cid").start()

    assert list(followed(sitting))[-1] == seating_of(sitting.table, str.title)
    assert seating_of(sitting.table, str.title).names == ("Random bot", "Bob", "Cid")


def test_holders_with_equal_names_are_distinguished_by_their_seats():
    sitting = Sitting(seats=4).sit("bot", "ada", "bob")

    seating = seating_of(sitting.table, lambda _: "Eve")

    assert seating.names == ("Random bot", "Eve (seat 1)", "Eve (seat 2)", "Seat 3")
    assert seating.people == ("ada", "bob")
