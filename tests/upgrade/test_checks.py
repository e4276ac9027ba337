"""The checks after an upgrade find the faults that they are made for."""

from pathlib import Path

import pytest

from hoodwink.domain.tables.entries import Entry
from hoodwink.domain.tables.proving.log import parse_log
from hoodwink.service.settings import Settings
from tests.upgrade.checks import doubled, log_faults, lost
from tests.upgrade.people import Acknowledged
from tests.upgrade.releases import ROOT, CannotRun, check_imports

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


def test_a_log_with_every_acknowledged_command_passes():
    assert [*lost(ACKNOWLEDGED, LOGS), *doubled(ACKNOWLEDGED, LOGS), *log_faults(LOGS, LOGS)] == []


def test_missing_and_changed_acknowledged_commands_are_reported():
    last = ACKNOWLEDGED[-1]
    missing = last._replace(version=len(ENTRIES) + 1, types={})
    other = last._replace(head="0" * 64)
    mistaken = last._replace(types={last.version: "table.burned"})
    for command in (missing, other, mistaken):
        assert len(list(lost([command], LOGS))) == 1


def test_an_unacknowledged_stored_command_is_reported():
    assert len(list(doubled(ACKNOWLEDGED[1:], LOGS))) == 1


def test_invalid_and_changed_logs_are_reported():
    false = LOG.replace(b'"by":"player:0"', b'"by":"player:1"', 1)
    assert len(list(log_faults({TABLE: false}, LOGS))) == 2


def test_a_tree_that_would_run_the_code_of_another_is_refused(tmp_path):
    check_imports(ROOT, Settings())

    for package in ("domain", "service", "workers"):  # as before they were in the package `hoodwink`
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    with pytest.raises(CannotRun, match="would run"):
        check_imports(tmp_path, Settings())
