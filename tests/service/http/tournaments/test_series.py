"""Series over HTTP: opening, dates, season table, calendar and trophies."""

from datetime import UTC, datetime

import pytest

from hoodwink.domain.players import hash_token
from hoodwink.service.http.resources.tournaments import seasons
from hoodwink.service.settings import Settings
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import SERIES, Cup, standing_api
from tests.service.http.tournaments.test_calendars import at, parsed

ROOT = "hwa_root"


@pytest.fixture
def api():
    return standing_api()


def opened(organiser, **changes):
    answer = organiser.post("/v1/series", SERIES | changes)
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


def starts(answer):
    return [datetime.fromtimestamp(date["starts_at"] / 1000, UTC) for date in answer.json["dates"]]


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ({"time": "20:00", "tournaments": 2}, ["2025-06-19T18:00", "2025-06-26T18:00"]),
        # The clocks in Berlin jump from 2 to 3 on 29 March 2026, and back from 3 to 2 on 25 October 2026.
        (
            {"weekdays": ["sunday"], "time": "02:30", "first_day": "2026-03-22", "tournaments": 3},
            ["2026-03-22T01:30", "2026-03-29T01:30", "2026-04-05T00:30"],
        ),
        (
            {"weekdays": ["sunday"], "time": "02:30", "first_day": "2026-10-25", "tournaments": 1},
            ["2026-10-25T00:30"],
        ),
        (
            {
                "weekdays": ["thursday", "monday"],
                "first_day": "2026-01-06",
                "last_day": "2026-01-22",
                "tournaments": None,
                "every_weeks": 2,
                "zone": "America/New_York",
            },
            ["2026-01-09T01:00", "2026-01-20T01:00", "2026-01-23T01:00"],
        ),
    ],
)
def test_s_2_dates_follow_from_the_local_time(api, olga, schedule, expected):
    path = opened(olga, schedule=SERIES["schedule"] | schedule)

    assert [start.isoformat()[:16] for start in starts(api.spectator.get(path))] == expected


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"schedule": SERIES["schedule"] | {"zone": "Europe/Atlantis"}}, 422, "invalid_series"),
        ({"schedule": SERIES["schedule"] | {"first_day": "2025-02-30"}}, 422, "invalid_series"),
        ({"schedule": SERIES["schedule"] | {"last_day": "2025-07-30"}}, 422, "invalid_series"),
        (
            {"schedule": SERIES["schedule"] | {"tournaments": None, "last_day": "9000-01-01"}},
            422,
            "invalid_series",
        ),
        ({"schedule": SERIES["schedule"] | {"first_day": "2025-06-01"}}, 422, "invalid_series"),
        ({"schedule": SERIES["schedule"] | {"time": "24:00"}}, 400, "invalid_body"),
        ({"schedule": SERIES["schedule"] | {"zone": "../etc/passwd"}}, 400, "invalid_body"),
        ({"visibility": "private"}, 400, "invalid_body"),
        ({"sittings": [{"rounds": 1}]}, 400, "invalid_body"),
        ({"rounds": None}, 400, "invalid_body"),
        ({"name": "p\u0430ypal night"}, 422, "invalid_setup"),
    ],
)
def test_s_2_a_series_that_cannot_be_held_is_refused(api, olga, changes, status, code):
    problem(olga.post("/v1/series", SERIES | changes), status, code)
    catch_up(api)
    assert olga.get("/v1/me/series").json["series"] == []


def test_s_1_s_4_s_9_s_11_a_season_from_its_first_date_to_its_trophies(api, olga, ada, bob):
    cy = api.person("Cy")
    path = opened(olga)
    repeated = olga.post("/v1/series", SERIES, key="k" * 16).headers["Location"]
    assert olga.post("/v1/series", SERIES, key="k" * 16).headers["Location"] == repeated != path

    cup = Cup.of_series(api, olga, path, 1, ada, bob, cy)
    assert cup.view["series"] == {"series": path.rpartition("/")[2], "number": 1}
    assert (cup.view["setup"]["name"], cup.view["organiser"]) == ("Club night 1", olga.id)
    assert cup.view["setup"]["advance"] == "automatic"
    shown = api.spectator.get(path).json
    assert [date["status"] for date in shown["dates"]] == ["over", "planned"]
    assert (shown["dates"][0]["tournament"], shown["organiser_name"]) == (cup.id, "Olga")

    rows = api.spectator.get(f"{path}/table").json["rows"]
    assert [(row["place"], row["points"]) for row in rows] == [(1, "5"), (2, "3"), (3, "1")]
    assert api.spectator.get(f"{path}/table?skip=1&limit=1").json["rows"] == rows[1:2]
    assert api.spectator.get(f"{path}/table?format=csv").text.splitlines()[1].endswith("5,5")

    catch_up(api)
    trophies = {who: api.spectator.get(f"/v1/players/{who}/trophies").json for who in (ada.id, bob.id, cy.id)}
    ranks = {row["player"]: row["place"] for row in rows}
    assert {who: [row["trophy"] for row in found["tournaments"]] for who, found in trophies.items()} == {
        who: [rank] if rank < 3 else [] for who, rank in ranks.items()
    }
    assert not any(found["seasons"] for found in trophies.values())

    problem(ada.post(f"{path}/end", CONFIRMED), 403, "not_organiser")
    assert olga.post(f"{path}/end", CONFIRMED).json["phase"] == "ended"
    catch_up(api)
    winner = next(who for who, rank in ranks.items() if rank == 1)
    (season,) = api.spectator.get(f"/v1/players/{winner}/trophies").json["seasons"]
    assert (season["series"], season["trophy"]) == (path.rpartition("/")[2], 1)
    listed = api.spectator.get("/v1/series?phase=ended").json["series"]
    assert [row["id"] for row in listed] == [path.rpartition("/")[2]]
    words = [event["words"] for event in api.spectator.get(f"{path}/history").json["events"]]
    assert words[0] == "The season is over."
    assert words[-1] == "Club night was opened: a series of 2 tournaments."

    # A deleted player has no trophies.
    api.service.players.erase_other(winner)
    assert api.spectator.get(f"/v1/players/{winner}/trophies").json == {"tournaments": [], "seasons": []}


