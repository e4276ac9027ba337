"""Officials describe the tournament (T-60) and announce something to everybody (T-61)."""

from hoodwink.domain.tables.proving.proof import replayed
from hoodwink.domain.tournaments.life import (
    Announce,
    Describe,
    Finish,
    NameArbiter,
    view_tournament,
)
from hoodwink.domain.tournaments.life.deciding.contact import MAX_ANNOUNCEMENTS, MAX_DESCRIPTIONS, MIN_GAP_MS
from hoodwink.domain.tournaments.life.proving.verify import TOURNAMENT
from tests.tournaments.world import World, setup

ONE, OTHER = ("sha256:" + digit * 64 for digit in "01")


def begun() -> World:
    world = World(setup(seats=2))
    world.begin("ada", "bob")
    return world


def test_t_60_the_organiser_alone_writes_replaces_and_removes_the_description():
    world = begun()
    world.do(NameArbiter("ann"))
    assert view_tournament(world.tournament).description is None
    for text in (ONE, OTHER, ""):
        world.do(Describe("olga", text))
        assert view_tournament(world.tournament).description == (text or None)
    assert world.refusal(Describe("ann", ONE)) == "not_an_official"
    for _ in range(MAX_DESCRIPTIONS - 3):
        world.do(Describe("olga", ONE))

    assert world.refusal(Describe("olga", "")) == "too_many_descriptions"
    world.do(Finish("it rains"))
    assert world.refusal(Describe("olga", OTHER)) == "tournament_over"
    assert replayed(TOURNAMENT, world.log) == world.tournament


def test_t_61_officials_announce_once_a_minute_and_a_hundred_times():
    world = begun()
    world.do(NameArbiter("ann"))
    world.do(Announce("olga", ONE))
    world.now += MIN_GAP_MS - 1
    assert world.refusal(Announce("ann", OTHER)) == "too_many_announcements"
    world.now += 1
    world.do(Announce("ann", OTHER))
    shown = view_tournament(world.tournament).announcements
    assert [(each.official, each.text) for each in shown] == [("ann", OTHER), ("olga", ONE)]
    assert shown[0].at == world.now

    world.now += MIN_GAP_MS
    assert world.refusal(Announce("ada", ONE)) == "not_an_official"
    for _ in range(MAX_ANNOUNCEMENTS - 2):
        world.do(Announce("olga", ONE))
        world.now += MIN_GAP_MS
    assert world.refusal(Announce("olga", ONE)) == "too_many_announcements"
    assert len(view_tournament(world.tournament).announcements) == 10
    assert replayed(TOURNAMENT, world.log) == world.tournament
