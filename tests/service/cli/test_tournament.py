"""`hoodwink tournament` and `hoodwink verify --tables`: simulated, written, proved and read."""

import json
import shlex

import pytest
from click.testing import CliRunner

from service.cli import hoodwink

SHORT = ("--option", "rounds=1", "--entrants", "9")


@pytest.fixture
def run():
    def run_it(*words, code=0):
        result = CliRunner().invoke(hoodwink, list(words), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result.output

    return run_it


@pytest.mark.parametrize("seats", ["2", "4"])
@pytest.mark.parametrize("format_", ["swiss", "round_robin", "knockout", "league"])
def test_t_14_what_is_simulated_can_be_proved(run, tmp_path, format_, seats):
    follows = format_ == "knockout" or (format_, seats) == ("round_robin", "2")
    rounds = () if follows else ("--rounds", "2")
    words = ("tournament", "simulate", "--format", format_, "--seats", seats, *rounds, *SHORT, "--absences")
    output = run(*words, "--logs", str(tmp_path / "logs"))
    assert "Cross-table" in output
    assert "Standings" in output
    assert "Meetings again" in output
    log = tmp_path / "logs" / "tournament.ndjson"
    proof = run("verify", str(log), "--tables", str(tmp_path / "logs"))
    assert proof.startswith("valid: tournament simulated")
    tables = [path for path in (tmp_path / "logs").iterdir() if path != log]
    tables[0].unlink()
    assert "missing_table" in run("verify", str(log), "--tables", str(tmp_path / "logs"), code=1)


def test_the_command_that_is_named_plays_the_same_tournament_again(run, tmp_path):
    first = run("tournament", "simulate", "--rounds", "2", "--seed", "7", "--absences", *SHORT)
    named = next(line for line in first.splitlines() if line.startswith("Play it again: "))
    again = run(*shlex.split(named.removeprefix("Play it again: hoodwink ")))
    assert again.splitlines()[-10:] == first.splitlines()[-10:]


def test_p_2_a_report_file_is_written_and_shown(run, tmp_path):
    trf, file = tmp_path / "cup.trf", tmp_path / "cup.json"
    run("tournament", "simulate", "--rounds", "3", *SHORT, "--trf", str(trf), "--json", str(file))
    assert trf.read_text().startswith("012 Simulated tournament\n")
    assert json.loads(file.read_text())["format"] == "hoodwink-tournament-1"
    by_report, by_json = run("tournament", "show", str(trf)), run("tournament", "show", str(file))
    assert "Standings" in by_report
    assert [line for line in by_json.splitlines() if "Steady" in line]


def test_what_cannot_be_written_or_read_is_named(run, tmp_path):
    words = ("tournament", "simulate", "--seats", "3", "--rounds", "1", *SHORT)
    assert "at tables of two" in run(*words, "--trf", str(tmp_path / "cup.trf"), code=2)
    wrong = tmp_path / "wrong.trf"
    wrong.write_text("hello\n")
    assert "This is no tournament file" in run("tournament", "show", str(wrong), code=1)
    assert "Name what to write" in run("tournament", "export", "cup", code=2)


def test_a_wrong_form_is_refused_with_a_sentence(run):
    assert "no policy is called clever" in run("tournament", "simulate", "--bots", "clever", code=2)
    assert "follows from the entrants" in run(
        "tournament", "simulate", "--format", "knockout", "--rounds", "3", code=2
    )
