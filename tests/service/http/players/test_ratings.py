"""Leaderboards, ratings and their histories over HTTP, after the projections caught up."""

from typing import Any

import pytest

from hoodwink.domain.ratings import DAY_MS, MILLION, NEWCOMER, RatedSeat, Rating, TableRated, aged, rated
from hoodwink.domain.tables.commands import VoidTable
from hoodwink.service.application.projecting.rating import RATER
from hoodwink.service.application.reading import leaderboards
from hoodwink.service.application.reading.leaderboards import IDLE_DAYS
from tests.service.application.world import StandingClock
from tests.service.http.api import Api, Person, catch_up, first_legal, new_api, problem
from tests.service.http.cup import Cup

ALL = "?provisional=show"
"""Lists everybody, since all ratings are provisional after a few tables."""


def rate(api: Api) -> None:
    """Rates every ended table and updates the leaderboards."""
    feed = api.service.feed
    found = feed.read(group=RATER, consumer="one", partitions=feed.partitions, count=1_000, block_ms=0)
    api.service.rater.rate(found)
    catch_up(api)


def act_once(api: Api, path: str, *people: Person) -> None:
    """Lets each person act once in the current round."""
    waiting = list(people)
    while waiting:
        api.run_due(path)
        person, legal = next((who, legal) for who in people if (legal := list(first_legal(who, path))))
        assert person.post(f"{path}/actions", legal[0]).status_code == 200
        if person in waiting:
            waiting.remove(person)


def finish_table(api: Api, *people: Person, bots: int = 0, absent: tuple[Person, ...] = ()) -> str:
    """Returns the id of a table where everybody acts once and all but the first resign, from the last up.

    Absent people resign without acting.
    """
    path = api.playing(*people, bots=bots)
    for person in absent:
        person.resign(path)
    people = tuple([person for person in people if person not in absent])
    if api.spectator.get(path).json["view"]["phase"] == "playing":
        act_once(api, path, *people)
    for person in reversed(people[0 if bots else 1 :]):
        person.resign(path)
    for _ in range(20):
        api.run_due(path)
    rate(api)
    return path.rpartition("/")[2]


def append_tables(
    api: Api, *tables: tuple[str, ...], clock: StandingClock | None = None, first: int = 0
) -> None:
    """Appends tables to the rating stream of Coconut as if played, with players in order of their places.

    With a clock, tables are six hours apart. They are numbered from `first`.
    """
    for number, players in enumerate(tables, first):
        if clock is not None:
            clock.now += DAY_MS // 4
        event = TableRated("coconut", f"table{number}", 9, tuple(map(RatedSeat, players, range(1, 99))))
        api.service.rater._append(event)
    catch_up(api)


def board(api: Api, query: str = "", game: str = "coconut") -> Any:
    return api.spectator.get(f"/v1/leaderboards/{game}{query}").json["leaders"]


def test_t_3_starting_ranks_follow_the_ratings_of_entrants_off_the_waiting_list(api, ada, bob):
    finish_table(api, ada, bob)
    olga, dora = api.person("Olga"), api.person("Dora")
    cup = Cup(api, olga, game="blindside", seats=2, rank_by="rating", cap=2)
    cup.enter(dora, ada, bob)
    cup.command("/start")
    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["Ada", "Dora"]


def test_r_5_a_leaderboard_ranks_people_and_shows_uncertainty(api, ada, bob):
    table = finish_table(api, ada, bob)
    first, second = board(api, ALL, game="blindside")
    winner, loser = rated([NEWCOMER, NEWCOMER], [1, 2])
    assert [(row["rank"], row["player"], row["name"]) for row in (first, second)] == [
        (1, ada.id, "Ada"),
        (2, bob.id, "Bob"),
    ]
    rating = first["standing"]["rating"]
    assert (rating["mu"], rating["sigma"]) == (winner.mu / 1e6, winner.sigma / 1e6)
    assert rating["low"] == pytest.approx(rating["mu"] - 2 * rating["sigma"])
    assert rating["high"] == pytest.approx(rating["mu"] + 2 * rating["sigma"])
    assert rating["ordinal"] == pytest.approx(rating["mu"] - 3 * rating["sigma"])
    standing = second["standing"]
    assert (standing["provisional"], standing["idle"], standing["tables"]) == (True, False, 1)
    assert standing["trend"] == (loser.mu - NEWCOMER.mu) / 1e6
    assert api.spectator.get(f"/v1/players/{ada.id}/ratings/blindside").json["tables"][0]["table"] == table


