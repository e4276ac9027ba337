"""The names in the first line of an exported log."""

from pathlib import Path

import msgspec
import pytest

from hoodwink.domain.tables.commands import ChangeHost, OfferSeat
from hoodwink.domain.tables.proving.log import (
    export_log,
    names_in_log,
    parse_log,
    people_in_log,
    split_logs,
)
from hoodwink.domain.tables.proving.proof import Finding
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tournaments.life import verify_log as verify_tournament_log
from hoodwink.domain.tournaments.life.proving.log import export_log as export_tournament_log
from hoodwink.domain.tournaments.life.proving.log import parse_log as parse_tournament_log
from tests.domain.tables.sitting import Sitting

GOLDEN = Path(__file__).parents[2] / "golden"


def played():
    return Sitting(seats=3).sit("ada", "bo", "bot").start().play_out()


def named(log):
    header, _ = parse_log(log)
    return names_in_log(header.names)


def test_an_exported_log_names_the_people_and_is_valid_with_any_names():
    log = export_log("t1", played().entries, str.title)
    header, entries = parse_log(log)

    assert header.names == {"ada": "Ada", "bo": "Bo"}
    assert people_in_log(entries) == ("ada", "bo")
    assert (named(log)("ada"), named(log)("nobody00")) == ("Ada", "Player nobo")
    assert verify_log(log).valid
    assert verify_log(log.replace(b'"ada":"Ada"', b'"ada":"Eve"', 1)).valid


NO_NAME = "a name must have 1 to 40 visible characters, with single blanks between them"
HOSTILE = ("\x1b[2J", "\x9b31m", "\u202eada", "\u2028", "A\nB", " Ada", "a" * 41)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_forbidden_name_in_the_header_invalidates_a_log(name):
    finding = verify_log(export_log("t1", played().entries, lambda _: name)).finding

    assert finding == Finding(code="malformed", detail=NO_NAME, version=None, line=1)


def test_a_name_of_the_wrong_type_invalidates_a_log():
    log = export_log("t1", played().entries, str.title).replace(b'"ada":"Ada"', b'"ada":0', 1)

    finding = verify_log(log).finding

    assert finding is not None
    assert (finding.code, finding.line) == ("malformed", 1)


def test_a_partial_log_names_its_new_host():
    sitting = Sitting(seats=2).sit("ada", "bo")
    sitting.do(ChangeHost("bo"), by="host")

    assert people_in_log(sitting.entries[-1:]) == ("bo",)
    assert people_in_log(sitting.entries) == ("ada", "bo")


def test_a_partial_log_names_a_player_offered_a_seat():
    sitting = Sitting(seats=2).sit("ada")
    sitting.do(OfferSeat("bo"), by="host")

    assert people_in_log(sitting.entries[-1:]) == ("bo",)


def test_a_log_of_bots_or_without_names_has_no_names():
    log = export_log("t1", played().entries)

    assert parse_log(log)[0].names is msgspec.UNSET
    assert named(log)("ada") == "Player ada"
    bots = Sitting(seats=2).sit("bot", "bot").start().play_out()
    assert export_log("t1", bots.entries, str.title) == export_log("t1", bots.entries)


def test_the_name_in_an_old_event_is_not_shown():
    log = (GOLDEN / "blindside-4001.log").read_bytes()
    header, entries = parse_log(log)

    exported = export_log(header.table, entries, lambda _: "someone who left")

    assert b'"player":"p0","name":"' in log
    assert named(log)("p0") == "Player p0"
    assert named(exported)("p0") == "someone who left"
    assert verify_log(exported).valid


def test_the_standings_of_a_verified_tournament_have_the_names_of_its_log():
    log, *tables = split_logs((GOLDEN / "tournament-9.ndjson").read_bytes())
    _, entries = parse_tournament_log(log)
    shown = verify_tournament_log(log, tables).crosstable
    renamed = verify_tournament_log(
        export_tournament_log("simulated", entries, lambda player: f"Dr {player}"), tables
    ).crosstable

    assert shown is not None
    assert renamed is not None
    assert (shown.entrants[0].name, renamed.entrants[0].name) == ("Steady 1", "Dr p0001")
