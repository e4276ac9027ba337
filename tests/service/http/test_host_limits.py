"""Limits on what a host opens and a tournament has, as clients meet them."""

from service.application.hosted_tables import HostedTables
from service.application.limits import Limit
from tests.service.http.api import CONFIRMED, problem
from tests.service.http.cup import FORM, Cup
from tests.service.http.test_books import catch_up
from tests.service.http.test_limits import limited


def test_open_tables_are_limited_per_host(api_with):
    api = api_with(open_tables_per_host="1")
    ada, form = api.person("Ada"), {"game": "blindside", "seats": 2}

    assert ada.post("/v1/tables", form).status_code == 201
    limited(ada.post("/v1/tables", form), "too_many_open_tables", 60, "open tables per host")


def test_a_refused_opening_is_counted_by_none_of_its_limits(api_with, still):
    api = api_with(open_tables_per_host="2", tables_per_player="3/hour", tables_per_address="4/hour")
    ada, bob, form = api.person("Ada"), api.person("Bob"), {"game": "blindside", "seats": 2}

    def opened(who):
        answer = who.post("/v1/tables", form)
        return answer.status_code == 201 or answer.json["code"]

    assert [opened(ada) for _ in range(9)] == [True] * 2 + ["too_many_open_tables"] * 7
    still.now += 1
    api.service.limits.hosts[Limit.OPEN_TABLES_PER_HOST].settle(ada.id, 0)
    assert [opened(ada) for _ in range(9)] == [True] + ["too_many_tables"] * 8, "the player's limit"
    assert [opened(bob) for _ in range(9)] == [True] + ["too_many_tables"] * 8, "that of the address"
    still.now += 900
    assert opened(bob) is True
    still.now += 1
    api.service.limits.hosts[Limit.OPEN_TABLES_PER_HOST].settle(bob.id, 0)
    still.now += 900
    assert opened(bob) is True, "refused ones did not use up the player's three"


def test_tournaments_are_limited_per_host_from_their_opening_until_they_are_over(api_with):
    api = api_with(tournaments_per_host="1", open_tables_per_host="1")
    olga, found = api.person("Olga"), HostedTables(reader=api.service.projection_store)
    cup = Cup(api, olga)

    limited(olga.post("/v1/tournaments", FORM), "too_many_tournaments", 60, "tournaments per host")
    assert olga.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201
    catch_up(api)
    numbers = found.numbers(olga.id)
    assert (numbers[Limit.TOURNAMENTS_PER_HOST], numbers[Limit.OPEN_TABLES_PER_HOST]) == (1, 1)
    cup.cancel()
    catch_up(api)
    assert found.numbers(olga.id)[Limit.TOURNAMENTS_PER_HOST] == 0


def test_bots_are_limited_per_tournament_and_those_withdrawn_before_its_start_leave_room(api_with):
    api = api_with(bots_per_tournament="2")
    olga, key = api.person("Olga"), "the-key-of-a-bot"
    cup, bot = Cup(api, olga, late_until=2), {"policy": "random"}
    cup.enter(bots=1)
    first = cup.order("/entrants", bot, key=key)

    limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    again = cup.order("/entrants", bot, key=key)
    assert (again.status_code, again.data) == (first.status_code, first.data) == (201, again.data)
    cup.enter(api.person("Ada"))
    cup.done("/entrants/bot:1/withdrawal", CONFIRMED)
    assert cup.order("/entrants", bot).status_code == 201
    limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    problem(api.person("Bob").post(f"{cup.path}/entrants", bot), 403, "not_organiser")
    cup.done("/start")
    cup.done("/entrants/bot:2/withdrawal", CONFIRMED)
    limited(cup.order("/entrants", bot), "too_many_bots", 60, "bots per tournament")
    cup.cancel()
    problem(cup.order("/entrants", bot), 422, "tournament_over")


def test_bots_that_fill_up_tables_are_no_entrants(api_with):
    api = api_with(bots_per_tournament="1")
    cup = Cup(api, api.person("Olga"), seats=4, fill_with_bots=True)
    cup.started(api.person("Ada"), api.person("Bob"), bots=1)

    cup.pair()
    cup.start_round()

    (table,) = cup.tables()
    seats = api.spectator.get(table).json["view"]["seats"]
    assert sum(seat["policy"] is not None for seat in seats) == 2


