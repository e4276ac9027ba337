"""Private and hidden tables: who can join, who can watch, and what others see of them (G-3)."""

import re
from collections import defaultdict
from itertools import chain

import pytest

from hoodwink.service.application.players.identity import Use
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import Access, declared
from tests.service.http.api import CONFIRMED, catch_up, problem

PRIVATE = {"private": True}
OPERATIONS = [operation for _, operation in chain.from_iterable(map(declared, API))]
GETS = [operation for operation in OPERATIONS if operation.method == "GET"]


def code_of(person, path):
    """Returns the header with the table's invitation code, as read by this person."""
    return {"Hoodwink-Invitation": person.get(f"{path}/invitation").json["invitation"]}


def not_invited(answer):
    return problem(answer, 403, "not_invited")


def open_table(host, **form):
    answer = host.post("/v1/tables", {"game": "blindside", "seats": 2, **form})
    assert answer.status_code == 201, answer.text
    return answer.headers["Location"]


def seat_people(api, *people, **form):
    """Returns the path of a table of these people, seated with its code."""
    path = open_table(people[0], **form)
    code = code_of(people[0], path)
    for person in people:
        assert person.post(f"{path}/seats", headers=code).status_code == 201
    return path


def start_table(api, *people, **form):
    path = seat_people(api, *people, **form)
    assert people[0].post(f"{path}/start").status_code == 200
    api.run_due(path)
    return path


def finish_table(api, *people, **form):
    form = {"options": {"rounds": 1}, "turn_seconds": 0, "bot_delay": 0, "round_pause": 0} | form
    path = start_table(api, *people, **form)
    api.play_out(path, *people)
    return path


def answers(actor, path, player):
    """Yields the answers of all reading operations, and of the table's commands."""
    table = path.rpartition("/")[2]
    named = defaultdict(lambda: "nowhere", table_id=table, player_id=player, game="blindside", seat="0")
    for operation in GETS:
        address = operation.path.format_map(named)
        yield operation, actor.get(address)
        if operation.query is not None and "as_of" in operation.query.fields:
            yield operation, actor.get(f"{address}?as_of={table}:1")
            yield operation, actor.get(f"{address}?format=csv")
        if operation.path == "/v1/tables":
            for phase in ("open", "playing", "ended"):
                yield operation, actor.get(f"{address}?phase={phase}")
                yield operation, actor.get(f"{address}?phase={phase}&game=blindside")


def timeless(answer):
    return re.sub(rb'"now":\d+', b"", answer.data)


def about_table(operation):
    return "{table_id}" in operation.path and operation.access is not Access.ADMINISTRATOR


@pytest.mark.parametrize(
    ("state", "form"),
    [
        (start_table, PRIVATE),
        (finish_table, PRIVATE | {"watch": "nobody"}),
        (start_table, {"watch": "invited"}),
        (finish_table, {"watch": "nobody"}),
    ],
)
def test_g_3_no_operation_shows_strangers_a_hidden_table(api, ada, bob, cy, state, form):
    strangers = (cy, api.spectator)
    catch_up(api)
    before = [[timeless(answer) for _, answer in answers(who, "/nowhere0", ada.id)] for who in strangers]
    path = state(api, ada, bob, **form)
    catch_up(api)

    for who, old in zip(strangers, before, strict=True):
        for (operation, answer), earlier in zip(answers(who, path, ada.id), old, strict=True):
            if about_table(operation):
                assert answer.status_code in {401, 403}, operation.path
                assert answer.status_code == 401 or not_invited(answer)
            elif operation.path not in {"/metrics", "/v1/games/{game}/statistics"}:
                assert timeless(answer) == earlier, operation.path


@pytest.mark.parametrize("form", [PRIVATE, {"watch": "nobody"}])
def test_g_3_a_hidden_table_is_only_in_its_players_books(api, ada, bob, cy, form):
    path = finish_table(api, ada, bob, **form)
    catch_up(api)
    table, at = path.rpartition("/")[2], f"/v1/players/{ada.id}"

    assert [row["table"] for row in ada.get(f"{at}/history").json["tables"]] == [table]
    assert {entry["table"] for entry in ada.get(f"{at}/ledger").json["entries"]} == {table}
    assert {line["table"] for line in ada.get(f"{at}/statement").json["lines"]} == {table}
    for what in ("history", "ledger", "statement"):
        assert table not in bob.get(f"{at}/{what}").text
    assert bob.get(f"{path}/ledger").json["entries"]


