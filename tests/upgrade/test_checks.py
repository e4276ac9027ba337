"""The checks after an upgrade find the faults that they are made for."""

from pathlib import Path

from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import parse_log
from tests.upgrade.checks import doubled, log_faults, lost
from tests.upgrade.people import Acknowledged

LOG = (Path(__file__).parents[1] / "golden" / "blind_don-0.log").read_bytes()
HEADER, ENTRIES = parse_log(LOG)
TABLE = HEADER.table
LOGS = {TABLE: LOG}


def acknowledged(entry: Entry) -> Acknowledged:
    return Acknowledged(TABLE, entry.version, entry.hash, {entry.version: entry.type}, 0.0)


COMMANDS = {
    entry.cmd: acknowledged(entry) for entry in ENTRIES if entry.by == "host" or "player:" in entry.by
}
ACKNOWLEDGED = list(COMMANDS.values())


def test_a_log_with_every_acknowledged_command_has_no_fault():
    assert [*lost(ACKNOWLEDGED, LOGS), *doubled(ACKNOWLEDGED, LOGS), *log_faults(LOGS, LOGS)] == []


def test_an_acknowledged_command_that_is_missing_or_different_is_named():
    last = ACKNOWLEDGED[-1]
    missing = last._replace(version=len(ENTRIES) + 1, types={})
    other = last._replace(head="0" * 64)
    mistaken = last._replace(types={last.version: "table.burned"})
    for command in (missing, other, mistaken):
        assert len(list(lost([command], LOGS))) == 1


def test_a_stored_command_that_nobody_was_acknowledged_is_named():
    assert len(list(doubled(ACKNOWLEDGED[1:], LOGS))) == 1


def test_a_log_that_is_invalid_or_was_changed_is_named():
    false = LOG.replace(b'"by":"player:0"', b'"by":"player:1"', 1)
    assert len(list(log_faults({TABLE: false}, LOGS))) == 2
