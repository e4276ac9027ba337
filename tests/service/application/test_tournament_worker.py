"""The service's work in a tournament: opening tables, no-shows, results and pairing."""

from pathlib import Path
from typing import Any

import pytest

from hoodwink.domain.kernel import RuleViolation
from hoodwink.domain.tables.actor import ORGANISER, Actor
from hoodwink.domain.tables.commands import (
    Resign,
    SayReady,
    VoidTable,
)
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.state import Phase as TablePhase
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.crosstable import Outcome, SeatState
from hoodwink.domain.tournaments.life import Advance, Enter, Phase, Setup, Sitting, Tournament
from hoodwink.domain.tournaments.life.setup import ArenaTimes
from hoodwink.domain.tournaments.terms import Format
from hoodwink.service.adapters.process.audit_notes import AuditFolder
from hoodwink.service.application.audit import log_audit
from hoodwink.service.application.ports import IdempotencyKey
from hoodwink.service.application.work.due import Due
from tests.service.application.audits import differences as audited
from tests.service.application.world import NOW, World

ID = "thecup"
GRACE_MS = 300_000


@pytest.fixture
def world() -> World:
    return World()


def setup_of(**changes: Any) -> Setup:
    settings: dict[str, Any] = {
        "name": "The Cup",
        "format": Format.SWISS,
        "game": "blindside",
        "seats": 3,
        "options": {"rounds": 1},
        "sittings": (Sitting(rounds=2),),
        "advance": Advance.AUTOMATIC,
        "rank_by": life.RankBy.LOT,
        "bot_delay": 0,
        "round_pause": 0,
    }
    return Setup(**(settings | changes))


def start(world: World, *entrants: str, arena: ArenaTimes | None = None, **changes: Any) -> None:
    """Opens and starts a tournament; an entrant named `bot` is a bot, all others are people."""
    opening = life.OpenTournament(
        tournament=ID, organiser="orga", setup=setup_of(**changes), server_seed="5eed" * 16, arena=arena
    )
    world.service.tournaments.open(ID, opening, by=ORGANISER, key=IdempotencyKey("open", ""))
    do(world, life.OpenRegistration())
    for entrant in entrants:
        is_bot = entrant == "bot"
        do(
            world,
            Enter(player="" if is_bot else entrant, policy="random" if is_bot else None),
            by="organiser" if is_bot else f"entrant:{entrant}",
        )
    do(world, life.StartTournament({}))


def do(world: World, command: Any, *, by: str = "organiser") -> Tournament:
    return world.service.tournaments.execute(ID, lambda _: (command, Actor(by))).after.state


def cup(world: World) -> Tournament:
    return world.service.tournaments.load(ID).state


def tables(world: World) -> list[str]:
    return [stream.id for stream in world.service.store.streams("table")]


@pytest.mark.parametrize("format_", [format_ for format_ in Format if format_ is not Format.ARENA])
def test_t_5_t_15_a_tournament_of_bots_plays_to_its_end(world, format_):
    sittings = (Sitting(),) if format_ is Format.KNOCKOUT else (Sitting(rounds=2),)
    start(world, *["bot"] * 7, format=format_, sittings=sittings)
    world.settle()
    assert cup(world).phase is Phase.FINISHED
    assert cup(world).is_seed_revealed
    for table in tables(world):
        assert world.now_at(table).phase is TablePhase.ENDED
        assert world.is_valid(table)


def test_t_41_t_47_an_arena_of_bots_is_paired_by_time_until_its_bell(world):
    arena = {"format": Format.ARENA, "seats": 2, "sittings": (Sitting(),), "turn_seconds": 30}
    start(world, *["bot"] * 5, arena=ArenaTimes(1, 1), **arena)
    while cup(world).phase is Phase.RUNNING:
        world.settle()
        due = life.work_due(cup(world)).at
        assert due is None or due > world.clock.now, "all due work is done"
        world.clock.now = due or world.clock.now
        world.dispatcher.tick()
    logs = [export_log(table, world.service.tables.entries(table)) for table in tables(world)]
    log = life.export_log(ID, world.service.tournaments.entries(ID))
    assert NOW + 60_000 <= world.clock.now < NOW + 120_000
    assert len(cup(world).rounds) > 5
    assert life.verify_log(log, logs).valid
    assert audited(world.service) == []


def test_t_15_every_step_is_done_once_despite_redeliveries(world):
    start(world, *["bot"] * 6)
    noted: list[Any] = []
    while entries := world.dispatch():
        noted += entries
        world.dispatch(noted)
        for table in tables(world):
            world.service.tournament_worker.report(table)
        world.service.tournament_worker.run_due(ID)
        world.work()
        world.work_on_tournaments()
    history = [recorded.event.wire for recorded in world.service.tournaments.history(ID)]
    assert cup(world).phase is Phase.FINISHED
    assert history.count("tournament.table_reported@2") == len(tables(world)) == 4
    assert history.count("tournament.round_opened") == 2


