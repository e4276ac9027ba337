"""Bots that players own: accounts for programs, which sit down only when asked."""

import pytest

from hoodwink.domain.bots import VERSIONS
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import FORM as CUP
from tests.service.http.cup import Cup
from tests.service.http.players.test_ratings import rate

BOTS = "/v1/me/bots"
RANDOM = f"random@{VERSIONS['random']}"
FORM = {
    "name": "Maia",
    "version": "1.2",
    "home_page": "https://example.org/maia",
    "accepts": {"games": ["blindside"], "seats": [2, 3], "tables": 2, "turn_seconds": 10},
}


def bot_of(api, owner, *, is_online=True, **form):
    """Returns a bot of a player."""
    made = owner.post(BOTS, {"name": "Maia", **form})
    assert made.status_code == 201, made.text
    bot = Person(api.app, made.json["token"], made.json["id"])
    if is_online:
        come_online(api, bot)
    return bot


def come_online(api, *bots):
    api.service.presence.note_bots([bot.id for bot in bots], now=api.service.clock.now_ms())


def challenge(who, bot, **form):
    given = {"game": "blindside", "seats": 2, **form}
    return who.post(f"/v1/players/{bot.id}/challenges", given)


# ---------------------------------------------------------------------------------------- accounts


def test_a_bot_is_public_with_its_owner_and_description(api, ada):
    made = ada.post(BOTS, FORM)
    assert (made.status_code, made.json["name"]) == (201, "BOT Maia")
    shown = api.spectator.get(made.headers["Location"]).json
    card = {
        "id": made.json["id"],
        "name": "BOT Maia",
        "bot": True,
        "owner": ada.id,
        "owner_name": "Ada",
        **{name: FORM[name] for name in ("version", "home_page", "accepts")},
        "online": False,
    }
    assert shown == {"id": made.json["id"], "name": "BOT Maia", "bot": card}
    assert ada.get(BOTS).json == {"bots": [card]}
    assert api.spectator.get(f"/v1/players/{ada.id}").json["bot"] is None


def test_a_bot_accepts_everything_by_default(api, ada):
    bot = bot_of(api, ada, is_online=False)
    accepts = ada.get(BOTS).json["bots"][0]["accepts"]
    assert (len(accepts["games"]), accepts["seats"][0], accepts["tables"]) == (5, 2, 4)
    assert api.spectator.get(f"/v1/players/{bot.id}").json["bot"]["home_page"] == ""


def test_a_bot_describes_and_renames_itself_and_nobody_else_describes_it(api, ada):
    bot = bot_of(api, ada, version="1")
    assert bot.ask("PATCH", "/v1/players/me", json={"name": "Leela"}).json["name"] == "BOT Leela"
    assert bot.ask("PUT", "/v1/me/bot", json={"version": "2"}).json["version"] == "2"
    assert ada.get(BOTS).json["bots"][0]["version"] == "2"
    problem(ada.ask("PUT", "/v1/me/bot", json={}), 403, "only_for_bots")
    problem(bot.post(BOTS, {"name": "Junior"}), 403, "not_for_bots")


@pytest.mark.parametrize("name", ["BOT Maia", "Bot Maia", "[bot] Maia", "вот Maia"])
def test_no_person_can_look_like_a_bot(api, name):
    problem(api.spectator.post("/v1/players", {"name": name}), 422, "name_reserved")


@pytest.mark.parametrize("name", ["Bot", "Botany Bay", "Abbot", "Bo T", "Robot"])
def test_names_that_only_contain_the_word_are_allowed(api, name):
    assert api.spectator.post("/v1/players", {"name": name}).status_code == 201


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("home_page", "http://example.org"),
        ("home_page", "javascript:alert(1)"),
        ("home_page", "https://ada:secret@example.org"),
        ("home_page", 'https://example.org/"onclick'),
        ("home_page", f"https://example.org/{'a' * 200}"),
        ("version", "1 2"),
        ("version", "1" * 21),
        ("name", "x" * 37),
        ("accepts", {"games": []}),
        ("accepts", {"games": ["chess"]}),
        ("accepts", {"seats": [11]}),
        ("accepts", {"tables": 51}),
        ("accepts", {"turn_seconds": 0}),
        ("owner", "me"),
    ],
)
def test_an_invalid_description_is_rejected_with_the_field(ada, field, value):
    faults = problem(ada.post(BOTS, {"name": "Maia", field: value}), 400, "invalid_body")["faults"]
    assert faults[0]["name"].startswith(field)
    assert ada.get(BOTS).json == {"bots": []}


def test_an_owner_has_at_most_five_bots(api, ada):
    bots = [bot_of(api, ada, is_online=False) for _ in range(5)]
    problem(ada.post(BOTS, {"name": "Maia"}), 409, "too_many_own_bots")
    assert len(ada.get(BOTS).json["bots"]) == 5
    assert ada.delete(f"{BOTS}/{bots[0].id}").json["name"] == "someone who left"
    assert bot_of(api, ada)


