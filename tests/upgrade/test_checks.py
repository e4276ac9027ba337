"""The checks after an upgrade notice what they are there for."""

from pathlib import Path

from domain.tables import Entry, parse_log
from tests.upgrade.checks import doubled, log_faults, lost
from tests.upgrade.people import Told

LOG = (Path(__file__).parents[1] / "golden" / "blind_don-0.log").read_bytes()
HEADER, ENTRIES = parse_log(LOG)
TABLE = HEADER.table
LOGS = {TABLE: LOG}


def told_of(entry: Entry) -> Told:
    return Told(TABLE, entry.version, entry.hash, {entry.version: entry.type}, 0.0)


COMMANDS = {entry.cmd: told_of(entry) for entry in ENTRIES if entry.by == "host" or "player:" in entry.by}
TOLD = list(COMMANDS.values())


def test_a_log_that_holds_what_was_acknowledged_has_no_fault():
    assert [*lost(TOLD, LOGS), *doubled(TOLD, LOGS), *log_faults(LOGS, LOGS)] == []


def test_an_acknowledged_command_that_is_missing_or_another_is_named():
    last = TOLD[-1]
    missing = last._replace(version=len(ENTRIES) + 1, types={})
    other = last._replace(head="0" * 64)
    mistaken = last._replace(types={last.version: "table.burned"})
    for one in (missing, other, mistaken):
        assert len(list(lost([one], LOGS))) == 1


def test_a_command_that_is_stored_twice_or_was_never_asked_for_is_named():
    assert len(list(doubled(TOLD[1:], LOGS))) == 1


def test_a_log_that_is_false_or_not_what_it_was_is_named():
    false = LOG.replace(b'"by":"player:0"', b'"by":"player:1"', 1)
    assert len(list(log_faults({TABLE: false}, LOGS))) == 2
