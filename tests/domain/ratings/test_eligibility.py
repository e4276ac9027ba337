"""Eligibility: which tables count for the ratings, and for which players."""

import pytest
from msgspec.structs import replace

from domain.bots import POLICIES, VERSIONS
from domain.ratings import RatedSeat, is_bot, rated_seats
from domain.tables import Occupant, Parent, Resign, Result, Table, TournamentPlace
from tests.domain.tables.sitting import playing

BOTS = {"random": 1, "steady": 3}


def ended(*players: str, places: tuple[int, ...] | None = None, **fields) -> Table:
    """Returns an ended table; a policy's name seats a bot."""
    seats = tuple(
        Occupant(f"bot:{player}", player) if player in POLICIES else Occupant(player, None)
        for player in players
    )
    ranks = tuple(range(1, len(seats) + 1)) if places is None else places
    table = Table(
        id="t1", game="blindside", seats=seats, rated=True, result=Result("played_out", ranks, ranks)
    )
    return replace(table, **fields)


def seats_of(table: Table) -> list[tuple[str, int]]:
    return [(seat.player, seat.place) for seat in rated_seats(table, versions=BOTS)]


def test_r_1_people_are_rated_by_their_ids_and_bots_by_policy_and_version():
    table = ended("ada", "steady", "bo", places=(2, 1, 3))
    assert seats_of(table) == [("ada", 2), ("steady@3", 1), ("bo", 3)]
    assert [is_bot(player) for player, _ in seats_of(table)] == [False, True, False]


def test_r_1_every_policy_has_a_version():
    assert set(VERSIONS) == set(POLICIES)


@pytest.mark.parametrize(
    "fields",
    [
        {"rated": False},
        {"parent": Parent(table="t0", version=9, head="aa")},
        {"result": None},
        {"result": Result("abandoned", None, None)},
    ],
    ids=["friendly", "fork", "in play", "without result"],
)
def test_r_1_some_tables_do_not_count(fields):
    assert rated_seats(ended("ada", "bo", **fields), versions=BOTS) == ()


def test_r_1_two_different_players_are_needed():
    assert rated_seats(ended("ada", "bo", no_shows=(1,), resigned=(1,)), versions=BOTS) == ()


def test_r_1_no_shows_are_not_rated_but_the_others_among_themselves():
    table = ended("ada", "bo", "cy", places=(3, 1, 2), no_shows=(0,), resigned=(0,))
    assert seats_of(table) == [("bo", 1), ("cy", 2)]


def test_t_6_r_1_a_forfeited_table_rates_nobody_though_a_bot_filled_it():
    place = TournamentPlace(tournament="c", round=1, board=1, deal=1, grace_seconds=300, fillers=(2,))
    met = ended("ada", "bo", "steady", tournament=place)
    assert seats_of(met) == [("ada", 1), ("bo", 2), ("steady@3", 3)]
    assert rated_seats(replace(met, no_shows=(1,)), versions=BOTS) == ()


def test_r_4_a_resigned_seat_is_rated_as_placed():
    sitting = playing("ada", "bo", "cy", game="blindside")
    sitting.do(Resign(0), by="player:0")
    sitting.play_out()
    seats = rated_seats(replace(sitting.table, rated=True), versions=BOTS)
    assert seats[0] == RatedSeat("ada", 3)
    assert len(seats) == 3


def test_r_4_a_bot_in_two_seats_is_not_rated_but_the_others_among_themselves():
    table = ended("steady", "ada", "steady", "bo", places=(1, 2, 3, 4))
    assert seats_of(table) == [("ada", 2), ("bo", 4)]
    assert rated_seats(ended("steady", "steady", "steady"), versions=BOTS) == ()
    assert rated_seats(ended("steady", "ada", "steady"), versions=BOTS) == ()
