"""Answers of a tournament, and of its tables to unseated players, do not depend on secrets.

Two tournaments are played alike with different server seeds, so all hands differ. All answers must be the same, byte
for byte, except commitments and the hashes blinded by the seed.
"""

import re
from collections import defaultdict
from itertools import chain, count

import pytest

from hoodwink.domain.kernel import without_name
from hoodwink.domain.tournaments.chance import table_seed
from hoodwink.domain.tournaments.life import Phase
from hoodwink.domain.words import Cast
from hoodwink.service.adapters.store.installation_secret import KEY
from hoodwink.service.http.description import API
from hoodwink.service.http.framework.operations import declared
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.serving.streams.frames import (
    event_frame,
    snapshot_frame,
    standings_frame,
    tournament_event_frame,
    tournament_snapshot_frame,
)
from tests.service.http.api import CONFIRMED, Person, catch_up, problem
from tests.service.http.cup import Cup, standing_api
from tests.service.http.refused.listed import OPERATIONS, operation_at
from tests.service.http.tables.test_secrecy import NDJSON, NOT_OF_TABLES

SEEDS = "5eed" * 16, "0dd5" * 16
SECRET_SEED = "ad" * 16
BLINDED = re.compile(rb'"(head|commitment)":"[0-9a-f]{64}"|(?<=\d)-[0-9a-f]{16}\b')
PEOPLE = ("Olga", "Ada", "Bob", "Cy", "Dee", "Eve")


class Entropy:
    """Gives every tournament the same server seed."""

    def __init__(self, seed):
        self.seed = seed
        self.commands = count()

    def server_seed(self):
        return self.seed

    def command_id(self):
        return f"command-{next(self.commands)}"


def hold_tournament(seed, **form):
    """Returns a tournament in play before the pairing of its second round; ids are the same for every seed."""
    api = standing_api(entropy=Entropy(seed))
    api.service.client.set(KEY, b"the same in both services")
    people = dict(zip(PEOPLE, [inhabitant(api, name) for name in PEOPLE], strict=True))
    fields = {
        "game": "double_blind",  # its deal shows nobody's cards
        "options": {},
        "format": "round_robin",
        "seats": 2,
        "sittings": [{}],
        "rank_by": "organiser",
        "tiebreaks": ["buchholz"],
    }
    cup = Cup(api, people["Olga"], key="the-key-of-the-cup", **(fields | form))
    cup.start(*[people[name] for name in ("Ada", "Bob", "Cy", "Dee")])
    cup.pair()
    cup.start_round()
    catch_up(api)
    return cup, people


def inhabitant(api, name):
    answer = api.spectator.post("/v1/players", {"name": name}, key=f"the-key-of-{name}-here").json
    return Person(api.app, answer["token"], answer["id"])


QUERIES = ("include=words", "limit=2", "round=1", "version=1", "viewer=0", "viewer=everybody")


def answers(cup, actor, paths):
    """Yields the answers of all reading operations."""
    for path in paths:
        for query in queries_of(path, QUERIES):
            yield actor.get(path + query)
            yield actor.get(path + query, headers=NDJSON)


def queries_of(path, queries):
    """Yields no query, those of these queries that the operation reads, and one that no operation reads."""
    name = operation_at("GET", path)
    assert name, path
    schema = OPERATIONS[name].query
    known = schema.fields if schema else ()
    yield from ("", "?unread=1", *(f"?{query}" for query in queries if query.partition("=")[0] in known))


def refusals(actor, paths):
    """Yields the refusals of commands forbidden to the person."""
    for path in paths:
        yield actor.post(path, {})
        yield actor.post(path, {"expected_version": 1})
        yield actor.post(path, CONFIRMED | {"reason": "Because."})
        yield actor.post(path, {}, headers={"If-Match": '"1"'})


def paths_of(method, *, below="", **named):
    """Returns the paths of all operations of a method."""
    known = defaultdict(lambda: "1", **named)
    operations = [operation for _, operation in chain.from_iterable(map(declared, API))]
    return [
        operation.path.format_map(known)
        for operation in operations
        if operation.method == method
        and operation.path not in NOT_OF_TABLES
        and operation.path.startswith(below)
    ]


def path_parameters(cup, people):
    table = cup.tables()[0].rpartition("/")[2]
    ada = people["Ada"].id
    return {
        "tournament_id": cup.id,
        "table_id": table,
        "player_id": ada,
        "entrant_id": ada,
        "game": "double_blind",
    }


def comparable(answer):
    headers = [(name, BLINDED.sub(b"", value.encode())) for name, value in answer.headers if name != "Date"]
    return answer.status_code, headers, BLINDED.sub(b"", answer.data)


