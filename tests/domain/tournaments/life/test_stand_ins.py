"""A bot's wins do not count for the player who left (T-20, K-2)."""

import msgspec
import pytest

from hoodwink.domain.tables.codec import UnknownEvent
from hoodwink.domain.tables.commands import Resign
from hoodwink.domain.tournaments.crosstable import SeatState
from hoodwink.domain.tournaments.life import (
    Sitting,
    crosstable,
    report_of,
    standings_of,
    verify_log,
)
from hoodwink.domain.tournaments.life.codec import decode_event as decode_tournament_event
from hoodwink.domain.tournaments.life.events import TableReported
from hoodwink.domain.tournaments.standings import explanations, in_words, marks_of
from hoodwink.domain.tournaments.terms import Format, ScoreBy, Tiebreak
from tests.tournaments.played import Played, PlayedTable
from tests.tournaments.world import World, setup

POINTS = {
    "format": Format.LEAGUE,
    "game": "blindside",
    "seats": 3,
    "fill_with_bots": True,
    "score_by": ScoreBy.POINTS,
    "tiebreaks": (Tiebreak.DIFFERENCE,),
}


def resigned_in_every_round() -> Played:
    """Plays a league in which one entrant resigns at each table as soon as it opens."""
    world = Played(setup(**POINTS, sittings=(Sitting(rounds=6),)))
    world.begin("ada", "bo", "cy")
    while world.tournament.phase == "running":
        world.settle()
        for order in list(world.open.values()):
            table = world.opened(order)
            seat = [who.player for who in order.seats].index("ada")
            table.do(Resign(seat), by=f"player:{seat}")
            table.play()
            world.report(order)
    return world


def test_t_20_resigning_in_every_round_wins_no_league_by_points():
    world = resigned_in_every_round()
    rounds = crosstable(world.tournament).rounds
    seats = [seat for round_ in rounds for seat in round_.boards[0].seats]
    won = sum(seat.points or 0 for seat in seats if seat.entrant == 1)
    lowest = sum(min(seat.points or 0 for seat in round_.boards[0].seats) for round_ in rounds)
    rows = {row.entrant: row for row in standings_of(world.tournament).rows}

    assert won != lowest
    assert rows[1].score == lowest
    assert verify_log(world.log_of(), world.logs()).finding is None
    assert marks_of(crosstable(world.tournament))[1].by_bot == (1, 2, 3, 4, 5, 6)
    assert rows[1].rank == 3
    difference = rows[1].tiebreaks[Tiebreak.DIFFERENCE] or 0
    assert difference < min(row.tiebreaks[Tiebreak.DIFFERENCE] or 0 for row in (rows[2], rows[3]))


@pytest.mark.parametrize(
    ("report", "state"),
    [
        ({}, SeatState.PLAYED),
        ({"resigned": (0,)}, SeatState.RESIGNED),
        ({"by_bot": (0,)}, SeatState.STAND_IN),
        ({"by_bot": (0,), "resigned": (0,)}, SeatState.STAND_IN),
        ({"no_shows": (0,), "by_bot": (0,), "resigned": (0,)}, SeatState.NO_SHOW),
    ],
)
def test_t_20_a_seat_names_its_players(report, state):
    world = World(setup(**POINTS, sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    world.settle()
    (order,) = world.open.values()
    world.end(order.table, points=(57, -24, -33), **report)

    seats = crosstable(world.tournament).rounds[0].boards[0].seats
    assert [seat.state for seat in seats] == [state, SeatState.PLAYED, SeatState.PLAYED]
    rows = {row.entrant: row.score for row in standings_of(world.tournament).rows}
    assert rows[seats[0].entrant or 0] == (57 if state is SeatState.PLAYED else -33)


def test_t_20_the_standings_mark_and_explain_the_turns_that_a_bot_took():
    world = World(setup(**POINTS, sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    world.settle()
    (order,) = world.open.values()
    seats = [who.player for who in order.seats]
    world.end(order.table, points=(57, -24, -33), by_bot=(seats.index("ada"),), resigned=(seats.index("bo"),))

    found = standings_of(world.tournament)
    said = {
        row.entrant: in_words(explanations(found, row)[0], {1: "Ada", 2: "Bo", 3: "Cy"}) for row in found.rows
    }
    assert [marks_of(crosstable(world.tournament))[number].by_bot for number in (1, 2, 3)] == [(1,), (), ()]
    assert said[1].endswith("; a bot took most of the turns, so it scores the lowest of the table.")
    assert said[2].endswith("; resigned, so it scores the lowest of the table.")
    assert "bot" not in said[3]
    assert "lowest" not in said[3]


@pytest.mark.parametrize("fields", [{"by_bot": (3,)}, {"resigned": (-1,)}])
def test_a_report_names_seats_of_the_table_only(fields):
    world = World(setup(**POINTS, sittings=(Sitting(rounds=1),)))
    world.begin("ada", "bo", "cy")
    world.settle()
    (order,) = world.open.values()
    table = PlayedTable(order, world.now)
    table.play()
    told = report_of(table.table, table.head, table.entries)
    assert world.refusal(msgspec.structs.replace(told, **fields)) == "invalid_report"
    assert world.refusal(told) == ""


def test_a_report_without_the_turns_of_bots_is_not_read():
    data = (
        b'{"round":1,"board":1,"deal":1,"table":"t","version":9,"head":"f","outcome":"played_out",'
        b'"places":[1,2],"points":[3,1],"no_shows":[]}'
    )
    for wire in ("tournament.table_reported", TableReported.wire):
        with pytest.raises(UnknownEvent):
            decode_tournament_event(wire, data)
