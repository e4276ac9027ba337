"""`hoodwink review`: the moves of a seat in an exported log, next to Expert's (G-21)."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hoodwink.domain import advice
from hoodwink.domain.games.blind_don.actions import PlayCard
from hoodwink.service.cli import hoodwink
from tests.domain.tables.sitting import playing

GOLDEN = Path(__file__).parents[2] / "golden"


def run(*arguments: object, exit_code: int = 0) -> str:
    done = CliRunner().invoke(hoodwink, ["review", *map(str, arguments)])
    assert done.exit_code == exit_code, done.output
    return done.stderr if exit_code else done.stdout


@pytest.fixture(autouse=True)
def quick(monkeypatch: Any) -> None:
    """Replaces the search: Expert would always play the card at the first position."""
    results = iter([(0.4, 0.4), (0.4, 0.42), (0.4, 0.5), (0.25, 0.75), (0.4, 0.402)] * 1_000)
    monkeypatch.setattr(advice, "compare", lambda game, seen, played, moment: (PlayCard(8), *next(results)))
    monkeypatch.setattr(advice, "_words", lambda table, seen, action, players: f"play {action.position}S")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "table.log"
    file.write_bytes(playing("ada", "bot", game="blind_don", rounds=2).play_out().log())
    return file


def test_g_21_the_moves_of_the_only_person_are_compared(log):
    lines = run(log).splitlines()
    assert lines[0] == "Blind Don: the moves of Player ada, next to what Expert would have done."
    best, fine, slip, mistake, close = lines[3:8]
    assert "best" in best
    assert "Expert" not in best
    assert fine.endswith("; Expert would play 8S (42% rather than 40%)")
    assert " slip " in slip
    assert " mistake " in mistake
    assert close.endswith("; Expert would play 8S"), "no two equal percentages"
    assert re.match(
        r"\d\d moves with a choice: \d+ as good as Expert's, \d+ almost as good, \d+ slips?, ", lines[-1]
    )


def test_g_21_any_seat_can_be_named(log):
    assert "the moves of Random bot" in run(log, "--seat", 1)
    assert "There is no seat 2; the table has seats 0 to 1." in run(log, "--seat", 2, exit_code=1)


def test_a_seat_must_be_named_among_several_people(tmp_path):
    file = tmp_path / "table.log"
    file.write_bytes(playing("ada", "bob", game="blind_don", rounds=2).play_out().log())
    assert "Name a seat with --seat: 0 (Player ada), 1 (Player bob)." in run(file, exit_code=2)


def test_a_table_without_a_choice_has_nothing_to_review(log):
    sitting = playing("ada", "bob", game="coconut", rounds=1)
    sitting.resign(1)
    log.write_bytes(sitting.log())
    assert "There was no move with a choice." in run(log, "--seat", 0)


def test_a_changed_log_and_a_game_without_lookahead_are_refused(log):
    log.write_bytes(log.read_bytes().replace(b'"dealer":0', b'"dealer":1', 1))
    assert "is not valid. `hoodwink verify" in run(log, exit_code=1)
    assert "Bots cannot think ahead in Blindside" in run(GOLDEN / "blindside-4.log", exit_code=1)
