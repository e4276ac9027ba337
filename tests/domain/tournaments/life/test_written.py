"""The state of a tournament written to files that other programs read."""

import json

import pytest

from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.files.trf import Unwritable, read_trf
from hoodwink.domain.tournaments.life import (
    Advance,
    OpenRound,
    Sitting,
    StartRound,
    crosstable,
    report_file,
    results_file,
)
from hoodwink.domain.tournaments.life.scoring.results import standings_of
from hoodwink.domain.tournaments.terms import Format, Tiebreak
from tests.tournaments.world import World, setup

DAYS = "2026/05/01", "2026/06/01"


def started(**changes):
    world = World(setup(**{"seats": 2, "advance": Advance.MANUAL} | changes))
    world.begin("ada", "bo", "cy", "dee")
    return world


def play(world, round_):
    world.do(OpenRound(round_))
    world.do(StartRound(round_))
    world.settle()
    world.end_all()
    world.settle()


def test_k_5_the_results_hold_the_standings_after_each_round_with_their_lots():
    world = started(tiebreaks=(Tiebreak.LOT,))
    for round_ in (1, 2):
        play(world, round_)

    read = read_tournament(results_file(world.tournament, str.title))

    assert read.game == "blindside"
    assert read.crosstable.rounds == crosstable(world.tournament).rounds
    assert read.standings == tuple([standings_of(world.tournament, after=after).rows for after in (1, 2)])


def test_t_14_the_results_hold_no_pairing_of_a_round_that_has_not_started():
    world = started()
    world.do(OpenRound(1))

    held = json.loads(results_file(world.tournament, str.title))

    assert (held["rounds_played"], held["standings"]) == ([], [])


def test_p_2_the_report_holds_the_rounds_before_the_first_with_a_table_in_play():
    world = started()
    play(world, 1)
    world.do(OpenRound(2))
    world.do(StartRound(2))
    world.settle()
    world.end(next(iter(world.open)), points=(0, -1))
    world.do(OpenRound(3, early=True, reason="the hall closes"))
    world.do(StartRound(3))
    unfinished = list(world.open)
    world.settle()
    for table in [table for table in world.open if table not in unfinished]:
        world.end(table, points=(0, -1))
    world.settle()
    assert [round_.is_complete for round_ in world.tournament.rounds] == [True, False, True]

    read = read_trf(report_file(world.tournament, str.title, days=DAYS))

    assert (read.name, read.start, read.end) == ("Spring cup", *DAYS)
    assert len(read.crosstable.rounds) == 1
    assert read.ranks == {row.entrant: row.rank for row in standings_of(world.tournament, after=1).rows}


def test_p_2_a_report_can_be_written_before_the_first_round():
    read = read_trf(report_file(started().tournament, str.title, days=DAYS))

    assert (len(read.crosstable.entrants), read.crosstable.rounds) == (4, ())


@pytest.mark.parametrize("played", [0, 1])
@pytest.mark.parametrize(
    ("format_", "seats"),
    [
        *((format_, 4) for format_ in Format if format_ is not Format.ARENA),
        (Format.ROUND_ROBIN, 2),
        (Format.KNOCKOUT, 2),
    ],
)
def test_p_2_p_7_only_a_swiss_tournament_or_league_at_tables_of_two_has_a_report(format_, seats, played):
    follows = format_ is Format.KNOCKOUT or (format_, seats) == (Format.ROUND_ROBIN, 2)
    sittings = (Sitting(),) if follows else (Sitting(rounds=2),)
    world = started(format=format_, seats=seats, sittings=sittings)
    for round_ in range(1, played + 1):
        play(world, round_)

    with pytest.raises(Unwritable, match="Only a Swiss tournament"):
        report_file(world.tournament, str.title, days=DAYS)


def test_p_7_the_report_of_a_league_has_the_rounds_of_all_sittings():
    world = started(format=Format.LEAGUE, seats=2, sittings=(Sitting(rounds=1), Sitting(rounds=1)))
    for round_ in (1, 2):
        play(world, round_)

    read = read_trf(report_file(world.tournament, str.title, days=DAYS))

    assert len(read.crosstable.rounds) == 2
    assert read.ranks == {row.entrant: row.rank for row in standings_of(world.tournament).rows}
