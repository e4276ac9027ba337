"""Checks after an upgrade: nothing acknowledged is missing, doubled or changed, and the audit finds no difference."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from hoodwink.domain.tables.codec import current_wire
from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.domain.tables.proving.verify import Verdict, verify_log
from hoodwink.service.settings import Settings
from hoodwink.service.supervisor.roster import address
from tests.service.plain_client import ServiceClient
from tests.upgrade.people import Acknowledged, Party
from tests.upgrade.releases import ROOT, environment

EXPECTED_STATUSES = frozenset({200, 201, 409, 412, 422, 503})
"""Successes, refusals because another action came first, and 503 while the service is restarting."""


def exported(settings: Settings, tables: Sequence[str]) -> dict[str, bytes]:
    """Returns the logs of ended tables."""
    client = ServiceClient(address(settings))
    return {table: client.get_bytes(f"/v1/tables/{table}/log") for table in tables}


def ended(settings: Settings, tables: Sequence[str]) -> list[str]:
    """Returns the ended ones of the tables."""
    client = ServiceClient(address(settings))
    return [table for table in tables if client.get(f"/v1/tables/{table}")["view"]["phase"] == "ended"]


def audit_faults(settings: Settings) -> Iterator[str]:
    """Yields the output of the commands after an upgrade (docs/OPERATING.md) if they find a fault."""
    for command in (["rebuild", "due"], ["audit"]):
        done = subprocess.run(
            [sys.executable, "-m", "hoodwink.service.cli", *command],
            cwd=ROOT,
            env=environment(ROOT, settings),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            yield f"hoodwink {' '.join(command)}: {done.stdout}{done.stderr}"


def log_faults(logs: Mapping[str, bytes], old_logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the logs that do not verify, and those that differ from the export before the upgrade."""
    for table, log in logs.items():
        verdict: Verdict = verify_log(log)
        if not verdict.valid:
            yield f"{table}: the log does not verify: {verdict}"
    for table, log in old_logs.items():
        if logs[table] != log:
            yield f"{table}: the log is not what the old service exported"


def status_faults(parties: Sequence[Party]) -> Iterator[str]:
    """Yields the unexpected statuses of answers."""
    statuses = sum((party.client.statuses for party in parties), Counter[int]())
    for status in sorted(statuses.keys() - EXPECTED_STATUSES):
        yield f"{statuses[status]} answers had the status {status}"


def lost(acknowledged: Sequence[Acknowledged], logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the acknowledged commands that are missing from the logs or have other events."""
    entries = {table: parse_log(log)[1] for table, log in logs.items()}
    for command in acknowledged:
        if fault := _fault_of(command, entries[command.table]):
            yield f"{command.table}, version {command.version}: {fault}"


def doubled(acknowledged: Sequence[Acknowledged], logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the tables whose log has more or fewer people's commands than acknowledged."""
    for table, count in Counter(command.table for command in acknowledged).items():
        entries = parse_log(logs[table])[1]
        stored = len({entry.cmd for entry in entries if entry.by == "host" or "player:" in entry.by})
        if stored != count:
            yield f"{table}: {count} commands of people were acknowledged, {stored} are stored"


def _fault_of(command: Acknowledged, entries: Sequence[Entry]) -> str | None:
    if command.version > len(entries):
        return "is missing"
    if entries[command.version - 1].hash != command.head:
        return "is another event"
    for version, type_ in command.types.items():
        if current_wire(entries[version - 1].type) != current_wire(type_):
            return f"event {version} is not {type_}"
    return None
