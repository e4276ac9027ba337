"""Offers of seats: their limit per host, and block lists."""

from hoodwink.service.adapters.store.keys import Keys
from tests.service.http.api import CONFIRMED, catch_up, problem

BLOCKS = "/v1/players/me/blocks"


def block(who, other):
    answer = who.ask("PUT", f"{BLOCKS}/{other.id}")
    assert answer.status_code == 200, answer.text
    return [card["id"] for card in answer.json["blocked"]]


def open_table(host, seats=2):
    return host.post("/v1/tables", {"game": "blindside", "seats": seats}).headers["Location"]


def offer(host, path, to):
    return host.post(f"{path}/offers", {"player": to.id})


# ---------------------------------------------------------------------------------------- block lists


def test_blocks_are_added_listed_and_removed(api, ada, bob, cy):
    assert ada.get(BLOCKS).json == {"blocked": []}
    assert block(ada, bob) == block(ada, bob) == [bob.id]
    assert block(ada, cy) == sorted([bob.id, cy.id])

    bob.ask("PATCH", "/v1/players/me", json={"name": "Robert"})
    shown = ada.get(BLOCKS)
    assert {card["id"]: card["name"] for card in shown.json["blocked"]} == {bob.id: "Robert", cy.id: "Cy"}
    assert shown.headers["Cache-Control"] == "private, no-store"
    assert ada.delete(f"{BLOCKS}/{bob.id}").json == ada.delete(f"{BLOCKS}/{bob.id}").json
    assert [card["id"] for card in ada.get(BLOCKS).json["blocked"]] == [cy.id]
    problem(ada.delete(f"{BLOCKS}/nobody00"), 404, "player_not_found")


def test_a_block_list_is_visible_only_to_its_owner(api, ada, bob):
    block(ada, bob)

    assert bob.get(BLOCKS).json == {"blocked": []}
    problem(api.spectator.get(BLOCKS), 401, "token_missing")
    assert "blocked" not in api.spectator.get(f"/v1/players/{ada.id}").text


def test_a_blocked_player_cannot_offer_a_seat_until_unblocked(api, ada, bob, cy):
    path = open_table(bob)
    block(ada, bob)

    problem(offer(bob, path, ada), 403, "offer_refused")
    assert bob.get(path).json["version"] == 1
    assert offer(cy, open_table(cy), ada).status_code == 201
    assert offer(ada, open_table(ada), bob).status_code == 201, "it is not mutual"
    ada.delete(f"{BLOCKS}/{bob.id}")
    assert offer(bob, path, ada).status_code == 201


def test_a_block_declines_open_offers_of_that_player_only(api, ada, bob, cy):
    paths = [open_table(bob), open_table(bob), open_table(cy)]
    for host, path in zip((bob, bob, cy), paths, strict=True):
        assert offer(host, path, ada).status_code == 201
    shared = open_table(bob)
    offer(bob, shared, cy)
    ada.post(f"{shared}/seats")
    catch_up(api)

    block(ada, bob)

    offered = [[seat["offered_to"] for seat in ada.get(path).json["view"]["seats"]] for path in paths]
    assert offered == [[None, None], [None, None], [ada.id, None]]
    last = bob.get(f"{paths[0]}/events").json["events"][-1]
    assert (last["type"], last["by"]) == ("table.offer_withdrawn", "player:0")
    seats = bob.get(shared).json["view"]["seats"]
    assert [seats[0]["offered_to"], seats[1]["player"]] == [cy.id, ada.id], "nobody loses a seat by it"


def test_offers_declined_by_a_block_free_their_places_immediately(api_with):
    api = api_with(offers_per_host="1")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    path = open_table(bob)
    offer(bob, path, ada)
    catch_up(api)

    block(ada, bob)

    assert offer(bob, path, cy).status_code == 201


def test_a_repeated_block_declines_an_offer_missed_by_the_first(api, ada, bob):
    path = open_table(bob)
    offer(bob, path, ada)
    block(ada, bob)
    catch_up(api)

    block(ada, bob)

    assert bob.get(path).json["view"]["seats"][0]["offered_to"] is None


def test_a_rematch_offers_no_seat_to_a_player_who_blocked_its_host(api, ada, bob, cy):
    path = api.playing(ada, bob, cy)
    ada.resign(path)
    bob.resign(path)
    block(bob, ada)

    at = ada.post(f"{path}/rematch").headers["Location"]

    seats = ada.get(at).json["view"]["seats"]
    assert [seat["offered_to"] for seat in seats] == [cy.id, None, None]


def test_a_block_list_is_erased_with_its_player(api, ada, bob):
    block(ada, bob)
    key = Keys(api.service.settings.partitions).of_player("blocks", ada.id)
    assert api.service.client.exists(key)

    ada.post("/v1/players/me/erase", CONFIRMED)

    assert not api.service.client.exists(key)


