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


def standings_shown(output):
    """Returns the numbers and names of the lines of the standings, which come last."""
    lines = output[output.rindex("Standings") :].splitlines()
    rows = [line.split("│") for line in lines if line.startswith("│")]
    return [[cell.strip() for cell in row[1:-1]] for row in rows]


@pytest.mark.parametrize(
    "form",
    [
        ("--format", "knockout", "--entrants", "6"),
        ("--format", "knockout", "--seats", "4", "--entrants", "11"),
        ("--rounds", "2", "--entrants", "6", "--tiebreaks", "wins,lot"),
    ],
    ids=["bracket", "larger tables", "lots"],
)
def test_p_6_a_json_file_is_shown_with_its_own_standings(run, tmp_path, form):
    file = str(tmp_path / "cup.json")
    simulated = run("tournament", "simulate", *form, "--seed", "3", "--option", "rounds=1", "--json", file)

    assert standings_shown(run("tournament", "show", file)) == standings_shown(simulated)


def without_standings(run, tmp_path, *form, **changed):
    file = tmp_path / "cup.json"
    run("tournament", "simulate", *form, "--option", "rounds=1", "--entrants", "6", "--json", str(file))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"standings": []} | changed))
    return run("tournament", "show", str(file))


def test_p_6_a_knockouts_file_without_standings_has_no_ranks(run, tmp_path):
    shown = without_standings(run, tmp_path, "--format", "knockout")

    assert [row[:2] for row in standings_shown(shown)] == [["-", str(number)] for number in range(1, 7)]
    assert "without ranks" in shown


@pytest.mark.parametrize("changed", [{"tiebreaks": ["wins", "lot"]}, {"strict_places": True}])
def test_k_1_lots_that_a_file_does_not_hold_are_left_out(run, tmp_path, changed):
    shown = without_standings(run, tmp_path, "--rounds", "1", "--tiebreaks", "wins", **changed)

    assert [row[0] for row in standings_shown(shown)] == ["1", "1", "3", "3", "5", "5"]
    assert "no lots" in shown


def test_a_file_without_standings_is_ranked_by_its_results(run, tmp_path):
    shown = without_standings(run, tmp_path, "--rounds", "1", "--tiebreaks", "wins")

    assert [row[0] for row in standings_shown(shown)] == ["1", "1", "3", "3", "5", "5"]
    assert shown.rstrip().endswith("┘")