def test_g_3_a_hidden_table_counts_only_in_its_players_balances(api, ada, bob, cy):
    finish_table(api, ada, bob)
    catch_up(api)
    shown = cy.get(f"/v1/players/{ada.id}/ledger").json["balances"]
    path = finish_table(api, ada, bob, private=True)
    catch_up(api)
    at = f"/v1/players/{ada.id}"

    assert cy.get(f"{at}/ledger").json["balances"] == shown
    closing = {row["game"]: row["amount"] for row in ada.get(f"{at}/statement").json["closing"]}
    amounts = [line["amount"] for line in ada.get(f"{at}/statement").json["lines"]]
    assert closing["blindside"] == sum(amounts)
    assert {row["game"]: row["amount"] for row in ada.get(f"{at}/ledger").json["balances"]} == closing
    scored = ada.get(f"{path}/statement").json["lines"]
    own = sum(line["amount"] for line in scored if line["account"] == f"player:{ada.id}")
    listed = {row["game"]: row["amount"] for row in shown}
    assert closing["blindside"] == listed["blindside"] + own


def test_own_books_are_paged_with_hidden_tables_in_order(api, ada, bob):
    paths = [finish_table(api, ada, bob, private=number % 2 == 0) for number in range(4)]
    catch_up(api)
    seen, query = [], "limit=1"
    while query:
        page = ada.get(f"/v1/players/{ada.id}/history?{query}").json
        seen += [row["table"] for row in page["tables"]]
        query = page["cursor"] and f"limit=1&cursor={page['cursor']}"

    assert sorted(seen) == sorted(path.rpartition("/")[2] for path in paths)


@pytest.mark.parametrize("form", [PRIVATE, PRIVATE | {"watch": "nobody"}])
def test_a_seat_at_a_private_table_needs_the_invitation_code(api, ada, bob, form):
    path = open_table(ada, **form)
    code = code_of(ada, path)

    refused = not_invited(bob.post(f"{path}/seats"))
    assert (
        not_invited(bob.post(f"{path}/seats", headers={"Hoodwink-Invitation": "AAAA-AAAA-AAAA"})) == refused
    )
    sloppy = {name: value.replace("-", "").lower() for name, value in code.items()}
    assert bob.post(f"{path}/seats", headers=sloppy).status_code == 201
    assert ada.post(f"{path}/seats").status_code == 201


def test_an_invitation_code_works_for_its_table_only(api, ada, bob):
    code = code_of(ada, open_table(ada, private=True))

    not_invited(bob.post(f"{open_table(ada, private=True)}/seats", headers=code))


def test_key_rotation_invalidates_invitation_codes(api, ada, bob):
    path = open_table(ada, private=True)
    code = code_of(ada, path)
    api.service.identities.rotate(Use.INVITATIONS)

    not_invited(bob.post(f"{path}/seats", headers=code))
    assert bob.post(f"{path}/seats", headers=code_of(ada, path)).status_code == 201


def test_only_host_and_players_can_read_the_code(api, ada, bob, cy):
    path = seat_people(api, ada, bob, private=True)

    assert code_of(ada, path) == code_of(bob, path)
    assert ada.get(f"{path}/invitation").headers["Cache-Control"] == "private, no-store"
    not_invited(cy.get(f"{path}/invitation", headers=code_of(ada, path)))


def test_g_3_holders_of_the_code_watch_where_the_invited_may(api, ada, bob, cy):
    path = finish_table(api, ada, bob, watch="invited")
    code = code_of(ada, path)

    for address in (path, f"{path}?version=3", f"{path}/events", f"{path}/log", f"{path}/ledger"):
        not_invited(cy.get(address))
        assert cy.get(address, headers=code).status_code == 200
        assert api.spectator.get(address, headers=code).status_code == 200
        assert bob.get(address).status_code == 200


def test_g_3_the_code_does_not_help_where_nobody_may_watch(api, ada, bob, cy):
    path = finish_table(api, ada, bob, watch="nobody")

    for address in (path, f"{path}/events", f"{path}/log"):
        not_invited(cy.get(address, headers=code_of(ada, path)))
        assert bob.get(address).status_code == 200


def test_g_3_a_host_without_a_seat_may_always_look(api, ada, bob, cy):
    path = open_table(cy, watch="nobody")
    for person in (ada, bob):
        person.post(f"{path}/seats")
    cy.post(f"{path}/start")
    api.run_due(path)

    assert cy.get(path).json["view"]["viewer"] == "spectator"
    ada.resign(path)
    assert cy.get(f"{path}/log").status_code == 200


