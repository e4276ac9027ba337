"""What `hoodwink verify` says about the seeds of a table."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from domain.cards import commitment
from domain.tables import CloseTable, MissSeed, RevealSeed, VoidTable, verify_log
from service.cli import hoodwink
from service.cli.verify import said
from tests.domain.tables.sitting import Sitting
from tests.domain.tables.test_forks import FORK, IN_ROUND_TWO, PARENT

SEED, MISSED = "a" * 32, "did not reveal its committed seed in time, so it counted as empty."
NOBODY = "Nobody revealed a committed seed, so the service could have chosen its secret to suit the cards."
FAIR = "and every deck, action and score follows the rules."


def said_of(sitting: Sitting, folder: Path) -> str:
    """Returns what the command says behind the verdict itself."""
    file = folder / "table.log"
    file.write_bytes(sitting.log())
    done = CliRunner().invoke(hoodwink, ["verify", str(file)])
    assert done.exit_code == 0, done.output
    verdict, _, rest = done.output.partition(FAIR)
    assert verdict.startswith("valid: ")
    return rest.strip()


def committed() -> Sitting:
    return Sitting(seats=2, seed_commitment=commitment(SEED), rounds=1).sit_committed("ada", SEED).sit("bot")


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ([], ""),
        ([0], f"Seat 0 {MISSED}"),
        ([None], f"The host {MISSED}"),
        ([None, 0], f"The host {MISSED} Seat 0 {MISSED} {NOBODY}"),
    ],
)
def test_who_missed_the_reveal_is_named(tmp_path, missing, expected):
    sitting = committed().start()
    for seat, by in ((None, "host"), (0, "player:0")):
        if seat not in missing:
            sitting.do(RevealSeed(seat, SEED), by=by)
    sitting.now += 10_000
    for seat in missing:
        sitting.do(MissSeed(seat))
    assert said_of(sitting.deal().play_out(), tmp_path) == expected


def test_seeds_that_a_closed_table_never_asked_for_are_not_called_missed(tmp_path):
    sitting = committed()
    sitting.do(CloseTable(), by="host")
    assert said_of(sitting, tmp_path) == (
        "The host did not reveal its committed seed before the table ended. "
        "Seat 0 did not reveal its committed seed before the table ended."
    )


@pytest.mark.parametrize("edition", [1, 2])
def test_without_a_revealed_seed_the_service_could_have_chosen_the_cards(tmp_path, edition):
    sitting = Sitting(seats=2, rounds=1, edition=edition).sit("ada", "bot").start()
    assert said_of(sitting.deal().play_out(), tmp_path) == NOBODY


@pytest.mark.parametrize("edition", [1, 2])
def test_the_verdict_names_the_edition_and_the_server_seed(edition):
    sitting = Sitting(seats=2, rounds=1, edition=edition).sit("ada", "bot").start()
    verdict = said(verify_log(sitting.deal().play_out().log()))
    assert f", blindside, edition {edition}, " in verdict
    assert "the server seed matches its commitment" in verdict


def test_v_1_that_the_table_is_void_is_said_with_name_and_reason(tmp_path):
    sitting = committed().start()
    for seat, by in ((None, "host"), (0, "player:0")):
        sitting.do(RevealSeed(seat, SEED), by=by)
    sitting.deal().play_out().do(VoidTable("olga", "A shared screen"), by="admin")
    assert said_of(sitting, tmp_path) == (
        "The result counts no longer: administrator olga voided the table (A shared screen)."
    )


@pytest.fixture
def logs(tmp_path):
    """Returns the files of a fork and of its parent."""
    files = []
    for name, sitting in (("fork", FORK), ("parent", PARENT)):
        file = tmp_path / f"{name}.log"
        file.write_bytes(sitting.log())
        files.append(str(file))
    return files


def verified(*arguments):
    done = CliRunner().invoke(hoodwink, ["verify", *arguments])
    return done.exit_code, done.output.strip()


def test_a_fork_is_said_to_play_on_from_its_parent(logs):
    fork, parent = logs
    moment = f"It plays on from version {IN_ROUND_TWO} of table t1"

    code, alone = verified(fork)
    assert (code, alone.endswith(f"{moment}, if that table's log says so: check both with --parent.")) == (
        0,
        True,
    )
    code, together = verified(fork, "--parent", parent)
    assert (code, together.endswith(f"{moment}, as that table's log proves.")) == (0, True)


def test_another_log_is_not_taken_for_the_parent(logs):
    fork, _ = logs
    assert verified(fork, "--parent", fork) == (
        1,
        "INVALID: wrong_parent: log 2: it is the log of table fork, and table fork was forked from table t1",
    )


def test_the_log_of_a_table_is_named_where_that_of_a_tournament_is_needed(logs, tmp_path):
    _, table = logs

    code, said = verified(table, "--tables", str(tmp_path))

    assert code == 1
    assert f"{table} is the log of a table, not of a tournament" in said
    assert "without --tables" in said
