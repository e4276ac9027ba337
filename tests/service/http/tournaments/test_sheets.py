"""What the page shows of a tournament, as CSV."""

import csv
from io import StringIO

import pytest

from hoodwink.service.application.reading.csv_rows import csv_of
from hoodwink.service.http.resources.tournaments import readings
from tests.service.http.api import problem
from tests.service.http.cup import Cup, standing_api

CSV = {"Accept": "text/csv"}


@pytest.fixture
def api():
    return standing_api()


def rows(answer):
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "text/csv"
    return list(csv.DictReader(StringIO(answer.text)))


def test_a_name_that_a_spreadsheet_would_run_begins_with_an_apostrophe():
    text = csv_of(
        ("name", "amount"), [("=1+1", -3), ("@home", 2), ("-a", None), ("+4", 0), ("\tx", 1), ("Ann", 5)]
    )

    assert text.splitlines() == ["name,amount", "'=1+1,-3", "'@home,2", "'-a,", "'+4,0", "'\tx,1", "Ann,5"]


@pytest.mark.parametrize(("query", "headers"), [("", CSV), ("?format=csv", {})])
@pytest.mark.parametrize(
    ("path", "name"),
    [("", "entrants-"), ("/rounds/1", "round-1-"), ("/standings", "standings-"), ("/results", "results-")],
)
def test_each_view_is_a_file_by_header_and_by_link(running, path, name, query, headers):
    running.play_round()

    answer = running.get(path + query, headers=headers)

    assert rows(answer)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}{running.id}.csv"'
    assert "ETag" not in answer.headers  # it belongs to the JSON


def test_a_format_overrides_the_header(running):
    answer = running.get("/standings?format=json", headers=CSV)

    assert answer.mimetype == "application/json"


def test_k_5_standings_as_csv_have_the_numbers_of_the_json(running):
    for _ in range(2):
        running.play_round()

    for query in ("", "round=1&"):
        shown = running.get(f"/standings?{query}").json["rows"]
        found = rows(running.get(f"/standings?{query}format=csv"))
        for row, line in zip(found, shown, strict=True):
            assert (row["place"], row["entrant"], row["name"]) == (
                str(line["rank"]),
                str(line["entrant"]),
                line["name"],
            )
            assert float(row["score"]) == pytest.approx(float(line["decimals"]), abs=6e-4)


def test_results_and_cross_table_as_csv_agree(running):
    for _ in range(2):
        running.play_round()

    results = rows(running.get("/results?format=csv"))
    table = {row["entrant"]: row for row in rows(running.get("/crosstable", headers=CSV))}

    assert len(results) == 2 * len(table)
    for row in results:
        number, line = row["round"], table[row["entrant"]]
        assert line[f"board_{number}"] == row["board"]
        assert line[f"opponents_{number}"] == row["opponents"]
        assert float(line[f"score_{number}"]) == float(row["score"])
    for line in table.values():
        total = sum(float(line[f"score_{number}"]) for number in (1, 2))
        assert float(line["score"]) == pytest.approx(total, abs=2e-3)


def test_v_5_results_and_standings_as_csv_mark_rulings(running):
    running.play_round()
    assert {row["by_ruling"] for row in rows(running.get("/results?format=csv"))} == {"no"}
    running.command("/rounds/1/boards/1/ruling", {"places": [1, 2, 2], "reason": "A mistake."})

    assert {row["by_ruling"] for row in rows(running.get("/results?format=csv"))} == {"yes"}
    assert {row["by_ruling"] for row in rows(running.get("/standings?format=csv"))} == {"1"}


def test_a_table_in_play_has_no_score_as_csv(running):
    running.play_round()
    running.pair()
    running.start_round()

    results = rows(running.get("/results?format=csv"))

    assert {row["score"] for row in results if row["round"] == "2"} == {""}
    assert "" not in {row["score"] for row in results if row["round"] == "1"}


def test_pairings_as_csv_have_each_entrant_once(running):
    running.pair()
    view = running.view

    found = rows(running.get("/rounds/1?format=csv"))

    seats = [seat for board in view["rounds"][0]["boards"] for seat in board["tables"][0]["seats"]]
    assert [row["entrant"] for row in found] == [str(seat) for seat in seats]
    assert sorted(row["name"] for row in found) == sorted(entrant["name"] for entrant in view["entrants"])
    assert [row["seat"] for row in found] == ["1", "2", "3"]


def test_t_9_pairings_as_csv_name_the_bye(api, olga, ada, bob, cy):
    cup = Cup(api, olga, seats=2).start(ada, bob, cy)
    cup.pair()

    found = rows(cup.get("/rounds/1?format=csv"))

    assert [row["bye"] for row in found] == ["", "", "pairing_bye"]
    assert found[-1]["board"] == ""


def test_entrants_can_be_downloaded_before_the_start_and_standings_cannot(api, olga, ada):
    cup = Cup(api, olga)
    cup.enter(ada, bots=1)

    found = rows(cup.get("?format=csv"))

    assert [(row["entrant"], row["status"], row["bot"]) for row in found] == [
        ("", "entered", ""),
        ("", "entered", "random"),
    ]
    for path in ("/standings?format=csv", "/crosstable"):
        problem(cup.get(path), 404, "no_standings")
    problem(cup.get("/results?format=csv"), 404, "no_results")
    problem(cup.get("/rounds/1?format=csv"), 404, "round_not_found")


def test_long_tables_are_left_to_a_job(running, monkeypatch):
    running.play_round()
    expected = running.get("/crosstable").text
    monkeypatch.setattr(readings, "has_many_lines", lambda _: True)

    answer = running.get("/crosstable")

    assert (answer.status_code, answer.mimetype, answer.text) == (200, "text/csv", expected)
