"""Lobby, ledgers, histories and statistics over HTTP, after the projections caught up."""

import pytest

from hoodwink.service.application.ports import StreamId
from tests.service.application.world import EventfulClock, StandingClock
from tests.service.http.api import catch_up, new_api, problem


@pytest.fixture
def finished(api, ada, bob):
    """A table played to its end by Ada and Bob."""
    path = api.playing(ada, bob, options={"rounds": 2})
    api.play_out(path, ada, bob)
    catch_up(api)
    return path


def test_the_lobby_lists_tables_that_can_be_joined(api, ada):
    path = api.table(ada, bots=1, game="shithead")
    catch_up(api)

    (row,) = api.spectator.get("/v1/tables").json["tables"]

    assert path.endswith(row["id"])
    assert (row["game"], row["phase"], row["host"]) == ("shithead", "open", ada.id)
    assert [seat["name"] for seat in row["seats"]] == ["Ada", "Random bot"]
    assert (row["host_name"], row["options"], row["free_seats"]) == ("Ada", {}, [])


def test_a_host_missing_from_the_store_is_shown_by_id(api, ada):
    path = api.table(ada, bots=1)
    catch_up(api)
    api.service.client.delete(api.service.store._keys.stream(StreamId("player", ada.id)))
    (row,) = api.spectator.get("/v1/tables").json["tables"]

    assert (row["host"], row["host_name"]) == (ada.id, f"Player {ada.id[:4]}")
    assert api.spectator.get(path).json["view"]["host"] == ada.id


def test_the_lobby_lists_by_phase_and_game(api, ada, finished):
    assert len(api.spectator.get("/v1/tables?phase=ended&game=blindside").json["tables"]) == 1
    assert api.spectator.get("/v1/tables?phase=ended&game=coconut").json["tables"] == []
    assert api.spectator.get("/v1/tables?phase=open").json["tables"] == []


def test_lists_are_paged(api, ada):
    paths = {api.table(ada, bots=1).rpartition("/")[2] for _ in range(5)}
    catch_up(api)
    seen, query = [], "limit=2"
    while query:
        page = api.spectator.get(f"/v1/tables?{query}").json
        seen += [row["id"] for row in page["tables"]]
        query = page["cursor"] and f"limit=2&cursor={page['cursor']}"

    assert sorted(seen) == sorted(paths)


def test_a_tables_ledger_balances(api, finished):
    entries = api.spectator.get(f"{finished}/ledger").json["entries"]

    assert 1 <= len(entries) <= 2
    assert all(sum(posting["amount"] for posting in entry["postings"]) == 0 for entry in entries)


def test_a_players_account_sums_to_its_balance(api, ada, bob, finished):
    accounts = [api.spectator.get(f"/v1/players/{person.id}/ledger").json for person in (ada, bob)]
    scores = api.spectator.get(finished).json["view"]["result"]["scores"]

    balances = [
        {balance["game"]: balance["amount"] for balance in account["balances"]} for account in accounts
    ]
    assert [balance["blindside"] for balance in balances] == scores
    assert all(balance["coconut"] == 0 for balance in balances)
    for person, account in zip((ada, bob), accounts, strict=True):
        postings = [posting for entry in account["entries"] for posting in entry["postings"]]
        mine = [posting["amount"] for posting in postings if posting["account"] == f"player:{person.id}"]
        assert sum(mine) == account["balances"][0]["amount"]


def test_a_players_history_shows_places(api, ada, finished):
    (row,) = api.spectator.get(f"/v1/players/{ada.id}/history").json["tables"]

    assert finished.endswith(row["table"])
    assert row["outcome"] == "played_out"
    assert row["place"] == api.spectator.get(finished).json["view"]["result"]["places"][0]


def test_statistics_count_tables_and_rounds(api, finished):
    counted = api.spectator.get("/v1/games/blindside/statistics").json

    assert (counted["tables_opened"], counted["tables_ended"], counted["rounds_scored"]) == (1, 1, 2)
    assert counted["actions"] == 2 * (2 + 2 * 9)
    assert set(api.spectator.get("/v1/games/coconut/statistics").json.values()) == {0}


def test_a_reader_can_wait_for_the_books():
    api = new_api(clock=EventfulClock(lambda: catch_up(api)))
    ada, bob = api.person("Ada"), api.person("Bob")
    path = api.playing(ada, bob, options={"rounds": 1})
    api.play_out(path, ada, bob)
    now = api.spectator.get(path).json["version"]
    assert api.spectator.get(f"{path}/ledger").json["entries"] == []

    assert len(api.spectator.get(f"{path}/ledger?wait_for={now}").json["entries"]) == 1


def test_the_wait_for_the_books_is_bounded():
    api = new_api(clock=StandingClock())
    ada, bob = api.person("Ada"), api.person("Bob")
    path = api.playing(ada, bob, options={"rounds": 1})
    api.play_out(path, ada, bob)

    problem(api.spectator.get(f"{path}/ledger?wait_for=99"), 503, "projection_behind")


@pytest.mark.parametrize(
    "where",
    [
        "/v1/players/nobody00/ledger",
        "/v1/players/nobody00/history",
        "/v1/tables/nowhere0/ledger",
        "/v1/games/whist/statistics",
    ],
)
def test_books_of_unknown_players_tables_and_games_are_not_found(api, where):
    assert api.spectator.get(where).status_code == 404


@pytest.mark.parametrize(
    "query",
    [
        "cursor=x",
        "cursor=1",
        "cursor=.a",
        "cursor=1.A",
        "limit=0",
        "limit=201",
        "phase=sleeping",
        "game=whist",
    ],
)
def test_invalid_queries_are_refused(api, query):
    problem(api.spectator.get(f"/v1/tables?{query}"), 400, "invalid_query")


def test_tables_against_bots_are_listed_apart_and_for_an_hour():
    clock = StandingClock()
    api = new_api(clock=clock)
    ada, bob = api.person("Ada"), api.person("Bob")
    alone, together = api.playing(ada, bots=1), api.playing(ada, bob)
    catch_up(api)

    def listed(query: str = "") -> set[str]:
        answer = api.spectator.get(f"/v1/tables?phase=playing{query}").json
        return {f"/v1/tables/{table['id']}" for table in answer["tables"]}

    assert listed() == {alone, together}
    assert listed("&game=blindside") == {alone, together}
    assert listed("&company=people") == {together}
    clock.now += 3_600_000
    assert listed() == {together}
