"""Each table is played by one edition of the fairness protocol, and its log names it."""

from pathlib import Path

import pytest

from domain.cards import SeededDraws, commitment
from domain.games import GAMES
from domain.tables import (
    UNOPENED,
    DealRound,
    Phase,
    TakeSeat,
    decide,
    export_log,
    parse_log,
    verify_log,
)
from domain.tables.evolve import table_after
from tests.domain.tables.forger import changed
from tests.domain.tables.sitting import SEED, START, Sitting, opening_of, playing

GOLDEN = Path(__file__).parent / "golden"


def test_a_new_table_is_of_the_latest_edition():
    assert Sitting().table.edition == 3
    assert Sitting(edition=1).table.edition == 1


@pytest.mark.parametrize("edition", [-1, 0, 4])
def test_an_edition_that_does_not_exist_is_refused(edition):
    with pytest.raises(ValueError, match="unknown_edition"):
        decide(UNOPENED, opening_of(edition=edition), START)


@pytest.mark.parametrize(("edition", "seeds"), [(1, ("", "")), (2, ("", "", "")), (3, ("", "", ""))])
def test_g_6_the_edition_decides_how_cards_are_shuffled(edition, seeds):
    sitting = Sitting(seats=2, edition=edition).sit("bot", "bot").start()
    game, before = GAMES["blindside"], sitting.table.state
    assert sitting.do(DealRound()) == game.deal(before, SeededDraws(SEED, seeds, edition=edition))


@pytest.mark.parametrize("edition", [1, 2, 3])
def test_the_format_of_a_log_names_its_edition(edition):
    log = playing("bot", "bot", edition=edition, rounds=1).play_out().log()
    assert parse_log(log)[0].format == f"hoodwink-log/{edition}"
    assert verify_log(log).valid


@pytest.mark.parametrize(("edition", "other"), [(1, b"2"), (2, b"1"), (2, b"3"), (3, b"2")])
def test_a_format_that_does_not_fit_the_edition_is_refused(edition, other):
    log = playing("bot", "bot", edition=edition, rounds=1).play_out().log()
    finding = verify_log(log.replace(b"hoodwink-log/%d" % edition, b"hoodwink-log/" + other)).finding
    assert finding is not None
    assert (finding.code, finding.line) == ("malformed", 1)


@pytest.mark.parametrize(("edition", "other"), [(1, 2), (2, 1)])
def test_a_table_is_not_of_another_edition_afterwards(edition, other):
    log = playing("bot", "bot", edition=edition, rounds=1).play_out().log()
    finding = verify_log(changed(log, 1, lambda fields: fields.update(edition=other))).finding
    assert finding is not None
    assert finding.code == "altered"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.ndjson")), ids=lambda path: path.stem)
def test_a_log_of_any_edition_is_exported_again_as_it_was(path):
    header, entries = parse_log(path.read_bytes())
    assert export_log(header.table, entries) == path.read_bytes()


def played_on(versions: int) -> Sitting:
    """Returns a table of edition 1 after so many events, to be continued by today's code."""
    sitting = Sitting()
    sitting.entries = list(parse_log((GOLDEN / "blindside_people.ndjson").read_bytes())[1][:versions])
    sitting.table, sitting.now = table_after(sitting.entries), sitting.entries[-1].at
    return sitting


def test_a_table_opened_before_commitments_is_filled_and_played_by_its_own_edition():
    sitting = played_on(1)
    committed = TakeSeat(player="ada", seed_commitment=commitment("a" * 32))
    assert sitting.refusal(committed) == "no_commitments"
    sitting.do(TakeSeat(player="ada", seat=0, seed="luck"), by="player:0")
    sitting.do(TakeSeat(player="bot:random", policy="random", seat=1, seed="x"), by="host")
    log = sitting.sit("bot", "bot").start().play_out().log()
    types = [entry.type for entry in parse_log(log)[1]]
    assert types[:2] == ["table.opened@2", "table.seat_taken@3"]
    verdict = verify_log(log)
    assert (verdict.valid, verdict.edition, verdict.player_seeds) == (
        True,
        1,
        ("plain", "plain", "none", "none"),
    )


@pytest.mark.parametrize("versions", [8, 9, 60])
def test_a_table_started_before_commitments_is_played_on_by_its_own_edition(versions):
    sitting = played_on(versions)
    assert sitting.table.phase is Phase.PLAYING
    verdict = verify_log(sitting.play_out().log())
    assert (verdict.valid, verdict.edition) == (True, 1)
