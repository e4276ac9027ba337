"""Everything is killed for longer than a turn and a reveal time, and nobody loses either."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import pytest
from msgspec.structs import replace

from hoodwink.domain.cards import commitment
from hoodwink.service.settings import Settings
from tests.service.people import RetryingClient
from tests.service.processes import await_true, service_settings

pytestmark = pytest.mark.processes

SEED = "a1" * 16
AWAY_SECONDS = 11.0
"""Longer than the ten seconds for revealing seeds and than a turn in this test."""


@contextmanager
def running(settings: Settings) -> Iterator[tuple[RetryingClient, list[psutil.Process]]]:
    """Runs a service as an operator does; yields a client and all processes, and kills the remaining ones."""
    command = [sys.executable, "-m", "hoodwink.service.cli", "run"]
    environment = os.environ | settings.to_environment()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as service:
        assert service.stdout
        port = re.search(r":(\d+)", service.stdout.readline())
        assert port
        client = RetryingClient(replace(settings, port=int(port[1])))
        parent = psutil.Process(service.pid)
        processes = [parent, *parent.children(recursive=True)]
        try:
            yield client, processes
        finally:
            client.close()
            kill(processes)


def kill(processes: list[psutil.Process]) -> None:
    """Kills everything, first the supervisor, which would restart the rest."""
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGKILL)


def table_of_two(client: RetryingClient, tokens: list[str], **first: Any) -> str:
    """Opens a table, seats both players and starts it; `first` is the first player's form."""
    opening = {"game": "blindside", "seats": 2, "turn_seconds": 10, "round_pause": 0}
    table = client.ask("POST", "/v1/tables", tokens[0], opening)["view"]["id"]
    client.ask("POST", f"/v1/tables/{table}/seats", tokens[0], {"seat": 0, **first})
    client.ask("POST", f"/v1/tables/{table}/seats", tokens[1], {"seat": 1})
    client.ask("POST", f"/v1/tables/{table}/start", tokens[0], {})
    return str(table)


def events(client: RetryingClient, table: str) -> list[dict[str, Any]]:
    return list(client.ask("GET", f"/v1/tables/{table}/events")["events"])


def until(client: RetryingClient, table: str) -> int:
    """Returns the end of the turn in ms, or 0 without a turn."""
    waiting = client.ask("GET", f"/v1/tables/{table}")["view"]["waiting"]
    return waiting["until"] if waiting else 0


def test_g_18_a_total_outage_costs_neither_a_turn_nor_a_seed(tmp_path):
    settings = service_settings(tmp_path, job_slots=0)
    with running(settings) as (client, processes):
        tokens = [client.ask("POST", "/v1/players", body={"name": name})["token"] for name in ("Ada", "Bo")]
        playing = table_of_two(client, tokens)
        await_true(lambda: until(client, playing))
        seeded = table_of_two(client, tokens, seed_commitment=commitment(SEED))
        before = until(client, playing)
        kill(processes)
    time.sleep(AWAY_SECONDS)
    with running(settings) as (client, _):
        client.ask("POST", f"/v1/tables/{seeded}/seed", tokens[0], {"seed": SEED})
        (moved,) = await_true(
            lambda: [event for event in events(client, playing) if event["type"] == "table.clocks_moved"]
        )
        after = until(client, playing)
        types = {event["type"] for table in (playing, seeded) for event in events(client, table)}
    gap = moved["data"]["until"] - moved["data"]["since"]
    assert gap >= 1_000 * AWAY_SECONDS
    assert after == min(before + gap, moved["data"]["until"] + 10_000)
    assert types.isdisjoint({"table.clock_ran_out", "table.player_seed_missed"})
