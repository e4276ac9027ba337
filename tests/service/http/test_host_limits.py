"""Limits per host and per tournament, from a client's view."""

import pytest

from hoodwink.service.application.commands.hosted_tables import CLAIM_MS
from hoodwink.service.application.limits import Limit
from hoodwink.service.bootstrap import Service
from hoodwink.service.http.app import create_app
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import FORM, Cup
from tests.service.http.test_limits import assert_limited

TABLE = {"game": "blindside", "seats": 2}


def numbers(api, host, *limits):
    """Returns a host's counts after the projections caught up."""
    catch_up(api)
    return tuple(len(api.service.hosted_tables.live(limit, host.id)) for limit in limits)


def close_all(api, host):
    catch_up(api)
    for named in sorted(api.service.hosted_tables.live(Limit.OPEN_TABLES_PER_HOST, host.id)):
        assert host.close(f"/v1/tables/{named}").status_code == 200
    catch_up(api)


def statuses(host, path, form, count):
    return [host.post(path, form).status_code for _ in range(count)]


@pytest.mark.parametrize(
    ("path", "form", "limit"),
    [("/v1/tables", TABLE, "open_tables_per_host"), ("/v1/tournaments", FORM, "tournaments_per_host")],
)
def test_quick_openings_reach_the_limit_exactly_across_processes(api_with, path, form, limit):
    """A regression test: the third of five permitted tournaments was refused until the host was counted."""
    api = api_with(**{limit: "4"})
    olga = api.person("Olga")
    assert statuses(olga, path, form, 3) == [201] * 3
    other = Person(create_app(Service(api.service.settings, client=api.service.client)), olga.token, olga.id)

    assert statuses(other, path, form, 4) == [201, 429, 429, 429]
    assert statuses(olga, path, form, 2) == [429, 429]
    catch_up(api)
    assert statuses(other, path, form, 1) == [429]


def test_ended_tables_free_their_places_before_projections_catch_up(api_with):
    api = api_with(open_tables_per_host="1", tournaments_per_host="1")
    olga = api.person("Olga")
    for _ in range(3):
        opened = olga.post("/v1/tables", TABLE)
        assert (opened.status_code, *statuses(olga, "/v1/tables", TABLE, 1)) == (201, 429)
        assert olga.close(opened.headers["Location"]).status_code == 200

        cup = Cup(api, olga)
        assert statuses(olga, "/v1/tournaments", FORM, 1) == [429]
        cup.cancel()


def test_a_claim_expires_once_projections_should_have_caught_up(api_with):
    api = api_with(open_tables_per_host="1")
    ada = api.person("Ada")
    ada.post("/v1/tables", TABLE)
    key = f"hw:{{limits}}:open_tables_per_host:{ada.id}"

    assert 0 < api.service.client.pttl(key) <= CLAIM_MS
    api.service.client.delete(key)
    assert statuses(ada, "/v1/tables", TABLE, 1) == [201], "the projections were behind for longer than that"


def test_open_tables_are_limited_per_host(api_with):
    api = api_with(open_tables_per_host="1")
    ada, form = api.person("Ada"), {"game": "blindside", "seats": 2}

    assert ada.post("/v1/tables", form).status_code == 201
    assert_limited(ada.post("/v1/tables", form), "too_many_open_tables", 60, "open tables per host")


def test_a_refused_opening_counts_against_no_limit(api_with, still):
    api = api_with(open_tables_per_host="2", tables_per_player="3/hour", tables_per_address="4/hour")
    ada, bob, form = api.person("Ada"), api.person("Bob"), {"game": "blindside", "seats": 2}

    def open_table(who):
        answer = who.post("/v1/tables", form)
        return answer.status_code == 201 or answer.json["code"]

    assert [open_table(ada) for _ in range(9)] == [True] * 2 + ["too_many_open_tables"] * 7
    close_all(api, ada)
    assert [open_table(ada) for _ in range(9)] == [True] + ["too_many_tables"] * 8, "the player's limit"
    assert [open_table(bob) for _ in range(9)] == [True] + ["too_many_tables"] * 8, "that of the address"
    still.now += 900
    assert open_table(bob) is True
    close_all(api, bob)
    still.now += 900
    assert open_table(bob) is True, "refused ones did not use up the player's three"


def test_tournaments_are_limited_per_host_until_they_end(api_with):
    api = api_with(tournaments_per_host="1", open_tables_per_host="1")
    olga = api.person("Olga")
    cup = Cup(api, olga)

    assert_limited(olga.post("/v1/tournaments", FORM), "too_many_tournaments", 60, "tournaments per host")
    assert olga.post("/v1/tables", TABLE).status_code == 201
    assert numbers(api, olga, Limit.TOURNAMENTS_PER_HOST, Limit.OPEN_TABLES_PER_HOST) == (1, 1)
    cup.cancel()
    assert numbers(api, olga, Limit.TOURNAMENTS_PER_HOST) == (0,)


