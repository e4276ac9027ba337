"""A process answers for its loops, and the operator's port says what is wrong."""

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


def test_loops_are_at_fault_until_their_first_turn_and_when_they_stand_still(monkeypatch):
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


@pytest.fixture
def settings():
    return Settings(metrics_port=free_port(), redis_url="redis://127.0.0.1:1")


def health(settings):
    """Returns what the command of a container's check exits with, and what it prints."""
    checked = CliRunner().invoke(hoodwink, ["health"], env=settings.to_environment())
    return checked.exit_code, checked.output


def test_a_process_without_faults_is_healthy(settings):
    server.serve_metrics(settings, lambda _: None)
    assert ask(settings, "/healthz") == (200, "ok\n")
    assert health(settings) == (0, "ok\n")


def test_a_process_with_a_fault_is_not_and_says_what_is_wrong(settings):
    server.serve_metrics(settings, lambda _: "ledger: no turn completed yet")
    assert ask(settings, "/healthz") == (503, "ledger: no turn completed yet\n")
    assert health(settings) == (1, "Error: ledger: no turn completed yet\n")


def test_without_a_store_the_api_is_not_healthy_and_its_metrics_are_read_all_the_same(settings):
    server.serve_metrics(settings, server.store_fault)
    status, text = ask(settings, "/healthz")
    assert (status, text.startswith("No Redis at redis://127.0.0.1:1:")) == (503, True)
    status, text = ask(settings, "/metrics")
    assert (status, 'hoodwink_store_up{store="events"} 0.0' in text) == (200, True)


def test_a_failure_is_logged_like_any_other_and_a_client_that_left_is_not(settings, monkeypatch, capfd):
    failures = [ConnectionResetError(), ValueError("broken")]
    logged = Queue[tuple[str, Exception]]()

    def fault(_):
        raise failures.pop(0)

    monkeypatch.setattr(server.log, "error", lambda text, exc_info: logged.put((text, exc_info)))
    server.serve_metrics(settings, fault)
    for _ in range(2):
        with pytest.raises(RemoteDisconnected):
            ask(settings, "/healthz")
    text, error = logged.get(timeout=10)
    assert (text, str(error), logged.empty()) == ("a request for metrics failed", "broken", True)
    assert capfd.readouterr().err == ""


def test_nobody_answers_a_health_check_of_a_part_that_does_not_run(settings):
    code, output = health(settings)
    assert (code, f"No answer from 127.0.0.1, port {settings.metrics_port}" in output) == (1, True)


def test_without_a_port_nothing_is_served(monkeypatch):
    monkeypatch.setattr(server, "_server", None)
    server.serve_metrics(Settings(), lambda _: None)
