"""Statements over HTTP: pages, ranges, points in time, units and CSV."""

import csv
from collections import Counter
from io import StringIO

import pytest

from hoodwink.domain.tables.commands import VoidTable
from hoodwink.service.application.reading.csv_statement import COLUMNS
from tests.service.http.api import catch_up, new_api, problem


@pytest.fixture(scope="module")
def api():
    return new_api()


@pytest.fixture(scope="module")
def ada(api):
    return api.person("Ada")


@pytest.fixture(scope="module")
def bob(api):
    return api.person("Bob")


@pytest.fixture(scope="module")
def books(api, ada, bob):
    """The paths of two tables of Ada and Bob with different units; the first is void."""
    paths = []
    for game, options in (("blindside", {"rounds": 3}), ("double_blind", {})):
        path = api.playing(ada, bob, game=game, options=options)
        api.play_out(path, ada, bob)
        paths.append(path)
    table = paths[0].rpartition("/")[2]
    api.service.tables.execute(table, lambda _: (VoidTable("olga", "A shared screen."), "admin"))
    catch_up(api)
    return paths


def statement(api, of, query=""):
    answer = api.spectator.get(f"/v1/{of}/statement{query}")
    assert answer.status_code == 200, answer.text
    return answer.json


def all_lines(api, of, query):
    page = statement(api, of, f"?{query}")
    found = page["lines"]
    while page["cursor"] is not None:
        page = statement(api, of, f"?{query}&cursor={page['cursor']}")
        found += page["lines"]
    return found


def test_a_players_statement_runs_from_zero_to_the_balance(api, ada, books):
    found = statement(api, f"players/{ada.id}")
    held = Counter[str]()
    for line in reversed(found["lines"]):
        held[line["game"]] += line["amount"]
        assert line["balance"] == held[line["game"]]
        assert line["account"] == f"player:{ada.id}"
    assert {
        balance["game"]: balance["amount"] for balance in found["closing"] if balance["game"] in held
    } == dict(held)
    assert {balance["amount"] for balance in found["opening"]} == {0}
    account = api.spectator.get(f"/v1/players/{ada.id}/ledger").json
    assert found["closing"] == account["balances"]
    assert held["blindside"] == 0
    assert any(line["reverses"] for line in found["lines"])


def test_pages_of_a_statement_are_consecutive(api, ada, books):
    whole = statement(api, f"players/{ada.id}")
    assert whole["cursor"] is None
    assert all_lines(api, f"players/{ada.id}", "limit=2") == whole["lines"]


def test_a_range_has_its_opening_and_closing_balances(api, ada, books):
    whole = statement(api, f"players/{ada.id}")["lines"]
    since, until = whole[-2]["at"], whole[0]["at"]
    found = statement(api, f"players/{ada.id}", f"?from={since}&until={until}")
    assert found["lines"] == [line for line in whole if since <= line["at"] < until]
    moved = Counter[str]()
    for line in found["lines"]:
        moved[line["game"]] += line["amount"]
    for opening, closing in zip(found["opening"], found["closing"], strict=True):
        assert opening["amount"] + moved[opening["game"]] == closing["amount"]


def test_a_statement_ends_at_an_event_an_entry_or_a_time(api, ada, books):
    whole = statement(api, f"players/{ada.id}")["lines"]
    for index, line in enumerate(whole):
        entry = statement(api, f"players/{ada.id}", f"?as_of={line['entry']}")
        assert entry["lines"] == whole[index:]
        time = statement(api, f"players/{ada.id}", f"?as_of={line['at']}")
        assert time["lines"] == [other for other in whole if other["at"] <= line["at"]]
        (balance,) = [balance["amount"] for balance in entry["closing"] if balance["game"] == line["game"]]
        assert balance == line["balance"]
    void = next(line["entry"] for line in whole if line["reverses"]).rpartition(":")[0]
    assert statement(api, f"players/{ada.id}", f"?as_of={void}")["lines"] == [
        line for line in whole if line["at"] <= next(other["at"] for other in whole if other["reverses"])
    ]


def test_until_and_as_of_together_end_at_the_earlier_one(api, ada, books):
    line = statement(api, f"players/{ada.id}")["lines"][2]
    for query in (
        f"as_of={line['entry']}&until=999999999999999",
        f"as_of=999999999999999&until={line['at'] + 1}",
    ):
        assert statement(api, f"players/{ada.id}", f"?{query}")["lines"][0]["at"] <= line["at"]


