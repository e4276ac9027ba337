"""`hoodwink verify`: its sentences about seeds, voids and forks."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from hoodwink.domain.cards import commitment
from hoodwink.domain.tables import commands
from hoodwink.domain.tables.proving.verify import verify_log
from hoodwink.service.cli import hoodwink
from hoodwink.service.cli.shared import progress
from hoodwink.service.cli.verify import verdict_sentence
from tests.domain.tables.sitting import Sitting
from tests.domain.tables.test_forks import FORK, IN_ROUND_TWO, PARENT

SEED, MISSED = "a" * 32, "did not reveal its committed seed in time, so it counted as empty."
NONE_REVEALED = (
    "Nobody revealed a committed seed, so the service could have chosen the server seed to suit the cards."
)
FAIR = "and every deck, action and score follows the rules."


def remarks_on(sitting: Sitting, folder: Path) -> str:
    """Returns the command's sentences after the verdict."""
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
        ([None, 0], f"The host {MISSED} Seat 0 {MISSED} {NONE_REVEALED}"),
    ],
)
def test_each_missed_reveal_is_listed(tmp_path, missing, expected):
    sitting = committed().start()
    for seat, by in ((None, "host"), (0, "player:0")):
        if seat not in missing:
            sitting.do(commands.RevealSeed(seat, SEED), by=by)
    sitting.now += 10_000
    for seat in missing:
        sitting.do(commands.MissSeed(seat))
    assert remarks_on(sitting.deal().play_out(), tmp_path) == expected


def test_seeds_of_a_table_closed_before_its_start_are_not_missed(tmp_path):
    sitting = committed()
    sitting.do(commands.CloseTable(), by="host")
    assert remarks_on(sitting, tmp_path) == (
        "The host did not reveal its committed seed before the table ended. "
        "Seat 0 did not reveal its committed seed before the table ended."
    )


def test_without_a_revealed_seed_the_service_could_have_chosen_the_cards(tmp_path):
    sitting = Sitting(seats=2, rounds=1).sit("ada", "bot").start()
    assert remarks_on(sitting.deal().play_out(), tmp_path) == NONE_REVEALED


def test_the_verdict_names_the_edition_and_the_server_seed():
    sitting = Sitting(seats=2, rounds=1).sit("ada", "bot").start()
    verdict = verdict_sentence(verify_log(sitting.deal().play_out().log()))
    assert ", blindside, edition 3, " in verdict
    assert "the server seed matches its commitment" in verdict


def test_v_1_a_void_is_shown_with_administrator_and_reason(tmp_path):
    sitting = committed().start()
    for seat, by in ((None, "host"), (0, "player:0")):
        sitting.do(commands.RevealSeed(seat, SEED), by=by)
    sitting.deal().play_out().do(commands.VoidTable("olga", "A shared screen"), by="admin")
    assert remarks_on(sitting, tmp_path) == (
        "The result no longer counts: administrator olga voided the table (A shared screen)."
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


def run_verify(*arguments):
    done = CliRunner().invoke(hoodwink, ["verify", *arguments])
    return done.exit_code, done.output.strip()


def test_the_verdict_on_a_fork_names_its_parent(logs):
    fork, parent = logs
    origin = f"It plays on from version {IN_ROUND_TWO} of table t1"

    code, alone = run_verify(fork)
    assert (code, alone.endswith(f"{origin}, if that table's log agrees: check both with --parent.")) == (
        0,
        True,
    )
    code, together = run_verify(fork, "--parent", parent)
    assert (code, together.endswith(f"{origin}, as that table's log proves.")) == (0, True)


def test_a_wrong_parent_is_refused(logs):
    fork, _ = logs
    assert run_verify(fork, "--parent", fork) == (
        1,
        "INVALID: wrong_parent: log 2: it is the log of table fork, and table fork was forked from table t1",
    )


def test_a_table_log_is_refused_instead_of_a_tournament_log(logs, tmp_path):
    _, table = logs

    code, output = run_verify(table, "--tables", str(tmp_path))

    assert code == 1
    assert f"{table} is the log of a table, not of a tournament" in output
    assert "without --tables" in output


def test_long_logs_show_how_many_events_are_checked(monkeypatch):
    monkeypatch.setattr(progress, "LONG_EVENTS", 40)
    logs = {
        name: Path(__file__).parents[2] / "golden" / f"{name}.log"
        for name in ("blindside-117", "shithead-4001")
    }
    short = CliRunner().invoke(hoodwink, ["verify", str(logs["blindside-117"])])
    assert "checked" not in short.stderr
    log = logs["shithead-4001"]
    events = verify_log(log.read_bytes()).events
    long = CliRunner().invoke(hoodwink, ["verify", str(log)])
    assert f"events checked {events}/{events}" in long.stderr
    assert long.stdout.startswith("valid: ")