def test_r_5_a_history_names_table_before_and_after(api, ada, bob):
    tables = [finish_table(api, ada, bob), finish_table(api, bob, ada)]
    page = api.spectator.get(f"/v1/players/{ada.id}/ratings/blindside").json
    assert ([row["table"] for row in page["tables"]], page["cursor"]) == (tables[::-1], None)
    second, first = page["tables"]
    assert (first["place"], second["place"]) == (1, 2)
    assert first["before"]["mu"] == NEWCOMER.mu / 1e6
    assert first["after"] == second["before"]
    assert first["opponents"] == [{"player": bob.id, "place": 2}]
    (standing,) = api.spectator.get(f"/v1/players/{ada.id}/ratings").json["ratings"]
    assert (standing["game"], standing["rating"]) == ("blindside", second["after"])


def test_r_1_bots_have_their_own_ladder(api, ada):
    table = finish_table(api, ada, bots=1)
    assert board(api, ALL, game="blindside") == []
    (bot,) = board(api, f"{ALL}&of=bots", game="blindside")
    assert (bot["player"], bot["name"]) == ("random@2", "Random bot")
    (row,) = api.spectator.get("/v1/players/random@2/ratings/blindside").json["tables"]
    assert row["table"] == table
    assert api.spectator.get(f"/v1/players/{ada.id}/ratings").json["ratings"] == []
    assert api.spectator.get(f"/v1/players/{ada.id}/ratings/blindside").json["tables"] == []


def test_r_1_a_table_can_be_opened_as_unrated(api, ada, bob):
    path = api.playing(ada, bob, rated=False)
    assert api.spectator.get(path).json["view"]["rated"] is False
    bob.resign(path)
    rate(api)
    assert board(api, ALL, game="blindside") == []


def test_r_5_provisional_players_are_listed_on_request():
    clock = StandingClock()
    api = new_api(clock=clock)
    ada, bob, cy = [api.person(name).id for name in ("Ada", "Bob", "Cy")]
    append_tables(api, *[(ada, bob), (bob, ada)] * 25, (ada, cy), clock=clock)
    for query in ("", "?provisional=hide"):
        assert {row["name"] for row in board(api, query)} == {"Ada", "Bob"}
    provisional = {row["name"]: row["standing"]["provisional"] for row in board(api, ALL)}
    assert provisional == {"Ada": False, "Bob": False, "Cy": True}


def test_r_5_idle_players_are_hidden_but_kept():
    clock = StandingClock()
    api = new_api(clock=clock)
    ada, bob = api.person("Ada"), api.person("Bob")
    append_tables(api, (ada.id, bob.id))
    clock.now += (IDLE_DAYS + 1) * DAY_MS
    assert board(api, ALL) == []
    shown = board(api, f"{ALL}&idle=show")
    assert [(row["name"], row["standing"]["idle"]) for row in shown] == [("Ada", True), ("Bob", True)]
    (standing,) = api.spectator.get(f"/v1/players/{ada.id}/ratings").json["ratings"]
    assert standing["idle"]


def test_a_paged_leaderboard_has_continuous_ranks(api):
    people = [api.person(name).id for name in ("Ada", "Bo", "Cy", "Dee", "Eve")]
    append_tables(api, tuple(people), tuple(people))
    seen, query = [], f"{ALL}&limit=2"
    while query:
        page = api.spectator.get(f"/v1/leaderboards/coconut{query}").json
        seen += [(row["rank"], row["player"]) for row in page["leaders"]]
        query = page["cursor"] and f"{ALL}&limit=2&cursor={page['cursor']}"
    assert seen == list(enumerate(people, start=1))


def test_a_page_of_hidden_players_links_to_the_next(api, monkeypatch):
    monkeypatch.setattr(leaderboards, "_MAX_SCANNED", 2)
    monkeypatch.setattr(leaderboards, "_SCAN_PAGE", 1)
    people = [api.person(name).id for name in ("Ada", "Bo", "Cy")]
    append_tables(api, tuple(people))
    page = api.spectator.get("/v1/leaderboards/coconut?provisional=hide").json
    assert page["leaders"] == []
    rest = api.spectator.get(f"/v1/leaderboards/coconut?provisional=hide&cursor={page['cursor']}").json
    assert rest == {"leaders": [], "cursor": None}


def test_a_rating_history_is_paged(api, ada, bob):
    append_tables(api, *[(ada.id, bob.id)] * 5)
    seen, query = [], "?limit=2"
    while query:
        page = api.spectator.get(f"/v1/players/{ada.id}/ratings/coconut{query}").json
        seen += [row["table"] for row in page["tables"]]
        query = page["cursor"] and f"?limit=2&cursor={page['cursor']}"
    assert seen == [f"table{number}" for number in (4, 3, 2, 1, 0)]


