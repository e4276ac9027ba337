"""No answer or refusal reveals a card that the rules hide from its viewer.

The hidden cards in a table's log are exchanged; every answer has to stay the same, byte for byte. Only `head` may
differ: it is a hash blinded by the server seed, which is revealed at the end.
"""

import re
from collections import defaultdict
from itertools import chain
from random import Random

import msgspec
import pytest

from hoodwink.domain.games import GAMES
from hoodwink.domain.kernel import Stage, Viewer, without_name
from hoodwink.domain.words import seating_of
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import declared
from hoodwink.service.http.serving.streams.frames import event_frame, snapshot_frame, view_frame
from tests.domain.laws.playout import play
from tests.domain.laws.universe import build_universe
from tests.service.http.api import Person, catch_up, first_legal, version
from tests.service.http.twins import SERVER_SEED, TABLE, inhabitant, twins

PATH = f"/v1/tables/{TABLE}"
HEAD = re.compile(rb'"head":"[0-9a-f]{64}"|(?<=\d)-[0-9a-f]{16}\b')
NDJSON = {"Accept": "application/x-ndjson"}
LENGTHS = (12, 40)
NOT_OF_TABLES = {"/metrics", "/openapi.json", "/openapi.yaml"}
"""Operations left out here: their answers change with each request, or depend on no table."""


def plays(game):
    """Yields unfinished tables of the game without a void round."""
    for seed in range(100):
        length = LENGTHS[seed % 2]
        found = play(game, seed, max_entries=length)
        if all(entry.event is not None for entry in found.entries) and not ended(found):
            yield found


def ended(found):
    return found.game.stage(found.entries[-1].state) is Stage.OVER


def answers(api, viewer, found):
    """Yields every answer a viewer can get without changing the table."""
    actor = api.spectator if viewer == "spectator" else inhabitant(api, viewer)
    version = actor.get(PATH).json["version"]
    for query in ("", *(f"?version={number}" for number in range(1, version + 2))):
        yield actor.get(PATH + query)
    for query in (
        "",
        "?limit=7",
        "?cursor=9",
        "?viewer=spectator",
        "?viewer=everybody",
        "?viewer=0",
        "?viewer=1",
        "?include=words",
        "?include=words&viewer=spectator",
    ):
        yield actor.get(f"{PATH}/events{query}")
        yield actor.get(f"{PATH}/events{query}", headers=NDJSON)
        yield actor.get(PATH + query.replace("limit", "cursor"))
    yield actor.get(PATH, headers={"If-None-Match": f'"{version}"'})
    yield actor.get(f"{PATH}/log")
    yield actor.get(f"{PATH}/legal-actions")
    yield actor.post(f"{PATH}/actions", {"type": "x", "expected_version": 1})
    if viewer == "spectator":  # a player sees all that a spectator sees of lists and books
        return
    yield from refusals(actor, viewer, found)
    yield from elsewhere(actor, inhabitant(api, 0).id, found)


def elsewhere(actor, player, found):
    """Yields the answers of every reading operation, including lists and books."""
    named = defaultdict(lambda: "nowhere", table_id=TABLE, player_id=player, game=found.game.name)
    for _, operation in chain.from_iterable(map(declared, API)):
        if operation.method == "GET" and operation.path not in NOT_OF_TABLES:
            yield actor.get(operation.path.format_map(named))
    for command in ("start", "seed", "seats", "seats/0/actions", "seats/1/actions", "return", "take-back"):
        yield actor.post(f"{PATH}/{command}", {})
    yield actor.post(f"{PATH}/fork", {"version": 3})
    yield actor.delete(f"{PATH}/seats/1")


def refusals(actor: Person, viewer, found):
    """Yields the refusals of illegal actions of the seat."""
    chance, state = Random(found.seed), found.entries[-1].state
    table = actor.get(f"{PATH}/legal-actions").json
    types = {choice["type"] for choice in table["choices"]}
    universe = build_universe(found.game, ("9S", "9H"), chance)
    for action in chance.sample(universe, min(60, len(universe))):
        form = msgspec.to_builtins(action)
        if (
            form not in table["actions"] + table["offences"]
            and form["type"] not in types
            and state is not None
        ):
            yield actor.post(f"{PATH}/actions", form)


def comparable(answer):
    headers = [(name, HEAD.sub(b"", value.encode())) for name, value in answer.headers if name != "Date"]
    return answer.status_code, headers, HEAD.sub(b"", answer.data)


