"""Players show, rename and erase themselves, and replace and end their tokens."""

import json
from itertools import product

import pytest

from hoodwink.domain.administration import Act
from hoodwink.service.application.commands import erasure
from hoodwink.service.application.errors import Busy, BusyCode
from hoodwink.service.application.ports import StreamId
from hoodwink.service.http.framework.operations import EVENT_STREAM
from tests.service.application.world import EventfulClock
from tests.service.http.api import CONFIRMED, Api, Person, catch_up, first_legal, new_api, problem
from tests.service.http.cup import SERIES, Cup, standing_api
from tests.service.http.refused.listed import OPERATIONS

ME = "/v1/players/me"
KEY = "0123456789abcdef"
NDJSON = "application/x-ndjson"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    # Nothing reads the feed here, so waiting for the projections would always time out.
    monkeypatch.setattr(erasure, "PATIENCE_MS", 0)


def rename(who, name):
    answer = who.ask("PATCH", ME, json={"name": name})
    assert answer.status_code == 200
    return answer.json


def names_at(who, path):
    return [seat["name"] for seat in who.get(path).json["view"]["seats"]]


def test_players_see_themselves(api, ada):
    me = ada.get(ME)

    assert (me.json["id"], me.json["name"], me.headers["Cache-Control"]) == (
        ada.id,
        "Ada",
        "private, no-store",
    )
    assert me.json["registered_at"] == api.service.players.get(ada.id).registered_at
    problem(api.spectator.get(ME), 401, "token_missing")


def test_a_guests_name_is_not_stored(api):
    made = api.spectator.post("/v1/players").json

    assert made["name"] == f"Guest {made['id'][:4]}"
    assert api.spectator.get(f"/v1/players/{made['id']}").json["name"] == made["name"]


def test_a_new_name_is_shown_immediately_at_every_table(api, ada, bob, path):
    assert rename(ada, "Augusta")["name"] == "Augusta"

    assert names_at(api.spectator, path) == ["Augusta", "Bob"]
    words = [event["words"] for event in ada.get(f"{path}/events?include=words").json["events"]]
    assert "Augusta sat down at seat 0." in words
    assert "Ada" not in " ".join(words)


def test_former_names_are_not_cached(api, ada, path):
    tag = api.spectator.get(path).headers["ETag"]
    assert api.spectator.get(path, headers={"If-None-Match": tag}).status_code == 304

    rename(ada, "Augusta")

    shown = api.spectator.get(path, headers={"If-None-Match": tag})
    assert (shown.status_code, shown.headers["ETag"]) == (200, f'{tag[:-1]}+1"')
    assert api.spectator.get(path, headers={"If-None-Match": shown.headers["ETag"]}).status_code == 304
    keep = next(first_legal(ada, path), None)
    assert (
        keep is None
        or ada.post(f"{path}/actions", keep, headers={"If-Match": shown.headers["ETag"]}).status_code == 200
    )


def test_renaming_to_the_same_name_adds_no_event(api, ada):
    rename(ada, "Ada")

    assert api.service.store.version(StreamId("player", ada.id)) == 1


@pytest.mark.parametrize("name", ["Steady bot 2", "RANDOM-BOT", "Someone who left"])
def test_reserved_names_are_refused(api, ada, name):
    problem(ada.ask("PATCH", ME, json={"name": name}), 422, "name_reserved")
    problem(api.spectator.post("/v1/players", {"name": name}), 422, "name_reserved")
    assert ada.get(ME).json["name"] == "Ada"


def test_replacing_a_token_ends_it_and_returns_a_valid_one(api, ada):
    made = ada.post(f"{ME}/token")
    other = Person(api.app, made.json["token"], ada.id)

    assert (made.status_code, made.json["id"], made.headers["Cache-Control"]) == (
        201,
        ada.id,
        "private, no-store",
    )
    problem(ada.get(ME), 401, "token_invalid")
    assert other.get(ME).json["id"] == ada.id


