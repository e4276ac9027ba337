"""What must hold after an upgrade: nothing acknowledged is missing, doubled or changed, and the books agree."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from domain.tables import Entry, Verdict, current_wire, parse_log, verify_log
from service.cli.client import ServiceClient
from service.settings import Settings
from service.supervisor.roster import address
from tests.upgrade.people import Party, Told
from tests.upgrade.releases import ROOT, environment

EXPECTED_STATUSES = frozenset({200, 201, 409, 412, 422, 503})
"""Beside successes: somebody else was faster, and the service is away for a moment."""


def exported(settings: Settings, tables: Sequence[str]) -> dict[str, bytes]:
    """Returns the logs of tables that are over."""
    client = ServiceClient(address(settings))
    return {table: client.get_bytes(f"/v1/tables/{table}/log") for table in tables}


def ended(settings: Settings, tables: Sequence[str]) -> list[str]:
    """Returns which of the tables are over."""
    client = ServiceClient(address(settings))
    return [table for table in tables if client.get(f"/v1/tables/{table}")["view"]["phase"] == "ended"]


def audit_faults(settings: Settings) -> Iterator[str]:
    """Yields what `hoodwink audit` says if it finds a difference."""
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "audit"],
        cwd=ROOT,
        env=environment(ROOT, settings),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        yield f"hoodwink audit: {done.stdout}{done.stderr}"


def log_faults(logs: Mapping[str, bytes], old_logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the logs that do not verify, and those that were others before the upgrade."""
    for table, log in logs.items():
        verdict: Verdict = verify_log(log)
        if not verdict.valid:
            yield f"{table}: the log does not verify: {verdict}"
    for table, log in old_logs.items():
        if logs[table] != log:
            yield f"{table}: the log is not what the old service exported"


def status_faults(parties: Sequence[Party]) -> Iterator[str]:
    """Yields the statuses that nobody should have got."""
    statuses = sum((party.line.statuses for party in parties), Counter[int]())
    for status in sorted(statuses.keys() - EXPECTED_STATUSES):
        yield f"{statuses[status]} answers had the status {status}"


def lost(told: Sequence[Told], logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the acknowledged commands that are not in the logs just so."""
    entries = {table: parse_log(log)[1] for table, log in logs.items()}
    for one in told:
        if fault := _fault_of(one, entries[one.table]):
            yield f"{one.table}, version {one.version}: {fault}"


def doubled(told: Sequence[Told], logs: Mapping[str, bytes]) -> Iterator[str]:
    """Yields the tables whose people were acknowledged fewer or more commands than the log has."""
    acknowledged = Counter(one.table for one in told)
    for table, count in acknowledged.items():
        entries = parse_log(logs[table])[1]
        stored = len({entry.cmd for entry in entries if entry.by == "host" or "player:" in entry.by})
        if stored != count:
            yield f"{table}: {count} commands of people were acknowledged, {stored} are stored"


def _fault_of(one: Told, entries: Sequence[Entry]) -> str | None:
    if one.version > len(entries):
        return "is missing"
    if entries[one.version - 1].hash != one.head:
        return "is another event"
    for version, told_type in one.types.items():
        if current_wire(entries[version - 1].type) != current_wire(told_type):
            return f"event {version} is no {told_type}"
    return None
