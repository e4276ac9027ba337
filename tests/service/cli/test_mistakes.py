"""Mistakes on the command line are reported in one line."""

import errno
import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from hoodwink.domain.games import GAMES
from hoodwink.domain.games.shithead.options import Options
from hoodwink.service.cli import hoodwink
from hoodwink.service.cli.shared.options import cautions

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.mark.parametrize(
    "arguments",
    [
        ["openapi", "{nowhere}"],
        ["simulate", "blindside", "--tables", "1", "--out", "{file}/below"],
        ["bench", "--json", "{nowhere}"],
        ["tournament", "simulate", "--json", "{nowhere}"],
        ["tournament", "simulate", "--trf", "{nowhere}"],
        ["tournament", "simulate", "--logs", "{file}/below"],
    ],
)
def test_an_unwritable_file_is_reported_in_one_line(tmp_path, arguments):
    (tmp_path / "file").touch()
    places = {"nowhere": str(tmp_path / "nowhere" / "x"), "file": str(tmp_path / "file")}

    done = CliRunner().invoke(hoodwink, [argument.format(**places) for argument in arguments])

    assert done.exit_code == 1
    assert done.output.splitlines()[-1].startswith(f"Error: Could not open file '{tmp_path}")
    assert "Traceback" not in done.output


def run(*arguments):
    done = CliRunner().invoke(hoodwink, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit)
    return done.exit_code, done.output


@pytest.fixture
def log():
    return min(GOLDEN.glob("blindside-*.log")).read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.replace('"type":"blindside.', '"type":"sideblind.', 1),
        lambda log: log.replace('"table":"', '"table":"another-', 1),
        lambda log: log.replace('"version":2,', '"version":7,', 1),
        lambda log: re.sub(r'("card":)"..(")', r'\1"JK\2', log, count=1),
    ],
)
def test_a_changed_log_is_reported_without_a_traceback(tmp_path, log, change):
    changed = tmp_path / "changed.log"
    changed.write_text(change(log))
    assert changed.read_text() != log

    code, output = run("replay", changed)

    assert code in {0, 1}
    assert code == 0 or "was changed" in output
    assert run("verify", changed)[0] == 1