@pytest.mark.parametrize("unit", ["token", "point"])
def test_a_statement_can_be_limited_to_one_unit(api, ada, books, unit):
    whole = statement(api, f"players/{ada.id}")["lines"]
    found = statement(api, f"players/{ada.id}", f"?unit={unit}")
    assert found["lines"] == [line for line in whole if line["unit"] == unit] != []
    assert {balance["unit"] for balance in found["closing"]} == {unit}


def test_a_tables_statement_ends_with_its_scores_or_zero_if_void(api, ada, bob, books):
    void, counting = [path.removeprefix("/v1/") for path in books]
    lines = statement(api, void)["lines"]
    assert {line["balance"] for line in lines if line["entry"].endswith(":3")} == {0}
    scores = api.spectator.get(books[1]).json["view"]["result"]["scores"]
    last = {line["account"]: line["balance"] for line in reversed(statement(api, counting)["lines"])}
    assert [last.get(f"player:{person.id}", 0) for person in (ada, bob)] == scores


# ---------------------------------------------------------------------------------------------- CSV


@pytest.mark.parametrize(
    ("query", "headers"),
    [("?format=csv", {}), ("", {"Accept": "text/csv"}), ("?format=csv", {"Accept": "*/*"})],
)
def test_a_statement_as_csv_has_the_same_lines(api, ada, books, query, headers):
    lines = statement(api, f"players/{ada.id}")["lines"]
    answer = api.spectator.get(f"/v1/players/{ada.id}/statement{query}", headers=headers)
    assert answer.mimetype == "text/csv"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="statement-{ada.id}.csv"'
    assert "Link" not in answer.headers
    rows = list(csv.DictReader(StringIO(answer.text)))
    assert tuple(rows[0]) == COLUMNS
    assert [(row["entry"], row["amount"], row["balance"], row["reverses"]) for row in rows] == [
        (line["entry"], str(line["amount"]), str(line["balance"]), line["reverses"] or "") for line in lines
    ]
    assert all(row["time"].endswith("+00:00") for row in rows)


def test_the_format_parameter_overrides_the_accept_header(api, ada, books):
    where = f"/v1/players/{ada.id}/statement?format=json"
    assert api.spectator.get(where, headers={"Accept": "text/csv"}).mimetype == "application/json"


@pytest.mark.parametrize("number", [0, 1])
def test_a_long_csv_statement_continues_at_its_link(api, books, number):
    where = f"{books[number]}/statement?format=csv&limit=1"
    whole = api.spectator.get(f"{books[number]}/statement?format=csv").text.splitlines()
    found = list[str]()
    while where:
        answer = api.spectator.get(where)
        found += answer.text.splitlines()[1:]
        link = answer.headers.get("Link", "")
        assert not link or link.endswith('>; rel="next"')
        where = link[1:].partition(">")[0]
    assert found == whole[1:]


# ------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("of", "code"),
    [
        ("players/nobody00", "player_not_found"),
        ("tables/nowhere0", "table_not_found"),
        ("tournaments/nowhere0", "tournament_not_found"),
        ("tournaments/NO", "tournament_not_found"),
    ],
)
def test_statements_of_unknown_players_tables_and_tournaments_are_not_found(api, of, code):
    problem(api.spectator.get(f"/v1/{of}/statement"), 404, code)


@pytest.mark.parametrize(
    "query",
    [
        "from=x",
        "from=-1",
        "until=1.5",
        "as_of=x",
        "as_of=t1:",
        "unit=euro",
        "format=xml",
        "limit=5001",
        "cursor=x",
    ],
)
def test_invalid_queries_are_refused(api, ada, query):
    problem(api.spectator.get(f"/v1/players/{ada.id}/statement?{query}"), 400, "invalid_query")


@pytest.mark.parametrize("query", ["from=2026-11-22", "until=-1"])
def test_a_malformed_time_is_answered_with_the_expected_format(api, ada, query):
    answer = api.spectator.get(f"/v1/players/{ada.id}/statement?{query}")
    (fault,) = problem(answer, 400, "invalid_query")["faults"]
    assert fault["name"] == query.partition("=")[0]
    assert fault["detail"] == "Must be a time in milliseconds since 1970 (UTC), such as 1750000000000."


@pytest.mark.parametrize("as_of", ["nowhere0:1", "{table}:0", "{table}:99999", "{table}:99999:1"])
def test_an_unknown_moment_is_refused(api, ada, books, as_of):
    moment = as_of.format(table=books[0].rpartition("/")[2])
    problem(api.spectator.get(f"/v1/players/{ada.id}/statement?as_of={moment}"), 404, "event_not_found")


def test_an_unknown_media_type_is_refused(api, ada):
    where = f"/v1/players/{ada.id}/statement"
    problem(api.spectator.get(where, headers={"Accept": "text/html"}), 406, "not_acceptable")