def test_a_repeated_replacement_is_answered_alike_for_both_tokens(api, ada):
    first = ada.post(f"{ME}/token", key=KEY).json
    new = Person(api.app, first["token"], ada.id)

    assert ada.post(f"{ME}/token", key=KEY).json == first
    assert new.post(f"{ME}/token", key=KEY).json == first
    problem(ada.post(f"{ME}/token", key=KEY[::-1]), 401, "token_invalid")
    problem(ada.post(f"{ME}/token"), 401, "token_invalid")
    assert api.service.store.version(StreamId("player", ada.id)) == 2


def test_the_registrations_key_gives_another_token_on_replacement(api):
    made = api.spectator.post("/v1/players", {"name": "Eve"}, key=KEY).json
    eve = Person(api.app, made["token"], made["id"])

    assert eve.post(f"{ME}/token", key=KEY[::-1]).json["token"] != made["token"]


def test_an_ended_token_is_refused(api, ada, path):
    assert ada.delete(f"{ME}/token").json["id"] == ada.id

    problem(ada.get(ME), 401, "token_invalid")
    problem(ada.get(f"{path}/legal-actions"), 401, "token_invalid")
    problem(ada.delete(f"{ME}/token"), 401, "token_invalid")
    assert names_at(api.spectator, path) == ["Ada", "Bob"]


@pytest.mark.parametrize(
    ("method", "path", "form"),
    [("PATCH", ME, {"name": "Augusta"}), ("POST", f"{ME}/token", {}), ("DELETE", f"{ME}/token", None)],
)
def test_a_change_overtaken_by_an_erasure_is_refused(api, ada, monkeypatch, method, path, form):
    store, players = api.service.store, api.service.players
    append, erasures = store.append, iter([players.get(ada.id)])

    def append_after_erasure(commit):
        for player in erasures:
            players.erase(player, None)
        return append(commit)

    monkeypatch.setattr(store, "append", append_after_erasure)

    problem(ada.ask(method, path, json=form), 401, "token_invalid")

    assert api.spectator.get(f"/v1/players/{ada.id}").json["name"] == "someone who left"
    assert store.version(StreamId("player", ada.id)) == 2


def test_an_erasure_needs_its_confirmation(ada):
    problem(ada.post(f"{ME}/erase"), 400, "invalid_body")
    assert ada.get(ME).json["name"] == "Ada"


def test_an_erasure_can_be_repeated_and_the_name_stays_erased(api):
    made = api.spectator.post("/v1/players", {"name": "Eve"}, key=KEY[::-1]).json
    eve = Person(api.app, made["token"], made["id"])
    gone = {"id": eve.id, "name": "someone who left"}

    assert eve.post(f"{ME}/erase", CONFIRMED, key=KEY).json == gone
    assert eve.post(f"{ME}/erase", CONFIRMED, key=KEY).json == gone
    assert eve.post(f"{ME}/erase", CONFIRMED).json == gone
    problem(eve.post(f"{ME}/token", {}), 401, "token_invalid")
    again = api.spectator.post("/v1/players", {"name": "Eve"}, key=KEY[::-1])
    assert again.json["id"] != eve.id
    assert api.spectator.get(f"/v1/players/{eve.id}").json == gone | {"bot": None}
    problem(eve.get(ME), 401, "token_invalid")


