"""Golden logs stay readable, valid and unchanged; see README.md."""

import hashlib

import pytest

from domain.games import GAMES
from domain.tables import decode_event, parse_log, split_logs, verify_lineage, verify_log
from domain.tables.events import SeatTaken, TableOpened
from domain.tournaments.life import verify_log as verify_tournament_log
from tests.domain.laws.laws import replayable
from tests.domain.laws.playout import play
from tests.golden.record import FOLDER, SUMS, log_of

LOGS = sorted(FOLDER.glob("*.log"))
TOURNAMENTS = sorted(FOLDER.glob("*.ndjson"))

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_golden_log_verifies(path):
    verdict = verify_log(path.read_bytes())

    assert verdict.finding is None
    assert verdict.game == path.stem.rpartition("-")[0]


@pytest.mark.parametrize("path", TOURNAMENTS, ids=lambda path: path.stem)
def test_a_golden_tournament_verifies(path):
    log, *tables = split_logs(path.read_bytes())

    verdict = verify_tournament_log(log, tables)

    assert verdict.finding is None
    assert verdict.tables == len(tables)


def test_no_golden_log_was_changed_added_or_removed():
    lines = [line.split("  ") for line in SUMS.read_text("ascii").splitlines()]

    assert {name: digest for digest, name in lines} == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (*LOGS, *TOURNAMENTS)
    }


@every_game
def test_every_game_has_three_golden_logs(game):
    assert len([path for path in LOGS if path.stem.rpartition("-")[0] == game.name]) >= 3


@every_game
def test_the_log_of_a_table_that_the_laws_play_verifies(game):
    for seed in range(40):
        with replayable(game, seed):
            table = play(game, seed, most_entries=500)
            if not table.is_cut and all(entry.kind != "void" for entry in table.entries):
                for supervised in (False, True):
                    assert verify_log(log_of(table, supervised=supervised)).finding is None


def test_db_34_db_42_golden_logs_hold_exposures_by_hosts_and_by_others():
    """Only in edition 1 could a host with a seat enter exposures."""
    found = {exposure for path in LOGS for exposure in exposures_in(path)}

    assert found == {(1, "other"), (1, "host with a seat"), (2, "other"), (2, "host without a seat")}


def exposures_in(path):
    """Yields for each exposure in a log the edition of the table and the kind of asker."""
    _, entries = parse_log(path.read_bytes())
    events = [decode_event(entry.type, bytes(entry.data)) for entry in entries]
    opened = events[0]
    assert isinstance(opened, TableOpened)
    seated = {event.player for event in events if isinstance(event, SeatTaken)}
    for entry in entries:
        if entry.type in {"double_blind.pocket_exposed", "double_blind.sleeve_exposed"}:
            host = "host with a seat" if opened.host in seated else "host without a seat"
            yield opened.edition, host if entry.by == "host" else "other"


def test_a_golden_fork_continues_its_golden_parent():
    logs = [(FOLDER / name).read_bytes() for name in ("blindside-5001.log", "blindside-4.log")]
    verdict = verify_lineage(logs)

    assert (verdict.finding, verdict.generations, verdict.edition) == (None, 2, 3)
    assert verdict.parent is not None
    assert (verdict.parent.table, verdict.parent.version) == ("blindside-4", 200)