def test_a_private_table_open_to_watchers_is_not_listed(api, ada, cy):
    path = open_table(ada, private=True, watch="everyone")
    catch_up(api)

    assert api.spectator.get("/v1/tables").json["tables"] == []
    assert cy.get(path).json["view"]["private"] is True
    not_invited(cy.post(f"{path}/seats"))


def test_a_public_table_with_limited_watching_is_listed_while_open(api, ada, bob):
    path = seat_people(api, ada, bob, watch="nobody")
    catch_up(api)
    assert [row["id"] for row in api.spectator.get("/v1/tables").json["tables"]] == [path.rpartition("/")[2]]

    ada.post(f"{path}/start")
    catch_up(api)

    for phase in ("open", "playing", "ended"):
        assert api.spectator.get(f"/v1/tables?phase={phase}").json["tables"] == []


@pytest.mark.parametrize(
    "form", [PRIVATE, {"watch": "invited"}, {"watch": "nobody"}, PRIVATE | {"watch": "everyone"}]
)
def test_r_1_an_unlisted_table_cannot_be_rated(api, ada, form):
    problem(
        ada.post("/v1/tables", {"game": "blindside", "seats": 2, "rated": True} | form),
        422,
        "unlisted_unrated",
    )

    assert ada.get(open_table(ada, **form)).json["view"]["rated"] is False


def test_a_table_is_public_rated_and_watchable_by_default(api, ada):
    view = ada.get(open_table(ada)).json["view"]

    assert (view["private"], view["watch"], view["rated"]) == (False, "everyone", True)


@pytest.mark.parametrize(("form", "watch"), [(PRIVATE, "invited"), ({"watch": "nobody"}, "nobody")])
def test_g_3_a_fork_of_a_hidden_table_is_private_and_as_hidden(api, ada, bob, cy, form, watch):
    path = finish_table(api, ada, bob, **form)
    not_invited(cy.post(f"{path}/fork", {"version": 5}))

    forked = ada.post(f"{path}/fork", {"version": 5})
    view = forked.json["view"]

    assert (view["private"], view["watch"], view["rated"]) == (True, watch, False)
    not_invited(cy.get(forked.headers["Location"]))
    not_invited(cy.post(f"{forked.headers['Location']}/seats"))


@pytest.mark.parametrize("state", [start_table, finish_table])
@pytest.mark.parametrize("form", [PRIVATE, {"watch": "invited"}, {"watch": "nobody"}])
def test_g_3_strangers_commands_reveal_nothing_about_the_table(api, ada, bob, cy, state, form):
    path = state(api, ada, bob, **form)

    bodies = {"resign": CONFIRMED, "close": CONFIRMED, "seed": {"seed": "a" * 32}, "fork": {"version": 1}}
    for command in (
        "seats",
        "start",
        "seed",
        "actions",
        "resign",
        "return",
        "take-back",
        "ready",
        "close",
        "fork",
    ):
        not_invited(cy.post(f"{path}/{command}", bodies.get(command, {})))
    for seat in (0, 1):
        not_invited(cy.delete(f"{path}/seats/{seat}"))
    not_invited(cy.post(f"{path}/seats", {"expected_version": 1}))
    not_invited(cy.delete(f"{path}/seats/0", headers={"If-Match": '"1"'}))


def test_wrong_and_missing_codes_are_refused_alike(api, ada, bob, cy):
    path = finish_table(api, ada, bob, private=True)
    wrong = {"Hoodwink-Invitation": "x" * 14}

    for address in (path, f"{path}/log", f"{path}/events"):
        assert cy.get(address).data == cy.get(address, headers=wrong).data


def test_the_code_is_in_no_view_event_or_log(api, ada, bob):
    path = finish_table(api, ada, bob, private=True)
    (code,) = code_of(ada, path).values()

    for address in (path, f"{path}/events", f"{path}/log", f"{path}/ledger", f"{path}/statement"):
        assert code not in ada.get(address).text


def test_an_offered_private_table_is_listed_for_its_invitee(api, ada, bob, cy):
    path = open_table(ada, private=True)
    ada.post(f"{path}/offers", {"player": bob.id})
    catch_up(api)

    mine = [[row["id"] for row in who.get("/v1/me/tables").json["tables"]] for who in (ada, bob, cy)]

    assert mine == [[path.rpartition("/")[2]], [path.rpartition("/")[2]], []]


