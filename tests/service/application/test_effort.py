"""Which commands a request decides, and which are left to jobs."""

import pytest

from hoodwink.domain.cards import commitment
from hoodwink.domain.tournaments.life import (
    ChangePairing,
    ConfirmTables,
    Finish,
    OpenCheckIn,
    OpenRound,
    RevealEntrantSeed,
    SayAbsent,
    Sitting,
    StartRound,
    StartTournament,
)
from hoodwink.domain.tournaments.life.commands import Enter
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.pairing.round_robin import Shape, arrangement_of, shapes
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.jobs.effort import MAX_LINES, has_many_lines, is_laborious, shape_to_arrange
from tests.tournaments.world import World, setup

START = StartTournament({})
PAIR = OpenRound(1)


def round_robin(entrants=6, *, seats=4, **changes):
    world = World(setup(format=Format.ROUND_ROBIN, seats=seats, **changes))
    world.register(bots=entrants)
    return world


def started(entrants, **changes):
    world = World(setup(**({"advance": "manual"} | changes)))
    world.begin(bots=entrants)
    return world


def test_a_start_is_laborious_until_the_arrangement_of_its_sizes_is_known(monkeypatch):
    monkeypatch.setattr(shapes, "_remembered", {})  # without those of other tests
    world = round_robin()
    shape = shape_to_arrange(world.tournament)
    assert shape == Shape(entrants=6, tables=2, waiting=0, rounds=3)
    assert is_laborious(world.tournament, START)
    arrangement_of(shape)
    assert not is_laborious(world.tournament, START)


@pytest.mark.parametrize(
    "make",
    [
        lambda: round_robin(seats=2, sittings=(Sitting(),)),
        lambda: round_robin(1),
        lambda: round_robin(50, sittings=(Sitting(rounds=201),)),
        lambda: World(setup(format=Format.ROUND_ROBIN)),
        lambda: started(6, format=Format.ROUND_ROBIN),
    ],
    ids=["Berger tables", "too few", "too long", "draft", "has started"],
)
def test_a_start_that_needs_no_search_or_is_refused_is_not_laborious(make):
    world = make()
    assert shape_to_arrange(world.tournament) is None
    assert not is_laborious(world.tournament, START)


@pytest.mark.parametrize(
    ("format_", "seats", "most"),
    [(Format.SWISS, 4, 10), (Format.LEAGUE, 4, 10), (Format.SWISS, 2, 32), (Format.KNOCKOUT, 2, 99)],
)
def test_the_pairing_of_a_large_field_is_laborious(format_, seats, most):
    changes = {"format": format_, "seats": seats} | (
        {"sittings": (Sitting(),)} if format_ is Format.KNOCKOUT else {}
    )
    assert not is_laborious(started(most, **changes).tournament, PAIR)
    assert is_laborious(started(most + 1, **changes).tournament, PAIR) == (format_ is not Format.KNOCKOUT)


def test_only_present_entrants_are_paired():
    world = World(setup(advance="manual", check_in=60))
    world.begin("ann", "ben", bots=9)
    world.do(OpenCheckIn(1))
    world.do(SayAbsent("ann"), by="entrant:ann")
    assert not is_laborious(world.tournament, PAIR)


def test_a_call_for_seeds_is_not_laborious_but_the_pairing_after_it_is():
    world = World(setup(advance="manual"))
    world.register(bots=11)
    world.do(Enter(player="ann", seed_commitment=commitment("00" * 16)))
    world.do(START)
    assert not is_laborious(world.tournament, PAIR)
    world.do(PAIR)
    assert not is_laborious(world.tournament, PAIR)
    world.do(RevealEntrantSeed("ann", "00" * 16))
    assert is_laborious(world.tournament, PAIR)


def test_a_round_of_a_large_schedule_is_laborious(monkeypatch):
    world = started(12, format=Format.ROUND_ROBIN, sittings=(Sitting(rounds=2),))
    assert not is_laborious(world.tournament, PAIR)
    monkeypatch.setattr("hoodwink.service.application.jobs.effort._MAX_PLACES", 23)
    assert is_laborious(world.tournament, PAIR)


def test_pairings_after_many_results_are_laborious(monkeypatch):
    world = started(4, format=Format.KNOCKOUT, seats=2, sittings=(Sitting(),))
    change = ChangePairing(1, ((1, 2), (3, 4)), (), "rivals")
    world.do(PAIR)
    world.do(StartRound(1))
    assert MAX_LINES == 1_000
    for lines, expected in ((4, False), (3, True)):
        monkeypatch.setattr("hoodwink.service.application.jobs.effort.MAX_LINES", lines)
        assert is_laborious(world.tournament, OpenRound(2)) is expected
        assert is_laborious(world.tournament, change) is expected


def test_no_other_command_is_laborious():
    world = started(40)
    assert not is_laborious(world.tournament, Finish())
    assert not is_laborious(world.tournament, ConfirmTables(()))


def test_pairings_of_an_arena_are_laborious_after_many_seats_at_tables(monkeypatch):
    world = World(
        setup(format=Format.ARENA, seats=2, sittings=(Sitting(),), turn_seconds=60), arena=ArenaTimes(20, 1)
    )
    world.begin("ann", "ben", "cy", "dee", "eve")
    world.settle()
    assert len(world.open) == 2, "a wave has no line for who waits"

    monkeypatch.setattr("hoodwink.service.application.jobs.effort.MAX_LINES", 4)
    assert not has_many_lines(world.tournament)
    monkeypatch.setattr("hoodwink.service.application.jobs.effort.MAX_LINES", 3)
    assert has_many_lines(world.tournament)
