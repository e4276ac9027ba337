"""Golden logs stay readable, valid and unchanged; see README.md."""

import hashlib

import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.codec import current_wire
from hoodwink.domain.tables.events import (
    ClockRanOut,
    PlayerReturned,
    PlayerSeedMissed,
    PlayerSeedRevealed,
    SeatClaimed,
    SeatLeft,
    SeatResigned,
    TableVoided,
)
from hoodwink.domain.tables.fairness import LOG_FORMATS
from hoodwink.domain.tables.proving.lineage import verify_lineage
from hoodwink.domain.tables.proving.log import parse_log, split_logs
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tournaments.life import verify_log as verify_tournament_log
from hoodwink.domain.tournaments.life.editions import LOG_FORMATS as TOURNAMENT_FORMATS
from hoodwink.domain.tournaments.life.proving.log import parse_log as parse_tournament_log
from hoodwink.domain.tournaments.standings import standings, team_rows
from tests.domain.laws.laws import replayable
from tests.domain.laws.playout import play
from tests.golden.record import FOLDER, SUMS, log_of
from tests.seeds import chunks

LOGS = sorted(FOLDER.glob("*.log"))
TOURNAMENTS = sorted(FOLDER.glob("*.ndjson"))
SEGMENTS = FOLDER.glob("segments/*/*.*")

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


def test_t_33_the_teams_of_a_golden_tournament_keep_their_ranks():
    log, *tables = split_logs((FOLDER / "tournament-12.ndjson").read_bytes())

    proved = verify_tournament_log(log, tables).crosstable

    assert proved is not None
    teams = team_rows(proved, standings(proved).rows)
    assert [(row.team, str(row.score), row.counted, str(row.for_missing)) for row in teams] == [
        (1, "2", 3, "-22/7"),
        (2, "6/7", 3, "-22/7"),
        (3, "-6", 2, "-22/7"),
    ]


def test_there_are_golden_logs_of_every_edition():
    assert {parse_log(path.read_bytes())[0].format for path in LOGS} == set(LOG_FORMATS.values())
    tournaments = {parse_tournament_log(split_logs(path.read_bytes())[0])[0].format for path in TOURNAMENTS}
    assert tournaments == set(TOURNAMENT_FORMATS.values())


def test_no_golden_log_was_changed_added_or_removed():
    lines = [line.split("  ") for line in SUMS.read_text("ascii").splitlines()]

    assert {name: digest for digest, name in lines} == {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (*LOGS, *TOURNAMENTS, *SEGMENTS)
    }


@every_game
def test_every_game_has_three_golden_logs(game):
    assert len([path for path in LOGS if path.stem.rpartition("-")[0] == game.name]) >= 3


@every_game
@pytest.mark.parametrize("seeds", chunks(40, 36, first=4))
def test_the_log_of_a_table_that_the_laws_play_verifies(game, seeds):
    for seed in seeds:
        with replayable(game, seed):
            table = play(game, seed, max_entries=500)
            if not table.is_cut and all(entry.kind != "void" for entry in table.entries):
                for supervised in (False, True):
                    assert verify_log(log_of(table, supervised=supervised)).finding is None


def test_db_34_db_42_golden_logs_hold_exposures_by_hosts_and_by_players():
    exposures = {"double_blind.pocket_exposed", "double_blind.sleeve_exposed"}
    found = {
        (path.stem, entry.by.partition(":")[0])
        for path in LOGS
        for entry in parse_log(path.read_bytes())[1]
        if entry.type in exposures
    }

    assert {by for _, by in found} == {"host", "player"}
    assert len({name for name, _ in found}) > 1


def test_golden_logs_hold_every_event_of_a_game_and_the_events_of_people():
    found = {current_wire(entry.type) for path in LOGS for entry in parse_log(path.read_bytes())[1]}
    played = {kind.wire for game in GAMES.values() for kind in game.events}
    people = {
        kind.wire
        for kind in (ClockRanOut, PlayerReturned, PlayerSeedMissed, PlayerSeedRevealed, SeatClaimed, SeatLeft)
    }

    # Random play pays half interest too seldom.
    expected = played - {"double_blind.half_interest_paid"} | people | {SeatResigned.wire, TableVoided.wire}
    assert expected <= found


def test_a_golden_fork_continues_its_golden_parent():
    logs = [(FOLDER / name).read_bytes() for name in ("blindside-5002.log", "blindside-4.log")]
    verdict = verify_lineage(logs)

    assert (verdict.finding, verdict.generations, verdict.edition) == (None, 2, 3)
    assert verdict.parent is not None
    assert (verdict.parent.table, verdict.parent.version) == ("blindside-4", 200)