def test_a_repeated_registration_returns_the_same_bot(ada, bob):
    first, again = (ada.post(BOTS, FORM, key="key-of-the-first") for _ in range(2))
    assert first.json == again.json
    problem(ada.post(BOTS, FORM | {"version": "9"}, key="key-of-the-first"), 409, "idempotency_key_reused")
    assert bob.post(BOTS, FORM, key="key-of-the-first").json["id"] != first.json["id"]


def test_only_its_owner_erases_a_bot(api, ada, bob):
    bot = bot_of(api, ada)
    problem(bob.delete(f"{BOTS}/{bot.id}"), 404, "player_not_found")
    problem(ada.delete(f"{BOTS}/{ada.id}"), 404, "player_not_found")
    assert bot.get("/v1/players/me").status_code == 200


def test_erasing_an_owner_erases_the_bots_and_frees_their_seats(api, ada, bob):
    bot = bot_of(api, ada, home_page="https://example.org/ada")
    path = challenge(bob, bot).headers["Location"]
    bot.post(f"{path}/seats")
    catch_up(api)

    assert ada.post("/v1/players/me/erase", CONFIRMED).status_code == 200

    problem(bot.get("/v1/players/me"), 401, "token_invalid")
    shown = api.spectator.get(f"/v1/players/{bot.id}").json
    assert (shown["name"], shown["bot"]["home_page"]) == ("someone who left", "")
    assert bob.get(path).json["view"]["seats"][1]["player"] is None


def test_the_bots_of_a_banned_owner_may_not_act(api, ada):
    bot = bot_of(api, ada)
    api.service.players.ban(ada.id)
    problem(bot.post("/v1/tables", {"game": "blindside", "seats": 2}), 403, "player_banned")
    api.service.players.lift_ban(ada.id)
    assert bot.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201


# ---------------------------------------------------------------------------------------- seats


def test_a_challenged_bot_takes_its_seat_and_plays(api, ada, bob):
    bot = bot_of(api, ada, accepts=FORM["accepts"])
    challenged = challenge(bob, bot)
    path, seats = challenged.headers["Location"], challenged.json["view"]["seats"]
    assert (challenged.status_code, seats[0]["player"], seats[1]["offered_to"]) == (201, bob.id, bot.id)
    catch_up(api)
    (offered,) = bot.get("/v1/me/tables").json["tables"]
    assert offered["offered_seat"] == 1
    assert bot.post(f"{path}/seats").json["view"]["seats"][1]["name"] == "BOT Maia"
    assert bob.post(f"{path}/start").json["view"]["turn_seconds"] == 120


def test_a_repeated_challenge_opens_one_table(api, ada, bob):
    bot = bot_of(api, ada, accepts={"tables": 1})
    form = {"game": "blindside", "seats": 2}
    first, again = (
        bob.post(f"/v1/players/{bot.id}/challenges", form, key="key-of-the-first") for _ in range(2)
    )
    assert first.headers["Location"] == again.headers["Location"]
    assert first.json == again.json


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"game": "coconut"}, "This bot plays only: blindside."),
        ({"seats": 4}, "This bot plays only at tables with 2, 3 seats."),
        ({"turn_seconds": 9}, "This bot needs a turn clock of at least 10 seconds."),
        ({"turn_seconds": 0}, "This bot needs a turn clock of at least 10 seconds."),
    ],
)
def test_a_bot_declines_other_tables_than_it_accepts(api, ada, bob, form, why):
    bot = bot_of(api, ada, accepts=FORM["accepts"])
    assert problem(challenge(bob, bot, **form), 403, "bot_declines")["detail"] == why
    path = bob.post("/v1/tables", {"game": "blindside", "seats": 2, **form}).headers["Location"]
    problem(bob.post(f"{path}/offers", {"player": bot.id}), 403, "bot_declines")
    catch_up(api)
    assert len(bob.get("/v1/me/tables").json["tables"]) == 1, "a refused challenge opens no table"


def test_only_bots_that_are_online_are_challenged(api, ada, bob):
    bot = bot_of(api, ada, is_online=False)
    problem(challenge(bob, bot), 409, "bot_offline")
    problem(challenge(bob, ada), 403, "only_bots")


def test_a_busy_bot_gets_no_more_offers(api, ada, bob):
    bot = bot_of(api, ada, accepts={"tables": 2})
    for _ in range(2):
        assert challenge(bob, bot).status_code == 201
    catch_up(api)
    problem(challenge(bob, bot), 409, "bot_busy")


def test_a_challenger_whom_the_bot_has_blocked_opens_nothing(api, ada, bob):
    bot = bot_of(api, ada)
    bot.ask("PUT", f"/v1/players/me/blocks/{bob.id}")
    problem(challenge(bob, bot), 403, "offer_refused")


def test_a_bot_sits_down_only_where_it_was_offered_a_seat_or_is_host(api, ada, bob):
    bot = bot_of(api, ada)
    path = bob.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    problem(bot.post(f"{path}/seats"), 403, "bots_need_an_offer")
    own = bot.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    assert bot.post(f"{own}/seats").status_code == 201


