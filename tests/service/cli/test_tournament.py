"""`hoodwink tournament` and `hoodwink verify --tables`: tournaments are simulated, written, verified and shown."""

import json
import shlex

import pytest
from click.testing import CliRunner

from hoodwink.service.cli import hoodwink
from hoodwink.service.simulation.tournaments import TournamentSimulation

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
def test_t_14_a_simulated_tournament_verifies(run, tmp_path, format_, seats):
    has_fixed_rounds = format_ == "knockout" or (format_, seats) == ("round_robin", "2")
    rounds = () if has_fixed_rounds else ("--rounds", "2")
    words = ("tournament", "simulate", "--format", format_, "--seats", seats, *rounds, *SHORT, "--absences")
    output = run(*words, "--logs", str(tmp_path / "logs"))
    assert "Cross-table" in output
    assert "Standings" in output
    assert "Repeated meetings" in output
    log = tmp_path / "logs" / "tournament.ndjson"
    verdict = run("verify", str(log), "--tables", str(tmp_path / "logs"))
    assert verdict.startswith("valid: tournament simulated")
    tables = [path for path in (tmp_path / "logs").iterdir() if path != log]
    tables[0].unlink()
    assert "missing_table" in run("verify", str(log), "--tables", str(tmp_path / "logs"), code=1)


def test_a_tournament_log_on_standard_input_verifies(run, tmp_path):
    run("tournament", "simulate", "--rounds", "1", *SHORT, "--logs", str(tmp_path))
    (tmp_path / "folder.log").mkdir()
    log = (tmp_path / "tournament.ndjson").read_bytes()

    verified = CliRunner().invoke(hoodwink, ["verify", "-", "--tables", str(tmp_path)], input=log)

    assert verified.output.startswith("valid: tournament simulated")


def test_the_printed_command_plays_the_same_tournament_again(run, tmp_path):
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


def test_impossible_exports_are_refused(run, tmp_path):
    words = ("tournament", "simulate", "--seats", "3", "--rounds", "1", *SHORT)
    assert "at tables of two" in run(*words, "--trf", str(tmp_path / "cup.trf"), code=2)
    wrong = tmp_path / "wrong.trf"
    wrong.write_text("hello\n")
    assert "Choose what to write" in run("tournament", "export", "cup", code=2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x89PNG\xff", "is not a tournament file: It is not text in UTF-8."),
        (b"hello\n", "is not a tournament file: There are no players: "),
        (b"{", "is not a tournament file: It is not JSON."),
        (b'{"a": 1}', 'is not a tournament file: It must have "format": "hoodwink-tournament-1".'),
        (
            b'{"format":"hoodwink-log/3","table":"t"}\n',
            "is the log of a table; show it with: hoodwink replay ",
        ),
        (b'{"format":"hoodwink-tournament-log/1"}\n', "hoodwink verify {file} --tables DIRECTORY"),
    ],
)
def test_a_file_of_another_kind_is_reported(run, tmp_path, content, message):
    file = tmp_path / "file"
    file.write_bytes(content)

    output = run("tournament", "show", str(file), code=1)

    assert message.format(file=file) in output
    assert output.count("tournament file") <= 1
    assert "Object missing" not in output


@pytest.mark.parametrize("option", ["--json", "--trf", "--logs"])
def test_an_unwritable_file_is_refused_before_play(run, tmp_path, monkeypatch, option):
    monkeypatch.setattr(TournamentSimulation, "play", lambda *_: pytest.fail("the tournament was played"))
    (tmp_path / "file").touch()

    output = run("tournament", "simulate", *SHORT, option, str(tmp_path / "file" / "below"), code=1)

    assert "Could not open file" in output


def test_p_2_a_report_file_is_shown_with_its_own_ranks_and_without_reasons(run, tmp_path):
    file, expelled = tmp_path / "cup.trf", 6
    form = ("--entrants", "7", "--rounds", "9", "--absences", "--seed", "3", "--option", "rounds=1")
    run("tournament", "simulate", *form, "--trf", str(file))
    lines = file.read_text().splitlines()
    start = f"001 {expelled:4} "
    file.write_text(
        "".join(f"{line[:85]}    {line[89:]}\n" if line.startswith(start) else f"{line}\n" for line in lines)
    )

    output = run("tournament", "show", str(file))

    shown = [row[:2] for row in standings_shown(output)]
    assert shown == [["1", "5"], ["2", "7"], ["3", "1"], ["4", "3"], ["5", "2"], ["7", "4"], ["-", "6"]]
    assert "absent" not in output
    assert "requested" not in output
    assert "not played; the file does not say why" in " ".join(output.split())


def test_a_report_file_without_ranks_is_ranked_by_its_results(run, tmp_path):
    file = tmp_path / "cup.trf"
    run("tournament", "simulate", "--rounds", "2", *SHORT, "--trf", str(file))
    by_file = standings_shown(run("tournament", "show", str(file)))
    lines = file.read_text().splitlines()
    file.write_text(
        "".join(f"{line[:85]}    {line[89:]}\n" if line.startswith("001") else f"{line}\n" for line in lines)
    )

    assert standings_shown(run("tournament", "show", str(file))) == by_file


def test_an_impossible_tournament_is_refused_with_a_sentence(run):
    assert "there is no policy clever" in run("tournament", "simulate", "--bots", "clever", code=2)
    assert "follows from the entrants" in run(
        "tournament", "simulate", "--format", "knockout", "--rounds", "3", code=2
    )


def standings_shown(output):
    """Returns the cells of each row of the standings at the end of the output."""
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


def test_p_6_a_knockout_file_without_standings_is_shown_without_ranks(run, tmp_path):
    shown = without_standings(run, tmp_path, "--format", "knockout")

    assert [row[:2] for row in standings_shown(shown)] == [["-", str(number)] for number in range(1, 7)]
    assert "without ranks" in shown


@pytest.mark.parametrize("changed", [{"tiebreaks": ["wins", "lot"]}, {"strict_places": True}])
def test_k_1_entrants_separated_only_by_lot_share_a_rank(run, tmp_path, changed):
    shown = without_standings(run, tmp_path, "--rounds", "1", "--tiebreaks", "wins", **changed)

    assert [row[0] for row in standings_shown(shown)] == ["1", "1", "3", "3", "5", "5"]
    assert "neither lots nor standings" in shown


def test_a_file_without_standings_is_ranked_by_its_results(run, tmp_path):
    shown = without_standings(run, tmp_path, "--rounds", "1", "--tiebreaks", "wins")

    assert [row[0] for row in standings_shown(shown)] == ["1", "1", "3", "3", "5", "5"]
    assert shown.rstrip().endswith("┘")
