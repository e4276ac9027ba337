"""Before the release of a deal, neither live streams nor pushes tell anybody about another table of it (D-7).

As in `test_duplicate_secrecy.py`, two tournaments have different deals, and everything that somebody else receives must
be the same, byte for byte.
"""

import asyncio

import pytest

from hoodwink.domain.tables.state import Phase
from hoodwink.service.http.framework.operations import Call
from hoodwink.service.http.framework.streaming import (
    StandingsSubscription,
    TableSubscription,
    TournamentSubscription,
    Visitor,
)
from hoodwink.service.http.messages.answers import encode
from hoodwink.service.http.messages.requests import Request
from hoodwink.service.http.messages.standings_answers import standings_answer
from hoodwink.service.http.resources.access import names_at, names_in
from hoodwink.service.http.resources.players.me import MeResource
from hoodwink.service.http.serving.streams import hub as hub_module
from hoodwink.service.http.serving.streams import personal_streams as personal_module
from tests.service.http.players.test_pushes import PUSHES, subscription
from tests.service.http.room import Room
from tests.service.http.streams.test_hub import Feed, RecordedStream, hub_over, until
from tests.service.http.tournaments.test_duplicate_secrecy import ID, Event, table_seat
from tests.service.http.tournaments.test_tournament_secrecy import BLINDED, SEEDS
from tests.service.push_server import Browser, push_server

STRANGERS = ("Olga", "Eve")
GRACE_MS = 300_000


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(hub_module, "MAX_REST_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_PAUSE_SECONDS", 0.001)
    monkeypatch.setattr(hub_module, "_BLOCK_MS", 20)
    monkeypatch.setattr(personal_module, "INTERVAL_SECONDS", 0.001)


SPECTATOR = Visitor(None)


class Live:
    """A tournament with two open tables, and a hub."""

    def __init__(self, seed):
        self.event = Event(seed, is_played=False)
        self.service = self.event.service
        self.feed = Feed()
        self.hub = hub_over(self.event.api, self.feed)

    async def join(self, asked):
        record = RecordedStream()
        await self.hub.join(record, asked)
        return record

    async def follow_tournament(self, *, words):
        loaded = self.service.tournaments.load(ID)
        names = names_in(self.service, loaded.state)
        return await self.join(
            TournamentSubscription(loaded=loaded, names=names, words=words, visitor=SPECTATOR)
        )

    async def follow_standings(self):
        loaded = self.service.tournaments.load(ID)
        shown = encode(standings_answer(loaded.state, None, names_in(self.service, loaded.state)))
        return await self.join(StandingsSubscription(loaded, SPECTATOR, shown))

    async def follow_tables(self, name):
        """Follows the news of somebody's own tables."""
        person = self.event.people[name]
        call = Call(Request(method="GET", path="/v1/me/events", headers={}, streams=Room()), {})
        call.player = self.service.players.authenticate(person.token)
        return await self.join(MeResource(self.service).follow_my_tables(call).subscription)

    async def sit(self, path, person, **wanted):
        """Follows a table from the person's seat."""
        loaded = self.service.tables.load(path.rpartition("/")[2])
        seat = table_seat(loaded.state, person)
        names = names_at(self.service, loaded.state)
        return await self.join(
            TableSubscription(loaded=loaded, names=names, viewer=seat, player=person.id, **wanted)
        )

    def point(self):
        """Adds feed entries for the tournament and both tables."""
        self.feed.point(ID, "tournament")
        for path in (self.event.ended, self.event.open):
            self.feed.point(path.rpartition("/")[2])


def live(scenario, *given):
    async def run():
        scenes = [Live(seed) for seed in SEEDS]
        try:
            return [await scenario(scene, *given) for scene in scenes]
        finally:
            for scene in scenes:
                await scene.hub.close()

    return asyncio.run(run())


async def watched_by_strangers(scene):
    """Plays a table to its end, and returns what everybody receives who has no seat at it."""
    streams = [
        await scene.follow_tournament(words=False),
        await scene.follow_tournament(words=True),
        await scene.follow_standings(),
        *[await scene.follow_tables(name) for name in STRANGERS],
    ]
    event = scene.event
    event.play(event.ended)
    assert event.table(event.ended).is_embargoed
    assert [record.has_ended for record in streams] == [False] * 5
    version = scene.service.tournaments.load(ID).state.version
    scene.point()
    # The same round sends standings, and it is over when the hub waits for the feed again.
    await until(lambda: all(version in record.ids for record in streams[:2]) and scene.feed.is_awaited)
    return [BLINDED.sub(b"", b"".join(record.chunks)) for record in streams], streams[0].events


def test_d_7_live_streams_of_others_do_not_depend_on_the_deal():
    (mine, events), (theirs, _) = live(watched_by_strangers)

    assert events[-1][2]["type"] == "tournament.table_sealed"
    assert mine == theirs


async def cut_off(scene, how):
    """Lets a player leave a table, and returns their streams, those of the opponent, and the version of leaving."""
    event = scene.event
    leaving, staying = event.at(event.open)
    theirs = [
        await scene.sit(event.open, leaving),
        await scene.sit(event.open, leaving, with_view=True),
    ]
    others = await scene.sit(event.open, staying)
    for person in event.at(event.ended):
        person.post(f"{event.ended}/ready")
    staying.post(f"{event.open}/ready")
    if how == "resign":
        leaving.post(f"{event.open}/ready")
        assert leaving.resign(event.open).status_code == 200
    else:
        event.api.service.clock.now += GRACE_MS + 1
    event.run_due()
    table = event.table(event.open)
    assert table.phase is Phase.ENDED
    scene.point()
    await until(lambda: table.version in others.ids)
    return theirs, others, table


@pytest.mark.parametrize("how", ["resign", "no_show"])
def test_d_7_the_streams_of_a_player_who_left_end_there(how):
    wire = {"resign": "table.seat_resigned", "no_show": "table.no_show"}[how]
    for theirs, others, table in live(cut_off, how):
        left = next(number for _, number, data in others.events if data.get("type") == wire)
        assert table.is_embargoed
        assert not others.has_ended
        assert left < table.version
        for record in theirs:
            assert record.has_ended
            assert all(secret not in str(record.events) for secret in (table.server_seed, table.shared.key))


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with push_server(tmp_path_factory.mktemp("push")) as running:
        yield running


def pushed(server, seed):
    """Returns the pushes to each person while a table is played, at its end, and after the release."""
    event, browser = Event(seed, is_played=False, guard=server.guard()), Browser()
    for name, person in event.people.items():
        person.ask("PUT", PUSHES, json=subscription(server.url(f"/{name}"), browser.keys))
    found = []
    for step in (lambda: None, lambda: event.play(event.ended), lambda: event.play(event.open)):
        step()
        server.requests.clear()
        for path in (event.ended, event.open):
            event.service.caller.call(path.rpartition("/")[2])
        found.append(sorted((name[1:], str(browser.read(body))) for name, _, body in server.requests))
    assert not event.table(event.ended).is_embargoed
    return event, found


def test_d_7_pushes_call_players_to_their_own_table_and_say_nothing_of_another(server):
    (event, mine), (_, theirs) = [pushed(server, seed) for seed in SEEDS]
    at = {path: sorted(event.at(path), key=lambda person: person.id) for path in (event.ended, event.open)}
    names = {person.id: name for name, person in event.people.items()}
    asked = [
        (names[person.id], str({"url": path.removeprefix("/v1")}))
        for path, people in at.items()
        for person in people
    ]

    assert mine == theirs
    assert mine == [sorted(asked), [], []]