def answers_to_strangers(cup, people, actor):
    """Yields every answer to an unseated person."""
    named = path_parameters(cup, people)
    yield from answers(cup, actor, paths_of("GET", **named))
    yield from refusals(actor, paths_of("POST", below="/v1/tournaments/{", **named))
    yield from refusals(actor, paths_of("POST", below="/v1/tables/{", **named))


@pytest.mark.parametrize("who", ["spectator", pytest.param("Eve", marks=pytest.mark.campaign)])
def test_t_14_answers_do_not_depend_on_the_server_seed(who):
    worlds = [hold_tournament(seed) for seed in SEEDS]
    hands = [hand_of(cup, people["Ada"]) for cup, people in worlds]
    assert hands[0] != hands[1]
    compared = 0
    everything = [
        answers_to_strangers(cup, people, cup.api.spectator if who == "spectator" else people[who])
        for cup, people in worlds
    ]
    for one, other in zip(*everything, strict=True):
        assert comparable(one) == comparable(other), one.request.url
        compared += 1
    assert compared > 300
    assert [cup.view["version"] for cup, _ in worlds] == [worlds[0][0].view["version"]] * 2


STREAM = {"Accept": "text/event-stream"}


def private_cup(**form):
    """Returns a private tournament of Ada and Bob in play, and a public one of Eve by the same organiser."""
    cup, people = hold_tournament(SEEDS[0], visibility="private", **form)
    cup.end_table(cup.tables()[0])
    other = Cup(cup.api, people["Olga"], rank_by="organiser", visibility="unlisted")
    other.start(people["Eve"], bots=2)
    catch_up(cup.api)
    return cup, people


@pytest.mark.parametrize("who", ["spectator", "Eve"])
def test_t_24_to_strangers_a_private_tournament_does_not_exist(who):
    cup, people = private_cup()
    actor = cup.api.spectator if who == "spectator" else people[who]
    named = path_parameters(cup, people)
    absent = named | {"tournament_id": "m" * len(cup.id), "table_id": "n" * len(named["table_id"])}

    def given(parameters):
        below = [path for path in paths_of("GET", **parameters) if path.startswith(here(parameters))]
        yield from answers(cup, actor, below)
        yield from [actor.get(path, headers=STREAM) for path in below]
        for path in [path for path in paths_of("POST", **parameters) if path.startswith(here(parameters))]:
            yield from refusals(actor, [path])
        for path in [path for path in paths_of("DELETE", **parameters) if path.startswith(here(parameters))]:
            yield actor.delete(path)

    def here(parameters):
        return (f"/v1/tables/{parameters['table_id']}", f"/v1/tournaments/{parameters['tournament_id']}")

    compared = 0
    for ours, none in zip(given(named), given(absent), strict=True):
        text = ours.text.replace(cup.id, absent["tournament_id"]).replace(
            named["table_id"], absent["table_id"]
        )
        assert (ours.status_code, text) == (none.status_code, none.text), ours.request.url
        compared += 1
    assert compared > 400

    for kind, id_ in (("tables", "table_id"), ("tournaments", "tournament_id")):
        pages = [actor.get(f"/{kind}/{parameters[id_]}") for parameters in (named, absent)]
        assert pages[0].text.replace(named[id_], absent[id_]) == pages[1].text

    elsewhere = [path for path in paths_of("GET", **named) if not path.startswith(here(named))]
    for answer in answers(cup, actor, elsewhere):
        assert cup.id not in answer.text, answer.request.url
        assert named["table_id"] not in answer.text, answer.request.url


def test_t_24_entrants_officials_and_the_invited_see_a_private_tournament():
    cup, people = private_cup()
    cup.command("/arbiters", {"player": people["Eve"].id})
    (code,) = cup.invitation().values()
    seen = [
        f"{cup.path}{path}"
        for path in ("", "/calendar", "/events", "/rounds/1", "/standings", "/results", "/statement")
    ]
    seen += [path + more for path in cup.tables() for more in ("", "/events")]
    invited = {"Hoodwink-Invitation": code.lower()}

    for who, headers in [("Olga", {}), ("Ada", {}), ("Eve", {}), ("spectator", invited)]:
        actor = cup.api.spectator if who == "spectator" else people[who]
        for path in seen:
            assert actor.get(path, headers=headers).status_code == 200, (who, path)
    for who in ("Ada", "Eve"):
        problem(people[who].get(f"{cup.path}/invitation"), 403, "not_organiser")
    assert code not in people["Ada"].get(f"{cup.path}/events").text


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_t_24_only_a_public_tournament_is_listed(visibility):
    cup, people = hold_tournament(SEEDS[0], visibility=visibility)
    cup.end_table(cup.tables()[0])
    catch_up(cup.api)
    ada = people["Ada"]
    lists = [*[f"/v1/tournaments?phase={phase}" for phase in Phase], f"/v1/players/{ada.id}/tournaments"]

    for actor in (cup.api.spectator, people["Bob"], people["Eve"]):
        assert all(actor.get(path).json["tournaments"] == [] for path in lists)
    assert [row["tournament"] for row in ada.get(lists[-1]).json["tournaments"]] == [cup.id]
    assert people["Bob"].get("/v1/me/tournaments").json["tournaments"] == []
    assert [row["id"] for row in cup.organiser.get("/v1/me/tournaments").json["tournaments"]] == [cup.id]
    assert cup.api.spectator.get("/v1/tables?phase=playing").json["tables"] == []
    shown = people["Bob"].get(cup.tables()[1]).json["view"]
    assert (shown["private"], shown["watch"]) == (
        True,
        {"unlisted": "everyone", "private": "invited"}[visibility],
    )
    assert shown["rated"] is False
    assert cup.api.spectator.get(cup.path).status_code == {"unlisted": 200, "private": 404}[visibility]