def test_a_repeated_opening_gets_its_first_result_beyond_every_limit(api_with):
    api = api_with(open_tables_per_host="1", tables_per_player="1/hour")
    ada, form, key = api.person("Ada"), {"game": "blindside", "seats": 2}, "k" * 16
    first = ada.post("/v1/tables", form, key=key)

    again = ada.post("/v1/tables", form, key=key)

    assert (again.status_code, again.headers["Location"]) == (201, first.headers["Location"])
    limited(ada.post("/v1/tables", form), "too_many_open_tables", 60, "open tables per host")
    problem(ada.post("/v1/tables", form | {"seats": 3}, key=key), 409, "idempotency_key_reused")


def test_a_rematch_counts_for_the_player_who_opens_it_alone(api_with):
    api = api_with(tables_per_player="1/hour")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    path = api.playing(ada, bob)
    api.play_out(path, ada, bob)

    limited(ada.post(f"{path}/rematch"), "too_many_tables", 3600, "tables per player")
    opened = bob.post(f"{path}/rematch")
    assert opened.status_code == 201
    assert ada.post(f"{path}/rematch").headers["Location"] == opened.headers["Location"]
    assert cy.post("/v1/tables", {"game": "blindside", "seats": 2}).status_code == 201


def test_a_tournament_counts_like_a_table(api_with):
    api = api_with(tables_per_player="1/hour")
    olga, key = api.person("Olga"), "one-and-the-same-key"
    opened = [olga.post("/v1/tournaments", FORM, key=key) for _ in range(2)]

    assert [answer.status_code for answer in opened] == [201, 201]
    limited(olga.post("/v1/tournaments", FORM), "too_many_tables", 3600, "tables per player")
    limited(
        olga.post("/v1/tables", {"game": "blindside", "seats": 2}),
        "too_many_tables",
        3600,
        "tables per player",
    )


def test_tables_of_a_host_are_those_that_have_not_ended_and_bot_tables_those_that_only_bots_play(api_with):
    api = api_with()
    ada, bob = api.person("Ada"), api.person("Bob")

    def numbers(host):
        catch_up(api)
        found = HostedTables(reader=api.service.projection_store).numbers(host.id)
        return found[Limit.OPEN_TABLES_PER_HOST], found[Limit.BOT_TABLES_PER_HOST]

    waiting, mixed = api.table(ada, bob), api.playing(ada, bots=1)
    api.table(bob, ada)  # a seat there does not make Ada its host
    assert (numbers(ada), numbers(bob)) == ((2, 0), (1, 0))

    of_bots = ada.post("/v1/tables", {"game": "blindside", "seats": 2, "bot_delay": 60_000}).headers[
        "Location"
    ]
    for _ in range(2):
        ada.post(f"{of_bots}/seats", {"policy": "random"})
    assert numbers(ada) == (3, 0), "it has not started"
    assert ada.post(f"{of_bots}/start").status_code == 200
    assert numbers(ada) == (3, 1)

    ada.close(waiting)
    assert numbers(ada) == (2, 1)
    ada.resign(mixed)
    assert numbers(ada) == (1, 1), "with one bot left the table has ended"

    left = api.playing(ada, bob, bots=2)
    ada.resign(left)
    assert numbers(ada) == (2, 1), "one person is left"
    bob.resign(left)
    assert numbers(ada) == (2, 2), "nobody but bots is left"
    seats = next(
        row for row in ada.get("/v1/tables?phase=playing").json["tables"] if left.endswith(row["id"])
    )
    assert [seat["resigned"] for seat in seats["seats"]] == [True, True, False, False]


def test_a_table_that_was_left_to_bots_counts_among_the_hosts_tables_of_bots(api_with, still):
    api = api_with(bot_tables_per_host="2")
    ada, limit = api.person("Ada"), Limit.BOT_TABLES_PER_HOST
    ada.resign(api.playing(ada, bots=2))
    assert ada.post(f"{api.of_bots(ada)}/start").status_code == 200

    catch_up(api)
    still.now += 1
    api.service.limits.hosts[limit].settle(
        ada.id, HostedTables(reader=api.service.projection_store).numbers(ada.id)[limit]
    )

    limited(ada.post(f"{api.of_bots(ada)}/start"), "too_many_bot_tables", 60, "bot tables per host")