def test_open_tables_of_bots_are_not_listed(api, ada):
    bot = bot_of(api, ada)
    path = api.playing(bot, bots=1)
    bot.post("/v1/tables", {"game": "blindside", "seats": 2})
    hosted = ada.post("/v1/tables", {"game": "blindside", "seats": 2}).headers["Location"]
    catch_up(api)
    listed = {
        phase: api.spectator.get(f"/v1/tables?phase={phase}").json["tables"] for phase in ("open", "playing")
    }
    assert [f"/v1/tables/{table['id']}" for table in listed["open"]] == [hosted]
    assert [f"/v1/tables/{table['id']}" for table in listed["playing"]] == [path]


# ---------------------------------------------------------------------------------------- online


def test_bots_that_are_online_are_listed_by_what_they_play(api, ada, bob):
    one = bot_of(api, ada, accepts={"games": ["coconut"]})
    other = bot_of(api, bob, accepts={"seats": [3]})
    bot_of(api, bob, is_online=False)

    def listed(query=""):
        return {bot["id"] for bot in api.spectator.get(f"/v1/bots{query}").json["bots"]}

    assert listed() == {one.id, other.id}
    assert listed("?game=coconut&seats=3") == {one.id, other.id}
    assert listed("?game=blindside") == {other.id}
    assert listed("?seats=4") == {one.id}


# ---------------------------------------------------------------------------------------- ratings


def test_r_1_a_bot_is_on_the_ladder_of_bots_with_the_policies(api, ada):
    bot = bot_of(api, ada)
    path = api.playing(bot, bots=1, options={"rounds": 1})
    api.play_out(path, bot)
    rate(api)

    def listed(of):
        address = f"/v1/leaderboards/blindside?of={of}&provisional=show"
        return {leader["player"]: leader["name"] for leader in api.spectator.get(address).json["leaders"]}

    assert listed("bots") == {bot.id: "BOT Maia", RANDOM: "Random bot"}
    assert listed("people") == {}
    assert len(api.spectator.get(f"/v1/players/{bot.id}/ratings").json["ratings"]) == 1
    (table,) = api.spectator.get(f"/v1/players/{RANDOM}/ratings/blindside").json["tables"]
    assert (table["table"], table["opponents"][0]["player"]) == (path.rpartition("/")[2], bot.id)
    (table,) = api.spectator.get(f"/v1/players/{bot.id}/ratings/blindside").json["tables"]
    assert table["opponents"][0]["player"] == RANDOM


def test_r_4_a_player_is_not_rated_against_their_own_bot(api, ada):
    bot = bot_of(api, ada)
    path = challenge(ada, bot).headers["Location"]
    bot.post(f"{path}/seats")
    ada.post(f"{path}/start")
    assert ada.resign(path).status_code == 200
    rate(api)
    assert api.spectator.get("/v1/leaderboards/blindside?of=bots&provisional=show").json["leaders"] == []


# ---------------------------------------------------------------------------------------- tournaments


def test_t_3_a_bot_enters_a_tournament_that_is_open_to_bots(api, ada, bob, olga):
    bot = bot_of(api, ada)
    closed = Cup(api, olga)
    closed.command("/registration")
    problem(bot.post(f"{closed.path}/entrants"), 403, "bots_not_allowed")
    cup = Cup(api, olga, outside_bots=True, turn_seconds=60)
    cup.command("/registration")
    assert bot.post(f"{cup.path}/entrants").status_code == 201
    assert [entrant["name"] for entrant in cup.view["entrants"]] == ["BOT Maia"]
    problem(bot.post("/v1/tournaments", CUP), 403, "not_for_bots")


def test_t_3_a_tournament_open_to_bots_needs_a_turn_clock(olga):
    assert (
        "turn_seconds"
        in problem(olga.post("/v1/tournaments", CUP | {"outside_bots": True}), 422, "invalid_setup")["detail"]
    )


@pytest.mark.parametrize(("deal", "status"), [("independent", 201), ("same", 403)])
def test_d_7_one_of_a_player_and_their_bots_plays_a_shared_deal(api, ada, bob, olga, deal, status):
    first, second = bot_of(api, ada), bot_of(api, ada)
    cup = Cup(api, olga, outside_bots=True, turn_seconds=60, deal=deal)
    cup.command("/registration")
    entrants = f"{cup.path}/entrants"
    assert first.post(entrants).status_code == 201
    for other in (second, ada):
        answer = other.post(entrants)
        assert answer.status_code == status
        assert status == 201 or answer.json["code"] == "own_bot_plays"
    assert bob.post(entrants).status_code == 201
    cup.command(f"/entrants/{first.id}/withdrawal", CONFIRMED, by=first)

    assert status == 201 or ada.post(entrants).status_code == 201


def test_t_3_the_starting_rank_of_a_bot_follows_from_its_rating(api, ada, olga):
    bot = bot_of(api, ada)
    api.play_out(api.playing(bot, bots=1, options={"rounds": 1}), bot)
    rate(api)
    cup = Cup(api, olga, outside_bots=True, turn_seconds=60)
    cup.command("/registration")
    bot.post(f"{cup.path}/entrants")
    ratings = api.service.queries.ratings_of_entrants(api.service.tournaments.load(cup.id).state)
    assert ratings.keys() == {bot.id}