def test_the_host_frees_the_seat_of_a_person(api, ada, bob, cy):
    path = seat_people(api, ada, bob)

    problem(cy.delete(f"{path}/seats/1"), 403, "not_host")
    answer = ada.delete(f"{path}/seats/1", query_string="include=words")

    assert answer.json["view"]["seats"][1]["player"] is None
    (event,) = answer.json["events"]
    assert (event["type"], event["by"], event["words"]) == (
        "table.seat_left",
        "host",
        "The host freed seat 1.",
    )


def test_an_offered_seat_is_taken_without_code(api, ada, bob, cy):
    path = open_table(ada, private=True)
    not_invited(bob.get(path))
    offered = ada.post(f"{path}/offers", {"player": bob.id, "seat": 1})

    assert (offered.status_code, offered.json["view"]["seats"][1]["offered_to"]) == (201, bob.id)
    problem(cy.post(f"{path}/seats", {"seat": 1}, headers=code_of(ada, path)), 422, "seat_offered")
    assert code_of(bob, path) == code_of(ada, path)
    assert bob.get(path).json["view"]["viewer"] == "spectator"
    taken = bob.post(f"{path}/seats")
    assert (taken.status_code, taken.json["view"]["seats"][1]["player"]) == (201, bob.id)


@pytest.mark.parametrize("by", ["host", "player"])
def test_an_offer_is_withdrawn_or_declined(api, ada, bob, by):
    path = open_table(ada, private=True)
    ada.post(f"{path}/offers", {"player": bob.id})

    answer = (ada if by == "host" else bob).delete(f"{path}/seats/0")

    assert answer.json["events"][0]["type"] == "table.offer_withdrawn"
    not_invited(bob.post(f"{path}/seats"))


def test_seats_are_offered_only_to_players(api, ada):
    problem(ada.post(f"{open_table(ada)}/offers", {"player": "nobody00"}), 404, "player_not_found")


def test_an_offered_seat_is_not_given_to_a_bot(api, ada, bob):
    path = open_table(ada)
    ada.post(f"{path}/offers", {"player": bob.id, "seat": 0})

    assert ada.post(f"{path}/seats", {"policy": "random"}).json["view"]["seats"][1]["policy"] == "random"
    problem(ada.post(f"{path}/seats", {"policy": "random"}), 422, "table_full")
    problem(ada.post(f"{path}/start"), 422, "seats_empty")


def test_hosting_is_handed_over(api, ada, bob):
    path = seat_people(api, ada, bob)

    problem(bob.post(f"{path}/host", {"player": ada.id}), 403, "not_host")
    assert ada.post(f"{path}/host", {"player": bob.id}).json["view"]["host"] == bob.id
    problem(ada.post(f"{path}/start"), 403, "not_host")
    assert bob.post(f"{path}/start").status_code == 200
    catch_up(api)
    (row,) = api.spectator.get("/v1/tables?phase=playing").json["tables"]
    assert row["host"] == bob.id


def test_a_page_of_events_names_a_new_host_who_left(api, ada, bob):
    path = seat_people(api, ada, bob)
    cursor = ada.get(f"{path}/events").json["cursor"]
    ada.post(f"{path}/host", {"player": bob.id})
    bob.delete(f"{path}/seats/1")

    page = ada.get(f"{path}/events?include=words&cursor={cursor}").json["events"]

    assert [event["words"] for event in page] == ["Bob is the host now.", "The player at seat 1 left."]


def test_an_unseated_host_stops_watching_after_handing_over(api, ada, bob, cy):
    path = open_table(cy, watch="nobody")
    for person in (ada, bob):
        person.post(f"{path}/seats")

    assert cy.post(f"{path}/host", {"player": ada.id}).status_code == 200
    not_invited(cy.get(path))


def test_a_rematch_seats_asker_and_bots_and_offers_the_other_seats(api, ada, bob):
    path = api.playing(ada, bob, bots=1, options={"five_card": True}, rated=False)
    ada.resign(path)
    bob.resign(path)

    answer = bob.post(f"{path}/rematch")
    at, view = answer.headers["Location"], answer.json["view"]

    assert answer.status_code == 201
    assert [seat["player"] for seat in view["seats"]] == ["bot:random", None, bob.id]
    assert [seat["offered_to"] for seat in view["seats"]] == [None, ada.id, None]
    assert (view["host"], view["viewer"], view["rated"]) == (bob.id, 2, False)
    assert view["options"]["five_card"] is True
    ended = api.spectator.get(path).json["view"]
    assert (at, view["rematch_of"]) == (f"/v1/tables/{ended['rematch']}", ended["id"])
    ada.post(f"{at}/seats")
    assert bob.post(f"{at}/start").status_code == 200


