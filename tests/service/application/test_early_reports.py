"""Tables that end, and are reported, before the service confirms in the tournament's log that it has opened them."""

from hoodwink.domain.tables.commands import Resign
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life import Sitting
from hoodwink.service.application.work.tournament_worker import TournamentWorker
from tests.service.application.test_tournament_worker import ID, cup, start, tables
from tests.service.application.world import World


def early_reports(world, monkeypatch):
    """Plays a tournament in which another worker reports each table as soon as it is opened; returns its logs."""
    open_table = TournamentWorker._open

    def open_and_end(worker, order):
        open_table(worker, order)
        world.do(order.table, Resign(0), by="player:0")
        worker.report(order.table)

    monkeypatch.setattr(TournamentWorker, "_open", open_and_end)
    start(world, "ada", "bo", "cy", "dee", seats=2, sittings=(Sitting(rounds=1),))
    world.settle()
    logs = [export_log(table, world.service.tables.entries(table)) for table in tables(world)]
    return life.export_log(ID, world.service.tournaments.entries(ID)), logs


def test_t_14_a_table_that_was_reported_counts_as_opened(monkeypatch):
    world = World()
    log, logs = early_reports(world, monkeypatch)

    (round_,) = cup(world).rounds
    assert b"tables_opened" not in log
    assert [match.deals[0].is_opened for match in round_.matches] == [True, True]
    assert life.verify_log(log, logs).valid
