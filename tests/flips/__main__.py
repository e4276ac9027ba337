"""Flips single bits in the append-only file of a real installation: `python -m tests.flips`; it takes a few minutes.

A service records tables of every game, players, an import and a tournament, and is stopped. Each flip is made in a copy,
on which Redis is then started. It must be harmless (the stored data are equal or differ only in parts that affect no
answer), refused by Redis, or found by the audit. Otherwise the script exits with 1.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

import click

from hoodwink.service.adapters.redis.connection import connect
from hoodwink.service.application.ports import StoreUnavailable
from hoodwink.service.application.projecting.projecting import lags
from hoodwink.service.auditing import audit_all
from hoodwink.service.bootstrap import Service
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.checks import free_port
from hoodwink.service.supervisor.embedded_redis import CannotStartRedis, EmbeddedRedis
from hoodwink.workers.scrubber import NoNotes
from tests.service.people import RetryingClient
from tests.service.processes import await_true
from tests.upgrade.people import Load
from tests.upgrade.releases import ROOT, Running

_READ: Final[Mapping[bytes, Callable[[Any, bytes], Any]]] = MappingProxyType(
    {
        b"string": lambda client, key: client.get(key),
        b"hash": lambda client, key: sorted(client.hgetall(key).items()),
        b"set": lambda client, key: sorted(client.smembers(key)),
        b"zset": lambda client, key: client.zrange(key, 0, -1, withscores=True),
        b"list": lambda client, key: client.lrange(key, 0, -1),
        b"stream": lambda client, key: [_lasting(entry) for entry in client.xrange(key)],
    }
)
"""The command that reads a value of each type."""

_PASSING: Final = (b"due", b"request")
"""Fields of a feed entry without effect after it was handled; due times have their own audit."""

_WITHOUT_HARM: Final = re.compile(
    rb"hw:(\{(?:limits|jobs|pulse)\}:.*|celery(?:-jobs|-thinking)?:.*|vanished|clocks|arrangement:.*"
    rb"|\{p\d+\}:(feed|quiet|players|due:[a-z]+:versions))",
    re.DOTALL,
)
"""Counts that drain; tasks that are sent again for due work; values checked by their reader; lost feed entries; and
versions of due times that the audit does not find.

