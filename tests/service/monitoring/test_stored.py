"""Figures from the stores are cached briefly for all scrapes."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

import pytest
from prometheus_client.metrics_core import GaugeMetricFamily

from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app
from hoodwink.service.monitoring import server
from hoodwink.service.monitoring.stored import KEPT_SECONDS, StoredMetrics
from hoodwink.service.settings import Settings
from tests.service.scraping import ask, free_port

SETTINGS = Settings(redis_url="redis://127.0.0.1:1")


@pytest.fixture
def reads(monkeypatch):
    """The readings so far; each lasts until another starts, or long enough for a second one to start."""
    readings, other = list[int](), Barrier(2)

    def read(_metrics):
        readings.append(len(readings))
        with suppress(BrokenBarrierError):
            other.wait(timeout=0.2)
        yield GaugeMetricFamily("readings", "How many there were.", value=len(readings))

    monkeypatch.setattr(StoredMetrics, "_read", read)
    return readings


def test_a_reading_is_cached_briefly(reads):
    now = 100.0
    stored = StoredMetrics(Service(SETTINGS), clock=lambda: now)
    first = stored.collect()
    now += KEPT_SECONDS / 2
    assert stored.collect() is first
    now += KEPT_SECONDS / 2
    assert stored.collect() is not first
    assert len(reads) == 2


def test_simultaneous_scrapes_share_one_reading(reads):
    stored = StoredMetrics(Service(SETTINGS), clock=lambda: 0.0)
    with ThreadPoolExecutor(4) as scrapers:
        collected = list(scrapers.map(lambda _: stored.collect(), range(4)))
    assert all(metrics is collected[0] for metrics in collected)
    assert len(reads) == 1


def test_a_failed_reading_is_not_cached(reads, monkeypatch):
    def fail(_metrics):
        raise ZeroDivisionError

    stored = StoredMetrics(Service(SETTINGS), clock=lambda: 0.0)
    with monkeypatch.context() as broken:
        broken.setattr(StoredMetrics, "_read", fail)
        with pytest.raises(ZeroDivisionError):
            stored.collect()
    assert stored.collect()


def test_the_api_and_the_operators_port_cache_their_readings(reads, monkeypatch):
    monkeypatch.setattr("hoodwink.service.monitoring.stored.KEPT_SECONDS", 1e9)
    api = create_app(Service(SETTINGS)).test_client()
    assert [api.get("/metrics").status_code for _ in range(3)] == [200] * 3
    assert len(reads) == 1

    settings = Settings(redis_url="redis://127.0.0.1:1", metrics_port=free_port())
    server.serve_metrics(settings, lambda _: None)
    assert [ask(settings, "/metrics")[0] for _ in range(3)] == [200] * 3
    assert len(reads) == 2
