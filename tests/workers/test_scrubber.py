"""The projector's background audit stays within its budget."""

import threading
from unittest.mock import Mock

import pytest

from hoodwink.service.adapters.store.keys import Keys
from hoodwink.service.application.ports import Lag, StreamId
from hoodwink.service.application.projecting.projecting import GROUPS
from hoodwink.workers import scrubber
from hoodwink.workers.pace import Pace, Stopped
from hoodwink.workers.scrubber import scrub, scrub_periodically
from tests.service.application.world import World


@pytest.fixture
def world():
    world = World()
    world.table("bot", "bot", table="over")
    world.settle()
    for name, projector in world.service.projectors.items():
        while entries := world.read(name):
            projector.project(entries)
            world.service.feed.ack(name, entries)
    return world


def skip_pause(_done: object = None) -> None:
    """Disables pauses."""


def test_an_intact_store_has_no_differences(world):
    assert scrub(world.service, skip_pause) == 0


def test_damage_is_counted_and_logged(world, capsys):
    index = Keys(16).commands(StreamId("table", "over"))
    world.client.hdel(index, next(key for key in world.client.hkeys(index) if key != b":head"))
    assert scrub(world.service, skip_pause) == 1
    assert "stored: table:over, command" in capsys.readouterr().out


def test_nothing_is_reported_while_the_projector_is_behind(world, monkeypatch):
    world.table("ada", "bo", table="unread", start=False)
    monkeypatch.setattr("hoodwink.service.auditing.lags", lambda _feed: dict.fromkeys(GROUPS, Lag(1, 60_000)))
    assert scrub(world.service, skip_pause) is None


def test_damage_not_explained_by_the_lag_is_reported(world, monkeypatch):
    world.table("ada", "bo", table="unread", start=False)
    index = Keys(16).commands(StreamId("table", "over"))
    world.client.hdel(index, next(key for key in world.client.hkeys(index) if key != b":head"))
    monkeypatch.setattr("hoodwink.service.auditing.lags", lambda _feed: dict.fromkeys(GROUPS, Lag(1, 60_000)))
    assert scrub(world.service, skip_pause) == 1


def test_the_thread_sleeps_for_the_rest_of_its_share(monkeypatch):
    used, waited = [0.0, 0.01, 0.01], list[float]()
    monkeypatch.setattr("time.thread_time", lambda: used.pop(0))
    pace = Pace(Mock(wait=waited.append), share=0.01)
    pace()
    assert waited == [pytest.approx(0.99)]


def test_a_stop_interrupts_a_round(world, monkeypatch):
    stopping = threading.Event()
    stopping.set()
    monkeypatch.setattr(scrubber, "PAUSE_SECONDS", 0.0)
    with pytest.raises(Stopped):
        scrub(world.service, Pace(stopping, share=1e-9))
    scrub_periodically(world.service, stopping)
