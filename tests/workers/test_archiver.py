"""The archiver in the background."""

import threading

import pytest
from prometheus_client import Counter

from hoodwink.service.adapters.archive.folder import Folder
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.monitoring.processes import ARCHIVE_FAILURES, ARCHIVED
from hoodwink.workers.archiver import PAUSE_SECONDS, archive_periodically
from tests.service.application.test_archive import DAY_MS
from tests.service.application.world import World


class Stopping(threading.Event):
    """Is set at the second pause."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses = 0

    def wait(self, timeout: float | None = None) -> bool:
        self.pauses += timeout == PAUSE_SECONDS
        return self.pauses > 1


def archived(counter: Counter = ARCHIVED) -> float:
    (metric,) = counter.collect()
    return sum(one.value for one in metric.samples if one.name.endswith("_total"))


def test_finished_tables_are_archived_once_there_are_enough(tmp_path):
    world, before = World(archive=str(tmp_path), partitions=1), archived()
    for number in range(31):
        world.table("bot", "bot", table=f"t{number}", rounds=1)
    world.settle()
    world.clock.now += 2 * DAY_MS
    archive_periodically(world.service, Stopping())
    assert archived() == before
    world.table("bot", "bot", table="last", rounds=1)
    world.settle()
    world.clock.now += 2 * DAY_MS
    archive_periodically(world.service, Stopping())
    assert archived() - before == 32
    assert not world.service.store.in_memory("table")


@pytest.mark.parametrize("error", [StoreUnavailable("the disk is full"), ZeroDivisionError()])
def test_runs_that_cannot_write_are_counted(tmp_path, monkeypatch, error):
    world, before = World(archive=str(tmp_path), partitions=1), archived(ARCHIVE_FAILURES)
    for number in range(32):
        world.table("bot", "bot", table=f"t{number}", rounds=1)
    world.settle()
    world.clock.now += 2 * DAY_MS

    def refuse(_folder: Folder, _name: str, _data: bytes) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(Folder, "put", refuse)
        archive_periodically(world.service, Stopping())
    assert archived(ARCHIVE_FAILURES) - before == 1
    archive_periodically(world.service, Stopping())
    assert archived(ARCHIVE_FAILURES) - before == 1
