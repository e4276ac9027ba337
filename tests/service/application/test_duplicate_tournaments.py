"""Duplicate tournaments played by the service's own workers: seals, the release of each deal, results."""

from fractions import Fraction
from typing import Any

import pytest

from hoodwink.domain.tables.actor import ORGANISER
from hoodwink.domain.tables.commands import Resign, SayReady
from hoodwink.domain.tables.events import SeedRevealed, TableEnded
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.state import Phase as TablePhase
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.crosstable import Outcome
from hoodwink.domain.tournaments.life import Enter, Phase
from hoodwink.domain.tournaments.life.events import DealReleased, RoundCompleted, TableReported, TableSealed
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.terms import Compare
from hoodwink.service.application.ports import IdempotencyKey
from tests.service.application.audits import differences
from tests.service.application.test_tournament_worker import ID, cup, do, setup_of, tables
from tests.service.application.world import World, put_back


@pytest.fixture
def world() -> World:
    return World()


def start(world: World, *people: str, bots: int = 0, **changes: Any) -> None:
    """Opens and starts a duplicate tournament of two rounds at tables of two."""
    opening = life.OpenTournament(
        tournament=ID,
        organiser="orga",
        setup=setup_of(**({"seats": 2, "turn_seconds": 60, "bye_score": Fraction(1, 2)} | changes)),
        server_seed="5eed" * 16,
        compare=Compare.MATCHPOINTS,
    )
    world.service.tournaments.open(ID, opening, by=ORGANISER, key=IdempotencyKey("open", ""))
    do(world, life.OpenRegistration())
    for person in people:
        do(world, Enter(player=person), by=f"entrant:{person}")
    for _ in range(bots):
        do(world, Enter(player="", policy="random"))
    do(world, life.StartTournament({}))


def history(world: World) -> list[type]:
    return [type(recorded.event) for recorded in world.service.tournaments.history(ID)]


def check_played(world: World) -> None:
    """Asserts that the tournament has ended as D-7 says, and that its logs prove it."""
    assert cup(world).phase is Phase.FINISHED
    assert cup(world).is_seed_revealed
    kinds = [
        kind for kind in history(world) if kind in {TableSealed, DealReleased, TableReported, RoundCompleted}
    ]
    assert kinds == 2 * [*[TableSealed] * 3, DealReleased, *[TableReported] * 3, RoundCompleted]
    for table in tables(world):
        last = [type(recorded.event) for recorded in world.service.tables.history(table)][-2:]
        assert last == [TableEnded, SeedRevealed]
    log = export_tournament_log(ID, world.service.tournaments.entries(ID), lambda _: "")
    logs = [export_log(table, world.service.tables.entries(table)) for table in tables(world)]
    assert life.verify_log(log, logs).valid


def test_d_7_d_8_workers_play_a_duplicate_tournament_of_bots_to_its_end(world, tmp_path):
    start(world, bots=6)
    world.settle()

    check_played(world)
    assert differences(world.service, "due times") == []
    assert differences(world.service, "logs", folder=tmp_path) == []


def test_d_7_t_15_another_worker_continues_after_a_kill_at_any_write(world, monkeypatch):
    start(world, bots=6)
    append, writes = world.service.store.append, 0

    def append_until_killed(commit):
        nonlocal writes
        if writes == 0:
            raise KeyboardInterrupt
        writes -= 1
        return append(commit)

    monkeypatch.setattr(world.service.store, "append", append_until_killed)
    for number in range(2_000):
        writes = 1 + number % 4  # three tables and their confirmation are one step
        try:
            world.settle()
        except KeyboardInterrupt:
            world.clock.now += 2_000
            world.dispatcher = world.new_dispatcher()
            world.dispatcher.tick()
            continue
        break
    check_played(world)


def with_tables(world: World) -> tuple[str, str]:
    """Returns the two open tables of a round of people."""
    start(world, "ada", "bo", "cy", "dee", advance=life.Advance.MANUAL)
    do(world, life.OpenRound(1))
    do(world, life.StartRound(1))
    world.settle()
    one, other = tables(world)
    return one, other


def end(world: World, table: str) -> None:
    for seat in (0, 1):
        world.do(table, SayReady(seat), by=f"player:{seat}")
    world.do(table, Resign(0), by="player:0")


def archived(world: World) -> int:
    """Archives what has ended; returns the number of logs."""
    world.clock.now += 1
    assert world.service.archiver is not None
    return world.service.archiver.run(idle_ms=0, min_logs=1)


def test_d_7_an_ended_table_waits_for_the_last_table_of_its_deal(tmp_path):
    world = World(archive=str(tmp_path), partitions=1)
    one, other = with_tables(world)
    end(world, one)
    world.settle()
    sealed = world.now_at(one)

    assert (sealed.phase, sealed.is_embargoed) == (TablePhase.ENDED, True)
    assert history(world)[-1] is TableSealed
    assert differences(world.service, "due times") == []
    world.service.due_audit().rebuild()
    assert differences(world.service, "due times") == []
    assert archived(world) == 0

    end(world, other)
    world.settle()
    assert history(world)[-5:] == [TableSealed, DealReleased, TableReported, TableReported, RoundCompleted]
    assert not world.now_at(one).is_embargoed
    assert archived(world) == 2


def test_d_7_t_15_a_table_that_lost_its_end_after_the_release_is_abandoned(world):
    one, other = with_tables(world)
    end(world, one)
    world.settle()
    end(world, other)
    world.service.tournament_worker.report(other)
    assert history(world)[-1] is DealReleased
    put_back(world.service, one, 8)

    restarted = World(world.client, world.clock)
    assert restarted.now_at(one).phase is TablePhase.PLAYING
    restarted.dispatch()
    restarted.service.tournament_worker.run_due(ID)
    assert history(restarted)[-3:] == [TableReported, TableReported, RoundCompleted]
    outcomes = {board.outcome for board in life.crosstable(cup(restarted)).rounds[0].boards}
    assert outcomes == {Outcome.RESULT, Outcome.NO_RESULT}
