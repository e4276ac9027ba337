"""A duplicate tournament in play, sealed and released: audits, projections, rebuilds, exports and the archive (D-7)."""

import json
from typing import Any

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.projections import PROJECTIONS
from hoodwink.domain.tables.commands import Resign, SayReady
from hoodwink.domain.tables.proving.log import export_log
from hoodwink.domain.tables.state import Phase
from hoodwink.domain.tournaments import life
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.service.application.projecting.projecting import rebuild
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.auditing import names
from tests.service.application.audits import differences
from tests.service.application.test_duplicate_tournaments import start
from tests.service.application.test_ledger import project
from tests.service.application.test_tournament_worker import ID, cup, seat_of, tables
from tests.service.application.world import World

DAY_MS = 86_400_000


@pytest.fixture
def world(tmp_path):
    return World(archive=str(tmp_path / "archive"), partitions=1)


def follow(world: World) -> None:
    """Updates the projections and the ratings from the feed."""
    project(world)
    world.service.rater.rate(world.read(RATER))
    project(world)


def settle(world: World) -> None:
    world.settle()
    follow(world)


def contents(world: World) -> list[Any]:
    store = world.service.projection_store
    return [store.contents(projection.name, 0) for projection in PROJECTIONS]


def check_stored(world: World, folder: Any) -> None:
    """Asserts that all audits find nothing, and that rebuilt projections and due times are the same."""
    assert differences(world.service, *names(world.service), folder=folder) == []
    before = contents(world)
    for category in ("table", "tournament"):
        projectors = world.service.projectors.values()
        rebuild([one for one in projectors if one.projection.category == category])
    assert contents(world) == before
    world.service.due_audit().rebuild()
    assert differences(world.service, *names(world.service), folder=folder) == []


def archive(world: World) -> int:
    world.clock.now += 2 * DAY_MS
    assert world.service.archiver is not None
    return world.service.archiver.run(idle_ms=DAY_MS, min_logs=1)


def logs(world: World) -> tuple[bytes, list[bytes]]:
    log = export_tournament_log(ID, world.service.tournaments.entries(ID), without_name)
    return log, [export_log(table, world.service.tables.entries(table)) for table in tables(world)]


def test_d_7_audits_rebuilds_and_the_archive_know_a_deal_in_play_sealed_and_released(world, tmp_path):
    start(world, "ada", bots=5)
    settle(world)
    first_round = tables(world)
    open_ = next(table for table in first_round if world.now_at(table).phase is Phase.PLAYING)
    sealed = [table for table in first_round if table != open_]
    assert [world.now_at(table).is_embargoed for table in sealed] == [True, True]

    check_stored(world, tmp_path / "notes")
    assert archive(world) == 0

    seat = seat_of(world, open_, "ada")
    world.do(open_, SayReady(seat), by=f"player:{seat}")
    world.do(open_, Resign(seat), by=f"player:{seat}")
    settle(world)
    assert not any(world.now_at(table).is_embargoed for table in first_round)
    check_stored(world, tmp_path / "notes")
    assert archive(world) == 3
    check_stored(world, tmp_path / "notes")


def test_d_8_a_duplicate_tournament_is_proved_from_the_archive(world, tmp_path):
    start(world, bots=6)
    settle(world)
    assert cup(world).phase is life.Phase.FINISHED
    before = logs(world)
    assert archive(world) == 7

    restarted = World(world.client, world.clock, archive=world.service.settings.archive, partitions=1)
    assert logs(restarted) == before
    assert life.verify_log(*logs(restarted)).valid
    check_stored(restarted, tmp_path / "notes")
    (segment, *_) = (tmp_path / "archive").rglob("*.segment")
    assert segment.stat().st_size > 0
    assert json.loads(before[1][0].splitlines()[2])["type"] == "table.deal_shared"