def test_r_6_accounts_that_only_resign_lift_nobody(api, ada, bob):
    finish_table(api, ada, bob)
    farmer = api.person("Farmer")
    for number in range(12):
        throwaway = api.person(f"Throwaway {number}")
        finish_table(api, farmer, throwaway, absent=(throwaway,))
    leaders = board(api, ALL, game="blindside")
    assert leaders[0]["name"] == "Ada"
    ratings = {row["name"]: row["standing"]["rating"] for row in leaders}
    assert (ratings["Farmer"]["mu"], ratings["Farmer"]["ordinal"]) == (25.0, NEWCOMER.ordinal / MILLION)
    lowered = [rating for name, rating in ratings.items() if name.startswith("Throwaway")]
    assert len(lowered) == 12
    assert all(rating["mu"] < 25 and rating["ordinal"] < 0 for rating in lowered)


def test_r_6_a_table_with_one_active_person_does_not_count(api, ada, bob):
    path = api.playing(ada, bob)
    api.run_due(path)
    first, second = (ada, bob) if list(first_legal(ada, path)) else (bob, ada)
    first.post(f"{path}/actions", next(first_legal(first, path)))
    second.resign(path)
    rate(api)
    assert [row["player"] for row in board(api, ALL, game="blindside")] == [second.id]
    assert api.spectator.get(f"/v1/players/{first.id}/ratings/blindside").json["tables"] == []


def test_r_6_a_pair_counts_at_most_ten_times_a_day():
    clock = StandingClock()
    clock.now -= clock.now % DAY_MS
    api = new_api(clock=clock)
    ada, bob = api.person("Ada").id, api.person("Bob").id
    append_tables(api, *[(ada, bob)] * 12)
    assert [row["standing"]["tables"] for row in board(api, ALL)] == [10, 10]
    assert len(api.spectator.get(f"/v1/players/{ada}/ratings/coconut").json["tables"]) == 10
    clock.now += DAY_MS
    append_tables(api, *[(ada, bob)] * 5, first=12)
    assert [row["standing"]["tables"] for row in board(api, ALL)] == [15, 15]


def test_r_5_shown_sigma_has_grown_since_the_latest_table():
    clock = StandingClock()
    api = new_api(clock=clock)
    ada, bob = api.person("Ada").id, api.person("Bob").id
    append_tables(api, *[(ada, bob), (bob, ada)] * 25, clock=clock)
    ((known, *_),) = [api.spectator.get(f"/v1/players/{ada}/ratings").json["ratings"]]
    clock.now += 60 * DAY_MS
    (shown,) = api.spectator.get(f"/v1/players/{ada}/ratings").json["ratings"]
    before = Rating(round(known["rating"]["mu"] * MILLION), round(known["rating"]["sigma"] * MILLION))
    assert shown["rating"]["sigma"] == aged(before, 60 * DAY_MS).sigma / MILLION > known["rating"]["sigma"]
    assert shown["rating"]["mu"] == known["rating"]["mu"]
    assert shown["rating"]["ordinal"] == known["rating"]["ordinal"], "ranks depend on the tables alone"
    assert (known["provisional"], shown["provisional"]) == (False, True)
    assert board(api) == []


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/leaderboards/whist", 404, "game_not_found"),
        ("/v1/leaderboards/coconut?of=ghosts", 400, "invalid_query"),
        ("/v1/leaderboards/coconut?cursor=1.x", 400, "invalid_query"),
        ("/v1/leaderboards/coconut?limit=0", 400, "invalid_query"),
        ("/v1/players/nobody/ratings", 404, "player_not_found"),
        ("/v1/players/nobody/ratings/coconut", 404, "player_not_found"),
        ("/v1/players/steady@9/ratings", 404, "player_not_found"),
        ("/v1/players/steady@x/ratings", 404, "player_not_found"),
        ("/v1/players/steady@1/ratings/whist", 404, "game_not_found"),
    ],
)
def test_unknown_games_and_players_and_invalid_queries_are_refused(api, path, status, code):
    problem(api.spectator.get(path), status, code)


@pytest.mark.parametrize("player", ["bot:steady", "steady", "steady@9", "@1", "nobody00"])
@pytest.mark.parametrize("rest", ["", "/blindside"])
def test_an_unknown_name_is_refused_with_the_format_of_bot_names(api, player, rest):
    answer = problem(api.spectator.get(f"/v1/players/{player}/ratings{rest}"), 404, "player_not_found")
    assert answer["detail"] == (
        "There is no such player. A bot is named by its policy and version, such as steady@1."
    )


def test_v_2_a_void_removes_a_table_from_ratings_and_histories(api, ada, bob):
    first, second = finish_table(api, ada, bob), finish_table(api, bob, ada)
    api.service.tables.execute(first, lambda _: (VoidTable("olga", "They swapped seats."), "admin"))
    rate(api)
    page = api.spectator.get(f"/v1/players/{ada.id}/ratings/blindside").json
    assert [row["table"] for row in page["tables"]] == [second]
    assert page["tables"][0]["before"]["mu"] == NEWCOMER.mu / 1e6
    assert [row["standing"]["tables"] for row in board(api, ALL, game="blindside")] == [1, 1]