def test_every_game_can_be_simulated_with_random_numbers_of_seats():
    for game in GAMES:
        assert run("simulate", game, "--tables", 4, "--seed", 3)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate", "blindside", "--option", "rounds=0"], "rounds"),
        (["simulate", "blindside", "--option", "colour=red"], "colour"),
        (["ledger", "balance", "nonsense"], "is not player:ID, bot:POLICY or table:ID"),
        (["ledger", "balance", "player:ada", "--as-of", "t1"], "TABLE:VERSION"),
        (["openapi", "--check", "nowhere.yaml"], "There is no nowhere.yaml here"),
        *[
            (["demo", "blindside", "--seed", seed], "it must be 32 to 64 lower-case hex digits")
            for seed in ("", "my own luck", "a" * 31, "a" * 65, "A" * 32)
        ],
        (
            ["simulate", "blindside", "--option", "colour=red"],
            "Blindside has no option colour; its options are five_card, rounds, blindside_compare, start_tokens",
        ),
        (
            ["simulate", "blind_don", "--option", "rounds=3"],
            "rounds must be a whole number from 2 to 20, a multiple of 2",
        ),
        (["simulate", "blind_don", "--option", "flip=now"], "flip must be after_trick or immediate"),
        (
            ["tournament", "simulate", "--option", "rounds=x"],
            "rounds must be a whole number from 1 to 20 or null",
        ),
        (["tournament", "simulate", "--option", "five_card=7"], "five_card must be true or false"),
        (
            ["demo", "blindside", "--option", "foo=1"],
            "Blindside has no option foo; its options are five_card, ",
        ),
        (["demo", "blind_don", "--seats", "3"], "Blind Don takes 2 seats"),
        (["demo", "coconut", "--seats", "1"], "Coconut takes 2 to "),
        (["simulate", "blindside", "--seats", "11"], "Blindside takes 2 to 10 seats."),
        (
            ["demo", "blindside", "--out", GOLDEN / "blindside-4.log"],
            "blindside-4.log already exists; delete it or choose another name.",
        ),
        (
            ["demo", "blindside", "--url", "http://127.0.0.1:1"],
            "No answer from http://127.0.0.1:1: ",
        ),
        *[
            (["demo", "blindside", "--url", url], f"{url} is not an address like http://127.0.0.1:8000.")
            for url in ("http://[::1", "http://127.0.0.1:x", "http://127.0.0.1:65536", "http://", "127.0.0.1")
        ],
        (["bot", "nowhere.py:choose"], "nowhere.py:choose cannot be loaded: there is no file nowhere.py"),
        (["bot", "steady"], "'steady' is not a function of yours, such as ./bot.py or package.module:choose"),
        (
            ["bot", "builtins:len", "--play", "blindside", "--against", "cunning"],
            "Invalid value for --against: there is no policy cunning",
        ),
        (["bot", "builtins:len", "--seconds", "inf"], "inf is not a finite number"),
        (["archive", "run", "--days", "nan"], "nan is not a finite number"),
        (
            [
                "verify",
                GOLDEN / "blindside-4.log",
                "--tables",
                GOLDEN,
                "--parent",
                GOLDEN / "blindside-4.log",
            ],
            "--parent is for the log of a table; leave it out with --tables.",
        ),
        (["replay", "README.md"], "README.md, line 1: it does not begin as an exported log does."),
        (
            ["simulate", "blindside", "--bots", "steady,cunning"],
            "there is no policy cunning; choose from expert, novice, random, sharp, steady",
        ),
        (["tournament", "simulate", "--float-window", "-1"], "`all` or a number of score groups, at least 0"),
        (
            ["tournament", "simulate", "--float-window", "wide"],
            "`all` or a number of score groups, at least 0",
        ),
        (
            ["tournament", "simulate", "--tiebreaks", "wins,age"],
            "there is no tie-break age; choose from direct, ",
        ),
        (
            ["tournament", "simulate", "--bots", "cunning"],
            "there is no policy cunning; choose from expert, novice, random, sharp, steady",
        ),
        (
            ["tournament", "simulate", "--format", "knockout", "--rounds", "3"],
            "the number of rounds follows from the entrants",
        ),
        (
            ["tournament", "simulate", "--format", "round_robin", "--trf", "report.trf"],
            "only be written for a Swiss tournament or a league",
        ),
        (
            ["replay", GOLDEN / "blindside-4.log", "--seat", "6"],
            "There is no seat 6; the table has seats 0 to 5.",
        ),
        (
            ["replay", GOLDEN / "blindside-4.log", "--upto", "587"],
            "There is no version 587; the log has versions 1 to 586.",
        ),
    ],
)
def test_a_mistake_is_reported(arguments, message):
    code, output = run(*arguments)

    assert code in {1, 2}
    assert message in output.splitlines()[-1]


@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_a_tournament_log_is_refused_instead_of_a_table_log(tmp_path, command):
    cup = tmp_path / "cup.ndjson"
    cup.write_text('{"format":"hoodwink-tournament-log/1","tournament":"cup","version":1,"head":""}\n')

    code, output = run(command, cup)

    assert code == 1
    assert "is the log of a tournament, not of a table" in output


def test_an_invalid_number_of_seats_is_a_usage_error():
    code, output = run("simulate", "blindside", "--seats", 11)

    assert code == 2
    assert "simulating" not in output


def test_a_missing_game_is_reported_with_one_list_of_games():
    code, output = run("demo")

    assert code == 2
    assert "Missing argument 'GAME'" in output
    assert output.count("double_blind") == 1


def test_the_help_lists_the_games():
    for command in ("demo", "simulate"):
        assert (
            "GAME is one of blind_don, blindside, coconut, double_blind, shithead."
            in run(command, "--help")[1]
        )


def test_sh_59_opening_a_possibly_endless_table_warns():
    shithead = GAMES["shithead"]
    (caution,) = cautions(shithead, {"joker_fate": "picked_up", "rounds": 2})
    assert "34 of 40" in caution
    assert not cautions(shithead, {"joker_fate": "removed", "rounds": 2})
    described = Options.__annotations__["joker_fate"].__metadata__[0].description
    assert "**Careful:**" in described


def test_a_full_disk_is_reported_in_one_line(monkeypatch):
    def refuse(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("hoodwink.service.cli.verify.say", refuse)

    code, output = run("verify", GOLDEN / "blindside-4.log")

    assert (code, output) == (1, "Error: The disk is full, so the output is incomplete.\n")


def test_a_description_that_is_not_text_is_out_of_date(tmp_path):
    file = tmp_path / "openapi.yaml"
    file.write_bytes(b"\xff")

    code, output = run("openapi", "--check", file)

    assert code == 1
    assert "is out of date" in output