def test_s_13_an_administrator_ends_a_series_and_says_why():
    api = standing_api(Settings(administrators=f"root={hash_token(ROOT)}"))
    olga, root = api.person("Olga"), Person(api.app, ROOT)
    path = opened(olga)
    body = CONFIRMED | {"reason": "It advertises."}
    problem(olga.post(f"{path}/stop", body), 403, "not_administrator")

    ended = root.post(f"{path}/stop", body, key="k" * 16).json
    assert root.post(f"{path}/stop", body, key="k" * 16).json == ended
    problem(root.post(f"{path}/stop", body), 422, "series_stopped")

    assert (ended["phase"], ended["stopped"]) == ("ended", "administrator")
    assert [date["status"] for date in ended["dates"]] == ["skipped", "skipped"]
    _, told = api.spectator.get(f"{path}/history").json["events"][:2]
    assert (told["by"], told["words"]) == (
        "admin",
        "An administrator ended the series. Tournaments that are open still count.",
    )
    digest = told["reason"].removeprefix("sha256:")
    assert api.spectator.get(f"/v1/reasons/{digest}").json["reason"] == "It advertises."
    acts = [(act.event.act, act.event.subject) for act in api.service.administration.acts()]
    assert acts == [("end_series", ended["id"])]


def test_s_11_t_24_trophies_of_an_unlisted_series_are_only_shown_to_the_player(api, olga, ada, bob):
    path = opened(olga, visibility="unlisted", schedule=SERIES["schedule"] | {"tournaments": 1})
    players = (ada, bob, api.person("Cy"))
    Cup.of_series(api, olga, path, 1, *players)
    catch_up(api)
    winner = api.spectator.get(f"{path}/table").json["rows"][0]["player"]
    (person,) = [player for player in players if player.id == winner]
    url = f"/v1/players/{person.id}/trophies"

    assert api.spectator.get("/v1/series?phase=ended").json["series"] == []
    for stranger in (api.spectator, olga):
        assert stranger.get(url).json == {"tournaments": [], "seasons": []}
    own = person.get(url).json
    assert (len(own["tournaments"]), len(own["seasons"])) == (1, 1)


def test_a_calendar_has_all_dates_under_the_uids_of_the_tournaments(api, olga, ada, bob, monkeypatch):
    path = opened(olga)
    cup = Cup.of_series(api, olga, path, 1, ada, bob)
    olga.post(f"{path}/dates/2/skip", CONFIRMED)
    # Tournaments that are over are not read: there may be 60 large ones in the archive.
    monkeypatch.setattr(api.service.tournaments, "load", None)

    calendar, events = parsed(api.spectator.get(f"{path}/calendar"))

    dates = api.spectator.get(path).json["dates"]
    assert calendar["NAME"] == "Club night"
    assert [event["DTSTART"] for event in events] == [at(date["starts_at"]) for date in dates]
    assert [event["STATUS"] for event in events] == ["CONFIRMED", "CANCELLED"]
    assert events[0]["UID"] == f"{cup.id}-1@hoodwink"


def test_a_season_table_is_computed_once_after_each_change(api, olga, monkeypatch):
    path, computed = opened(olga), []

    def table(series):
        computed.append(series.version)
        return ()

    monkeypatch.setattr(seasons, "season_table", table)

    for asked in ("/table", "/table?skip=1", "/table?format=csv"):
        assert api.spectator.get(f"{path}{asked}").status_code == 200
    olga.post(f"{path}/dates/2/skip", CONFIRMED)
    api.spectator.get(f"{path}/table")

    assert computed == [1, 2]


def test_the_number_of_series_of_an_organiser_is_limited():
    api = standing_api(Settings(series_per_host="2"))
    olga = api.person("Olga")
    for _ in range(2):
        path = opened(olga)
    problem(olga.post("/v1/series", SERIES), 429, "too_many_series")

    olga.post(f"{path}/end", CONFIRMED)
    opened(olga)