def test_a_player_who_left_can_be_unblocked(api, ada, bob):
    block(ada, bob)
    bob.post("/v1/players/me/erase", CONFIRMED)

    assert ada.get(BLOCKS).json["blocked"] == [{"id": bob.id, "name": "someone who left"}]
    assert ada.delete(f"{BLOCKS}/{bob.id}").json["blocked"] == []


def test_a_block_list_has_a_maximum_length(api, ada, bob, cy, monkeypatch):
    monkeypatch.setattr("hoodwink.service.adapters.store.people.blocks.MAX_BLOCKED", 1)
    block(ada, bob)

    problem(ada.ask("PUT", f"{BLOCKS}/{cy.id}"), 409, "block_list_full")
    assert block(ada, bob) == [bob.id]


# ------------------------------------------------------------------------------------ a host's offers


def test_open_offers_are_limited_per_host_across_tables(api_with):
    api = api_with(offers_per_host="3")
    ada, *others = (api.person(f"Player {number}") for number in range(6))
    paths = [open_table(ada, seats=3), open_table(ada, seats=3)]

    assert [offer(ada, paths[number % 2], other).status_code for number, other in enumerate(others[:3])] == [
        201
    ] * 3
    refused = offer(ada, paths[0], others[3])
    problem(refused, 429, "too_many_offers")
    assert refused.headers["Retry-After"] == "60"
    catch_up(api)
    problem(offer(ada, paths[1], others[3]), 429, "too_many_offers")
    assert offer(others[3], open_table(others[3]), ada).status_code == 201, "others have their own"

    assert others[0].post(f"{paths[0]}/seats").status_code == 201
    assert offer(ada, paths[1], others[3]).status_code == 201, "an accepted one is not open"


def test_an_ended_offer_frees_its_place_immediately(api_with):
    api = api_with(offers_per_host="1")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    path, other = open_table(ada), open_table(ada)
    assert offer(ada, path, bob).status_code == 201
    assert ada.close(path).status_code == 200
    assert offer(ada, other, bob).status_code == 201, "its table was closed"
    assert bob.delete(f"{other}/seats/0").status_code == 200
    assert offer(ada, other, cy).status_code == 201, "it was declined"
    assert ada.delete(f"{other}/seats/0").status_code == 200
    assert offer(ada, other, bob).status_code == 201, "it was withdrawn"
    assert bob.post(f"{other}/seats").status_code == 201
    assert bob.delete(f"{other}/seats/0").status_code == 200
    assert offer(ada, other, cy).status_code == 201, "it was accepted, and the seat given up"
    problem(offer(ada, other, bob), 429, "too_many_offers")


def test_a_refused_withdrawal_frees_no_place(api_with):
    api = api_with(offers_per_host="1")
    ada, bob, cy = (api.person(name) for name in ("Ada", "Bob", "Cy"))
    path = open_table(ada)
    offer(ada, path, bob)

    problem(cy.delete(f"{path}/seats/0"), 403, "not_host")
    problem(
        ada.delete(f"{path}/seats/0", headers={"If-Match": '"1-0000000000000000"'}),
        412,
        "precondition_failed",
    )
    problem(offer(ada, path, cy), 429, "too_many_offers")


def test_a_refused_offer_does_not_count(api_with):
    api = api_with(offers_per_host="1")
    ada, bob, cy, dee = (api.person(name) for name in ("Ada", "Bob", "Cy", "Dee"))
    path = open_table(ada)
    bob.post(f"{path}/seats", {"seat": 0})

    problem(offer(ada, path, bob), 422, "player_seated")
    problem(ada.post(f"{path}/offers", {"player": cy.id, "seat": 0}), 422, "seat_taken")
    assert offer(ada, path, dee).status_code == 201


def test_a_repeated_offer_returns_its_first_result_at_the_limit(api_with):
    api = api_with(offers_per_host="1")
    ada, bob = api.person("Ada"), api.person("Bob")
    path = open_table(ada)
    first, again = (
        ada.post(f"{path}/offers", {"player": bob.id}, key="the-same-key-twice") for _ in range(2)
    )

    assert (first.status_code, first.data) == (again.status_code, again.data) == (201, first.data)


def test_a_rematch_offers_seats_beyond_the_limit_of_its_host(api_with):
    api = api_with(offers_per_host="1")
    ada, bob, cy, dee = (api.person(name) for name in ("Ada", "Bob", "Cy", "Dee"))
    path = api.playing(ada, bob, cy)
    bob.resign(path)
    cy.resign(path)

    at = ada.post(f"{path}/rematch").headers["Location"]

    assert [seat["offered_to"] for seat in ada.get(at).json["view"]["seats"]].count(None) == 1
    catch_up(api)
    problem(offer(ada, open_table(ada), dee), 429, "too_many_offers")
