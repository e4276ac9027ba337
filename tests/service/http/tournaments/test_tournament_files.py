"""Results and report of a tournament, which everybody can download after its start."""

from contextlib import nullcontext
from importlib import import_module

import pytest
from click.testing import CliRunner

from hoodwink.domain.tournaments.files.tournament_json import read_tournament
from hoodwink.domain.tournaments.files.trf import read_trf
from hoodwink.service.cli import hoodwink
from hoodwink.service.http.resources.tournaments import files as tournament_files
from tests.service.http.api import problem
from tests.service.http.cup import Cup, standing_api


@pytest.fixture
def api():
    return standing_api()


@pytest.fixture
def duels(api, olga, ada, bob, cy):
    return Cup(api, olga, seats=2).start(ada, bob, cy)


def test_k_5_the_results_match_the_standings(running):
    for _ in range(2):
        running.play_round()

    answer = running.get("/results")

    assert answer.mimetype == "application/json"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{running.id}.json"'
    read = read_tournament(answer.data)
    assert len(read.crosstable.rounds) == 2
    shown = [(row["entrant"], row["rank"], row["score"]) for row in running.get("/standings").json["rows"]]
    assert [(row.entrant, row.rank, str(row.score)) for row in read.standings[-1]] == shown


def test_slow_results_are_left_to_the_command_line(running, monkeypatch):
    for _ in range(2):
        running.play_round()
    monkeypatch.setattr(tournament_files, "MAX_LINES", 3 * 2 * 2)
    assert running.get("/results").status_code == 200
    monkeypatch.setattr(tournament_files, "MAX_LINES", 3 * 2 * 2 - 1)

    refused = problem(running.get("/results"), 422, "results_too_large")

    assert "ask the operator" in refused["detail"]


def test_p_2_the_report_of_a_two_seat_swiss_has_fides_format(duels):
    duels.clock.now = 1_772_668_800_000
    duels.play_round()
    duels.clock.now += 86_400_000
    duels.play_round()

    answer = duels.get("/report")

    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{duels.id}.trf"'
    read = read_trf(answer.data.decode())
    assert (read.name, read.start, read.end) == ("The Cup", "2026/03/01", "2026/03/06")
    assert len(read.crosstable.rounds) == 2
    shown = {row["entrant"]: row["rank"] for row in duels.get("/standings").json["rows"]}
    assert read.ranks == shown


@pytest.mark.parametrize("played", [0, 1])
def test_p_2_a_tournament_unfit_for_the_report_is_refused_with_a_sentence(running, played):
    for _ in range(played):
        running.play_round()

    refused = problem(running.get("/report"), 422, "no_report_possible")

    assert refused["detail"].startswith("Only a Swiss tournament or league with two seats per table")


@pytest.mark.parametrize("path", ["/results", "/report"])
def test_there_are_no_files_before_the_start(cup, path):
    problem(cup.get(path), 404, "no_results")


@pytest.mark.parametrize("path", ["/results", "/report"])
def test_t_14_files_omit_a_round_that_has_not_started(duels, path):
    before = duels.get(path).data

    duels.pair()

    assert duels.get(path).data == before


@pytest.mark.parametrize("path", ["/results", "/report"])
def test_an_unchanged_file_is_not_sent_again(duels, path):
    first = duels.get(path)
    again = duels.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    duels.pair()
    assert duels.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def export(monkeypatch, cup, *words):
    """Runs `hoodwink tournament export` on the tournament's service."""
    module = import_module("hoodwink.service.cli.tournaments.export")
    monkeypatch.setattr(module, "connected_service", lambda: nullcontext(cup.api.service))
    return CliRunner().invoke(hoodwink, ["tournament", "export", cup.id, *words])


def test_the_exported_file_equals_the_download(duels, monkeypatch, tmp_path):
    duels.play_round()
    trf, json = tmp_path / "cup.trf", tmp_path / "cup.json"

    exported = export(monkeypatch, duels, "--trf", str(trf), "--json", str(json))

    assert exported.exit_code == 0, exported.output
    assert trf.read_bytes() == duels.get("/report").data
    assert json.read_bytes() == duels.get("/results").data
    assert exported.output.splitlines() == [
        f"The results are in {json}; show them with: hoodwink tournament show {json}",
        f"The report is in {trf}; show it with: hoodwink tournament show {trf}",
    ]


def finish(cup, *people):
    cup.start(*people)
    for _ in range(2):
        cup.play_round()
    cup.command("/finish", {"confirm": True})
    cup.run_due()
    return cup


def test_t_14_logs_of_two_tournaments_are_not_mixed(api, olga, ada, bob, monkeypatch, tmp_path):
    first, second = (finish(Cup(api, olga, seats=2), ada, bob) for _ in range(2))
    folder = tmp_path / "cup"
    for _ in range(2):
        assert export(monkeypatch, first, "--out", str(folder)).exit_code == 0
    held = {file: file.read_bytes() for file in folder.iterdir()}

    refused = export(monkeypatch, second, "--out", str(folder))

    assert refused.exit_code == 1
    assert f"{folder} contains logs that are not of this tournament: " in refused.output
    assert "Choose another folder" in refused.output
    assert {file: file.read_bytes() for file in folder.iterdir()} == held
    proof = CliRunner().invoke(
        hoodwink, ["verify", str(folder / "tournament.ndjson"), "--tables", str(folder)]
    )
    assert proof.output.startswith(f"valid: tournament {first.id}")


def test_impossible_exports_are_refused_with_a_reason(cup, ada, bob, monkeypatch, tmp_path):
    file = str(tmp_path / "cup.trf")
    assert "has not started" in export(monkeypatch, cup, "--trf", file).output
    cup.start(ada, bob)
    assert "Only a Swiss tournament" in export(monkeypatch, cup, "--trf", file).output