The results of feed entries have their own audits, and newly started processes do not need the entries. Versions of due
times only prevent recording redelivered entries. The audit finds a damaged version, and an outdated one if there is work
to do. Without work, an outdated version only leads to a visit that does nothing.
"""


@click.command()
@click.option("--flips", default=500, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(flips: int, seed: int) -> None:
    """Flips bits one at a time and prints the outcomes of each kind."""
    chance, outcomes = Random(seed), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="hoodwink-flips-") as folder:
        intact = Path(folder) / "intact"
        _record(intact)
        with EmbeddedRedis(folder=intact / "redis") as server:
            expected = _stored(server)
            assert not _findings(server), "the audit of the intact data finds no difference"
        for number in range(flips):
            outcome, where = _tried(intact, Path(folder) / "flipped", chance, expected)
            outcomes[outcome] += 1
            if outcome == "missed":
                click.echo(f"flip {number}: {where}")
            if number % 50 == 49:
                click.echo(f"{number + 1} flips: {dict(outcomes)}", err=True)
    click.echo(f"{flips} flips: {dict(sorted(outcomes.items()))}")
    sys.exit(1 if outcomes["missed"] else 0)


# ---------------------------------------------------------------------------------- recording


def _record(folder: Path) -> None:
    """Lets a service record data of every kind, and stops it when its projections are complete."""
    settings = Settings(data=str(folder), port=free_port("127.0.0.1", 0))
    with Running(ROOT, settings) as running:
        running.await_ready()
        client, load = RetryingClient(settings), Load(settings, turn_seconds=600)
        ada = client.ask("POST", "/v1/players", body={"name": "Ada"})["token"]
        client.ask("PATCH", "/v1/players/me", ada, {"name": "Ada Ny"})
        client.ask("POST", "/v1/players", body={"name": "Bo"})
        load.finish()
        _hold_league(client, ada)
        _import(folder, settings, client, load.parties[0].tables[0])
        opened = client.ask("POST", "/v1/tables", ada, {"game": "blindside", "seats": 2})
        client.ask("POST", f"/v1/tables/{opened['view']['id']}/seats", ada, {})
        client.close()
        service = _service(EmbeddedRedis(folder=folder / "redis"))
        await_true(lambda: not any(lag.entries for lag in lags(service.feed).values()))
        service.client.close()


def _hold_league(client: RetryingClient, organiser: str) -> None:
    """Lets four bots play a league of one round to its end."""
    form = {
        "name": "League",
        "format": "league",
        "game": "blindside",
        "seats": 2,
        "options": {"rounds": 1},
        "sittings": [{"rounds": 1}],
        "advance": "automatic",
    }
    league = f"/v1/tournaments/{client.ask('POST', '/v1/tournaments', organiser, form)['tournament']['id']}"
    client.ask("POST", f"{league}/registration", organiser, {})
    for _ in range(4):
        client.ask("POST", f"{league}/entrants", organiser, {"policy": "steady"})
    client.ask("POST", f"{league}/start", organiser, {})
    await_true(lambda: client.ask("GET", league)["tournament"]["phase"] == "finished", within_s=60)


def _import(folder: Path, settings: Settings, client: RetryingClient, table: str) -> None:
    """Imports the log of a table under a new id."""
    log = folder / "exported.ndjson"
    for arguments in (("export", table, "--out", str(log)), ("import", str(log))):
        subprocess.run(
            [sys.executable, "-m", "hoodwink.service.cli", *arguments],
            env=os.environ | settings.to_environment(),
            cwd=ROOT,
            check=True,
            capture_output=True,
        )


# ----------------------------------------------------------------------------------- flipping


def _tried(intact: Path, copy: Path, chance: Random, expected: Mapping[bytes, str]) -> tuple[str, str]:
    """Flips a bit in a copy; returns the outcome and its place."""
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(intact, copy)
    file = _append_only_file(copy)
    data = bytearray(file.read_bytes())
    at, bit = chance.randrange(len(data)), chance.randrange(8)
    data[at] ^= 1 << bit
    file.write_bytes(data)
    where = f"{file.name}, byte {at}, bit {bit}: …{bytes(data[max(0, at - 60) : at + 60])!r}…"
    try:
        with EmbeddedRedis(folder=copy / "redis") as server:
            found = _stored(server)
            changed = {key for key in found.keys() | expected.keys() if found.get(key) != expected.get(key)}
            if not changed:
                return "harmless: nothing is stored otherwise", where
            findings = _findings(server)
    except (CannotStartRedis, StoreUnavailable):
        return "refused", where
    if findings:
        return "found", where
    if all(_WITHOUT_HARM.fullmatch(key) for key in changed):
        return "harmless: only what is made again", where
    return "missed", f"{where} in {sorted(changed)}"


def _append_only_file(folder: Path) -> Path:
    """Returns the largest file of Redis' log, which contains the writes since the last rewrite."""
    files = [file for file in (folder / "redis").rglob("*.aof*") if file.suffix != ".manifest"]
    return max(files, key=lambda file: file.stat().st_size)


def _stored(server: EmbeddedRedis) -> Mapping[bytes, str]:
    """Returns a digest of the value of every key; the progress of feed readers shows in their results."""
    with connect(server.url) as client:
        return {
            key: sha256(repr(_READ[client.type(key)](client, key)).encode()).hexdigest()
            for key in client.scan_iter(count=1000)
        }


def _lasting(entry: tuple[bytes, Mapping[bytes, bytes]]) -> tuple[bytes, Mapping[bytes, bytes]]:
    id_, fields = entry
    return id_, {name: value for name, value in fields.items() if name not in _PASSING}


def _findings(server: EmbeddedRedis) -> list[str]:
    """Returns an audit's findings; a failing audit counts as a finding, too."""
    service = _service(server)
    try:
        return [str(finding) for finding in audit_all(service, NoNotes(), patience_seconds=0)]
    except Exception as error:  # noqa: BLE001 - an audit that fails has detected it
        return [repr(error)]
    finally:
        service.client.close()


def _service(server: EmbeddedRedis) -> Service:
    return Service(Settings(redis_url=server.url))


if __name__ == "__main__":
    main()