def test_repeated_requests_return_the_same_rematch(api, ada, bob, cy):
    path = api.playing(ada, bob)
    problem(ada.post(f"{path}/rematch"), 409, "table_not_over")
    ada.resign(path)
    problem(cy.post(f"{path}/rematch"), 403, "not_seated")

    answers_ = [who.post(f"{path}/rematch") for who in (ada, bob, ada)]

    assert len({answer.headers["Location"] for answer in answers_}) == 1
    assert {answer.json["view"]["host"] for answer in answers_} == {ada.id}
    types = [event["type"] for event in api.spectator.get(f"{path}/events").json["events"]]
    assert types.count("table.rematch_opened") == 1


def test_a_lost_rematch_announcement_is_made_by_the_next_request(api, ada, bob, monkeypatch):
    path = api.playing(ada, bob)
    ada.resign(path)
    with monkeypatch.context() as killed:
        killed.setattr(
            type(api.service.rematches), "_announce", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            ada.post(f"{path}/rematch")
    assert api.spectator.get(path).json["view"]["rematch"] is None

    answer = bob.post(f"{path}/rematch")

    assert answer.json["view"]["host"] == ada.id
    assert api.spectator.get(path).json["view"]["rematch"] == answer.json["view"]["id"]


def test_simultaneous_requests_get_the_same_rematch(api, ada, bob):
    path = api.playing(ada, bob)
    ada.resign(path)
    ended = api.service.tables.load(path.rpartition("/")[2]).state
    first = bob.post(f"{path}/rematch")

    # Ada's request read the table before Bob's announced a rematch.
    opened_id = api.service.identities.rematch_id(ended.id, 0)
    api.service.rematches._open(ended, opened_id, ada.id)
    api.service.rematches._announce(ended, opened_id, ada.id)

    assert api.spectator.get(first.headers["Location"]).json["view"]["host"] == bob.id
    assert api.spectator.get(path).json["view"]["rematch"] == opened_id


def test_a_rematch_closed_before_its_start_can_be_replaced(api, ada, bob):
    path = api.playing(ada, bob)
    ada.resign(path)
    ended = api.service.tables.load(path.rpartition("/")[2]).state
    first = ada.post(f"{path}/rematch").headers["Location"]
    ada.close(first)

    second = bob.post(f"{path}/rematch")

    at = second.headers["Location"]
    assert (second.json["view"]["phase"], second.json["view"]["host"]) == ("open", bob.id)
    assert at != first
    assert ada.post(f"{path}/rematch").headers["Location"] == at
    assert api.spectator.get(path).json["view"]["rematch"] == at.rpartition("/")[2]
    types = [event["type"] for event in api.spectator.get(f"{path}/events").json["events"]]
    assert types.count("table.rematch_opened") == 2
    # A request that read the table before the first announcement changes nothing.
    api.service.rematches._announce(ended, first.rpartition("/")[2], ada.id)
    assert api.spectator.get(path).json["view"]["rematch"] == at.rpartition("/")[2]


def test_an_erased_player_is_offered_no_seat(api, ada, bob, cy):
    path = api.playing(ada, bob, cy)
    ada.resign(path)
    bob.resign(path)
    assert bob.post("/v1/players/me/erase", CONFIRMED).status_code == 200

    at = ada.post(f"{path}/rematch").headers["Location"]

    seats = ada.get(at).json["view"]["seats"]
    assert [(seat["player"], seat["offered_to"]) for seat in seats] == [
        (None, cy.id),
        (ada.id, None),
        (None, None),
    ]
    problem(ada.post(f"{at}/offers", {"player": bob.id}), 404, "player_not_found")


def test_g_3_the_rematch_of_a_hidden_table_is_as_hidden(api, ada, bob, cy):
    path = start_table(api, ada, bob, private=True, watch="nobody")
    not_invited(cy.post(f"{path}/rematch"))
    ada.resign(path)
    at = ada.post(f"{path}/rematch").headers["Location"]

    view = bob.get(at).json["view"]
    assert (view["private"], view["watch"], view["rated"]) == (True, "nobody", False)
    not_invited(cy.get(at))
    ada.delete(f"{at}/seats/0")
    not_invited(bob.post(f"{path}/rematch"))


def test_a_log_with_a_rematch_verifies(api, ada, bob):
    path = api.playing(ada, bob)
    ada.resign(path)
    ada.post(f"{path}/rematch")

    verdict = ada.post("/v1/verify", data=ada.get(f"{path}/log").data, content_type="application/x-ndjson")

    assert verdict.json["valid"]
