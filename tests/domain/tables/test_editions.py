"""Each table is played by one edition of the fairness protocol, and its log names it."""

from pathlib import Path

import pytest

from hoodwink.domain.cards import SeededDraws
from hoodwink.domain.games import GAMES
from hoodwink.domain.tables.commands import DealRound
from hoodwink.domain.tables.deciding.decide import decide
from hoodwink.domain.tables.proving.log import export_log, parse_log
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.domain.tables.state import UNOPENED
from tests.domain.tables.forger import changed
from tests.domain.tables.sitting import SEED, START, Sitting, opening_of, playing

GOLDEN = Path(__file__).parents[2] / "golden"


def test_a_new_table_is_of_the_latest_edition():
    assert Sitting().table.edition == 3


@pytest.mark.parametrize("edition", [-1, 0, 1, 2, 4])
def test_an_edition_that_does_not_exist_is_refused(edition):
    with pytest.raises(ValueError, match="unknown_edition"):
        decide(UNOPENED, opening_of(edition=edition), START)


def test_g_6_cards_are_shuffled_with_the_seeds_of_the_host_and_every_seat():
    sitting = Sitting(seats=2).sit("bot", "bot").start()
    game, before = GAMES["blindside"], sitting.table.state
    assert sitting.do(DealRound()) == game.deal(before, SeededDraws(SEED, ("", "", "")))


def test_the_format_of_a_log_names_its_edition():
    log = playing("bot", "bot", rounds=1).play_out().log()
    assert parse_log(log)[0].format == "hoodwink-log/3"
    assert verify_log(log).valid


@pytest.mark.parametrize("other", [b"1", b"2", b"4"])
def test_a_log_in_another_format_is_refused(other):
    log = playing("bot", "bot", rounds=1).play_out().log()
    finding = verify_log(log.replace(b"hoodwink-log/3", b"hoodwink-log/" + other)).finding
    assert finding is not None
    assert (finding.code, finding.line) == ("malformed", 1)


@pytest.mark.parametrize("other", [1, 2, 4])
def test_a_log_of_another_edition_is_refused(other):
    log = playing("bot", "bot", rounds=1).play_out().log()
    forged = changed(log, 1, lambda fields: fields.update(edition=other))
    finding = verify_log(forged.replace(b"hoodwink-log/%d" % other, b"hoodwink-log/3")).finding
    assert finding is not None
    assert (finding.code, finding.line) == ("illegal", 2)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.log")), ids=lambda path: path.stem)
def test_a_golden_log_is_exported_unchanged(path):
    header, entries = parse_log(path.read_bytes())
    assert export_log(header.table, entries) == path.read_bytes()