def test_bots_per_tournament_are_limited_and_withdrawn_ones_leave_room(api_with):
    api = api_with(bots_per_tournament="2")
    olga, key = api.person("Olga"), "the-key-of-a-bot"
    cup, bot = Cup(api, olga, late_until=2), {"policy": "random"}
    cup.enter(bots=1)
    first = cup.order("/entrants", bot, key=key)

    assert_limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    again = cup.order("/entrants", bot, key=key)
    assert (again.status_code, again.data) == (first.status_code, first.data) == (201, again.data)
    cup.enter(api.person("Ada"))
    cup.command("/entrants/bot:1/withdrawal", CONFIRMED)
    assert cup.order("/entrants", bot).status_code == 201
    assert_limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    problem(api.person("Bob").post(f"{cup.path}/entrants", bot), 403, "not_organiser")
    cup.command("/start")
    cup.command("/entrants/bot:2/withdrawal", CONFIRMED)
    assert_limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    cup.cancel()
    problem(cup.order("/entrants", bot), 422, "tournament_over")


def test_bots_that_fill_tables_do_not_count_as_entrants(api_with):
    api = api_with(bots_per_tournament="1")
    cup = Cup(api, api.person("Olga"), seats=4, fill_with_bots=True)
    cup.start(api.person("Ada"), api.person("Bob"), bots=1)

    cup.pair()
    cup.start_round()

    (table,) = cup.tables()
    seats = api.spectator.get(table).json["view"]["seats"]
    assert sum(seat["policy"] is not None for seat in seats) == 2


def test_a_repeated_opening_returns_its_first_result_beyond_limits(api_with):
    api = api_with(open_tables_per_host="1", tables_per_player="1/hour")
    ada, form, key = api.person("Ada"), {"game": "blindside", "seats": 2}, "k" * 16
    first = ada.post("/v1/tables", form, key=key)

    again = ada.post("/v1/tables", form, key=key)

    assert (again.status_code, again.headers["Location"]) == (201, first.headers["Location"])
    assert_limited(ada.post("/v1/tables", form), "too_many_open_tables", 60, "open tables per host")
    problem(ada.post("/v1/tables", form | {"seats": 3}, key=key), 409, "idempotency_key_reused")


def test_a_rematch_counts_only_for_the_player_who_opens_it(api_with):
    api = api_with(tables_per_player="1/hour")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    path = api.playing(ada, bob)
    api.play_out(path, ada, bob)

    assert_limited(ada.post(f"{path}/rematch"), "too_many_tables", 3600, "tables per player")
    rematch = bob.post(f"{path}/rematch")
    assert rematch.status_code == 201
    assert ada.post(f"{path}/rematch").headers["Location"] == rematch.headers["Location"]
    assert cy.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201


def test_opening_a_tournament_counts_like_opening_a_table(api_with):
    api = api_with(tables_per_player="1/hour")
    olga, key = api.person("Olga"), "one-and-the-same-key"
    answers = [olga.post("/v1/tournaments", FORM, key=key) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert_limited(olga.post("/v1/tournaments", FORM), "too_many_tables", 3600, "tables per player")
    assert_limited(
        olga.post("/v1/tables", {"game": "blindside", "seats": 2}),
        "too_many_tables",
        3600,
        "tables per player",
    )


def test_host_counts_cover_unfinished_tables_and_bot_tables(api_with):
    api = api_with()
    ada, bob = api.person("Ada"), api.person("Bob")

    def counts(host):
        return numbers(api, host, Limit.OPEN_TABLES_PER_HOST, Limit.BOT_TABLES_PER_HOST)

    waiting, mixed = api.table(ada, bob), api.playing(ada, bots=1)
    api.table(bob, ada)  # a seat does not make Ada the host
    assert (counts(ada), counts(bob)) == ((2, 0), (1, 0))

    of_bots = ada.post("/v1/tables", {"game": "blindside", "seats": 2, "bot_delay": 60_000}).headers[
        "Location"
    ]
    for _ in range(2):
        ada.post(f"{of_bots}/seats", {"policy": "random"})
    assert counts(ada) == (3, 0), "it has not started"
    assert ada.post(f"{of_bots}/start").status_code == 200
    assert counts(ada) == (3, 1)

    ada.close(waiting)
    assert counts(ada) == (2, 1)
    ada.resign(mixed)
    assert counts(ada) == (1, 1), "with one bot left the table has ended"

    left = api.playing(ada, bob, bots=2)
    ada.resign(left)
    assert counts(ada) == (2, 1), "one person is left"
    bob.resign(left)
    assert counts(ada) == (2, 2), "nobody but bots is left"
    seats = next(
        row for row in ada.get("/v1/tables?phase=playing").json["tables"] if left.endswith(row["id"])
    )
    assert [seat["resigned"] for seat in seats["seats"]] == [True, True, False, False]


def test_a_table_left_to_bots_counts_as_a_bot_table(api_with):
    api = api_with(bot_tables_per_host="2")
    ada = api.person("Ada")
    ada.resign(api.playing(ada, bots=2))
    assert ada.post(f"{api.of_bots(ada)}/start").status_code == 200

    catch_up(api)

    assert_limited(ada.post(f"{api.of_bots(ada)}/start"), "too_many_bot_tables", 60, "bot tables per host")