def test_t_15_another_worker_continues_after_a_kill_at_any_write(world, monkeypatch):
    """In each visit, the store accepts one more write before it becomes unavailable."""
    start(world, *["bot"] * 5)
    append, writes = world.service.store.append, 0

    def append_until_killed(commit):
        nonlocal writes
        if writes == 0:
            raise KeyboardInterrupt
        writes -= 1
        return append(commit)

    monkeypatch.setattr(world.service.store, "append", append_until_killed)
    for number in range(2_000):
        writes = 1 + number % 3
        try:
            world.settle()
        except KeyboardInterrupt:
            world.clock.now += 2_000
            world.dispatcher = world.new_dispatcher()
            world.dispatcher.tick()
            continue
        break
    assert cup(world).phase is Phase.FINISHED
    assert all(world.now_at(table).phase is TablePhase.ENDED for table in tables(world))


def seat_of(world: World, table: str, player: str) -> int:
    return next(n for n, who in enumerate(world.now_at(table).seats) if who and who.player == player)


def test_t_6_an_entrant_absent_after_the_grace_time_is_a_no_show(world):
    start(world, "ada", "bo", "bot", sittings=(Sitting(rounds=1),))
    world.settle()
    (table,) = tables(world)
    ada, bo = seat_of(world, table, "ada"), seat_of(world, table, "bo")
    world.do(table, SayReady(ada), by=f"player:{ada}")
    world.clock.now = NOW + GRACE_MS - 1
    world.dispatcher.tick()
    world.settle()
    assert world.now_at(table).no_shows == ()
    world.clock.now = NOW + GRACE_MS
    world.dispatcher.tick()
    world.settle()
    assert world.now_at(table).no_shows == (bo,)
    world.do(table, Resign(ada), by=f"player:{ada}")
    world.settle()
    (board,) = life.crosstable(cup(world)).rounds[0].boards
    assert board.outcome is Outcome.RESULT
    assert [seat.state for seat in board.seats].count(SeatState.NO_SHOW) == 1


def test_t_2_a_pause_extends_the_grace_time(world):
    start(world, "ada", "bo", "bot", sittings=(Sitting(rounds=1),))
    world.settle()
    (table,) = tables(world)
    world.clock.now = NOW + 100_000
    do(world, life.Pause("Supper."))
    world.clock.now = NOW + GRACE_MS + 500_000
    world.dispatcher.tick()
    world.settle()
    assert world.now_at(table).no_shows == ()
    do(world, life.Resume())
    world.clock.now += 200_000 - 1
    world.dispatcher.tick()
    world.settle()
    assert world.now_at(table).no_shows == ()
    world.clock.now += 30_000
    world.dispatcher.tick()
    world.settle()
    assert len(world.now_at(table).no_shows) == 2


def test_t_2_cancelling_ends_tables_without_result_and_reveals_the_seed(world):
    start(world, "ada", "bo", "cy")
    world.settle()
    (table,) = tables(world)
    assert world.now_at(table).phase is TablePhase.PLAYING
    do(world, life.Cancel("The hall is on fire."))
    world.settle()
    result = world.now_at(table).result
    assert result is not None
    assert (result.outcome, result.places) == ("cancelled", None)
    assert cup(world).is_seed_revealed


def test_t_2_the_seed_stays_secret_while_a_table_is_open(world):
    start(world, "ada", "bo", "cy")
    world.settle()
    do(world, life.Finish("It is late."))
    assert not cup(world).is_seed_revealed
    world.settle()
    (table,) = tables(world)
    if world.now_at(table).phase is TablePhase.PLAYING:
        assert not cup(world).is_seed_revealed


def test_t_7_an_expelled_entrant_loses_the_seat(world):
    start(world, "ada", "bo", "cy")
    world.settle()
    (table,) = tables(world)
    do(world, life.Expel("bo", "Looked at other hands."))
    world.settle()
    assert world.now_at(table).resigned == (seat_of(world, table, "bo"),)


def test_v_1_t_12_a_voided_table_no_longer_counts(world):
    start(world, *["bot"] * 6, sittings=(Sitting(rounds=1),))
    world.settle()
    table = tables(world)[0]
    world.do(table, VoidTable("root", "Somebody held the wrong deck."), by="admin")
    world.settle()
    outcomes = [board.outcome for board in life.crosstable(cup(world)).rounds[0].boards]
    assert sorted(outcomes) == [Outcome.RESULT, Outcome.VOID]
    assert cup(world).phase is Phase.FINISHED


def test_recorded_due_times_are_correct(world):
    start(world, "ada", "bo", "bot", "bot", "bot", "bot")
    world.settle()
    assert audited(world.service, "due times") == []
    for key in world.client.keys("hw:{p*}:due:*"):
        world.client.delete(key)
    world.service.due_audit().rebuild()
    assert audited(world.service, "due times") == []
    for _ in range(2):  # rounds without the people
        world.clock.now += GRACE_MS
        world.dispatcher.tick()
        world.settle()
    assert cup(world).phase is Phase.FINISHED