def frames(api, viewer):
    """Returns the bytes of the viewer's live stream."""
    loaded = api.service.tables.load(TABLE)
    history, now = api.service.tables.history(TABLE), api.service.clock.now_ms()
    sent = [
        event_frame(loaded.state.game, recorded, viewer, seating, now)
        for seating in (None, seating_of(loaded.state))
        for recorded in history
    ]
    sent += [
        snapshot_frame(loaded, viewer, without_name, now=now, with_legal=True),
        view_frame(loaded.position, loaded, history, viewer, without_name, now=now, words=True),
    ]
    return [HEAD.sub(b"", frame) for frame in sent]


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_answers_do_not_depend_on_hidden_cards(game, number):
    found = [play for play, _ in zip(plays(game), range(number + 1), strict=False)][number]
    compared = 0
    viewers: tuple[Viewer, ...] = ("spectator", 0, 1) if number else ("spectator", 0)
    for viewer in viewers:
        for mine, theirs in twins(found, viewer, Random(number)):
            for api in (mine, theirs):
                catch_up(api)
            pairs = zip(answers(mine, viewer, found), answers(theirs, viewer, found), strict=True)
            for one, other in pairs:
                assert comparable(one) == comparable(other), one.request.url
            assert frames(mine, viewer) == frames(theirs, viewer)
            if isinstance(viewer, int):
                one, other = (inhabitant(api, viewer).resign(PATH) for api in (mine, theirs))
                is_over = one.json["view"]["phase"] == "ended"  # then everything is visible
                assert one.status_code == other.status_code == 200
                assert is_over or comparable(one) == comparable(other)
            compared += 1
    assert compared


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_an_actions_answer_shows_only_events_visible_to_its_seat(game, api):
    fewest, most = game.seats
    people = [api.person(f"Ada {number}") for number in range(max(fewest, min(3, most)))]
    path, chance = api.playing(*people, game=game.name), Random(game.name)
    for _ in range(20):
        able = ((who, legal) for who in people if (legal := list(first_legal(who, path))))
        person, legal = next(able, (None, []))
        if person is None:  # a short game has ended
            break
        before = version(api, path)
        answer = person.post(f"{path}/actions?include=words", chance.choice(legal)).json

        listed = person.get(f"{path}/events?cursor={before}&include=words").json["events"]
        assert answer["events"] == listed
        assert all(event["words"] for event in listed)
        assert answer["view"] == person.get(path).json["view"]
        api.run_due(path)


def test_sh_50_a_secret_swap_is_shown_only_to_its_owner(api, ada, bob):
    path = api.playing(ada, bob, game="shithead", options={"hidden_swap": True})
    swap = next(action for action in first_legal(ada, path) if action["type"] == "swap")
    swapped = ada.post(f"{path}/actions", swap).json
    ready = bob.post(f"{path}/actions", {"type": "ready"}).json

    assert listed_versions(ada, path)[-2:] == [swapped["version"], ready["version"]]
    for other in (bob, api.spectator):
        listed = listed_versions(other, path)
        assert swapped["version"] not in listed
        assert listed[-1] == ready["version"]
    assert [event["version"] for event in swapped["events"]] == [swapped["version"]]
    assert [event["version"] for event in ready["events"]] == [ready["version"]]


def listed_versions(actor, path):
    """Returns the versions of the person's events in both formats."""
    listed = [event["version"] for event in actor.get(f"{path}/events").json["events"]]
    lines = actor.get(f"{path}/events", headers=NDJSON).data.splitlines()
    assert [msgspec.json.decode(line)["version"] for line in lines] == listed
    return listed


def test_the_server_seed_is_hidden_before_the_end(api, ada, bob):
    path = api.playing(ada, bob)
    seed = api.service.tables.load(path.rpartition("/")[2]).state.server_seed

    for actor in (api.spectator, ada, bob):
        for where in ("", "?version=1", "?version=5", "/events", "/legal-actions", "/log"):
            assert seed.encode() not in actor.get(path + where).data
    assert seed.encode() not in api.spectator.get("/metrics").data


def test_everything_is_visible_after_the_end(api, ada, bob):
    path = api.playing(ada, bob)
    ada.resign(path)

    everybody = api.spectator.get(f"{path}?viewer=everybody&version=5").json["view"]

    assert "??" not in str(everybody["view"])
    assert SERVER_SEED not in str(everybody)
    assert api.spectator.get(path).json["view"]["server_seed"]
    assert api.spectator.get(f"{path}?viewer=1&version=5").json["view"]["viewer"] == 1
