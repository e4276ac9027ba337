"""Eligibility: which tables count for the ratings, and for which players."""

from collections.abc import Collection, Sequence

import pytest
from msgspec.structs import replace

from hoodwink.domain.bots import POLICIES, VERSIONS
from hoodwink.domain.ratings import RatedSeat, account_of, is_bot, rated_seats
from hoodwink.domain.tables.commands import Resign
from hoodwink.domain.tables.events import Parent, TournamentPlace
from hoodwink.domain.tables.participation import Participation
from hoodwink.domain.tables.state import (
    Occupant,
    Result,
    Table,
)
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


PLAYED = Participation(turns=9, rounds=1, rounds_played=1)


OWNERS = {"maia": "ada", "leela": "ada", "zero": "bo"}
"""The bots of Ada and Bo."""


def owners_of(players: Collection[str]) -> dict[str, str]:
    return {bot: owner for bot, owner in OWNERS.items() if bot in players}


def rated_at(table: Table, parts: Sequence[Participation | None] = (PLAYED,) * 10) -> tuple[RatedSeat, ...]:
    return rated_seats(table, versions=BOTS, owners=owners_of, played=lambda: parts)


def seats_of(table: Table) -> list[tuple[str, int]]:
    return [(seat.player, seat.place) for seat in rated_at(table)]


def test_r_1_people_are_rated_by_their_ids_and_bots_by_policy_and_version():
    table = ended("ada", "steady", "bo", places=(2, 1, 3))
    assert seats_of(table) == [("ada", 2), ("steady@3", 1), ("bo", 3)]
    assert [is_bot(player) for player, _ in seats_of(table)] == [False, True, False]


def test_r_1_bots_of_players_are_rated_as_bots_by_their_accounts():
    table = ended("cy", "maia", "steady", places=(2, 1, 3))
    assert seats_of(table) == [("cy", 2), ("maia@bot", 1), ("steady@3", 3)]
    assert [account_of(player) for player, _ in seats_of(table)] == ["cy", "maia", None]
    assert is_bot("maia@bot")


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
    assert rated_at(ended("ada", "bo", **fields)) == ()


def test_r_1_two_different_players_are_needed():
    assert rated_at(ended("ada", "bo", no_shows=(1,), resigned=(1,))) == ()


def test_r_1_no_shows_are_not_rated_but_the_others_among_themselves():
    table = ended("ada", "bo", "cy", places=(3, 1, 2), no_shows=(0,), resigned=(0,))
    assert seats_of(table) == [("bo", 1), ("cy", 2)]


def test_t_6_r_1_a_forfeited_table_rates_nobody_though_a_bot_filled_it():
    place = TournamentPlace(tournament="c", round=1, board=1, deal=1, grace_seconds=300, fillers=(2,))
    met = ended("ada", "bo", "steady", tournament=place)
    assert seats_of(met) == [("ada", 1), ("bo", 2), ("steady@3", 3)]
    assert rated_at(replace(met, no_shows=(1,))) == ()


def test_r_4_a_resigned_seat_is_rated_as_placed():
    sitting = playing("ada", "bo", "cy", game="blindside")
    sitting.do(Resign(0), by="player:0")
    sitting.play_out()
    assert seats_of(sitting.table)[0] == ("ada", 3)
    assert len(seats_of(sitting.table)) == 3


def test_r_4_a_bot_in_two_seats_is_not_rated_but_the_others_among_themselves():
    table = ended("steady", "ada", "steady", "bo", places=(1, 2, 3, 4))
    assert seats_of(table) == [("ada", 2), ("bo", 4)]
    assert rated_at(ended("steady", "steady", "steady")) == ()
    assert rated_at(ended("steady", "ada", "steady")) == ()


def test_r_4_one_owners_bots_and_account_count_as_one_player_in_several_seats():
    assert rated_at(ended("ada", "maia")) == ()
    assert rated_at(ended("maia", "leela")) == ()
    assert seats_of(ended("maia", "zero")) == [("maia@bot", 1), ("zero@bot", 2)]
    table = ended("maia", "cy", "leela", "zero", places=(1, 2, 3, 4))
    assert seats_of(table) == [("cy", 2), ("zero@bot", 4)]


def test_r_6_a_seat_says_whether_its_person_acted_in_half_of_the_rounds():
    half = Participation(turns=8, turns_by_bot=4, rounds=4, rounds_played=2)
    less = Participation(turns=8, turns_by_bot=3, rounds=5, rounds_played=2)
    seats = rated_at(ended("ada", "bo", "steady", "cy"), (half, less, None, Participation()))
    assert [seat.took_part for seat in seats] == [True, False, True, False]


def test_r_6_participation_is_counted_only_at_rated_tables():
    def never() -> Sequence[Participation]:
        raise AssertionError("nobody asks for the log of a table that does not count")

    for table in (ended("ada", "bo", rated=False), ended("ada", "bo", no_shows=(0,)), ended("steady")):
        assert rated_seats(table, versions=BOTS, owners=owners_of, played=never) == ()
