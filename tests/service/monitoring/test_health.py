"""A process checks its loops, and the operator's port reports faults."""

import time
from http.client import RemoteDisconnected
from queue import Queue

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink
from hoodwink.service.monitoring import server
from hoodwink.service.monitoring.processes import PATIENCE_SECONDS, Heartbeats
from hoodwink.service.settings import Settings
from tests.service.scraping import ask, free_port


def test_loops_are_unhealthy_before_their_first_turn_and_when_stuck(monkeypatch):
    heartbeats, now = Heartbeats("projector", ("ledger", "lobby")), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    heartbeats.beat("ledger")
    assert heartbeats.fault() == "lobby: no turn completed yet"
    heartbeats.beat("lobby")
    assert heartbeats.fault() is None
    monkeypatch.setattr(time, "monotonic", lambda: now + PATIENCE_SECONDS)
    assert heartbeats.fault() is None
    heartbeats.beat("lobby")
    monkeypatch.setattr(time, "monotonic", lambda: now + PATIENCE_SECONDS + 5)
    assert heartbeats.fault() == "ledger: no turn completed for 35 seconds"


def test_loop_in_a_long_turn_is_healthy_for_the_time_that_it_announced(monkeypatch):
    heartbeats, now = Heartbeats("projector", ("results",)), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    heartbeats.beat("results", 100)
    monkeypatch.setattr(time, "monotonic", lambda: now + PATIENCE_SECONDS + 100)
    assert heartbeats.fault() is None
    monkeypatch.setattr(time, "monotonic", lambda: now + PATIENCE_SECONDS + 101)
    assert heartbeats.fault() == "results: no turn completed for 131 seconds"


@pytest.fixture
def settings():
    return Settings(metrics_port=free_port(), redis_url="redis://127.0.0.1:1")


def health(settings):
    """Returns exit status and output of a container's health check."""
    checked = CliRunner().invoke(hoodwink, ["health"], env=settings.to_environment())
    return checked.exit_code, checked.output


def test_a_process_without_faults_is_healthy(settings):
    server.serve_metrics(settings, lambda _: None)
    assert ask(settings, "/healthz") == (200, "ok\n")
    assert health(settings) == (0, "ok\n")


def test_a_process_with_a_fault_is_unhealthy_and_reports_it(settings):
    server.serve_metrics(settings, lambda _: "ledger: no turn completed yet")
    assert ask(settings, "/healthz") == (503, "ledger: no turn completed yet\n")
    assert health(settings) == (1, "Error: ledger: no turn completed yet\n")


def test_without_a_store_the_api_is_unhealthy_but_has_metrics(settings):
    server.serve_metrics(settings, server.store_fault)
    status, text = ask(settings, "/healthz")
    assert (status, text.startswith("No Redis at redis://127.0.0.1:1:")) == (503, True)
    status, text = ask(settings, "/metrics")
    assert (status, 'hoodwink_store_up{store="events"} 0.0' in text) == (200, True)


def test_failures_are_logged_but_disconnected_clients_are_not(settings, monkeypatch, capfd):
    failures = [ConnectionResetError(), ValueError("broken")]
    logged = Queue[tuple[str, Exception]]()

    def fault(_):
        raise failures.pop(0)

    monkeypatch.setattr(server.log, "error", lambda text, exc_info: logged.put((text, exc_info)))
    server.serve_metrics(settings, fault)
    for _ in range(2):
        with pytest.raises(RemoteDisconnected):
            ask(settings, "/healthz")
    text, error = logged.get(timeout=60)
    assert (text, str(error), logged.empty()) == ("a request for metrics failed", "broken", True)
    assert capfd.readouterr().err == ""


def test_a_health_check_of_a_stopped_part_gets_no_answer(settings):
    code, output = health(settings)
    assert (code, f"No answer from 127.0.0.1, port {settings.metrics_port}" in output) == (1, True)


def test_without_a_port_there_is_no_server(monkeypatch):
    monkeypatch.setattr(server, "_server", None)
    server.serve_metrics(Settings(), lambda _: None)