def test_an_erased_player_gives_up_seats_tables_tournaments_and_offices(api, olga, ada, bob, cy):
    playing, hosted = api.playing(ada, bob), api.table(ada, bots=1)
    waiting = api.table(bob, ada, seats=3)
    cup, judged, helped = Cup(api, olga), Cup(api, olga), Cup(api, olga)
    cup.enter(ada, bob, cy)
    judged.command("/arbiters", {"player": ada.id})
    helped.command("/co-organisers", {"player": ada.id})
    catch_up(api)

    assert ada.post(f"{ME}/erase", CONFIRMED).status_code == 200

    seats = api.spectator.get(playing).json["view"]["seats"]
    assert (seats[0]["resigned"], seats[0]["name"]) == (True, "someone who left")
    assert api.spectator.get(hosted).json["view"]["phase"] == "ended"
    assert names_at(api.spectator, waiting) == ["Bob", None, None]
    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["Bob", "Cy"]
    assert judged.view["arbiters"] == helped.view["co_organisers"] == []
    assert judged.events("?include=words")[-1]["words"] == "Someone who left is no longer an arbiter."


def test_an_erased_player_gives_up_seats_not_yet_listed(monkeypatch):
    monkeypatch.setattr(erasure, "PATIENCE_MS", 2_000)
    worlds = list[Api]()

    def catch_up_after_the_first_pass():
        if worlds[0].spectator.get(f"/v1/players/{ada.id}").json["name"] == "someone who left":
            catch_up(worlds[0])

    api = new_api(clock=EventfulClock(catch_up_after_the_first_pass))
    worlds.append(api)
    ada, bob, cy, olga = (api.person(name) for name in ("Ada", "Bob", "Cy", "Olga"))
    cup = Cup(api, olga)
    playing, hosted = api.playing(ada, bob), api.table(ada, bots=1)
    waiting, offering = api.table(bob, ada, seats=3), api.table(bob, seats=3)
    assert bob.post(f"{offering}/offers", {"player": ada.id}).status_code == 201
    cup.enter(ada, bob, cy)

    assert ada.post(f"{ME}/erase", CONFIRMED).status_code == 200

    assert api.spectator.get(playing).json["view"]["seats"][0]["resigned"]
    assert api.spectator.get(hosted).json["view"]["phase"] == "ended"
    assert names_at(api.spectator, waiting) == ["Bob", None, None]
    offered = api.service.tables.load(offering.rpartition("/")[2]).state.offered
    assert offered == (None, None, None)
    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["Bob", "Cy"]


@pytest.mark.parametrize("key", [KEY, None])
def test_a_repeated_erasure_completes_an_interrupted_one(api, ada, bob, monkeypatch, key):
    waiting = api.table(bob, ada, seats=3)
    catch_up(api)

    def busy(*_):
        raise Busy(BusyCode.TABLE_BUSY)

    with monkeypatch.context() as crowded:
        crowded.setattr(api.service.tables, "execute", busy)
        problem(ada.post(f"{ME}/erase", CONFIRMED, key=key), 503, "table_busy")
    assert names_at(api.spectator, waiting) == ["Bob", "someone who left", None]
    problem(ada.get(ME), 401, "token_invalid")

    assert ada.post(f"{ME}/erase", CONFIRMED, key=key).status_code == 200

    assert names_at(api.spectator, waiting) == ["Bob", None, None]


def test_an_organiser_must_end_tournaments_before_leaving(api, olga, running):
    catch_up(api)

    problem(olga.post(f"{ME}/erase", CONFIRMED), 409, "still_organising")
    running.command("/cancel", CONFIRMED | {"reason": "It rains."})
    catch_up(api)
    assert olga.post(f"{ME}/erase", CONFIRMED).status_code == 200


def test_an_erasure_reads_only_tournaments_of_the_player(api, olga, running, monkeypatch):
    catch_up(api)
    monkeypatch.setattr(api.service.queries, "tournaments", None)

    assert api.person("Ada").post(f"{ME}/erase", CONFIRMED).status_code == 200


NAME = "Xanthippe Quux"