def hand_of(cup, person):
    (table,) = [path for path in cup.tables() if person.get(path).json["view"]["viewer"] != "spectator"]
    return str(person.get(table).json["view"]["view"])


@pytest.mark.parametrize("who", ["Olga", "Ada"])
def test_t_14_organiser_and_entrants_read_the_same_as_everybody(who):
    (mine, people), (theirs, others) = [hold_tournament(seed) for seed in SEEDS]
    reading = [path for path in paths_of("GET", **path_parameters(mine, people)) if "/v1/tournaments" in path]
    for one, other in zip(
        answers(mine, people[who], reading), answers(theirs, others[who], reading), strict=True
    ):
        assert comparable(one) == comparable(other), one.request.url


def test_t_14_live_streams_do_not_depend_on_the_server_seed():
    mine, theirs = [[BLINDED.sub(b"", frame) for frame in frames(*hold_tournament(seed))] for seed in SEEDS]

    assert len(mine) > 20
    assert mine == theirs


def frames(cup, people):
    """Yields the bytes of an unseated person's live streams."""
    service = cup.api.service
    loaded = service.tournaments.load(cup.id)
    yield tournament_snapshot_frame(loaded, without_name)
    yield standings_frame(loaded.position, encode(standings_answer(loaded.state, None, without_name)))
    cast = Cast(loaded.state)
    for recorded in service.tournaments.history(cup.id):
        yield from (tournament_event_frame(recorded, loaded.state, with_) for with_ in (None, cast))
    for path in cup.tables():
        table = path.rpartition("/")[2]
        loaded_table = service.tables.load(table)
        yield snapshot_frame(loaded_table, "spectator", without_name, now=0, with_legal=False)
        for recorded in service.tables.history(table):
            yield event_frame("double_blind", recorded, "spectator", None, 0)


@pytest.mark.parametrize(
    "who",
    [
        "Olga",
        "Ada",
        pytest.param("spectator", marks=pytest.mark.campaign),
        pytest.param("Eve", marks=pytest.mark.campaign),
    ],
)
def test_t_14_answers_hide_seeds_until_they_are_revealed(who):
    cup, people = hold_tournament(SEEDS[0], format="swiss", sittings=[{"rounds": 3}])
    ended, _ = cup.tables()
    cup.end_table(ended)
    catch_up(cup.api)
    actor = cup.api.spectator if who == "spectator" else people[who]
    known = cup.api.spectator.get(ended).json["view"]["server_seed"]
    derived = [table_seed(SEEDS[0], round_=round_, board=board) for round_ in (1, 2, 3) for board in (1, 2)]
    secrets = [SEEDS[0], *[seed for seed in derived if seed != known]]
    assert len(secrets) == 6
    assert set(cup.secrets()) <= set(secrets)

    named = path_parameters(cup, people)
    given = [*answers(cup, actor, paths_of("GET", **named))]
    given += refusals(actor, [path for path in paths_of("POST", **named) if harmless(path)])

    for answer in given:
        assert all(secret.encode() not in answer.data for secret in secrets), answer.request.url
        assert all(secret not in str(answer.headers) for secret in secrets), answer.request.url


def harmless(path):
    """Returns whether a refused command cannot affect the compared answers."""
    return path.startswith("/v1/tournaments/") and not path.endswith(
        ("/cancel", "/finish", "/withdrawal", "/expulsion")
    )


def test_t_14_everything_is_visible_after_the_tournament():
    cup, _ = hold_tournament(SEEDS[0])
    cup.cancel()
    cup.run_due()

    assert cup.view["server_seed"] == SEEDS[0]
    assert SEEDS[0].encode() in cup.get("/log").data
    assert cup.events()[0]["data"]["server_seed"] == SEEDS[0]
    seeds = [cup.api.spectator.get(path).json["view"]["server_seed"] for path in cup.tables()]
    assert seeds == [table_seed(SEEDS[0], round_=1, board=board) for board in (1, 2)]