def test_a_second_report_is_refused(world):
    start(world, *["bot"] * 3, sittings=(Sitting(rounds=1),))
    world.settle()
    (table,) = tables(world)
    loaded = world.service.tables.load(table)
    with pytest.raises(RuleViolation, match="table_reported"):
        do(world, life.report_of(loaded.state, loaded.head, ()), by="worker")


def test_t_15_the_audit_compares_tournament_results_with_tables(world, tmp_path):
    start(world, *["bot"] * 4, sittings=(Sitting(rounds=1),), seats=4)
    world.settle()
    assert broken_logs(world, tmp_path) == []
    cut(world, "table:*")
    assert "wrong_report" in broken_logs(world, tmp_path)
    assert "wrong_report" in broken_logs(world, tmp_path, restart=False), (
        "an audit that goes on names it again"
    )


def test_t_15_the_audit_replays_each_table_once(world, monkeypatch):
    start(world, *["bot"] * 6, sittings=(Sitting(rounds=1),))
    world.settle()
    monkeypatch.setattr(log_audit, "_is_confirmed", None)
    assert audited(world.service, "logs") == []


def void_one_table(world: World) -> str:
    """Returns the voided one of two tables of an ended tournament."""
    start(world, *["bot"] * 6, sittings=(Sitting(rounds=1),))
    world.settle()
    (table, _) = tables(world)
    world.do(table, VoidTable("root", "A leak."), by="admin")
    world.settle()
    return table


def cut(world: World, stream: str) -> None:
    """Removes the last event of a log directly in Redis."""
    (key,) = world.client.keys(f"hw:{{p??}}:{stream}")
    events = world.client.xrange(key)
    world.client.delete(key)
    for id_, fields in events[:-1]:
        world.client.xadd(key, fields, id=id_)


def test_v_1_t_12_a_void_in_both_logs_is_accepted(world, tmp_path):
    void_one_table(world)
    assert broken_logs(world, tmp_path) == []


def test_t_12_a_void_only_in_the_tournament_log_is_reported(world, tmp_path):
    table = void_one_table(world)
    cut(world, f"table:{table}")
    (found,) = audited(world.service, "logs", folder=tmp_path)
    assert (found.stream.id, found.finding.code) == (ID, "wrong_report")
    assert found.finding.detail == f"the log of table {table} contradicts it"
    assert found.finding.version == cup(world).version
    assert broken_logs(world, tmp_path, restart=False) == ["wrong_report"]


def test_t_12_a_void_with_a_different_reason_is_reported(world, tmp_path):
    table = void_one_table(world)
    cut(world, f"table:{table}")
    world.do(table, VoidTable("root", "Another leak."), by="admin")
    assert broken_logs(world, tmp_path) == ["wrong_report"]


def test_t_12_a_void_missing_from_the_tournament_is_reported_as_due(world, tmp_path):
    table = void_one_table(world)
    cut(world, f"tournament:{ID}")
    assert broken_logs(world, tmp_path) == [], "the worker may be on its way"
    (found,) = audited(world.service, "due times")
    assert (found.location, found.live) == (f"report, table:{table}", None)
    world.service.due_audit().rebuild()
    assert audited(world.service, "due times") == []
    world.clock.now += 5_000
    world.dispatcher.tick()
    world.settle()
    assert "tournament.table_voided" in [
        recorded.event.wire for recorded in world.service.tournaments.history(ID)
    ]


def test_t_12_a_pending_void_of_a_tournament_table_stays_due(world):
    start(world, *["bot"] * 3, sittings=(Sitting(rounds=1),))
    world.settle()
    (table,) = tables(world)
    world.do(table, VoidTable("root", "A leak."), by="admin")
    world.dispatch()
    assert audited(world.service, "due times") == []
    world.service.due_audit().rebuild()
    world.broker.others.clear()
    world.clock.now += 5_000
    world.dispatcher.tick()
    world.settle()
    assert cup(world).rounds[0].matches[0].deals[0].is_void


def test_t_15_an_unreplayable_table_log_does_not_stop_the_audit(world, tmp_path):
    table = void_one_table(world)
    (key,) = world.client.keys(f"hw:{{p??}}:table:{table}")
    events = world.client.xrange(key)
    world.client.delete(key)
    for number, (id_, fields) in enumerate(events):
        world.client.xadd(key, fields | ({b"type": "nonsense"} if number == 3 else {}), id=id_)
    assert sorted(broken_logs(world, tmp_path)) == ["unknown_event", "wrong_report"]


def broken_logs(world: World, folder: Path, *, restart: bool = True) -> list[str]:
    if restart:
        AuditFolder(folder).forget_progress()
    found = audited(world.service, "logs", folder=folder)
    return [broken.finding.code for broken in found]


def test_a_report_for_a_table_that_vanished_is_not_due_again():
    world = World()
    world.service.due_times.record({"report": {"gone": Due(0, "", NOW)}})
    world.service.tournament_worker.report("gone")
    assert world.service.due_times.find("report", "gone").at is None