@pytest.fixture(scope="module")
def left():
    """An erased player who played, was imported and forked, and organised a series."""
    api = standing_api()
    xan, bob, olga = api.person(NAME), api.person("Bob"), api.person("Olga")
    over = api.playing(xan, bob, options={"rounds": 1})
    api.play_out(over, xan, bob)
    cy = api.person("Cy")
    cup, shared = (
        Cup(api, olga, seats=2, turn_seconds=60, deal=deal).start(xan, bob, cy)
        for deal in ("independent", "same")
    )
    cup.play_round()
    cup.play_round()
    cup.command("/finish", CONFIRMED | {"reason": "It rains."})
    cup.run_due()
    shared.play_round()
    shared.command("/finish", CONFIRMED | {"reason": "It rains."})
    shared.run_due()
    playing, opened = api.playing(xan, bob), api.table(bob, xan, seats=3)
    log = api.spectator.get(f"{over}/log").data
    assert NAME.encode() in log
    imported = bob.post("/v1/imports", data=log, content_type=NDJSON).headers["Location"]
    assert NAME in names_at(api.spectator, imported)
    series = xan.post("/v1/series", SERIES).headers["Location"]
    assert NAME in api.spectator.get(series).text
    catch_up(api)
    assert xan.post(f"{ME}/erase", CONFIRMED).status_code == 200
    catch_up(api)
    reason = api.service.administration.record("root", Act.BAN_PLAYER, bob.id, reason="It rains.")
    return {
        "api": api,
        "callers": (api.spectator, bob, olga),
        "table_id": [path.rpartition("/")[2] for path in (over, playing, opened, *cup.tables())],
        "tournament_id": [cup.id, shared.id],
        "series_id": [series.rpartition("/")[2]],
        "import_id": [imported.rpartition("/")[2]],
        "player_id": [xan.id, bob.id],
        "game": ["blindside"],
        "seat": ["0"],
        "round": ["1", "2"],
        "board": ["1"],
        "deal": ["1", "2"],
        "entrant": ["1", "2", "3"],
        "digest": [reason.removeprefix("sha256:")],
    }


LISTS = {
    "list_tables": ["phase=open", "phase=playing", "phase=ended"],
    "list_tournaments": ["phase=registration", "phase=running", "phase=finished"],
    "get_leaderboard": ["provisional=show&idle=show"],
}
# The outcome of a job stays unchanged for an hour, for its owner, and nobody gets advice at these tables.
NOT_ANSWERED = {"get_job", "get_hint", "get_review"}
GETS = [
    name for name, operation in OPERATIONS.items() if operation.method == "GET" and name not in NOT_ANSWERED
]


@pytest.mark.parametrize("name", GETS)
def test_answers_do_not_contain_an_erased_name(left, name):
    operation = OPERATIONS[name]
    parameters = [part[1:-1] for part in operation.path.split("/") if part.startswith("{")]
    queries = ["", *LISTS.get(name, [])]
    if operation.query is not None and "include" in operation.query.load_fields:
        queries.append("include=words")
    if operation.query is not None and "format" in operation.query.load_fields:
        queries.append("format=csv")
    answered = 0
    for values in product(*(left[parameter] for parameter in parameters)):
        path = operation.path.format(**dict(zip(parameters, values, strict=True)))
        for who, query in product(left["callers"], queries):
            answer = who.get(path, query_string=query)
            answered += answer.status_code == 200
            assert NAME.encode() not in answer.data, path
    assert answered or set(operation.answer.types) == {EVENT_STREAM}


def test_stored_events_do_not_contain_names(left):
    store = left["api"].service.store
    count = 0
    for category in ("player", "table", "tournament", "series", "import"):
        for stream in store.streams(category):
            for entry in store.read(stream):
                count += 1
                assert NAME.encode() not in bytes(entry.data)
                assert "name" not in json.loads(bytes(entry.data))
    assert count > 100


def test_a_log_with_an_erased_player_still_verifies(left):
    api, table = left["api"], left["table_id"][0]
    log = api.spectator.get(f"/v1/tables/{table}/log").data

    assert json.loads(log.partition(b"\n")[0])["names"][left["player_id"][0]] == "someone who left"
    assert api.spectator.post("/v1/verify", data=log, content_type=NDJSON).json["valid"]
