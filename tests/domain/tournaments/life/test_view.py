"""The public view of a tournament, and its standings after any round."""

from fractions import Fraction

from msgspec.structs import replace

from hoodwink.domain.cards import HIDDEN
from hoodwink.domain.kernel import redact
from hoodwink.domain.tournaments.life import (
    Advance,
    AssignBye,
    Cancel,
    Expel,
    OpenRound,
    RequestBye,
    StartRound,
    Withdraw,
    crosstable,
)
from hoodwink.domain.tournaments.life.scoring.results import standings_of
from hoodwink.domain.tournaments.life.view import RoundStatus, view_tournament
from tests.tournaments.world import SEED, World, setup


def started(*players, **changes):
    world = World(setup(**{"advance": Advance.MANUAL} | changes))
    world.begin(*players)
    return world


def test_t_14_the_server_seed_is_hidden_until_it_is_revealed():
    world = started("ada", "bo")
    assert view_tournament(world.tournament).server_seed is None
    opened = redact(world.log[0].event, "spectator")
    assert opened == replace(world.log[0].event, server_seed=HIDDEN) != world.log[0].event
    assert redact(world.log[1].event, "spectator") is world.log[1].event
    world.do(Cancel("no hall"))
    assert view_tournament(world.tournament).server_seed == SEED


def test_the_view_lists_waiting_playing_and_departed_entrants():
    world = World(setup(cap=2))
    world.register("ada", "bo", "cy")
    view = view_tournament(world.tournament)
    assert [entrant.status for entrant in view.entrants] == ["entered", "entered", "waiting"]
    assert [entrant.number for entrant in view.entrants] == [None, None, None]
    world = started("ada", "bo", "cy", "dee")
    world.do(Withdraw("ada"))
    world.do(Expel("bo", "rude"))
    view = view_tournament(world.tournament)
    assert [entrant.status for entrant in view.entrants] == ["withdrawn", "expelled", "entered", "entered"]
    assert [entrant.number for entrant in view.entrants] == [1, 2, 3, 4]


def test_t_9_the_view_shows_requested_and_assigned_byes():
    world = started("ada", "bo", "cy")
    world.do(RequestBye("ada", 1))
    world.do(AssignBye("bo", 2, Fraction(1), "jury duty"))
    world.do(AssignBye("bo", 3, Fraction(1, 2), "jury duty"))
    world.do(AssignBye("bo", 2, Fraction(0), "let off"))

    entrants = view_tournament(world.tournament).entrants

    assert [entrant.requested_byes for entrant in entrants] == [(1,), (), ()]
    assert [[(bye.round, bye.score) for bye in entrant.assigned_byes] for entrant in entrants] == [
        [],
        [(2, 0), (3, Fraction(1, 2))],
        [],
    ]


def test_the_view_shows_each_round_and_its_tables():
    world = started("ada", "bo")
    world.do(OpenRound(1))
    assert view_tournament(world.tournament).rounds[0].status is RoundStatus.PAIRED
    world.do(StartRound(1))
    world.settle()
    (round_,) = view_tournament(world.tournament).rounds
    assert round_.status is RoundStatus.PLAYING
    assert [(board.board, table.is_open) for board in round_.boards for table in board.tables] == [(1, True)]
    world.end_all()
    view = view_tournament(world.tournament)
    assert view.rounds[0].status is RoundStatus.COMPLETE
    assert view.rounds_planned == 3


def test_k_5_standings_can_be_asked_for_after_any_round():
    world = started("ada", "bo", advance=Advance.AUTOMATIC)
    world.settle()
    world.end_all()
    world.settle()
    world.end_all()
    assert len(crosstable(world.tournament).rounds) == 2
    after_one = standings_of(world.tournament, after=1)
    assert after_one != standings_of(world.tournament)
    assert standings_of(world.tournament, after=2) == standings_of(world.tournament)
