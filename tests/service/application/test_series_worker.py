"""The service's work in a series: opening tournaments, starting them, and counting their results."""

from fractions import Fraction
from typing import Any

import pytest

from hoodwink.domain import series as lib
from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.series.plan import HOUR_MS, Points, Schedule, Weekday
from hoodwink.domain.series.state import tournament_id
from hoodwink.domain.tables.actor import ADMIN, ORGANISER, Actor
from hoodwink.domain.tables.commands import Resign, SayReady, VoidTable
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import OPEN_TO_ALL, Advance, Phase, Setup, Sitting
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.application.limits import Limit
from hoodwink.service.application.ports import IdempotencyKey, StreamId
from tests.service.application.audits import differences as audited
from tests.service.application.test_archive import archive, archiver
from tests.service.application.world import NOW, World

CLUB = "theclub"
CLUB_STREAM = StreamId("series", CLUB)
FIRST = tournament_id(CLUB, 1)
STARTS = (NOW + 2 * HOUR_MS, NOW + 4 * HOUR_MS)


@pytest.fixture
def world() -> World:
    return World()


def open_series(world: World, *, organiser: str = "", **changes: Any) -> None:
    """Opens a series of two tournaments, each open for entries an hour before its start."""
    settings: dict[str, Any] = {
        "name": "Club night",
        "format": Format.SWISS,
        "game": "blindside",
        "seats": 3,
        "options": {"rounds": 1},
        "sittings": (Sitting(rounds=1),),
        "advance": Advance.SCHEDULE,
        "rank_by": life.RankBy.LOT,
        "bot_delay": 0,
        "round_pause": 0,
    }
    opening = lib.OpenSeries(
        series=CLUB,
        organiser=organiser or world.service.players.register(name="Olga").player.id,
        setup=Setup(**(settings | changes)),
        compare=None,
        arena=None,
        admission=OPEN_TO_ALL,
        schedule=Schedule(
            weekdays=(Weekday.MONDAY,),
            time="20:00",
            zone="UTC",
            first_day="2026-01-01",
            tournaments=2,
            opens_hours=1,
        ),
        points=Points(),
        dates=STARTS,
    )
    world.service.series.open(CLUB, opening, by=ORGANISER, key=IdempotencyKey("open", ""))
    world.settle()


def at(world: World, moment: int) -> None:
    """Lets the service do what is due at a time."""
    world.clock.now = moment
    world.dispatcher.tick()
    world.settle()


def club(world: World) -> lib.Series:
    return world.service.series.load(CLUB).state


def statuses(world: World) -> list[str]:
    return [date.status.value for date in club(world).dates]


def cup(world: World, number: int = 1) -> life.Tournament:
    return world.service.tournaments.load(tournament_id(CLUB, number)).state


def do(world: World, command: Any, *, by: str = ORGANISER, number: int = 1) -> None:
    world.service.tournaments.execute(tournament_id(CLUB, number), lambda _: (command, Actor(by)))


def play(world: World, *ranking: str, number: int = 1) -> str:
    """Lets players enter and play a tournament, in which they finish in this order; returns its table."""
    for player in ranking:
        do(world, life.Enter(player=player), by=f"entrant:{player}", number=number)
    at(world, STARTS[number - 1])
    table = life.table_id(tournament_id(CLUB, number), round_=1, board=1)
    seats = {occupant.player: seat for seat, occupant in enumerate(world.now_at(table).seats) if occupant}
    for player in ranking:
        world.do(table, SayReady(seats[player]), by=f"player:{seats[player]}")
    for player in reversed(ranking[1:]):
        world.do(table, Resign(seats[player]), by=f"player:{seats[player]}")
    world.settle()
    return table


def table_of(world: World) -> list[tuple[int, str, int]]:
    return [(row.place, row.player, int(row.points)) for row in lib.season_table(club(world))]


def test_s_3_s_4_s_12_a_series_opens_starts_and_counts_its_tournaments(world):
    open_series(world)
    at(world, STARTS[0] - HOUR_MS - 1)
    assert statuses(world) == ["planned", "planned"]
    at(world, STARTS[0] - HOUR_MS)
    assert (statuses(world), cup(world).phase) == (["open", "planned"], Phase.REGISTRATION)
    assert cup(world).organiser == club(world).organiser
    play(world, "ada", "bo", "cy")
    assert (statuses(world), cup(world).phase) == (["over", "planned"], Phase.FINISHED)

    # Nobody enters the second one.
    at(world, STARTS[1] - HOUR_MS)
    at(world, STARTS[1])
    assert cup(world, 2).phase is Phase.CANCELLED
    assert (statuses(world), club(world).phase) == (["over", "over"], lib.SeasonPhase.ENDED)
    assert table_of(world)[0] == (1, "ada", 25)
    assert audited(world.service, "logs", "records", "due times") == []


def test_s_10_a_void_changes_the_season_table_after_its_end(world):
    open_series(world)
    at(world, STARTS[0] - HOUR_MS)
    table = play(world, "ada", "bo", "cy")
    world.service.series.execute(CLUB, lambda _: (lib.SkipDate(2), ORGANISER))
    world.settle()
    assert club(world).phase is lib.SeasonPhase.ENDED

    world.do(table, VoidTable("root", "Collusion."), by=ADMIN)
    world.settle()
    assert table_of(world) != [], "each correction copies all places, so they are few"
    assert audited(world.service, "logs", "due times") == []
    at(world, world.clock.now + lib.CORRECTION_PAUSE_MS)

    assert table_of(world) == []
    history = [recorded.event.wire for recorded in world.service.series.history(CLUB)]
    assert history.count("series.tournament_counted") == 2
    assert audited(world.service, "logs", "due times") == []


def test_s_3_a_tournament_is_opened_once_despite_redeliveries_and_kills_at_any_write(world, monkeypatch):
    open_series(world)
    append, writes = world.service.store.append, 0

    def append_until_killed(commit):
        nonlocal writes
        if writes == 0:
            raise KeyboardInterrupt
        writes -= 1
        return append(commit)

    monkeypatch.setattr(world.service.store, "append", append_until_killed)
    world.clock.now = STARTS[0] - HOUR_MS
    for kills in range(100):
        writes = kills % 2
        try:
            world.dispatcher.tick()
            world.settle()
            world.service.series_worker.run_due(CLUB)
        except KeyboardInterrupt:
            world.clock.now += 2_000
            world.dispatcher = world.new_dispatcher()
            continue
        break
    assert kills >= 2
    assert (statuses(world), cup(world).phase) == (["open", "planned"], Phase.REGISTRATION)
    history = [recorded.event.wire for recorded in world.service.series.history(CLUB)]
    assert history == ["series.opened", "series.tournament_opened"]
    assert [stream.id for stream in world.service.store.streams("tournament")] == [FIRST]


def test_s_3_an_opened_tournament_is_not_missed_if_the_service_was_killed_before_its_confirmation(world):
    open_series(world)
    series = club(world)
    command = lib.tournament_to_open(series, series.dates[0], "5eed" * 16)
    key = IdempotencyKey(f"open {FIRST}", "")
    world.service.tournaments.open(FIRST, command, by=ORGANISER, key=key)

    at(world, STARTS[0] + 1)

    assert statuses(world)[0] == "over"
    assert cup(world).phase is Phase.CANCELLED


def test_s_5_a_date_is_missed_when_the_service_comes_back_too_late(world):
    open_series(world)
    at(world, STARTS[0])

    assert (statuses(world), club(world).dates[0].why) == (["missed", "planned"], lib.Missed.LATE)


def test_s_5_a_date_is_missed_while_the_organiser_has_too_many_tournaments(world):
    world = World(tournaments_per_host="1")
    open_series(world)
    admit = world.service.hosted_tables.admit
    admit(Limit.TOURNAMENTS_PER_HOST, club(world).organiser, "another")
    at(world, STARTS[0] - HOUR_MS)

    assert (statuses(world), club(world).dates[0].why) == (["missed", "planned"], lib.Missed.TOO_MANY)
    assert audited(world.service, "due times") == []


@pytest.mark.parametrize("leave", ["ban", "erase_other"])
def test_s_5_a_series_ends_when_its_organiser_was_banned_or_deleted(world, leave):
    olga = world.service.players.register(name="Olga").player.id
    open_series(world, organiser=olga)
    getattr(world.service.players, leave)(olga)

    at(world, STARTS[0] - HOUR_MS)

    assert (club(world).stopped, club(world).phase) == (lib.Stopped.ORGANISER_GONE, lib.SeasonPhase.ENDED)
    assert not list(world.service.store.streams("tournament"))


def test_s_6_a_date_that_is_about_to_open_cannot_be_left_out(world):
    open_series(world)
    world.clock.now = STARTS[0] - HOUR_MS

    with pytest.raises(RuleViolation, match="has been opened"):
        world.service.series.execute(CLUB, lambda _: (lib.SkipDate(1), ORGANISER))


def test_a_wrong_result_in_a_series_is_found(world, monkeypatch):
    open_series(world)
    at(world, STARTS[0] - HOUR_MS)
    monkeypatch.setattr(life, "placings_of", lambda _: (life.Placing("eve", 1, Fraction(9)),))
    play(world, "ada", "bo", "cy")
    monkeypatch.undo()

    (found,) = audited(world.service, "logs")
    assert (found.stream.category, found.finding.code) == ("series", "wrong_report")


def test_s_10_a_void_changes_the_table_of_an_archived_season(tmp_path):
    world = World(archive=str(tmp_path), partitions=1)
    open_series(world)
    at(world, STARTS[0] - HOUR_MS)
    world.service.series.execute(CLUB, lambda _: (lib.SkipDate(2), ORGANISER))
    world.settle()
    world.clock.now += 1
    assert archiver(world).run(idle_ms=0, min_logs=1) == 0, "a tournament is still to be played"
    table = play(world, "ada", "bo", "cy")
    whole = world.service.store.read(CLUB_STREAM)
    for _ in range(2):
        assert archive(world) > 0
        assert not world.service.store.in_memory("series")
        world = World(world.client, world.clock, archive=str(tmp_path), partitions=1)
        assert world.service.store.read(CLUB_STREAM) == whole
        assert audited(world.service, "logs", "records", "due times") == []

        if table_of(world):
            world.do(table, VoidTable("root", "It was a test."), by=ADMIN)
            world.settle()
            assert table_of(world) == []
            assert audited(world.service, "logs", "records", "due times") == []
            whole = world.service.store.read(CLUB_STREAM)


def test_a_lost_archive_of_a_series_is_named(tmp_path):
    world = World(archive=str(tmp_path), partitions=1)
    open_series(world)
    world.service.series.execute(CLUB, lambda _: (lib.StopSeries(lib.Stopped.ORGANISER), ORGANISER))
    world.settle()
    archive(world)
    (segment,) = tmp_path.rglob("*.segment")
    segment.unlink()
    (broken,) = audited(world.service, "logs")
    assert (broken.stream, broken.finding.code) == (CLUB_STREAM, "damaged_archive")
    assert audited(world.service, "records") == []
